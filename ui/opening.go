package ui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"blossom/model/embedsom"
	"blossom/model/format"
	"blossom/model/live"
	"blossom/model/parts"
	"blossom/model/session"
	"blossom/render"
	"blossom/render/camera"
)

// askOpen asks for a file and opens it.
func (a *App) askOpen() {
	a.ask(fileQuestion{title: "Open", kind: "Data and sessions", kinds: openKinds(),
		answer: func(path string) { a.open(path) }})
}

// open loads a data file, a session or "demo:NAME" as a job, or several data files as one table. What
// is open stays until that is done, and stays if it fails.
func (a *App) open(paths ...string) {
	if a.opening != nil {
		a.opening.Cancel()
	}
	path := paths[0]
	name := filepath.Base(path)
	if len(paths) > 1 {
		name = fmt.Sprintf("%d files", len(paths))
	}
	o := format.Options{MaxPoints: a.options.MaxPoints, Sample: a.options.Sample, Seed: a.options.Seed}
	a.log.add("opening %s", strings.Join(paths, ", "))
	a.opening = a.jobs.Start("Opening "+name, func(ctx context.Context, j *live.Job) (func(), error) {
		opened, err := live.Load(ctx, paths, o, j)
		return func() { a.adopt(opened, path) }, err
	})
}

// adopt makes an opened document the one in the window.
func (a *App) adopt(o *live.Opened, path string) {
	a.opening = nil
	a.dropExports()
	buffer := a.renderer.NewPointBuffer(o.Table.X.Rows, 2)
	old := a.m
	if old != nil {
		a.hand.cancel()
		if err := a.saves.now(old, a.saves.previous(), a.options.Version, a.ctx.Now()); err != nil {
			a.log.add("%v", err)
		}
		// The engines go over to the new map; what the old one held there is freed first.
		old.Close()
	}
	m, err := live.NewMap(o, &a.engines, live.Buffers{Make: func(n, dims int) embedsom.Target {
		if buffer.Len() != n || buffer.Dims() != dims {
			buffer.Resize(n, dims)
		}
		return buffer
	}}, a.jobs)
	if err != nil {
		buffer.Free()
		a.fail(err)
		if old != nil {
			if err := old.Reload(); err != nil {
				a.fail(err)
			}
		}
		return
	}
	m.Notice, m.Alert = a.say, func(text string) {
		a.say(text)
		a.note(note{text: sentence(text)})
	}
	a.m = m
	a.canvas.take(buffer)
	a.hand.doc, a.hand.selected, a.hand.hover = m.Doc, nil, -1
	a.colours = colours{}
	a.reveal = ""
	a.sit()
	a.session = o.Session
	a.view.moved = false
	a.fitLandmarks()
	a.view.load(a.shown().Camera)
	switch {
	case !strings.HasPrefix(path, a.saves.dir):
		if !strings.HasPrefix(path, "demo:") {
			a.settings.opened(path)
			a.keepSettings()
		}
	default:
		a.session = "" // saved by itself: the user has not named it yet
		a.saves.restored(path)
	}
	a.ctx.SetTitle(m.Doc.Title + " — blossom")
	for _, text := range o.Notes {
		a.log.add("%s: %s", m.Doc.Title, text)
	}
	for _, w := range m.Doc.Data.Warnings {
		a.log.add("%s: %s", m.Doc.Title, w)
	}
	if o.Session == "" && !a.options.Still {
		if err := m.Run(true); err != nil {
			a.fail(err)
		}
	}
	n := note{text: o.Said}
	n.actions = append(n.actions, action{"Change", func() { a.showPanel("transform") }})
	if old != nil {
		n.actions = append(n.actions, action{"Reopen the last", func() { a.open(a.saves.previous()) }})
	}
	if w := m.Doc.Data.Warnings; len(w) > 0 {
		n.text += fmt.Sprintf(" · %d warnings", len(w))
		if len(w) == 1 {
			n.text = o.Said + " · " + w[0]
		}
		n.actions = append(n.actions, action{"Show", func() { a.showPanel("data") }})
	}
	if len(o.Notes) > 0 {
		n.text += " · " + strings.Join(o.Notes, " · ")
	}
	a.note(n)
	a.say(o.Said)
}

// offerCrashed offers sessions back that a crash has left behind.
func (a *App) offerCrashed(paths []string) {
	path, when := paths[len(paths)-1], ""
	if info, err := os.Stat(path); err == nil {
		when = ", " + info.ModTime().Format("2 Jan 15:04")
	}
	a.note(note{text: "blossom did not end cleanly last time" + when, sticky: true, actions: []action{
		{"Restore the session", func() { a.open(path) }},
		{"Forget it", func() {
			for _, p := range paths {
				if err := os.Remove(p); err != nil {
					a.log.add("%v", err)
				}
			}
		}},
	}})
}

// saveSession writes the session, asking for a name if it has none or as is set.
func (a *App) saveSession(as bool) {
	if a.session == "" || as {
		name := strings.TrimSuffix(a.m.Doc.Title, filepath.Ext(a.m.Doc.Title)) + session.Extension
		a.ask(fileQuestion{title: "Save session", save: true, name: name, kind: "Sessions",
			kinds:  []string{session.Extension},
			answer: a.writeSessionTo})
		return
	}
	a.writeSessionTo(a.session)
}

// writeSessionTo writes the session, once a transform that is being applied is there, and makes path the
// file that "save" writes to.
func (a *App) writeSessionTo(path string) {
	if !parts.Settled(a.m.Doc.State()) {
		a.whenFresh(func() { a.writeSessionTo(path) })
		return
	}
	if a.isInput(path) {
		return
	}
	a.keepViews()
	if err := writeSession(a.m.Doc, path, a.options.Version, a.ctx.Now()); err != nil {
		a.fail(err)
		return
	}
	a.session = path
	a.settings.opened(a.session)
	a.keepSettings()
	a.savedNow = stampOf(a.m.Doc, false)
	a.say("session saved as " + a.session)
	a.note(note{text: "Session saved as " + filepath.Base(a.session)})
}

// margins is the room that a fitted map leaves at the sides, in points.
const fitMargin = 36

// fit shows all points.
func (a *App) fit(smooth bool) {
	if a.m == nil {
		return
	}
	b, ok := a.extent()
	if !ok {
		return
	}
	a.view.fit(b, a.margins(), smooth)
}

// margins is the room in pixels that a fitted map leaves at the sides: more where a tall legend stands.
func (a *App) margins() camera.Margins {
	m := camera.Even(fitMargin * float64(a.ctx.Scale()) * a.view.ratio)
	m.Left += a.legendRoom() * a.view.ratio
	return m
}

// legendRoom is the width in screen units of a legend that is too tall to lie in a corner of the map.
func (a *App) legendRoom() float64 {
	box, c := a.legendBox, a.regions.canvas
	if box.H() < 0.3*c.H() || box.W() > 0.35*c.W() {
		return 0
	}
	return float64(box.X1 - c.X0)
}

// follow keeps a map that is still forming in the window, until the user takes the view. It moves the
// view only when the map has outgrown it or become small in it, so that the picture does not tremble.
func (a *App) follow() {
	if a.view.moved || a.view.flight != nil || a.hand.Active() || parts.Landmarks.Of(a.m.Doc.State()).ByHand {
		return // nothing may move under the user's hands
	}
	b, ok := a.extent()
	if !ok {
		return
	}
	x0, y0 := a.view.ScreenFromWorld(b.Min.X, b.Max.Y)
	x1, y1 := a.view.ScreenFromWorld(b.Max.X, b.Min.Y)
	v, edge := a.view, fitMargin*float64(a.ctx.Scale())/4
	outside := x0 < v.x+edge+a.legendRoom() || y0 < v.y+edge || x1 > v.x+v.w-edge || y1 > v.y+v.h-edge
	small := x1-x0 < 0.75*v.w && y1-y0 < 0.75*v.h
	moving := a.moving()
	if outside || small || a.settling && !moving {
		a.fit(true)
	}
	a.settling = moving
}

// fitLandmarks shows the landmarks, before there are points.
func (a *App) fitLandmarks() {
	l := parts.Landmarks.Of(a.m.Doc.State())
	if b, ok := camera.BoundsOf(l.Pos.Data, l.Pos.Cols); ok {
		a.view.fit(b, a.margins(), false)
		a.view.cam.SetLimits(b)
	}
}

func (a *App) resetView() {
	l := parts.Landmarks.Of(a.m.Doc.State())
	if b, ok := camera.BoundsOf(l.Pos.Data, l.Pos.Cols); ok {
		a.view.fit(b, a.margins(), true)
		a.view.moved = true
	}
}

// extent returns the box of the map: of all points but the outermost 0.05 %, so that a few outliers do
// not make the rest a speck, and of all landmarks.
func (a *App) extent() (camera.Bounds, bool) {
	l := parts.Landmarks.Of(a.m.Doc.State())
	b, ok := camera.BoundsOf(l.Pos.Data, l.Pos.Cols)
	p, some := robustBounds(a.canvas.points, a.m.Shown())
	switch {
	case some && ok:
		b = b.Union(p)
	case some:
		b = p
	}
	return b, ok || some
}

// boundsSample is how many points the view looks at to fit a map.
const boundsSample = 4000

// robustBounds returns the box of the middle of the first points, in both coordinates.
func robustBounds(p *render.PointBuffer, n int) (camera.Bounds, bool) {
	if p == nil {
		return camera.Bounds{}, false
	}
	data := p.Host()
	n = min(n, boundsSample, p.Len())
	if !p.Known(n) {
		return camera.Bounds{}, false
	}
	var xs, ys [boundsSample]float32
	count := 0
	for i := range n {
		x, y := data[i*p.Dims()], data[i*p.Dims()+1]
		if x-x == 0 && y-y == 0 {
			xs[count], ys[count] = x, y
			count++
		}
	}
	if count == 0 {
		return camera.Bounds{}, false
	}
	x0, x1 := middle(xs[:count])
	y0, y1 := middle(ys[:count])
	return camera.Bounds{Min: camera.Vec{X: x0, Y: y0}, Max: camera.Vec{X: x1, Y: y1}}, true
}
