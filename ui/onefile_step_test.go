package ui

import (
	"testing"
	"time"

	"blossom/ui/desk"
	"blossom/ui/desk/tour"
	"blossom/ui/uitest"
)

func init() {
	if !oneFile {
		return
	}
	tour.Register(&tour.Step{ID: "memo", Order: 5, Title: "Write a memo", Words: "Write a line of text.",
		Keys: "Alt+M, then Enter", Panel: "memo",
		At: func(*desk.Desk) []string { return []string{"side bar/memo/Write"} },
		Begin: func(d *desk.Desk) func() bool {
			return func() bool { return memoPart.Of(d.Doc.State()) != "" }
		}})
}

// memoStep takes the tour as far as a step that was added in a file: it is the first by its order, points at its panel,
// is not done before a hand has done it, and the tour then goes on.
func memoStep(t *testing.T, a *App, d *uitest.Driver) {
	t.Helper()
	toured(t, a, d)
	if now := stepNow(a); now != "memo" || a.tour.Done() {
		t.Errorf("the tour begins with %q, done %v", now, a.tour.Done())
		return
	}
	c := spotlit(t, d).Center()
	d.Click(c.X, c.Y)
	d.Wait("the step is noticed, and the tour goes on", 30*time.Second, func() bool {
		now, at, _ := a.tour.Step()
		return now != nil && now.ID != "memo" && at == 1
	})
	uitest.Do(a.docs.Guest.Go)
	d.Frames(3)
	if a.tour.On() {
		t.Error("the tour does not end")
	}
}
