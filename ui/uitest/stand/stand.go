// Package stand is a window for tests of what stands in the program's: panels, docks, dialogs about a map and views.
// A document is open at a desk of its own, and nothing of the program is there but what the test puts there. What the
// desk asks of the window is written down.
package stand

import (
	"strings"
	"testing"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/model/work"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
	"blossom/model/work/virtual"
	"blossom/render"
	"blossom/render/colour"
	"blossom/render/palette"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Options say what stands in the window.
type Options struct {
	Data     string  // a file or "demo:NAME"
	W, H     int     // pixels; 0: 360 x 900
	Scale    float32 // 0: 1
	Dark     bool
	Measured int  // among how many points quality is measured; 0: 100
	Trained  bool // as when the program opens it: else it is as its landmarks begin
	// Views is where the views stand in the window; nil: there are none.
	Views func(*Window) widget.Rect
	// Draw draws what else stands in the window, in each frame.
	Draw func(*Window)
}

// Whole has the views take all of the window.
func Whole(w *Window) widget.Rect { return w.UI.Window() }

// Window is the window. It is read and changed within uitest.Do, or between two frames.
type Window struct {
	shell.Nop
	desk.Window // nothing is asked of it but what is below
	desk.Output
	Options Options
	UI      *widget.UI
	Desk    *desk.Desk

	Said     []string          // messages
	Asked    desk.FileQuestion // the last one
	Revealed []string          // panels, by their IDs
	Copied   string
	Do       map[string]func() // what commands do, by their IDs; others do nothing

	t       testing.TB
	opened  *opening.Opened
	engine  engine.Chooser
	trouble error
	shown   []embedding.Recipe
	canvas  widget.Rect
}

// Open opens the document in a window and waits until its map is at rest. What fails and is not asked for by Trouble
// fails the test.
func Open(t testing.TB, o Options) (*Window, *uitest.Driver) {
	t.Helper()
	if o.W == 0 {
		o.W, o.H = 360, 900
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	opened, err := opening.Load(t.Context(), []string{o.Data}, format.Options{Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &Window{Options: o, t: t, opened: opened, Do: map[string]func(){}}
	d := uitest.Open(t, w, o.W, o.H, o.Scale)
	if o.Trained {
		uitest.Do(func() {
			if err := w.Desk.Training().Run(true); err != nil {
				t.Error(err)
			}
		})
	}
	w.Rest(d)
	t.Cleanup(func() {
		if err := w.Trouble(); err != nil {
			t.Error(err)
		}
	})
	return w, d
}

// Start makes the desk.
func (w *Window) Start(c *shell.Context) error {
	w.UI = widget.New()
	w.Theme(w.Options.Dark)
	e, err := engine.Open(engine.Auto, engine.Options{}) // the one that the test links
	if err != nil {
		return err
	}
	r, err := render.New(render.Options{ProcAddress: c.ProcAddress})
	if err != nil {
		return err
	}
	jobs := &work.Jobs{Post: c.Post, Failed: w.Fail, Clock: &virtual.Clock{Unit: 500 * time.Microsecond}}
	m, err := live.NewMap(w.opened, &e, buffers(r), jobs)
	if err != nil {
		return err
	}
	m.Measured, m.Notice, m.Alert = max(w.Options.Measured, 100), w.Say, w.Say
	stage := view.NewStage(m, w.UI, r, w.Say, w.Fail)
	m.Chosen = func() []int { return stage.Hand().Selected }
	stage.Hand().Mean = func() []float32 { return make([]float32, m.Table().X.Cols) }
	stage.Hand().Colour = func() string { return stage.Active().Look().Column }
	stage.Hand().Menu = func(float64, float64, int) {}
	w.Desk = &desk.Desk{Map: m, UI: w.UI, Window: w, Output: w, Stage: stage, Start: desk.StartFor(m.Doc.Data),
		Paint: func() desk.Paint { return paint{stage.Scatter()} }}
	w.engine = e
	return nil
}

// Stop ends what computes and gives back what is drawn with.
func (w *Window) Stop() {
	if w.Desk == nil {
		return
	}
	w.Desk.Values.Jobs.CancelAll()
	w.Desk.Close()
	w.engine.Close()
	w.Desk.Stage.Free()
	w.Desk.Stage.Scene.Renderer.Close()
}

func buffers(r *render.Renderer) live.Buffers {
	return live.Buffers{
		Make: func(n, dims int) embedsom.Target { return r.NewPointBuffer(n, dims) },
		Drop: func(t embedsom.Target) { t.(*render.PointBuffer).Free() },
		Fresh: func(t embedsom.Target) bool {
			p := t.(*render.PointBuffer)
			if !p.Ready() {
				p.Fetch()
			}
			return p.Ready()
		},
		Sync: func(t embedsom.Target) { t.(*render.PointBuffer).Sync() },
	}
}

// paint is how a view is drawn, as the desk knows it.
type paint struct{ v *view.Scatter }

func (p paint) Values() *colour.Values                        { return p.v.Colours.Values }
func (p paint) Colouring() palette.Colouring                  { return p.v.Colouring() }
func (p paint) Histogram() (counts []float32, lo, hi float32) { return p.v.Colours.Bins() }
func (p paint) Drawn() (size, opacity float64)                { return p.v.Drawn() }

// Theme makes the window light or dark.
func (w *Window) Theme(dark bool) {
	w.Options.Dark = dark
	w.UI.SetTheme(widget.Light())
	if dark {
		w.UI.SetTheme(widget.Dark())
	}
}

// Tool chooses what a plain drag in a view does, by the ID of the tool.
func (w *Window) Tool(id string) { w.use(view.ToolByID(id)) }

func (w *Window) use(t *view.Tool) {
	if w.Desk.Stage.Hand().Tool = t; t.Large {
		w.Desk.Show(func(v *parts.View) { v.Landmarks = true })
	}
}

// Frame is what the program's is: input, work, views, and what stands around them.
func (w *Window) Frame(c *shell.Context) {
	w.UI.Begin(c)
	s := w.Desk.Stage
	w.canvas = widget.Rect{}
	var bar widget.Rect
	if w.Options.Views != nil {
		w.canvas = w.Options.Views(w)
		bar = w.arrange(c)
	}
	w.input(c)
	w.advance(c)
	if w.Options.Views != nil {
		s.Draw(w.Desk.Busy())
		w.UI.CanvasFunc("map", w.canvas, func(dl *imgui.DrawList) { s.Present(dl) })
		w.around(c, bar)
	}
	if w.Options.Draw != nil {
		w.Options.Draw(w)
	}
	if w.Desk.Unpreview() {
		w.UI.Again()
	}
	w.UI.End()
	s.Keep()
}

// arrange finds the places of the views, and returns that of the options of the tool.
func (w *Window) arrange(c *shell.Context) (bar widget.Rect) {
	s, tool := w.Desk.Stage, w.Desk.Stage.Hand().Tool
	s.Scene.Scale, s.Scene.Ratio = c.Scale(), float64(c.FramebufferScale())
	s.Scene.Theme, s.Scene.Dark = render.Light(), w.Options.Dark
	if w.Options.Dark {
		s.Scene.Theme = render.Dark()
	}
	s.Hand().Reach = 8 * float64(c.Scale())
	if tool.Options != nil {
		bar = w.canvas
		bar.Y1 = min(bar.Y0+w.UI.Pt(widget.OptionsHeight), bar.Y1)
		w.canvas.Y0 = bar.Y1
	}
	s.Arrange(w.canvas, tool.Options != nil)
	return bar
}

// around draws what stands around and over the views.
func (w *Window) around(c *shell.Context, bar widget.Rect) {
	s, thing := w.Desk.Stage, "point"
	if w.Desk.Doc.Data.Cytometry() {
		thing = "cell"
	}
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
	if w.Options.Views == nil {
		return
	}
	s.Update(c.Now())
	for _, v := range s.Scatters() {
		v.Follow(v.IsMap() && m.Busy() || v.Field().Busy() || v.Points() != nil && !v.Points().Ready())
	}
}

// input hands the mouse to the views. Of the keys, the window has those of tools, of undo and redo, Enter and Esc.
func (w *Window) input(c *shell.Context) {
	s := w.Desk.Stage
	hand := s.Hand()
	hand.Hold(c.Mods())
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
	case imgui.CurrentIO().WantTextInput() || w.UI.NumberTaken() && e.Mods&shell.Ctrl == 0:
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
			hand.Selected = nil
		}
	}
}

// Undo takes the last entry of the history back, as the command does.
func (w *Window) Undo() { w.Desk.Moving(func() { w.Desk.Keep(); w.Desk.Doc.Undo() }) }

// Redo does it again.
func (w *Window) Redo() { w.Desk.Moving(func() { w.Desk.Doc.Redo() }) }

// Wake says when the next frame is due.
func (w *Window) Wake() shell.Wake {
	if s := w.Desk.Stage; w.Desk.Busy() || w.Options.Views != nil && (s.Moving() || s.Unfinished() || s.Flying()) {
		return shell.Now
	}
	return shell.Idle
}

// Rest waits until nothing is computed, drawn in parts or on its way.
func (w *Window) Rest(d *uitest.Driver) {
	w.t.Helper()
	d.Frames(1)
	d.Wait("the map is at rest", 0, func() bool { return w.Wake() == shell.Idle && w.Desk.Values.Jobs.Idle() })
	d.Frames(2)
}

// Marks are the landmarks of the document.
func (w *Window) Marks() *landmark.Set { return parts.Landmarks.Of(w.Desk.Doc.State()) }

// Last is the last entry of the history.
func (w *Window) Last() string { return w.Desk.Doc.History().CanUndo() }

// Trouble is the last error that was shown since it was asked for, or nil.
func (w *Window) Trouble() (err error) {
	err, w.trouble = w.trouble, nil
	return err
}

func (w *Window) Widgets() *widget.UI     { return w.UI }
func (w *Window) Say(text string)         { w.Said = append(w.Said, text) }
func (w *Window) Note(n desk.Note)        { w.Say(n.Text) }
func (w *Window) Fail(err error)          { w.trouble = err }
func (w *Window) Copy(text string)        { w.Copied = text }
func (w *Window) Reveal(panel string)     { w.Revealed = append(w.Revealed, panel) }
func (w *Window) Dark() bool              { return w.Options.Dark }
func (w *Window) Ask(q desk.FileQuestion) { w.Asked = q }

// Command is one that does what the test says; others cannot be run.
func (w *Window) Command(id string) desk.Command {
	do, can := w.Do[id]
	return desk.Command{Can: can, Run: func() {
		if can {
			do()
		}
	}}
}

func (w *Window) PictureSize(desk.Picture) (width, height int) { return 100, 100 }
func (w *Window) Drawing() bool                                { return false }
