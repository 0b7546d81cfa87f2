// Package studio is the views of a document where there is no window: they come to rest as in one, and draw themselves
// into files. A kind of view needs nothing more for it than what it draws its picture for a window with.
package studio

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
	"blossom/render/pen/figure"
	"blossom/render/scene"
	"blossom/ui/output/plate"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Draw draws a picture that has a window, and returns what writes it: job.Views of a program that has views. text is
// what the picture says of itself. The error is a Problem, or ctx's.
func Draw(ctx context.Context, p *job.Picture, w *job.Work, text [][2]string) (func(io.Writer) error, error) {
	format, err := figure.Of(p.Output)
	if err != nil {
		return nil, err
	}
	paper, err := plate.Paper(p)
	if err != nil {
		return nil, err
	}
	figure.Tell(&paper, text)
	opened, err := job.Opened(ctx, w)
	if err != nil {
		return nil, err
	}
	s, err := open(opened, w)
	if err != nil {
		return nil, err
	}
	defer s.close()
	file := format.New(paper)
	if err := s.draw(ctx, p, file, w.Options.Report.Stage("drawing")); err != nil {
		return nil, err
	}
	return func(to io.Writer) error { return file.Encode(to, paper) }, nil
}

// studio is a stage with what works for it. It belongs to the goroutine that has opened it.
type studio struct {
	light   *scene.Studio
	engines engine.Chooser
	jobs    *work.Jobs
	mail    mail
	live    *live.Map
	stage   *view.Stage
	failed  error // the first
	shown   []embedding.Recipe
}

// open opens the stage of a document.
func open(o *opening.Opened, w *job.Work) (s *studio, err error) {
	s = &studio{mail: mail{come: make(chan struct{}, 1)}}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if s.light, err = scene.Open(w.Options.Engine.Threads); err != nil {
		return s, err
	}
	machine := w.Options.Engine
	machine.Variant = w.Job.Engine.Variant
	if s.engines, err = run.OpenEngine(w.Job.Engine.Kind, machine); err != nil {
		return s, err
	}
	s.jobs = &work.Jobs{Post: s.mail.post, Failed: s.fail}
	r := s.light.Renderer()
	if s.live, err = live.NewMap(o, &s.engines, view.Buffers(r), s.jobs); err != nil {
		return s, err
	}
	s.live.Runs().PauseAll()
	s.stage = view.NewStage(s.live, widget.Unseen(1), r, func(string) {}, s.fail)
	return s, nil
}

func (s *studio) fail(err error) {
	if s.failed == nil {
		s.failed = err
	}
}

// close gives back what it holds.
func (s *studio) close() {
	if s.jobs != nil {
		s.jobs.CancelAll()
	}
	if s.live != nil {
		s.live.Close()
	}
	s.engines.Close()
	if s.stage != nil {
		s.stage.Free()
	}
	if s.light != nil {
		s.light.Close()
	}
}

// draw paints a picture on a file.
func (s *studio) draw(ctx context.Context, p *job.Picture, file figure.File,
	report func(done, total int64)) error {
	again := *p
	p = &again
	places := s.stand(p)
	if err := s.rest(ctx, places); err != nil {
		return err
	}
	for i, v := range p.Window.Views {
		for _, x := range s.stage.Views() {
			if x.ID == places[i].View {
				x.Stand(view.Standing{Camera: v.Camera, Fitted: v.Fitted, First: v.First})
			}
		}
	}
	if err := s.rest(ctx, places); err != nil {
		return err
	}
	made, err := plate.Plate{Stage: s.stage, Renderer: s.light.Renderer()}.Begin(p, file)
	if err != nil {
		return err
	}
	defer made.Close()
	const points, parts = 1 << 18, 1000
	for share := 0.0; share < 1; {
		if err = ctx.Err(); err == nil {
			share, err = made.Step(points)
		}
		if err != nil {
			return err
		}
		if report != nil {
			report(int64(parts*share), parts)
		}
	}
	return nil
}

// stand gives the stage the size and the hand of the window of a picture, and returns where its views stand. The
// picture then has the IDs that they have here.
func (s *studio) stand(p *job.Picture) (places []view.Place) {
	o, w := &s.stage.Scene, *p.Window
	p.Window = &w
	o.Scale, o.Ratio = float32(w.Scale), w.Ratio
	_, _, scale := plate.Size(p)
	if w.Scale == 0 {
		o.Scale, o.Ratio = 1, scale
	}
	o.UI = widget.Unseen(o.Scale)
	how := plate.Ground(p)
	o.Dark, o.Theme = how.Dark, how.Theme()
	footing := view.Footing{Stage: s.stage}
	footing.Hold(view.Held{Large: w.Large, Landmarks: w.Selected, Population: population.ID(w.Population)})
	var was []string
	for _, v := range parts.Views.Of(s.live.Doc.State()).Views {
		was = append(was, v.ID)
	}
	// They have others here where no window has laid them out.
	now := footing.Order()
	w.Views = slices.Clone(w.Views)
	for i, v := range w.Views {
		at := view.Place{View: now[max(0, slices.Index(was, v.View))], Box: view.Box{X0: v.Room[0], Y0: v.Room[1],
			X1: v.Room[2], Y1: v.Room[3]}}
		if v.Room == [4]float32{} {
			in := plate.Inside(p, i)
			at.Box = view.Box{X1: float32(float64(in.Dx()) / o.Ratio), Y1: float32(float64(in.Dy()) / o.Ratio)}
		}
		w.Views[i].View = at.View.Key()
		places = append(places, at)
	}
	return places
}

// frame is how long the map works before posted functions are run.
const frame = 50 * time.Millisecond

// rest has all that the views show computed and drawn. The error is what failed, or ctx's.
func (s *studio) rest(ctx context.Context, places []view.Place) error {
	now := time.Now()
	for still := 0; still < 3; {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.mail.run()
		view.Footing{Stage: s.stage}.Stand(places)
		s.shown = s.stage.Recipes(s.shown[:0])
		s.live.Show(s.shown)
		if _, err := s.live.Frame(time.Since(now), frame); err != nil {
			return err
		}
		now = time.Now()
		s.stage.Update(now)
		s.stage.Draw(s.live.Busy())
		if s.failed != nil {
			return s.failed
		}
		for _, v := range s.stage.Scatters() {
			if err := v.Field().Err(); err != nil {
				return err
			}
		}
		still++
		if s.live.Busy() || s.stage.Moving() || s.stage.Unfinished() || s.stage.Flying() || !s.jobs.Idle() {
			still = 0
			s.mail.wait()
		}
	}
	return nil
}

// mail is functions for the goroutine of the stage, from any other.
type mail struct {
	mu   sync.Mutex
	do   []func()
	come chan struct{}
}

func (m *mail) post(f func()) {
	m.mu.Lock()
	m.do = append(m.do, f)
	m.mu.Unlock()
	select {
	case m.come <- struct{}{}:
	default:
	}
}

// run runs them.
func (m *mail) run() {
	m.mu.Lock()
	do := m.do
	m.do = nil
	m.mu.Unlock()
	for _, f := range do {
		f()
	}
}

// wait waits for one, but not for long: the map may have work of its own.
func (m *mail) wait() {
	select {
	case <-m.come:
	case <-time.After(2 * time.Millisecond):
	}
}
