package view_test

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// described writes a table of points in two groups, each with an image that a column names, and a text; the image of
// the fourth row is damaged.
func described(t *testing.T) (path string) {
	t.Helper()
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("x,y,z,image,caption\n")
	for i := range 60 {
		img := image.NewRGBA(image.Rect(0, 0, 64, 48))
		for x := range 64 {
			for y := range 48 {
				img.SetRGBA(x, y, color.RGBA{uint8(4 * i), uint8(4 * x), uint8(5 * y), 255})
			}
		}
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%02d.png", i+1)))
		if err != nil {
			t.Fatal(err)
		}
		if i == 3 {
			fmt.Fprint(f, "no image")
		} else if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&text, "%g,%g,%g,%02d.png,\"Row %d, described by somebody who had very much to say about it, in "+
			"words "+
			"that do not fit into one line of a card.\"\n", math.Sin(float64(i))+float64(i%2)*9, math.Cos(float64(3*i)),
			float64(i%7), i+1, i+1)
	}
	path = filepath.Join(dir, "t.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// The card of a point shows the image that a column of paths names and the text of a column of texts; an image that is
// damaged is said, and a folder of images is shown when it is chosen.
func TestCardsShowImagesAndTexts(t *testing.T) {
	path := described(t)
	s, d := begin(t, stand.Options{Data: path, W: 900, H: 700})
	v := s.Desk.Stage.Scatter()
	hold := func(row int) {
		t.Helper()
		point := -1
		for i, r := range s.Desk.Table().Order {
			if int(r) == row {
				point = i
			}
		}
		uitest.Do(func() { s.Desk.Stage.Hover().Hold(v, point, row) })
		d.Frames(2)
		d.Wait("the image is there", 20*time.Second, func() bool {
			c := s.Desk.Stage.Hover().Shown()
			return !c.Pending && (c.Image != nil || c.Missing != "")
		})
		d.Frames(2)
	}
	card := s.Desk.Stage.Hover().Shown
	for _, row := range []int{7, 41} {
		hold(row)
		if c := card(); c.Image == nil || c.Size.X != 64 || c.Size.Y != 48 ||
			!strings.HasPrefix(c.Words, fmt.Sprintf("Row %d, described", row+1)) {
			t.Fatalf("row %d: %+v", row+1, *c)
		}
		in, n := s.Desk.Stage.Hover().Place(), 0
		shot := d.Screenshot()
		for y := int(in.Y0); y < int(in.Y1); y++ {
			for x := int(in.X0); x < int(in.X1); x++ {
				if p := shot.RGBAAt(x, y); p.R == uint8(4*row) && p.B != p.G {
					n++
				}
			}
		}
		if n < 5000 {
			t.Errorf("row %d: %d pixels of its image are seen", row+1, n)
		}
	}
	if rows := card().Rows; len(rows) != 5 || rows[0].Name != "image" || rows[0].Value != "42.png" {
		t.Errorf("a card that is held has not all columns: %+v", rows)
	}
	hold(3)
	if c := card(); c.Image != nil || !strings.Contains(c.Missing, "04.png") {
		t.Errorf("a damaged image: %+v", *c)
	}
	d.Shoot("card-image-missing")

	uitest.Do(func() {
		s.Desk.Doc.Do("Images", func(now *state.State) { parts.Images.Put(now, t.TempDir()) })
	})
	hold(7)
	if c := card(); c.Image != nil || !strings.Contains(c.Missing, "no images in") {
		t.Errorf("an empty folder: %+v", *c)
	}
	uitest.Do(func() {
		s.Desk.Doc.Do("Images", func(now *state.State) { parts.Images.Put(now, filepath.Dir(path)) })
	})
	hold(8) // the ninth row, whose image is called 09
	if c := card(); c.Image == nil {
		t.Errorf("a folder of images: %+v", *c)
	}
	for _, dark := range []bool{false, true} {
		uitest.Do(func() { s.Theme(dark) })
		for _, scale := range []float32{1, 2} {
			d.SetScale(scale)
			d.Resize(int(900*scale), int(700*scale))
			d.Frames(4)
			d.Shoot(fmt.Sprintf("card-image-%v-%g", dark, scale))
		}
	}
}
