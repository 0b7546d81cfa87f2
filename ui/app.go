// Package ui is the program's window: the map with its hands-on tools, and a panel for each thing that
// can be set. It turns input into commands of the document and shows what package live computes.
package ui

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/engine"
	"blossom/model/live"
	"blossom/model/parts"
	"blossom/model/problem"
	"blossom/render"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// Options say how to start.
type Options struct {
	Paths      []string // a session, or data files, which are opened as one table
	Engine     string   // "" is what the settings say
	Threads    int
	Device     int    // which card
	Knn        string // kernels of the engine, "" for the fastest
	Projection string
	MaxPoints  int    // 0: all
	Sample     string // "first" or "random"
	Seed       uint64
	Theme      string // "", "light" or "dark"
	Version    string
	ConfigDir  string // of settings; "" is the user's own
	StateDir   string // of sessions saved by themselves; "" is the user's own
	OwnDialogs bool   // never ask the system for a file dialog
	Still      bool   // do not begin to train by itself, for tests that want one picture
	Doctor     func() string
	Draw       render.Path // how points are drawn; Auto is right but for tests
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

	jobs    *live.Jobs
	engines engine.Chooser
	m       *live.Map
	desk    *desk.Desk // of m
	panels  []placed
	opening *live.Job
	session string // path that "save" writes to, or ""
	saves   *autosave

	renderer *render.Renderer
	canvas   canvas
	view     *view
	hand     gestures
	colours  colours

	browser   browser
	palette   commandPalette
	shortcuts bool
	problem   *problem.Problem // shown until dismissed
	naming    naming
	menu      mapMenu
	picture   *pictureExport

	quitting   bool
	frames     frameClock
	regions    regions
	legendBox  widget.Rect
	reveal     string   // a panel to open and scroll to
	arrow      bool     // the key under way is an arrow
	waiting    []func() // until nothing is stale
	replace    replaceQuestion
	savedNow   stamp // what the user's own session file holds
	sideOver   bool  // in a narrow window: the side bar lies over the map
	settling   bool  // the map was busy in the last frame
	info       infoPage
	choice     engineChoice
	thumbnails map[string]*thumbnail
}

// Run opens the window and returns when it is closed. After Ctrl-C in the terminal, which closes it as
// the user would, the error is context.Canceled.
func Run(o Options) error {
	a := newApp(o)
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(stop)
	var interrupted atomic.Bool
	go func() {
		if s, ok := <-stop; ok {
			interrupted.Store(s == os.Interrupt)
			a.stopSoon()
		}
	}()
	err := shell.Run(shell.Config{Title: "blossom", Geometry: a.settings.Geometry, Zoom: a.settings.Zoom}, a)
	if err == nil && interrupted.Load() {
		return context.Canceled
	}
	return err
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
	a := &App{options: o, settings: loadSettings(o.ConfigDir), view: newView(), saves: newAutosave(o.StateDir)}
	if o.Theme != "" {
		a.settings.Theme = o.Theme
	}
	if o.Engine == "" {
		a.options.Engine = a.settings.Engine
	}
	if o.Seed == 0 {
		a.options.Seed = 1
	}
	return a
}

// Start prepares everything that needs the GL context.
func (a *App) Start(c *shell.Context) error {
	a.ctx = c
	a.started.Store(c)
	a.log.now = c.Now
	a.ui = widget.New()
	a.ui.Open = a.settings.Panels
	a.applyTheme()
	if a.options.Draw == render.Auto {
		a.options.Draw = render.PathNamed(os.Getenv(render.PathVariable))
	}
	r, err := render.New(render.Options{Path: a.options.Draw, ShaderDir: shaderDir(), ProcAddress: c.ProcAddress})
	if err != nil {
		return err
	}
	a.renderer = r
	a.canvas.init(r)
	a.jobs = &live.Jobs{Post: c.Post, Failed: a.fail}
	o := engine.Options{Threads: a.options.Threads, Device: a.options.Device, Knn: a.options.Knn,
		Projection: a.options.Projection, GL: current, Window: true}
	a.engines, err = engine.Open(a.options.Engine, o)
	if err != nil {
		// A remembered engine may have gone with the driver; the window must open all the same.
		a.log.add("%v", err)
		a.options.Engine = engine.Auto
		if a.engines, err = engine.Open(engine.Auto, o); err != nil {
			return err
		}
	}
	a.hand = gestures{view: a.view, hover: -1, said: a.say, menu: a.menu.open, mean: a.meanCode}
	a.log.add("blossom %s, engine %s (%s), OpenGL %s", a.options.Version, a.engines.Engine().Name(),
		a.engines.Engine().Device(), r.Info().Renderer)
	if len(a.options.Paths) > 0 {
		a.open(a.options.Paths...)
	}
	if left := a.saves.crashed(); len(left) > 0 {
		a.offerCrashed(left)
	}
	return nil
}

// current is engine.Options.GL of a window: its context is current on the thread of the app all the time.
func current() (release func(), err error) { return func() {}, nil }

// Frame builds one frame.
func (a *App) Frame(c *shell.Context) {
	a.frames.begin(c.Delta())
	a.ui.Begin(c)
	a.layout()
	a.input(c.Events())
	a.advance(c)
	a.drawPicture()
	a.canvas.draw(a)
	a.canvas.fetch(a)
	a.ui.CanvasFunc("map", a.regions.canvas, func(dl *imgui.DrawList) {
		a.canvas.show(a, dl)
		a.drawOver(dl)
		a.mapMenu()
	})
	if a.m == nil {
		a.welcome()
	}
	a.chrome()
	a.overlays()
	a.ui.End()
	a.housekeeping(c.Now())
}

// advance computes what this frame is due: training, neighbours, positions, colours.
func (a *App) advance(c *shell.Context) {
	a.view.update(c.Now())
	if a.m == nil {
		return
	}
	before := parts.Landmarks.Of(a.m.Doc.State())
	held := a.hand.Dragging() || a.m.Doc.Open()
	a.m.Hold(held)
	changed, err := a.m.Frame(c.Delta(), live.Budget(held))
	if err != nil {
		a.fail(err)
	}
	if changed {
		a.canvas.moved = true
	}
	a.hand.validate(before, parts.Landmarks.Of(a.m.Doc.State()))
	a.colours.update(a.m, a.lookNow().Column)
	a.runWaiting()
	a.follow()
}

// moving says whether positions change, or have not come to the host after they have.
func (a *App) moving() bool { return a.m.Busy() || !a.canvas.points.Ready() }

// Wake says when the next frame is due.
func (a *App) Wake() shell.Wake {
	if a.m != nil && (a.moving() || a.canvas.unfinished) {
		return shell.Now
	}
	if a.view.flight != nil || len(a.jobs.List()) > 0 {
		return shell.Wake(16 * time.Millisecond)
	}
	if at, ok := a.saves.due(a.m); ok {
		return shell.Wake(max(0, at.Sub(a.ctx.Now())))
	}
	return shell.Idle
}

// housekeeping does what has to be done now and then.
func (a *App) housekeeping(now time.Time) {
	a.keepViews()
	a.saves.tick(now, a.m, a.options.Version, a.fail)
	a.hand.doc = nil
	if a.m != nil {
		a.hand.doc = a.m.Doc
	}
	a.frames.end()
}

// Drop opens what was dropped on the window.
func (a *App) Drop(paths []string) {
	if len(paths) == 0 {
		return
	}
	a.open(paths...)
}

// CloseRequested lets the window go: the session is kept by itself, so there is nothing to ask.
func (a *App) CloseRequested() bool {
	a.quit()
	return true
}

func (a *App) quit() {
	a.quitting = true
	a.ctx.Close()
}

// Panic reports what went wrong in a frame. The work is saved, and the window goes on.
func (a *App) Panic(v any, stack []byte) {
	a.log.add("internal error: %v\n%s", v, stack)
	a.problem = problem.New("", "your session has been saved; please copy the log (Help, Copy log) and report it",
		"an internal error: %v", v)
	a.hand.cancel()
	if err := a.saves.now(a.m, a.saves.path(), a.options.Version, time.Now()); err != nil {
		a.log.add("%v", err)
	}
}

// Stop ends the program: settings and session are kept.
func (a *App) Stop() {
	if a.jobs != nil {
		a.jobs.CancelAll()
	}
	if err := a.saves.end(a.m, a.options.Version, time.Now()); err != nil {
		a.log.add("%v", err)
	}
	a.settings.Geometry, a.settings.Zoom = a.ctx.Geometry(), a.ctx.Zoom()
	a.keepSettings()
	if a.m != nil {
		a.m.Close()
	}
	a.engines.Close()
	a.canvas.close()
	if a.renderer != nil {
		a.renderer.Close()
	}
}

// fail shows an error with its remedy and keeps it in the log.
func (a *App) fail(err error) {
	p := problem.As(err)
	a.log.add("%v", p)
	a.problem = p
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
	io := imgui.CurrentIO()
	modal := a.modal()
	for _, e := range events {
		switch e.Kind {
		case shell.KeyDown, shell.Char:
			if io.WantTextInput() || modal && e.Key != imgui.KeyEscape {
				continue
			}
			a.keyPressed(e)
		case shell.KeyUp:
			a.keyReleased(e)
		case shell.MouseDown, shell.Wheel:
			over := a.ui.OnCanvas(a.regions.canvas, e.Pos)
			if a.m == nil || modal || !(over || a.hand.Active()) {
				continue
			}
			a.hand.handle(e, float64(a.ctx.Scale()))
		default:
			if a.m != nil && (!modal || a.hand.Active()) {
				if e.Kind == shell.MouseMove && !a.hand.Active() && !a.ui.OnCanvas(a.regions.canvas, e.Pos) {
					a.hand.hover = -1
					continue
				}
				a.hand.handle(e, float64(a.ctx.Scale()))
			}
		}
	}
}

func (a *App) keyPressed(e shell.Event) {
	if e.Kind == shell.KeyDown && e.Key == imgui.KeyEscape {
		a.escape()
		return
	}
	c := commandFor(e)
	if c == nil {
		return
	}
	if c.id == "run" {
		// Space pans while held with a drag; it is "run" only when let go without one.
		if !e.Repeat {
			a.hand.space, a.hand.spaceHad = true, false
		}
		return
	}
	a.arrow = e.Key >= imgui.KeyLeftArrow && e.Key <= imgui.KeyDownArrow
	if c.can(a) {
		c.run(a)
	}
}

func (a *App) keyReleased(e shell.Event) {
	if e.Key != imgui.KeySpace || !a.hand.space {
		return
	}
	a.hand.space = false
	if c := commandByID("run"); !a.hand.spaceHad && c.can(a) {
		c.run(a)
	}
}

// escape leaves the innermost thing that is going on.
func (a *App) escape() {
	switch {
	case a.problem != nil:
		a.problem = nil
	case a.shortcuts:
		a.shortcuts = false
	case a.hand.cancel():
	case len(a.hand.selected) > 0:
		a.hand.selected = nil
	}
}

// Widgets returns the controls, for tests that look for them by name.
func (a *App) Widgets() *widget.UI { return a.ui }
