package output_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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
		if dir := os.Getenv("BLOSSOM_PICTURES"); dir != "" {
			name := filepath.Join(dir, fmt.Sprintf("page-%g.png", c.width))
			if err := os.WriteFile(name, written(t, a, p, ".png"), 0o666); err != nil {
				t.Error(err)
			}
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
