package panel

import (
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live/member"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The panel says of what share of the points a map is made that is of a sample, and nothing where all are in it.
func TestTheShareOfASampleIsSaid(t *testing.T) {
	for of, want := range map[[2]int]string{{100_000, 1_234_567}: "Made of 100,000 of 1,234,567 points, 8.1 %",
		{0, 500}: "", {500, 500}: "", {700, 500}: ""} {
		if got := sampled(of[0], of[1]); got != want {
			t.Errorf("%v: %q, want %q", of, got, want)
		}
	}
	s, d := beginWith(t, stand.Options{Data: "demo:tesseract:1000", W: 1100, H: 900, Views: besidePanels}, "tsne")
	uitest.Do(func() {
		s.Desk.Doc.Do("Points", func(at *state.State) {
			parts.Runs.Put(at, parts.Runs.Of(*at).Edit(embedding.TSNE(2), func(c *parts.RunChoice) {
				c.Values["points"], c.Values["total"] = 120, 60
			}))
		})
		s.Desk.ShowBeside(embedding.TSNE(2))
	})
	s.Rest(d)
	d.Shoot("share")
	uitest.Do(func() {
		if _, e := s.Desk.RunningView("tsne"); e.Stands().Points != 120 {
			t.Errorf("the map is of %d points", e.Stands().Points)
		}
	})
}

// How a run stands is said as it is: what has done its units is not paused, and exaggeration says how much.
func TestStands(t *testing.T) {
	early := embedding.Standing{Phase: "exaggerated ×12", Early: 250}
	for want, r := range map[string]member.Running{
		"not run yet":                {},
		"unit 300 of 1,000":          {Active: true, Units: 300, Total: 1000},
		"exaggerated ×12, 57 of 250": {Active: true, Units: 57, Total: 1000, Standing: early},
		"paused, unit 57 of 1,000":   {Units: 57, Total: 1000, Standing: early},
		"at rest, unit 640":          {Units: 640, Total: 1000, Rest: true},
		"done, unit 1,000":           {Units: 1000, Total: 1000},
		"paused, unit 1,200":         {Units: 1200},
		"of other data":              {Units: 1200, Foreign: true},
	} {
		if got := Stands(r); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
