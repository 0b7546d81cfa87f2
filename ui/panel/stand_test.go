package panel

import (
	"slices"
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// begin opens demo data in a window in which nothing but one panel stands, of 360 x 900 points.
func begin(t *testing.T, id, demo string) (*stand.Window, *uitest.Driver) {
	t.Helper()
	return beginWith(t, stand.Options{Data: demo}, id)
}

// beginWith opens a window with panels at its right side; what is left of it is for views, where the options say so.
func beginWith(t *testing.T, o stand.Options, ids ...string) (*stand.Window, *uitest.Driver) {
	t.Helper()
	panels := map[string]Panel{}
	o.Draw = func(w *stand.Window) {
		side := w.UI.Window()
		side.X0 = max(0, side.X1-w.UI.Pt(widget.SideUsual))
		w.UI.Area("side bar", side, widget.AreaOpts{Border: widget.SideLeft, PadX: 12, Scroll: true}, func() {
			for _, k := range Kinds() {
				if !slices.Contains(ids, k.ID) {
					continue
				}
				p := panels[k.ID]
				if p == nil {
					p = k.New(w.Desk)
					panels[k.ID], w.UI.Open[k.ID] = p, true
				}
				w.UI.Panel(k.Title+"##"+k.ID, widget.PanelOpts{Note: p.Note()}, p.Draw)
			}
		})
	}
	return stand.Open(t, o)
}

// besidePanels is what they leave of the window to the views.
func besidePanels(w *stand.Window) widget.Rect {
	r := w.UI.Window()
	r.X1 -= w.UI.Pt(widget.SideUsual)
	return r
}
