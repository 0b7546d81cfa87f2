// Package ui is the program's window: the map with its hands-on tools, and a panel for each thing that
// can be set. It turns input into commands of the document and shows what package live computes.
package ui

import (
	"cmp"
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
	"blossom/render"
	"blossom/ui/command"
	"blossom/ui/desk"
	"blossom/ui/desk/tour"
	"blossom/ui/dialog"
	"blossom/ui/dock"
	"blossom/ui/documents"
	"blossom/ui/orders"
	"blossom/ui/output"
	"blossom/ui/panel"
	"blossom/ui/shell"
	"blossom/ui/view"
	_ "blossom/ui/view/heat" // kinds of views
	_ "blossom/ui/view/skyline"
	_ "blossom/ui/view/wall"
	"blossom/ui/widget"
)

// Options say how to start.
type Options struct {
	Paths      []string // a session, or data files, which are opened as one table
	Engine     string   // "" is what the settings say
	Threads    int
	Device     int    // which card
	Beside     []int  // further cards, for runs beside the window
	Knn        string // kernels of the engine, "" for the fastest
	Projection string
	MaxPoints  int    // 0: all
	Sample     string // "first" or "random"
	Seed       uint64
	Reading    dataset.Reading // how the text tables in Paths are read
	Sheets     opening.Sheets  // sheets of the samples and columns of Paths
	Theme      string          // "", "light" or "dark"
	Tour       bool            // begin with the guided tour
	To         string          // file of the session that a script waits for, of what is in Paths; "": none does
	Version    string
	Program    string // path of the program, which makes films; "": the one that runs
	ConfigDir  string // folder of the settings; "" is the user's own
	StateDir   string // folder of sessions saved by themselves; "" is the user's own
	OwnDialogs bool   // never ask the system for a file dialog
	Still      bool   // do not begin to train by itself, for tests that want one picture
	Doctor     func() string
	Draw       render.Path // how points are drawn; Auto is right but for tests
	Measured   int         // how many points quality is measured among; 0: quality.SampleSize
	Clock      work.Clock  // by which runs are shared out; nil: the time of the day
}

// App is the program in a window. It implements shell.App.
type App struct {
	shell.Nop
	options  Options
	ctx      *shell.Context
	started  atomic.Pointer[shell.Context] // ctx, for other goroutines
	ui       *widget.UI
	settings *Settings
	log      logbook

	compute computing
	desk    *desk.Desk // everything of the open document; nil without one
	docs    *documents.Documents
	rooms   rooms

	renderer *render.Renderer
	shown    []embedding.Recipe

	dialogs *dialog.Stack
	chooser dialog.Files
	menus   command.Menus[*App]
	menu    mapMenu
	output  *output.Output
	tour    tour.Tour
	away    seat // it waits while a guest is here

	pace  pace
	tools tools
	keys  keys
}

// rooms are the parts of the window.
type rooms struct {
	side    panel.Side
	docks   dock.Docks
	status  statusBar
	regions regions
}

// pace is how frames follow each other.
type pace struct {
	frames frameClock
	wakeIn time.Duration // the hover or a chip waits for so long
}

// tools are the tool of the views, and the one before it where it is for a single stroke, else nil.
type tools struct{ now, former *view.Tool }

// keys is whom the key under way is for.
type keys struct {
	arrow bool // it is an arrow
	inner bool // Esc is for a menu, a dialog, a field or a slider
}

// Run opens the window and returns when it is closed. After Ctrl-C in the terminal, which closes it as
// the user would, the error is context.Canceled.
func Run(o Options) error {
	a := newApp(o)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // by nohup
		signal.Notify(stop, syscall.SIGHUP)
	}
	defer signal.Stop(stop)
	var interrupted atomic.Bool
	go func() {
		if s, ok := <-stop; ok {
			interrupted.Store(s == os.Interrupt)
			a.stopSoon()
		}
	}()
	err := shell.Run(shell.Config{Title: "blossom", Geometry: a.settings.Geometry, Zoom: a.settings.Zoom}, a)
	switch {
	case err != nil:
		return err
	case interrupted.Load():
		return context.Canceled
	}
	return a.docs.Awaited.Err()
}

// stopSoon closes the window from another goroutine; what it shows is kept as when the user closes it.
func (a *App) stopSoon() {
	for range 100 {
		if c := a.started.Load(); c != nil {
			c.Post(c.Close)
			return
		}
		time.Sleep(20 * time.Millisecond) // still starting
	}
}

func newApp(o Options) *App {
	a := &App{options: o, settings: loadSettings(o.ConfigDir), tools: tools{now: view.Tools()[0]}}
	a.dialogs = dialog.NewStack(window{a})
	if o.Theme != "" {
		a.settings.Theme = o.Theme
	}
	if o.Seed == 0 {
		a.options.Seed = 1
	}
	a.compute = computing{w: window{a}, dialogs: a.dialogs, asked: cmp.Or(o.Engine, a.settings.Engine),
		remembered: &a.settings.Engine}
	a.docs = documents.New(window{a}, a.dialogs, &a.compute.engines, &a.settings.Remembered, documents.Options{
		Reading: format.Options{MaxPoints: o.MaxPoints, Sample: o.Sample, Seed: a.options.Seed}, Still: o.Still,
		StateDir: o.StateDir, Version: o.Version, Sheets: o.Sheets, To: o.To, First: a.settings.First})
	a.output = output.New(window{a}, a.dialogs)
	a.output.Documents, a.output.Engines, a.output.Version = a.docs, &a.compute.engines, o.Version
	a.output.Program = o.Program
	a.output.Views = func() widget.Rect { return a.rooms.regions.canvas }
	return a
}

// Start prepares everything that needs the GL context.
func (a *App) Start(c *shell.Context) error {
	a.ctx = c
	a.started.Store(c)
	a.chooser = dialog.Files{Stack: a.dialogs, Own: a.options.OwnDialogs, Post: c.Post, Folder: &a.settings.Folder,
		Recent: func() []string { return a.settings.Recent }}
	a.log.now = c.Now
	a.ui = widget.New()
	a.ui.Open = a.settings.Panels
	narrow := func() bool { return a.rooms.regions.narrow }
	a.rooms.side = panel.Side{UI: a.ui, Context: c, Place: &a.settings.Place, Narrow: narrow, Busy: a.expecting,
		Remember: a.keepSettings}
	a.rooms.docks = dock.Docks{UI: a.ui, Places: a.settings.Docks, Narrow: narrow, Remember: func() {
		a.keepSettings()
		c.Refresh()
	}}
	a.menus = command.Menus[*App]{UI: a.ui, Subject: a, Table: everyCommand, Below: func(id string) {
		if id == "reopen" {
			a.docs.DrawMenu()
		}
	}}
	a.tour = tour.Tour{UI: a.ui, Desk: func() *desk.Desk { return a.desk }, Narrow: narrow, End: a.docs.Guest.Go,
		Manual: a.readOn}
	a.menu.u, a.menu.items = a.ui, a.menus.Items
	a.rooms.status = statusBar{u: a.ui, context: c, compute: &a.compute, log: &a.log, frames: &a.pace.frames,
		modal: a.modal}
	a.applyTheme()
	if a.options.Draw == render.Auto {
		a.options.Draw = render.PathNamed(os.Getenv(render.PathVariable))
	}
	r, err := render.New(render.Options{Path: a.options.Draw, ShaderDir: shaderDir(), ProcAddress: c.ProcAddress})
	if err != nil {
		return err
	}
	a.renderer = r
	a.compute.jobs = &work.Jobs{Post: c.Post, Failed: a.fail, Clock: a.options.Clock}
	a.docs.Start(c, a.compute.jobs)
	a.output.Start(c, a.compute.jobs, r)
	err = a.compute.open(engine.Options{Threads: a.options.Threads, Device: a.options.Device,
		Beside: a.options.Beside, Knn: a.options.Knn,
		Projection: a.options.Projection, GL: current, Window: true})
	if err != nil {
		return err
	}
	a.log.add("blossom %s, engine %s (%s), OpenGL %s", a.options.Version, a.compute.engines.Engine().Name(),
		a.compute.engines.Engine().Device(), r.Info().Renderer)
	if len(a.options.Paths) > 0 {
		a.docs.OpenAs(a.options.Reading, a.options.Paths...)
	}
	if a.options.Tour {
		a.startTour()
	}
	a.docs.Recovery.Left.Find()
	return nil
}

// current is engine.Options.GL of a window: its context is current on the thread of the app all the time.
func current() (release func(), err error) { return func() {}, nil }

// Frame builds one frame.
func (a *App) Frame(c *shell.Context) {
	a.pace.frames.begin(c.Delta())
	a.ui.Begin(c)
	a.layout()
	a.input(c.Events())
	a.advance(c)
	a.output.DrawPicture()
	if a.desk != nil {
		if reloaded, err := a.renderer.ReloadShaders(); err != nil {
			a.fail(err)
		} else if reloaded {
			for _, v := range a.desk.Stage.Scatters() {
				v.Redraw()
			}
		}
		a.desk.Stage.Draw(a.desk.Busy())
	}
	a.ui.CanvasFunc("map", a.rooms.regions.canvas, func(dl *imgui.DrawList) {
		if a.desk != nil {
			a.desk.Stage.Present(dl)
		}
		a.menu.draw(a.desk)
	})
	if a.desk == nil {
		a.docs.Welcome.Draw(a.rooms.regions.canvas, a.rooms.side.Views(a.rooms.regions.canvas))
	} else {
		a.stageChrome()
	}
	a.chrome()
	a.overlays()
	if a.desk != nil && a.desk.Unpreview() {
		a.ui.Again()
	}
	a.keys.inner = a.ui.Inner()
	a.ui.End()
	a.housekeeping(c.Now())
}

// advance computes what this frame is due: training, neighbours, positions, colours.
func (a *App) advance(c *shell.Context) {
	if a.desk == nil {
		return
	}
	before := parts.Landmarks.Of(a.desk.Doc.State())
	hand := a.desk.Stage.Hand()
	hand.Settle()
	a.desk.Compare.Update()
	held := hand.Dragging() || a.desk.Doc.Open() || a.desk.Previewing()
	a.desk.Hold(held)
	a.shown = a.desk.Stage.Recipes(a.shown[:0])
	a.desk.Map.Show(a.shown)
	a.output.MakeColumns()
	if _, err := a.desk.Frame(c.Delta(), live.Budget(held)); err != nil {
		a.fail(err)
	}
	hand.Validate(before, parts.Landmarks.Of(a.desk.Doc.State()))
	a.desk.Stage.Update(c.Now())
	a.output.RunWaiting()
	for _, v := range a.desk.Stage.Scatters() {
		// A small map is up to date in every frame while it trains.
		forming := v.IsMap() && a.desk.Busy() || v.Field().Busy()
		v.Follow(forming || v.Points() != nil && !v.Points().Ready())
	}
}

// expecting says whether something that may have been asked for in a panel is yet to come.
func (a *App) expecting() bool {
	clustering := false
	if a.desk != nil {
		clustering = a.desk.Clusters().Stands().Active
	}
	return clustering || !a.compute.jobs.Idle()
}

// moving says whether positions change, or have not come to the host after they have.
func (a *App) moving() bool { return a.desk.Busy() || a.desk.Stage.Moving() }

// Wake says when the next frame is due.
func (a *App) Wake() shell.Wake {
	if a.desk != nil && (a.moving() || a.desk.Stage.Unfinished()) {
		return shell.Now
	}
	if a.desk != nil && a.desk.Stage.Flying() || len(a.compute.jobs.List()) > 0 {
		return shell.Wake(16 * time.Millisecond)
	}
	if a.pace.wakeIn > 0 {
		return shell.Wake(a.pace.wakeIn)
	}
	if at, ok := a.docs.Due(); ok {
		return shell.Wake(max(0, at.Sub(a.ctx.Now())))
	}
	return shell.Idle
}

// housekeeping does what has to be done now and then.
func (a *App) housekeeping(now time.Time) {
	if a.desk != nil {
		a.desk.Stage.Keep()
	}
	a.docs.Tick(now)
	a.pace.frames.end(animated(a.desk))
}

// Drop opens what was dropped on the window.
func (a *App) Drop(paths []string) {
	if len(paths) == 0 {
		return
	}
	a.docs.Drop(paths)
}

// CloseRequested lets the window go: the session is kept by itself, so there is nothing to ask. What is being saved
// is waited for.
func (a *App) CloseRequested() bool { return a.docs.Quit() }

// Panic reports what went wrong in a frame. The work is saved, and the window goes on.
func (a *App) Panic(v any, stack []byte) {
	a.log.add("internal error: %v\n%s", v, stack)
	dialog.Problem.Show(a.dialogs, problem.New("",
		"your session has been saved; please copy the log (Help, Copy log) and report it", "an internal error: %v", v))
	if a.desk != nil {
		a.desk.Stage.Hand().Cancel()
	}
	a.docs.KeepNow()
}

// Stop ends the program: settings and session are kept.
func (a *App) Stop() {
	a.docs.Finish()
	a.output.Leave()
	if a.compute.jobs != nil {
		a.compute.jobs.CancelAll()
	}
	a.docs.End()
	a.settings.Geometry, a.settings.Zoom = a.ctx.Geometry(), a.ctx.Zoom()
	a.keepSettings()
	if a.desk != nil {
		a.desk.Close()
	}
	a.compute.engines.Close()
	if a.desk != nil {
		a.desk.Stage.Free()
	}
	if a.renderer != nil {
		a.renderer.Close()
	}
}

// fail shows an error with its remedy and keeps it in the log.
func (a *App) fail(err error) {
	p := problem.As(err)
	a.log.add("%v", p)
	dialog.Problem.Show(a.dialogs, p)
}

// animated says whether frames follow each other at once: something computes, is drawn in parts, or is in the hand.
func animated(d *desk.Desk) bool {
	return d != nil && (d.Busy() || d.Stage.Unfinished() || d.Stage.Hand().Active())
}

// keepSettings writes the settings now, so that a crash does not cost them.
func (a *App) keepSettings() {
	a.settings.Panels = a.ui.Open
	if err := a.settings.save(); err != nil {
		a.log.add("settings were not saved: %v", err)
	}
}

// say puts a message into the status bar and the log.
func (a *App) say(text string) { a.log.add("%s", text) }

// input hands the events of the frame to whom they concern, in order.
func (a *App) input(events []shell.Event) {
	if a.desk != nil {
		a.desk.Stage.Hand().Hold(a.ctx.Mods())
	}
	for _, e := range events {
		switch e.Kind {
		case shell.KeyDown, shell.Char:
			// A menu may have been closed by this very Esc, a dialog opened by the key before.
			if c := everyCommand().For(e, a); c != nil && c.Anywhere && c.Can(a) {
				c.Run(a)
				continue
			}
			taken := a.ui.Takes(e.Key, e.Mods&shell.Shift != 0, e.Command())
			if !taken && !a.modal() && !(a.keys.inner && e.Key == imgui.KeyEscape) {
				a.keyPressed(e)
			}
		case shell.KeyUp:
			a.keyReleased(e)
		default:
			a.pointed(e, a.modal())
		}
	}
}

// pointed hands an event of the mouse to the view that it concerns.
func (a *App) pointed(e shell.Event, modal bool) {
	if a.desk == nil {
		return
	}
	hand := a.desk.Stage.Hand()
	over := a.ui.OnCanvas(a.rooms.regions.canvas, e.Pos)
	if v := a.desk.Stage.Under(e.Pos); !hand.Active() && over && v != nil {
		hand.At = v
		if e.Kind == shell.MouseDown {
			a.desk.Stage.Activate(v.View)
		}
	} else if v == nil {
		over = false
	}
	if !hand.Active() && (modal || !over || hand.At == nil) {
		if e.Kind == shell.MouseMove {
			hand.Hover = -1
		}
		if e.Kind != shell.Blur {
			return
		}
	}
	hand.Handle(e, float64(a.ctx.Scale()))
}

func (a *App) keyPressed(e shell.Event) {
	if e.Kind == shell.KeyDown && e.Key == imgui.KeyEscape {
		a.escape()
		return
	}
	c := everyCommand().For(e, a)
	if c == nil {
		return
	}
	if c.ID == "run" {
		// Space pans while held with a drag; it is "run" only when let go without one.
		if !e.Repeat {
			if a.desk != nil {
				a.desk.Stage.Hand().Space.Held, a.desk.Stage.Hand().Space.Used = true, false
			}
		}
		return
	}
	a.keys.arrow = e.Key >= imgui.KeyLeftArrow && e.Key <= imgui.KeyDownArrow
	if c.Can(a) {
		c.Run(a)
	}
}

func (a *App) keyReleased(e shell.Event) {
	if a.desk != nil {
		orders.CompareReleased(a.desk, e)
	}
	if e.Key != imgui.KeySpace || a.desk == nil || !a.desk.Stage.Hand().Space.Held {
		return
	}
	hand := a.desk.Stage.Hand()
	hand.Space.Held = false
	if c := commandByID("run"); !hand.Space.Used && c.Can(a) {
		c.Run(a)
	}
}

// escape leaves the innermost thing that is going on in the views; menus, dialogs and fields leave by themselves.
func (a *App) escape() {
	switch {
	case a.desk == nil:
	case a.desk.Stage.Hand().Cancel():
	case a.desk.Compare.On():
		a.desk.Compare.End()
	case a.tools.now.ID == "draw" && a.desk.Stage.Hand().Draw.Cancel():
	case a.tools.former != nil:
		a.formerTool()
	case a.desk.Stage.Hover().Held:
		a.desk.Stage.Hover().Leave()
	case a.desk.Stage.CloseQuality():
	case a.tour.On():
		a.docs.Guest.Go()
	case len(a.desk.Stage.Hand().Landmarks.Selected) > 0:
		a.desk.Stage.Hand().Landmarks.Selected = nil
	case !a.desk.Stage.Selected().Empty():
		a.desk.Stage.SelectNone()
	}
}

// Widgets returns the controls, for tests that look for them by name.
func (a *App) Widgets() *widget.UI { return a.ui }
