package stand

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/live"
	"blossom/render"
	"blossom/ui/shell"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Frame is what the program's is: input, work, views, and what stands around them.
func (w *Window) Frame(c *shell.Context) {
	w.UI.Begin(c)
	w.canvas = widget.Rect{}
	var bar widget.Rect
	views := w.Desk != nil && w.Options.Views != nil
	if views {
		w.canvas = w.Options.Views(w)
		bar = w.arrange(c)
	}
	if w.Desk != nil {
		w.input(c)
		w.advance(c)
	}
	if views && w.Desk != nil {
		s := w.Desk.Stage
		s.Draw(w.Desk.Busy())
		w.UI.CanvasFunc("map", w.canvas, func(dl *imgui.DrawList) { s.Present(dl) })
		w.around(c, bar)
	}
	if w.Options.Draw != nil {
		w.Options.Draw(w)
	}
	if w.Desk != nil && w.Desk.Unpreview() {
		w.UI.Again()
	}
	w.UI.End()
	if w.Desk != nil {
		w.Desk.Stage.Keep()
	}
}

// arrange finds the places of the views, and returns that of the options of the tool.
func (w *Window) arrange(c *shell.Context) widget.Rect {
	s, tool := w.Desk.Stage, w.Desk.Stage.Hand().Tool
	s.Scene.Scale, s.Scene.Ratio = c.Scale(), float64(c.FramebufferScale())
	s.Scene.Theme, s.Scene.Dark = render.Light(), w.Options.Dark
	if w.Options.Dark {
		s.Scene.Theme = render.Dark()
	}
	s.Hand().Reach = 8 * float64(c.Scale())
	return s.Arrange(w.canvas, tool.Options != nil)
}

// around draws what stands around and over the views.
func (w *Window) around(c *shell.Context, bar widget.Rect) {
	s, thing := w.Desk.Stage, w.Desk.Doc.Data.PointWord()
	s.Headers()
	s.Legends()
	s.Qualities(thing+"s", c.Now())
	if tool := s.Hand().Tool; tool.Options != nil && !bar.Empty() {
		tool.Options(s, bar, thing)
	}
	over, mouse := (*view.Scatter)(nil), imgui.MousePos()
	if w.UI.OnCanvas(w.canvas, mouse) {
		over = s.Under(mouse)
	}
	s.Hover().Update(over, mouse, c.Now())
	for _, v := range s.Scatters() {
		s.Hand().Count(v, thing+"s", c.Now())
	}
	s.Hover().Card(imgui.ForegroundDrawListViewportPtr(), strings.ToUpper(thing[:1])+thing[1:])
}

// advance computes what the frame is due.
func (w *Window) advance(c *shell.Context) {
	s, m := w.Desk.Stage, w.Desk.Map
	before := w.Marks()
	s.Hand().Settle()
	held := s.Hand().Dragging() || m.Doc.Open() || m.Previewing()
	m.Hold(held)
	w.shown = s.Recipes(w.shown[:0])
	if w.Options.Views != nil {
		m.Show(w.shown)
	}
	if _, err := w.Desk.Frame(c.Delta(), live.Budget(held)); err != nil {
		w.Fail(err)
	}
	s.Hand().Validate(before, w.Marks())
	if w.Options.Views != nil {
		s.Update(c.Now())
		for _, v := range s.Scatters() {
			v.Follow(v.IsMap() && m.Busy() || v.Field().Busy() || v.Points() != nil && !v.Points().Ready())
		}
	}
	if todo := w.later; !w.Desk.Busy() && !s.Moving() {
		w.later = nil
		for _, do := range todo {
			do()
		}
	}
}

// input hands the mouse to the views. Of the keys, the window has those of tools, of undo and redo, Enter and Esc.
func (w *Window) input(c *shell.Context) {
	s := w.Desk.Stage
	hand := s.Hand()
	hand.Hold(c.Mods())
	if w.Options.Modal != nil && w.Options.Modal() && !hand.Active() {
		return
	}
	for _, e := range c.Events() {
		switch e.Kind {
		case shell.KeyDown:
			w.key(e)
			continue
		case shell.KeyUp, shell.Char:
			continue
		}
		over, at := w.UI.OnCanvas(w.canvas, e.Pos), s.Under(e.Pos)
		if over && at != nil && !hand.Active() {
			hand.At = at
			if e.Kind == shell.MouseDown {
				s.Activate(at.View)
			}
		}
		if hand.Active() || over && at != nil || e.Kind == shell.Blur {
			hand.Handle(e, float64(c.Scale()))
		} else if e.Kind == shell.MouseMove {
			hand.Hover = -1
		}
	}
}

func (w *Window) key(e shell.Event) {
	hand := w.Desk.Stage.Hand()
	switch {
	case w.UI.Takes(e.Key, e.Mods&shell.Shift != 0, e.Command()):
	case e.Key == imgui.KeyZ && e.Mods == shell.Ctrl:
		w.Undo()
	case e.Key == imgui.KeyZ && e.Mods == shell.Ctrl|shell.Shift, e.Key == imgui.KeyY && e.Mods == shell.Ctrl:
		w.Redo()
	case e.Mods == 0 && e.Key > imgui.Key0 && int(e.Key-imgui.Key0) <= len(view.Tools()):
		w.use(view.Tools()[e.Key-imgui.Key1])
	case e.Key == imgui.KeyEnter:
		hand.Confirm()
	case e.Key == imgui.KeyEscape:
		switch {
		case hand.Cancel(), hand.Draw.Cancel():
		case w.Desk.Stage.Hover().Held:
			w.Desk.Stage.Hover().Leave()
		case w.Desk.Stage.CloseQuality():
		default:
			hand.Landmarks.Selected = nil
		}
	}
}

// Wake says when the next frame is due.
func (w *Window) Wake() shell.Wake {
	if w.Desk == nil {
		return shell.Idle
	}
	if s := w.Desk.Stage; w.Desk.Busy() || w.Options.Views != nil && (s.Moving() || s.Unfinished() || s.Flying()) {
		return shell.Now
	}
	return shell.Idle
}
