package ui

import (
	"testing"

	"blossom/ui/panel"
	"blossom/ui/uitest"
)

// A click on "split" is drawn with every panel open: the new view is spoken of before its first frame.
func TestSplitByItsButton(t *testing.T) {
	a, d := begin(t, 1400, 880, 1, Options{Paths: []string{"demo:tesseract:2000"}})
	opened(t, a, d)
	uitest.Do(func() {
		for _, p := range panel.Kinds() {
			a.ui.Open[p.ID] = true
		}
	})
	d.Frames(2)
	d.ClickOn("view1/split")
	rest(t, a, d)
	if a.troubled() != nil || a.desk.Stage.Count() != 2 {
		t.Fatalf("%d views, %v", a.desk.Stage.Count(), a.troubled())
	}
}
