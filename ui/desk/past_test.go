package desk_test

import (
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// What goes on rests when the document goes elsewhere in its history: else it would go on from what was left.
func TestGoingElsewherePausesRuns(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:1000"})
	stand.Deeds(s.Desk, 3, 0, 0)
	for _, how := range []func(){func() { s.Desk.Undo() }, func() { s.Desk.Redo() },
		func() { s.Desk.Go(s.Desk.Past().Moments[1].ID) }} {
		uitest.Do(func() {
			if err := s.Desk.Layout().Run(nil); err != nil {
				t.Error(err)
			}
		})
		d.Frames(3)
		uitest.Do(func() {
			how()
			if s.Desk.Layout().Active() || s.Desk.Runs().Running() {
				t.Error("a layout goes on")
			}
		})
	}
}

// Undone while it runs and done again, a run is where it was.
func TestARunDoneAgainIsWhereItWas(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:800", W: 900, H: 600, Views: stand.Whole})
	uitest.Do(func() { s.Desk.ShowBeside(embedding.TSNE(2)) })
	units := func() int64 {
		if _, e := s.Desk.RunningView(); e != nil && e.Err() == nil {
			return e.Run().Units
		}
		return -1
	}
	d.Wait("t-SNE forms", 0, func() bool { return units() >= 60 })
	at := units()
	uitest.Do(func() { s.Desk.Undo() })
	d.Frames(3)
	uitest.Do(func() { s.Desk.Redo() })
	d.Frames(3)
	if now := units(); at >= 1000 || now < at {
		t.Errorf("undone at unit %d, done again it is at %d", at, now)
	}
}
