package ui

import (
	"testing"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/uitest"
)

// A panel that shows a value which its control would never give changes nothing, and leaves no interaction open:
// training beside one crawls.
func TestPanelsLeaveTheDocumentAlone(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:3000"}})
	opened(t, a, d)
	uitest.Do(func() {
		a.desk.Doc.Do("Epochs", func(s *state.State) {
			parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Values = step.Values{"epochs": 0.002} })
		})
	})
	d.Frames(5)
	uitest.Do(func() {
		if v := parts.Training.Of(a.desk.Doc.State()).Values["epochs"]; a.desk.Doc.Open() || v != 0.002 {
			t.Errorf("an interaction is open: %v; epochs are %g", a.desk.Doc.Open(), v)
		}
	})
}
