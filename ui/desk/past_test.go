package desk_test

import (
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// Runs rest when the document goes elsewhere in its history: else they would go on from what was left.
func TestGoingElsewherePausesRuns(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:1000"})
	stand.Deeds(s.Desk, 3, 0, 0)
	doc := s.Desk.Doc
	for _, how := range []func(){func() { s.Desk.Moving(func() { doc.Undo() }) },
		func() { s.Desk.Moving(func() { doc.Redo() }) },
		func() { s.Desk.Go(s.Desk.Past().Moments[1].ID) }} {
		uitest.Do(func() {
			if err := s.Desk.Layout().Start(); err != nil {
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
