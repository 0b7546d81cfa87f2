// Package stand is a window for tests of what stands in the program's: panels, docks, dialogs about a map and views.
// A document is open at a desk of its own, and nothing of the program is there but what the test puts there. What the
// desk asks of the window is written down.
package stand

import (
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
	"blossom/model/work/virtual"
	"blossom/render"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Options say what stands in the window.
type Options struct {
	Data     string   // a file or "demo:NAME"; "": the window is empty until something sits
	More     []string // files that are opened together with it
	W, H     int      // pixels; 0: 360 x 900
	Scale    float32  // 0: 1
	Dark     bool
	Measured int  // among how many points quality is measured; 0: 100
	Trained  bool // as when the program opens it: else it is as its landmarks begin
	// Views is where the views stand in the window; nil: there are none.
	Views func(*Window) widget.Rect
	// Draw draws what else stands in the window, in each frame.
	Draw func(*Window)
	// Modal says whether something there takes all input; nil: nothing does.
	Modal func() bool
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
	Desk    *desk.Desk // nil: there is no document
	Jobs    *work.Jobs
	Engines engine.Chooser

	Said       []string          // messages
	Asked      desk.FileQuestion // the last one
	Named      desk.NameQuestion // the last one
	Revealed   []string          // panels, by their IDs
	Copied     string
	Wrote      desk.Table        // the last table of coordinates
	WroteNames []desk.Names      // files of populations, in their order
	Do         map[string]func() // functions of commands, by their IDs; other commands do nothing

	t       testing.TB
	opened  *opening.Opened
	render  *render.Renderer
	trouble error
	later   []func() // waits until nothing is stale
	shown   []embedding.Recipe
	canvas  widget.Rect
}

// New returns the window of a test that opens it itself.
func New(t testing.TB, o Options) *Window {
	t.Helper()
	w := &Window{Options: o, t: t, Do: map[string]func(){}}
	if o.Data != "" {
		var err error
		paths := append([]string{o.Data}, o.More...)
		if w.opened, err = opening.Load(t.Context(), paths, format.Options{Seed: 1}, nil); err != nil {
			t.Fatal(err)
		}
	}
	return w
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
	w := New(t, o)
	d := uitest.Open(t, w, o.W, o.H, o.Scale)
	if o.Trained {
		uitest.Do(func() {
			if err := w.Desk.Training().Again(); err != nil {
				t.Error(err)
			}
			w.Desk.Training().LayOut()
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
func (w *Window) Start(c *shell.Context) (err error) {
	w.UI = widget.New()
	w.Theme(w.Options.Dark)
	if w.Engines, err = engine.Open(engine.Auto, engine.Options{}); err != nil { // the one that the test links
		return err
	}
	if w.render, err = render.New(render.Options{ProcAddress: c.ProcAddress}); err != nil {
		return err
	}
	w.Jobs = &work.Jobs{Post: c.Post, Failed: w.Fail, Clock: &virtual.Clock{Unit: 500 * time.Microsecond}}
	if w.opened == nil {
		return nil
	}
	m, err := live.NewMap(w.opened, &w.Engines, w.Buffers(), w.Jobs)
	if err == nil {
		m.Notice, m.Alert = w.Say, w.Say
		w.Sit(m)
	}
	return err
}

// Sit makes the desk of a map in place of the one that there was, or of none.
func (w *Window) Sit(m *live.Map) {
	if w.Desk != nil {
		w.Desk.Stage.Free()
	}
	if w.Desk = nil; m == nil {
		return
	}
	m.Measured = max(w.Options.Measured, 100)
	stage := view.NewStage(m, w.UI, w.render, w.Say, w.Fail)
	hand := stage.Hand()
	m.Chosen = func() []int { return hand.Landmarks.Selected }
	hand.Landmarks.Mean = func() []float32 { return make([]float32, m.Table().X.Cols) }
	hand.Host.Colour = func() string { return stage.Active().Look().Column }
	hand.Host.Menu = func(float64, float64, int) {}
	w.Desk = &desk.Desk{Map: m, UI: w.UI, Window: w, Output: w, Stage: stage, Start: desk.StartFor(m.Doc.Data)}
}

// Swap puts a desk that was taken away before, or none, in place of the one that there is.
func (w *Window) Swap(to *desk.Desk) (former *desk.Desk) {
	former, w.Desk = w.Desk, to
	return former
}

// Stop ends what computes and gives back what is drawn with.
func (w *Window) Stop() {
	if w.Jobs != nil {
		w.Jobs.CancelAll()
	}
	if w.Desk != nil {
		w.Desk.Close()
	}
	w.Engines.Close()
	if w.Desk != nil {
		w.Desk.Stage.Free()
	}
	if w.render != nil {
		w.render.Close()
	}
}

// Buffers is where positions go: where drawing reads them.
func (w *Window) Buffers() live.Buffers { return view.Buffers(w.render) }

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

// Undo takes the last entry of the history back, as the command does.
func (w *Window) Undo() { w.Desk.Moving(func() { w.Desk.Keep(); w.Desk.Doc.Undo() }) }

// Redo does it again.
func (w *Window) Redo() { w.Desk.Moving(func() { w.Desk.Doc.Redo() }) }

// Rest waits until nothing is computed, drawn in parts or on its way.
func (w *Window) Rest(d *uitest.Driver) {
	w.t.Helper()
	d.Frames(1)
	d.Wait("the map is at rest", 0, func() bool { return w.Wake() == shell.Idle && w.Jobs.Idle() })
	d.Frames(2)
}

// Place is where the views stand.
func (w *Window) Place() widget.Rect { return w.canvas }

// Marks are the landmarks of the document.
func (w *Window) Marks() *landmark.Set { return parts.Landmarks.Of(w.Desk.Doc.State()) }

// Last is the last entry of the history.
func (w *Window) Last() string { return w.Desk.Doc.History().CanUndo() }

// Trouble is the last error that was shown since it was asked for, or nil.
func (w *Window) Trouble() (err error) {
	err, w.trouble = w.trouble, nil
	return err
}

func (w *Window) Widgets() *widget.UI         { return w.UI }
func (w *Window) Say(text string)             { w.Said = append(w.Said, text) }
func (w *Window) Note(n desk.Note)            { w.Say(n.Text) }
func (w *Window) Fail(err error)              { w.trouble = err }
func (w *Window) Copy(text string)            { w.Copied = text }
func (w *Window) Pasted() string              { return w.Copied }
func (w *Window) Reveal(panel string)         { w.Revealed = append(w.Revealed, panel) }
func (w *Window) Dark() bool                  { return w.Options.Dark }
func (w *Window) Ask(q desk.FileQuestion)     { w.Asked = q }
func (w *Window) AskName(q desk.NameQuestion) { w.Named = q }

// Write writes at once.
func (w *Window) Write(path string, write func(io.Writer) error) {
	f, err := os.Create(path)
	if err == nil {
		err = errors.Join(write(f), f.Close())
	}
	if err != nil {
		w.trouble = err
	}
}

// Command is one that does what the test says; others cannot be run.
func (w *Window) Command(id string) desk.Command {
	do, can := w.Do[id]
	return desk.Command{Can: can, Run: func() {
		if can {
			do()
		}
	}}
}

// WhenFresh runs do as soon as nothing is stale. Waiting says whether something waits for that; GiveUp drops it.
func (w *Window) WhenFresh(do func()) {
	w.Desk.Runs().PauseAll()
	w.later = append(w.later, do)
}

func (w *Window) Waiting() bool { return len(w.later) > 0 }

// Making is the program's.
func (w *Window) Making(string) bool { return false }
func (w *Window) GiveUp()            { w.later = nil }

func (w *Window) PictureSize(desk.Picture) (width, height int) { return 100, 100 }
func (w *Window) Preview(desk.Picture, int, int) uint32        { return 0 }
func (w *Window) Drawing() bool                                { return false }
