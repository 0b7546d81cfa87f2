package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/desk"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Toasts leave headers and bars free, and a card never lies on its point, however small the view.
func TestToastsAndCardsCoverNothing(t *testing.T) {
	a, d := beginTraining(t, 1000, 640, 1, Options{Paths: []string{"demo:cytometry:2000"}})
	opened(t, a, d)
	for _, size := range [][2]int{{1000, 640}, {430, 330}} {
		d.Resize(size[0], size[1])
		for _, tool := range view.Tools() {
			uitest.Do(func() {
				a.setTool(tool)
				a.note(desk.Note{Text: "A long note over the map that needs some room to be read in full"})
				a.note(desk.Note{Text: "Another"})
			})
			d.Frames(3)
			bars := []widget.Rect{a.active().View.Header, a.rooms.regions.options, a.rooms.regions.strip}
			toasts := 0
			uitest.Do(func() {
				for _, name := range a.ui.Names() {
					if !strings.HasPrefix(name, "toast ") || strings.Contains(name, "/") {
						continue
					}
					toasts++
					toast, _ := a.ui.Rect(name)
					for _, bar := range bars {
						if toast.Overlaps(bar) {
							t.Errorf("%v, %s: a toast at %v lies on a bar at %v", size, tool.ID, toast, bar)
						}
					}
				}
			})
			if toasts < 2 {
				t.Fatalf("%d toasts are shown", toasts)
			}
		}
		d.Sleep(7 * time.Second)
		i := stand.Visible(a.desk)
		if i < 0 {
			t.Fatal("no point is seen")
		}
		x, y, _ := stand.Spot(a.active(), i)
		d.Move(float32(x), float32(y))
		d.Sleep(400 * time.Millisecond)
		h := a.desk.Stage.Hover()
		if !h.On {
			t.Fatalf("%v: nothing is hovered at %g, %g", size, x, y)
		}
		if card := h.Place(); card.Empty() || card.Has(imgui.Vec2{X: float32(x), Y: float32(y)}) {
			t.Errorf("%v: the card at %v covers its point at %g, %g", size, card, x, y)
		}
		d.Move(3, 3)
		d.Frames(2)
	}
}
