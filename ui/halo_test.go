package ui

import (
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
)

// A landmark under the mouse says how it stands, and shows which points a press would move.
func TestHoveredLandmark(t *testing.T) {
	for _, c := range []struct {
		name, theme string
		w, h        int
		scale       float32
	}{{"light", "light", 1280, 800, 1}, {"dark-200", "dark", 2560, 1600, 2}} {
		t.Run(c.name, func(t *testing.T) {
			a, d := begin(t, c.w, c.h, c.scale, Options{Paths: []string{"demo:cytometry:2500"}, Theme: c.theme})
			opened(t, a, d)
			uitest.Do(func() { a.tools.now = view.ToolByID("landmarks"); a.desk.Stage.Hand().Tool = a.tools.now })
			rest(t, a, d)
			stage := a.desk.Stage
			// The landmark that most points are nearest to.
			uitest.Do(func() { a.desk.Influence() })
			rest(t, a, d)
			best, most := 0, 0.0
			uitest.Do(func() {
				for id := range parts.Landmarks.Of(a.desk.Doc.State()).Len() {
					if s := a.desk.Influence().Standing(id, 1).Share; s > most {
						best, most = id, s
					}
				}
			})
			x, y := landmarkAt(a, best)
			d.Move(x, y)
			d.Sleep(300 * time.Millisecond)
			card, points := stage.ShownLandmark()
			if !strings.HasPrefix(card.Title, "Landmark ") || len(card.Rows) != 5 ||
				!strings.Contains(card.Note, "% of cells") || !strings.Contains(card.Note, "spread") {
				t.Fatalf("%+v", card)
			}
			count := 0
			uitest.Do(func() {
				a.desk.Influence().Carried(best, func(int, float64) { count++ })
			})
			if points == 0 || points > count {
				t.Fatalf("a halo of %d points, not %d", points, count)
			}
			d.Shoot("landmark-card-" + c.name)
			d.Press(shell.Left)
			for i := 1; i <= 5; i++ {
				d.Move(x+float32(i)*12*c.scale, y-float32(i)*6*c.scale)
			}
			if _, held := stage.ShownLandmark(); held == 0 {
				t.Error("no halo while the landmark is dragged")
			}
			d.Shoot("landmark-drag-" + c.name)
			d.Release(shell.Left)
			d.Move(5*c.scale, 300*c.scale)
			d.Frames(2)
			if _, left := stage.ShownLandmark(); left != 0 {
				t.Errorf("a halo of %d points where the mouse is on no landmark", left)
			}
		})
	}
}
