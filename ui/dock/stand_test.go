package dock

import (
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// begin opens a window with a dock at its foot and views above it.
func begin(t *testing.T, id string, o stand.Options) (*stand.Window, *uitest.Driver) {
	t.Helper()
	var kind Kind
	for _, k := range Kinds() {
		if k.ID == id {
			kind = k
		}
	}
	foot := func(w *stand.Window) (views, dock widget.Rect) {
		views, dock = w.UI.Window(), w.UI.Window()
		dock.Y0 = dock.Y1 - w.UI.Pt(kind.Height)
		views.Y1 = dock.Y0
		return views, dock
	}
	o.Views = func(w *stand.Window) widget.Rect {
		views, _ := foot(w)
		return views
	}
	var dock Dock
	o.Draw = func(w *stand.Window) {
		if dock == nil {
			dock = kind.New(w.Desk)
		}
		_, r := foot(w)
		w.UI.Dock("dock-"+id, kind.Title, "", r, false, dock.Head, func(x widget.DockHit) { dock.Act(x.Act, x.Under) },
			dock.Draw)
	}
	return stand.Open(t, o)
}
