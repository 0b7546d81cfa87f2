package job

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/job/run"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/layout"
)

// Landmarks wants them trained as the state says, from a beginning or from those of the state, and a file of them.
type Landmarks struct {
	run.Beginning
	Layout string `json:"layout,omitempty"` // a layout.Algorithm ID that moves them once they are trained; "": none
	Output string `json:"output,omitempty"` // JSON; "": they are for what else is wanted

	Map *run.Map `json:"-"` // the map, once it is made, without positions of points
	// Epochs makes the epochs of the training elsewhere; nil: they are made here.
	Epochs run.Epochs `json:"-"`
	// Deviations finds those of the columns of points that are not scaled elsewhere, with Epochs; nil: they are found
	// here.
	Deviations func(ctx context.Context, p *run.Points) ([]float64, error) `json:"-"`
	// Counted counts points that are not in memory elsewhere, with Epochs; nil: they are counted here.
	Counted run.Elsewhere `json:"-"`
}

func init() {
	Register(Kind{ID: "landmarks", New: func() Want { return &Landmarks{} },
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Landmarks).makeByRanges }})
}

// What returns the ID of the kind.
func (l *Landmarks) What() string { return "landmarks" }

// Paths are the files that it names.
func (l *Landmarks) Paths() (written, read []*string) {
	return []*string{&l.Output}, []*string{&l.Beginning.Shape}
}

// Check says what is wrong with the wish.
func (l *Landmarks) Check() error {
	if ext := strings.ToLower(filepath.Ext(l.Output)); ext != ".json" && ext != "" && ext != ".landmarks" {
		return run.Usage{Err: problem.New(l.Output, "use a name that ends in .json",
			"landmarks are written as JSON, not as %s", ext)} // others would take them for a table
	}
	if _, known := layout.ByID(l.Layout); l.Layout != "" && !known {
		return run.Usage{Err: problem.New("", "use "+problem.OneOf(run.Layouts()...), "there is no layout %.60q",
			l.Layout)}
	}
	return l.Beginning.Check()
}

// layOut moves landmarks to rest by the layout that is wanted, as the window does: with the values of the state if it
// has chosen this layout, else with those that suit so many landmarks.
func (l *Landmarks) layOut(ctx context.Context, w *Work, set *landmark.Set) (*landmark.Set, error) {
	a, known := layout.ByID(l.Layout)
	if !known || set.Len() < 2 {
		return set, nil
	}
	choice := parts.Layout.Of(w.Parts)
	in := layout.Input{Codebook: set.Codebook, Pos: set.Pos, Seed: w.Seed}
	if choice.KeepPinned {
		in.Pinned = set.Pinned
	}
	if a.Graph {
		in.Graph = graph.Of(parts.Graph.Of(w.Parts).Choice, set)
	}
	x, err := a.New(in, choice.For(a, set.Len()))
	if err != nil {
		return nil, err
	}
	_, err = step.ToRest(ctx, x, 1, unitsTake, func(p step.Progress, _ time.Duration) error {
		if w.Options.Report != nil {
			w.Options.Report("layout", p.Done, p.Total)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return set.WithPos(x.Pos().Clone())
}

// Make trains them.
func (l *Landmarks) Make(ctx context.Context, w *Work) error {
	if err := l.deviations(ctx, w, w.Space); err != nil {
		return err
	}
	if err := w.spaceAsWindow(ctx); err != nil {
		return err
	}
	r, err := w.Resident(ctx)
	if err != nil {
		return err
	}
	set, err := l.begin(w)
	if err != nil {
		return err
	}
	if l.Epochs != nil {
		s, err := run.StartOf(ctx, w.Points, l.Beginning, set, parts.Training.Of(w.Parts), w.Seed)
		if err != nil {
			return err
		}
		return l.elsewhere(ctx, w, s)
	}
	f, err := run.Train(ctx, w.Points, r, l.Beginning, set, parts.Training.Of(w.Parts), parts.Samples.Of(w.Parts),
		w.Seed, w.Options.Report)
	if err != nil {
		return err
	}
	return l.keep(ctx, w, f)
}

// makeByRanges trains them on points that go by in each epoch.
func (l *Landmarks) makeByRanges(ctx context.Context, w *Work) error {
	byRanges := func(ctx context.Context) error { return spaceByRanges(ctx, w) }
	if err := l.deviations(ctx, w, byRanges); err != nil {
		return err
	}
	if err := byRanges(ctx); err != nil {
		return err
	}
	set, err := l.begin(w)
	if err != nil {
		return err
	}
	if l.Epochs != nil && l.Counted != nil {
		s, err := run.StartCounted(ctx, w.Points, l.Counted, l.Beginning, set, parts.Training.Of(w.Parts), w.Seed)
		if err != nil {
			return err
		}
		return l.elsewhere(ctx, w, s)
	}
	if l.Epochs != nil {
		s, err := run.StartByRanges(ctx, w.Points, l.Beginning, set, parts.Training.Of(w.Parts), w.Seed,
			w.Options.Report)
		if err != nil {
			return err
		}
		return l.elsewhere(ctx, w, s)
	}
	f, err := run.TrainByRanges(ctx, w.Points, w.Engines.Engine(), l.Beginning, set, parts.Training.Of(w.Parts), w.Seed,
		w.Options.Report)
	if err != nil {
		return err
	}
	return l.keep(ctx, w, f)
}

// deviations takes those that scaling divides by from elsewhere, if they are found there. space makes the points.
func (l *Landmarks) deviations(ctx context.Context, w *Work, space func(context.Context) error) error {
	spec := parts.Transform.Of(w.Parts)
	if l.Deviations == nil || !spec.Scale || spec.Robust { // robust deviations are found in few rows
		return nil
	}
	spec = spec.Clone()
	plain := spec.Clone()
	plain.Scale = false
	for i := range plain.Columns {
		plain.Columns[i].Weight = 1
	}
	parts.Transform.Put(&w.Parts, plain)
	if err := space(ctx); err != nil {
		return err
	}
	found, err := l.Deviations(ctx, w.Points)
	if err != nil {
		return err
	}
	for j, c := range w.Points.Cols {
		if to := &spec.Columns[c]; to.SD == 0 {
			if to.SD = found[j]; to.SD == 0 {
				to.SD = 1 // a constant column is not scaled
			}
		}
	}
	w.free()
	w.Points = nil
	parts.Transform.Put(&w.Parts, spec)
	return nil
}

// elsewhere trains them by epochs that are made elsewhere.
func (l *Landmarks) elsewhere(ctx context.Context, w *Work, s *run.Start) error {
	s.File.Program, s.File.Engine = w.Options.Program, w.engineName()
	f, err := s.Trained(ctx, l.Epochs)
	if err != nil {
		return err
	}
	return l.keep(ctx, w, f)
}

// begin is the landmarks that the training begins with, where it does not begin otherwise.
func (l *Landmarks) begin(w *Work) (*landmark.Set, error) {
	if l.Beginning.Zero() && w.Landmarks == nil {
		return nil, problem.New(w.table.Path, "say som, som_shape or kmeans, or give the state landmarks",
			"there is nothing that landmarks would begin with")
	}
	if w.Landmarks != nil {
		return w.Landmarks.Set, nil
	}
	return parts.Landmarks.Of(w.Parts), nil
}

// keep lays trained landmarks out, and writes them.
func (l *Landmarks) keep(ctx context.Context, w *Work, f *landmark.File) (err error) {
	if f.Set, err = l.layOut(ctx, w, f.Set); err != nil {
		return named(err, w.table.Path)
	}
	f.Program, f.Engine = w.Options.Program, w.engineName()
	w.Landmarks = f
	if l.Map, err = w.Map(); err != nil || l.Output == "" {
		return err
	}
	w.Notes = append(w.Notes, l.Map.Notes...)
	return w.Files.Write(l.Output, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return f.Write(to)
	})
}
