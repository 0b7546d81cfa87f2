package ui

import (
	"testing"
	"time"

	"blossom/model/embedding"
	"blossom/ui/uitest"
)

// formed runs the t-SNE in sight until so many units are done.
func formed(t testing.TB, a *App, d *uitest.Driver, units int64) {
	t.Helper()
	d.Wait("t-SNE forms", 3*time.Minute, func() bool {
		_, e := a.desk.RunningView()
		return e != nil && (e.Run().Units >= units || e.Err() != nil)
	})
}

// The panel as a hand uses it.
func TestTSNEByItsPanel(t *testing.T) {
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:cytometry:1500"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		open(a)
		commandByID("tsne-view").run(a)
	})
	formed(t, a, d, 100)
	d.Frames(2)
	look(t, d, "tsne-forming")
	if !a.active().State().Recipe.Equal(embedding.TSNE(2)) || a.desk.Stage.Count() != 2 {
		t.Fatal("it is not in a view of its own")
	}
	formed(t, a, d, 600)
	look(t, d, "tsne-formed")
	d.ClickOn("side bar/tsne/run")
	d.Frames(3)
	_, e := a.desk.RunningView()
	if r := e.Run(); r.Active || r.Units < 600 {
		t.Fatalf("it is not paused: %+v", r)
	}
}
