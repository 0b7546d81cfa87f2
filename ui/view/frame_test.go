package view_test

import (
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/work/embedding"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The frame of four views takes no memory: neither at rest nor while a landmark is dragged. What ImGui is told is
// another matter.
func TestTheFrameOfFourViewsDoesNotAllocate(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:tesseract:4000", W: 1280, H: 800})
	stand.FourViews(s.Desk, d)
	s.Rest(d)
	var shown []embedding.Recipe
	now := d.Shell().Context().Now()
	frame := func() {
		shown = s.Desk.Stage.Recipes(shown[:0])
		s.Desk.Map.Show(shown)
		if _, err := s.Desk.Frame(shell.FrameTime, 50*time.Millisecond); err != nil {
			t.Error(err)
		}
		s.Desk.Stage.Arrange(s.UI.Window(), false)
		s.Desk.Stage.Update(now)
		s.Desk.Stage.Draw(s.Desk.Busy())
		s.Desk.Stage.Keep()
	}
	uitest.Do(func() {
		if n := testing.AllocsPerRun(50, frame); n > 0 {
			t.Errorf("%g allocations in a frame at rest", n)
		}
	})
	d.Keys("2")
	x, y := stand.MarkAt(s.Desk, 30)
	d.Move(x, y)
	d.Press(shell.Left)
	d.Move(x+20, y)
	i := 0
	uitest.Do(func() {
		frame()
		drag := func() {
			i++
			s.Desk.Stage.Hand().Handle(shell.Event{Kind: shell.MouseMove,
				Pos: imgui.Vec2{X: x + 20 + float32(i%7), Y: y + float32(i%5)}}, 1)
		}
		hand := testing.AllocsPerRun(50, drag)
		both := testing.AllocsPerRun(50, func() { drag(); frame() })
		if both > hand {
			t.Errorf("%g allocations in a frame of a drag, %g of them of the landmarks that move", both, hand)
		}
	})
	d.Release(shell.Left)
	s.Rest(d)
}
