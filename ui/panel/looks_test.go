package panel

import (
	"slices"
	"strings"
	"testing"

	"blossom/model/document/parts"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The panels that say the same on every machine, at the start of a map of cells: light at 100 %, and dark at 200 %.
func TestPanelsLook(t *testing.T) {
	all := []string{"data", "colour", "transform", "layout", "projection", "history", "export"}
	s, d := beginWith(t, stand.Options{Data: "demo:cytometry:2000", W: 620, H: 1100, Views: besidePanels}, all...)
	stand.Deeds(s.Desk, 4, 2, 1)
	s.Rest(d)
	for _, c := range []struct {
		suffix string
		dark   bool
		scale  int
	}{{"-light", false, 1}, {"-dark-200", true, 2}} {
		uitest.Do(func() { s.Theme(c.dark) })
		d.SetScale(float32(c.scale))
		d.Resize(620*c.scale, 1100*c.scale)
		for _, id := range all {
			uitest.Do(func() {
				for _, k := range Kinds() {
					s.UI.Open[k.ID] = k.ID == id
				}
			})
			d.Move(1, 1) // where nothing answers to the mouse
			d.Frames(4)
			d.Picture("panel-"+id+c.suffix, id+"/panel")
		}
	}
}

// Whatever is typed into the numbers of panels, the map stays one: numbers are within their limits.
func TestNonsenseInEveryNumber(t *testing.T) {
	s, d := beginWith(t, stand.Options{Data: "demo:torus-knot:400", W: 1280, H: 1600, Views: besidePanels}, "train",
		"projection", "colour")
	var boxes []string
	for _, n := range s.UI.Names() {
		if strings.HasSuffix(n, "/value") {
			boxes = append(boxes, strings.TrimSuffix(n, "/value"))
		}
	}
	slices.Sort(boxes)
	if len(boxes) < 10 {
		t.Fatalf("only %d numbers found: %q", len(boxes), boxes)
	}
	for _, b := range boxes {
		for _, text := range []string{"-1e99", "1e99", "NaN", "banana", "", "0"} {
			if !d.Has(b + "/value") {
				continue // another number has taken it away
			}
			d.Enter(b, text)
		}
	}
	s.Rest(d)
	p := parts.Projection.Of(s.Desk.Doc.State())
	if p.K < 3 || !(p.Boost > 0) || !(p.Adjust >= 0) {
		t.Fatalf("nonsense got through: %+v", p)
	}
	for i, v := range s.Desk.EmbedSOM().Target().Host() {
		if v-v != 0 {
			t.Fatalf("coordinate %d is %g", i, v)
		}
	}
}
