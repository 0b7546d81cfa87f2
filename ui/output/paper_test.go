package output_test

import (
	"bytes"
	"regexp"
	"strconv"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/ui/desk"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// On paper the legend of a view stands below its axes, as in a picture of the command; where its user has put it over
// the map it stays there.
func TestTheLegendOfAFigureStandsBelowItsAxes(t *testing.T) {
	a, d := enter(t, 900, 700, "demo:cytometry:500")
	stand.FourViews(a.Desk(), d)
	uitest.Do(func() { a.Desk().Stage.Activate(a.Desk().Stage.Views()[1]) })
	a.Rest(d)
	p := desk.Picture{Size: desk.OnPaper, White: true,
		Print: export.Print{Width: 85, Height: 64, DPI: 150, Font: 7}}
	lowest := func(svg []byte, id string) (at float64) {
		_, group, _ := bytes.Cut(svg, []byte(`id="`+id+`"`))
		group, _, _ = bytes.Cut(group, []byte("</g>"))
		for _, m := range regexp.MustCompile(`<text[^>]* y="([0-9.]+)"`).FindAllSubmatch(group, -1) {
			y, _ := strconv.ParseFloat(string(m[1]), 64)
			at = max(at, y)
		}
		return at
	}
	svg := written(t, a, p, ".svg")
	if legend, axes := lowest(svg, "legend"), lowest(svg, "axes"); axes == 0 || legend <= axes {
		t.Errorf("the legend ends at %g, the axes at %g", legend, axes)
	}
	uitest.Do(func() {
		a.Desk().Stage.Active().Edit(func(v *parts.View) { v.LegendAt.X, v.LegendAt.Y = 1, 1 })
	})
	d.Frames(3)
	svg = written(t, a, p, ".svg")
	if legend, axes := lowest(svg, "legend"), lowest(svg, "axes"); legend >= axes {
		t.Errorf("moved, the legend ends at %g, the axes at %g", legend, axes)
	}
}
