package ui

import (
	"testing"
	"time"

	"blossom/model/work/embedding"
	"blossom/ui/shell"
	"blossom/ui/uitest"
)

// Views behind a maximised one take no work: the window comes to rest.
func TestHiddenViewsRest(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		for _, p := range a.rooms.panels {
			a.ui.Open[p.ID] = true
		}
		a.desk.Stage.Split(a.active().View)
		a.desk.Stage.SetEmbedding(a.active().View, embedding.PCA(3))
	})
	rest(t, a, d)
	uitest.Do(func() { a.desk.Stage.Maximise(a.desk.Stage.Scatters()[0].View) })
	d.Frames(3)
	d.Wait("the window is at rest", 5*time.Second, func() bool { return a.Wake() != shell.Now })
	uitest.Do(func() {
		if a.desk.Existing(embedding.PCA(3)) != nil {
			t.Error("an embedding that no view shows is kept")
		}
	})
}
