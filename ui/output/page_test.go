package output_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"blossom/model/job/export"
	"blossom/render/pen/figure"
	"blossom/ui/desk"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// A page has the views that are chosen, with letters in their order, and says so where there are none.
func TestAPageHasTheViewsThatAreChosen(t *testing.T) {
	a, d := enter(t, 900, 700, "demo:cytometry:500")
	stand.FourViews(a.Desk(), d)
	a.Rest(d)
	p := desk.Picture{Size: desk.OnPaper, White: true, All: true, Letters: true,
		Print: export.Print{Width: 120, Height: 90, DPI: 100, Font: 7}}
	ids := []view.ID{}
	uitest.Do(func() {
		for _, v := range a.Desk().Stage.Views() {
			ids = append(ids, v.ID)
		}
	})
	for out, letters := range []string{">d<", ">c<", ">b<"} {
		if out > 0 {
			p.Leave(ids[out], true)
		}
		svg := written(t, a, p, ".svg")
		if !bytes.Contains(svg, []byte(letters)) || bytes.Contains(svg, []byte{'>', letters[1] + 1, '<'}) {
			t.Errorf("without %v there are other letters than up to %s", p.Without, letters)
		}
	}
	p.Leave(ids[1], false)
	if p.Left(ids[1]) || !p.Left(ids[2]) {
		t.Errorf("taken back in, %v are left out", p.Without)
	}
	for _, id := range ids {
		p.Leave(id, true)
	}
	uitest.Do(func() {
		if _, err := a.out.NewPicture(p, figureOf(t, ".png")); err == nil {
			t.Error("a page of nothing is drawn")
		}
	})
}

// Views of a small page have no room for their legends, which stand at its foot then, each once; a page with more room
// has them in its views.
func TestASmallPageHasItsLegendsAtItsFoot(t *testing.T) {
	a, d := enter(t, 900, 700, "demo:cytometry:500")
	stand.FourViews(a.Desk(), d)
	uitest.Do(func() {
		for _, v := range a.Desk().Stage.Views() {
			if s := v.Scatter(); s != nil {
				s.View.ColourBy("BUV615-A")
			}
		}
	})
	a.Rest(d)
	p := desk.Picture{Size: desk.OnPaper, White: true, All: true, Columns: 2,
		Print: export.Print{Width: 85, Height: 64, DPI: 150, Font: 7}}
	for _, c := range []struct {
		width, height float64
		foot          bool
	}{{85, 64, true}, {240, 180, false}, {12, 9, false}} {
		p.Print.Width, p.Print.Height = c.width, c.height
		svg := written(t, a, p, ".svg")
		panels := bytes.Index(svg, []byte(`id="panel`))
		legend := bytes.Index(svg, []byte(`id="legend`))
		if foot := legend >= 0 && legend < panels; foot != c.foot {
			t.Errorf("%g x %g mm: at its foot %v (%d, %d)", c.width, c.height, foot, legend, panels)
		}
		if n := bytes.Count(svg, []byte(`id="legend`)); c.width > 20 && n != 1 {
			t.Errorf("%g x %g mm: %d legends", c.width, c.height, n)
		}
		shoot(t, a, p, fmt.Sprintf("page-%g.png", c.width))
	}
}

// cytometry are four views as somebody looks at a sample: a map by populations, and two axes by one column.
func cytometry(t *testing.T) (*room, *uitest.Driver) {
	t.Helper()
	a, d := enter(t, 900, 700, "demo:cytometry:2000")
	stand.FourViews(a.Desk(), d)
	uitest.Do(func() {
		for i, v := range a.Desk().Stage.Views() {
			if s := v.Scatter(); s != nil && i > 0 {
				s.View.ColourBy("BUV615-A")
			} else if s != nil {
				s.View.ColourBy("population")
			}
		}
	})
	a.Rest(d)
	return a, d
}

// Each legend for which no view has room stands at the foot, a long list of names shortened, and names of axes stand
// outside of their frames on small pages, too.
func TestASmallPageSaysAllItsLegendsAndNamesOfAxesOverNothing(t *testing.T) {
	a, _ := cytometry(t)
	p := desk.Picture{Size: desk.OnPaper, White: true, All: true,
		Print: export.Print{Width: 85, Height: 64, DPI: 150, Font: 7}}
	for _, width := range []float64{85, 174} {
		p.Print.Width = width
		svg := written(t, a, p, ".svg")
		for _, word := range []string{">population<", ">≥ "} {
			if !bytes.Contains(svg, []byte(word)) {
				t.Errorf("%g mm: it does not say %q", width, word)
			}
		}
		frames := 0
		for _, group := range bytes.Split(svg, []byte(`id="axes`))[1:] {
			group, _, _ = bytes.Cut(group, []byte("</g>"))
			title := regexp.MustCompile(`<text[^>]* y="([0-9.]+)"[^>]*>PC 2`).FindSubmatch(group)
			if title == nil {
				continue
			}
			frames++
			y, _ := strconv.ParseFloat(string(title[1]), 64)
			for _, m := range regexp.MustCompile(`<text[^>]* y="([0-9.]+)"[^>]*>[−0-9]`).FindAllSubmatch(group, -1) {
				if at, _ := strconv.ParseFloat(string(m[1]), 64); at < y {
					t.Errorf("%g mm: a number stands at %g, above the name at %g", width, at, y)
				}
			}
		}
		if frames == 0 {
			t.Errorf("%g mm: there is no frame with PC 2", width)
		}
		shoot(t, a, p, fmt.Sprintf("small-%g.png", width))
	}
}

// shoot writes a picture to look at, where somebody has named a folder.
func shoot(t *testing.T, a *room, p desk.Picture, name string) {
	t.Helper()
	if dir := os.Getenv("BLOSSOM_PICTURES"); dir != "" {
		p.Print.DPI = 300
		if err := os.WriteFile(filepath.Join(dir, name), written(t, a, p, ".png"), 0o666); err != nil {
			t.Error(err)
		}
	}
}

// A preview of paper is the file of as many pixels: its legends, names and axes lie as they will there.
func TestAPreviewIsLaidOutAsItsFile(t *testing.T) {
	a, _ := cytometry(t)
	for _, all := range []bool{true, false} {
		p := desk.Picture{Size: desk.OnPaper, White: true, All: all,
			Print: export.Print{Width: 85, Height: 64, DPI: 300, Font: 7}}
		var seen *image.RGBA
		var err error
		uitest.Do(func() {
			if !all {
				a.Desk().Stage.Activate(a.Desk().Stage.Views()[1])
			}
			seen, err = a.out.PreviewImage(p, 502, 400)
		})
		if err != nil {
			t.Fatal(err)
		}
		p.Print.DPI *= 502.0 / 1004
		file, err := png.Decode(bytes.NewReader(written(t, a, p, ".png")))
		if err != nil {
			t.Fatal(err)
		}
		apart := 0
		for y := range file.Bounds().Dy() {
			for x := range file.Bounds().Dx() {
				if seen.RGBAAt(x, y) != color.RGBAModel.Convert(file.At(x, y)) {
					apart++
				}
			}
		}
		if apart > 0 || file.Bounds() != seen.Rect {
			t.Errorf("all %v: %v and %v, %d pixels differ", all, seen.Rect, file.Bounds(), apart)
		}
	}
}

func figureOf(t *testing.T, ending string) figure.Format {
	t.Helper()
	f, err := figure.Of(ending)
	if err != nil {
		t.Error(err)
	}
	return f
}
