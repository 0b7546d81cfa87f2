package view_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	pq "github.com/parquet-go/parquet-go"

	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The card of a point shows the image whose bytes lie in its row of a Parquet file; bytes that are none are said, and a
// row without any shows none.
func TestCardsShowImagesThatLieInTheTable(t *testing.T) {
	type row struct {
		X, Y, Z float32
		Image   struct {
			Bytes []byte `parquet:"bytes,optional"`
		} `parquet:"image"`
	}
	rows := make([]row, 60)
	for i := range rows {
		img := image.NewRGBA(image.Rect(0, 0, 32, 24+i%2))
		for k := range 32 * 24 {
			img.SetRGBA(k%32, k/32, color.RGBA{uint8(4 * i), uint8(8 * (k % 32)), uint8(10 * (k / 32)), 255})
		}
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		rows[i].X, rows[i].Y = float32(math.Sin(float64(i)))+float32(i%2)*9, float32(math.Cos(float64(3*i)))
		rows[i].Z, rows[i].Image.Bytes = float32(i%7), b.Bytes()
	}
	rows[3].Image.Bytes, rows[5].Image.Bytes = []byte("no image"), nil
	var file bytes.Buffer
	w := pq.NewGenericWriter[row](&file)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "images.parquet")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	s, d := begin(t, stand.Options{Data: path, W: 900, H: 700})
	v, card := s.Desk.Stage.Scatter(), s.Desk.Stage.Hover().Shown
	for _, x := range []struct {
		row  int
		high float32 // pixels; 0: there is no image
		says string
	}{{7, 25, ""}, {42, 24, ""}, {3, 0, "no image"}, {5, 0, ""}, {8, 24, ""}} {
		point := -1
		for i, r := range s.Desk.Table().Order {
			if int(r) == x.row {
				point = i
			}
		}
		uitest.Do(func() { s.Desk.Stage.Hover().Hold(v, point, x.row) })
		d.Frames(2)
		d.Wait("the image has been looked for", 20*time.Second, func() bool { return !card().Pending })
		d.Frames(2)
		d.Shoot("card-stored")
		c := card()
		if (c.Image != nil) != (x.high > 0) || x.high > 0 && c.Size.Y != x.high ||
			!strings.Contains(c.Missing, x.says) || (c.Missing == "") != (x.says == "") {
			t.Errorf("row %d: %+v", x.row, *c)
		}
	}
}
