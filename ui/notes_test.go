package ui

import (
	"strings"
	"testing"
	"time"

	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// A note that is not to be answered goes after some seconds, also while a t-SNE is being formed.
func TestANoteGoesWhileSomethingRuns(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:1200"}})
	opened(t, a, d)
	uitest.Do(func() { commandByID("tsne-view").Run(a) })
	formed(t, a, d, 30)
	uitest.Do(func() { a.note(desk.Note{Text: "a note"}) })
	d.Sleep(8 * time.Second)
	uitest.Do(func() {
		if _, e := a.desk.RunningView(); !e.Stands().Active {
			t.Error("the t-SNE has ended already")
		}
		if strings.Contains(a.ui.Toasts(), "a note") {
			t.Errorf("after 8 seconds there is %q", a.ui.Toasts())
		}
	})
}
