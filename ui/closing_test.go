package ui

import (
	"testing"

	"blossom/model/parts"
	"blossom/ui/uitest"
)

// A view that is closed goes in the middle of a frame: by its key before the pictures are drawn, by its header after
// they are part of what is shown.
func TestViewsClose(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}, Still: true})
	opened(t, a, d)
	for _, how := range []struct {
		by    string
		close func()
	}{
		{"the key", func() { d.Keys("Ctrl+W") }},
		{"the header", func() { d.ClickOn("view" + a.desk.Active().ID + "/close") }},
	} {
		d.Keys("Ctrl+D")
		rest(t, a, d)
		if n := a.stage.Count(); n != 2 {
			t.Fatalf("%d views", n)
		}
		how.close()
		d.Frames(3)
		rest(t, a, d)
		uitest.Do(func() {
			if n := len(parts.Views.Of(a.m.Doc.State()).Views); n != 1 || a.problem != nil {
				t.Errorf("closed by %s: %d views, %v\n%s", how.by, n, a.problem, a.log.text())
			}
			if v := a.stage.Views(); len(v) != 1 || v[0].PointsDrawn() != 1000 {
				t.Errorf("closed by %s: what is left is not drawn", how.by)
			}
		})
	}
}
