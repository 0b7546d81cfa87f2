package dialog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/model/work/embedding"
	"blossom/ui/desk"
	"blossom/ui/uitest"
	atdesk "blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// ofMap is a window with views of a map, for dialogs that are about one.
type ofMap struct{ *atdesk.Window }

func (m ofMap) Desk() *desk.Desk { return m.Window.Desk }
func (m ofMap) UI() *widget.UI   { return m.Window.UI }

// A table of one column has axes, too: that column twice.
func TestAxesOfOneColumn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "one.csv")
	if err := os.WriteFile(name, []byte("a\n"+strings.Repeat("1\n2.5\n4\n", 30)), 0o644); err != nil {
		t.Fatal(err)
	}
	dialogs := NewStack(nil)
	s, d := atdesk.Open(t, atdesk.Options{Data: name, W: 900, H: 600, Views: atdesk.Whole, Modal: dialogs.Any,
		Draw: func(w *atdesk.Window) {
			dialogs.window = ofMap{w}
			dialogs.Draw()
		}})
	v := s.Desk.Stage.Scatter()
	uitest.Do(func() { Axes.Show(dialogs, v.View) })
	d.Frames(3)
	d.ClickOn("columns-as-axes/Show")
	s.Rest(d)
	if !v.View.State().Recipe.Equal(embedding.Columns("a", "a")) || v.Field().Err() != nil {
		t.Fatalf("%v, %v", v.View.State().Recipe, v.Field().Err())
	}
}
