package job

import (
	"context"
	"fmt"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/job/run"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/layout"
)

func init() {
	RegisterSubject(Subject{ID: "training", Title: "A training",
		Help:   "landmarks as they are trained, anew and from the beginning, with the parameters chosen for that",
		Trains: true,
		Fits:   func(session, deep bool) bool { return !session && !deep },
		Begin:  beginTraining})
}

// mostRecorded is how many bytes the landmarks of a training may take that are kept for a film: between them frames are
// of what lies between.
const mostRecorded = 256 << 20

// beginTraining trains, and keeps on the way what the frames are to show.
func beginTraining(ctx context.Context, f *Film, w *Work) (Shots, error) {
	if err := w.spaceAsWindow(ctx); err != nil {
		return nil, err
	}
	r, err := w.Resident(ctx)
	if err != nil {
		return nil, err
	}
	choice, b, set := parts.Training.Of(w.Parts), f.Beginning, parts.Landmarks.Of(w.Parts)
	if b == (run.Beginning{Dims: b.Dims}) {
		b = run.Beginning{}
		if set.Len() == 0 {
			return nil, problem.New(w.table.Path, "say som, som_shape or kmeans, or give the state landmarks",
				"there is nothing that a training would begin with")
		}
		if b, set, err = anew(ctx, w, choice.Algorithm, set); err != nil {
			return nil, named(err, w.table.Path)
		}
	}
	t, err := run.StartTraining(ctx, w.Points, r, b, set, choice, parts.Samples.Of(w.Parts), w.Seed)
	if err != nil {
		return nil, err
	}
	code := t.Codebook()
	most := f.Frames
	if f.Layout != "" {
		most = max(2, most/2)
	}
	most = max(2, min(most, mostRecorded/max(1, 4*code.Rows*code.Cols)))
	var stops []stop
	add := func(name string) func(p step.Progress) error {
		return func(p step.Progress) error {
			now, err := t.Landmarks()
			stops = append(stops, stop{name: told(name, p), at: float64(p.Done), set: now})
			return err
		}
	}
	if err := record(ctx, t, most, w.Options.Report.Stage("training"), add("Training")); err != nil {
		return nil, named(err, w.table.Path)
	}
	w.Landmarks = nil
	stops = spread(stops, 0, 1)
	if f.Layout != "" {
		if stops, err = f.laidOut(ctx, w, stops, most); err != nil {
			return nil, named(err, w.table.Path)
		}
	}
	for i := range stops {
		stops[i].state = w.Parts
	}
	return beginWay(ctx, f, w, stops)
}

// anew is where landmarks that there are begin once more: where they lie, spread over the points, or among the points.
func anew(ctx context.Context, w *Work, algorithm string, set *landmark.Set) (run.Beginning, *landmark.Set, error) {
	if slices.Contains(train.IDs(true), algorithm) {
		return run.Beginning{KMeans: set.Len(), Dims: set.Pos.Cols}, set, nil
	}
	fresh, err := landmark.StartOn(ctx, w.Points.Table.X, set.Pos, set.Edges, w.Seed)
	return run.Beginning{}, fresh, err
}

// laidOut adds how a layout moves the landmarks that were trained, which is the second half of the film.
func (f *Film) laidOut(ctx context.Context, w *Work, stops []stop, most int) ([]stop, error) {
	a, known := layout.ByID(f.Layout)
	set := stops[len(stops)-1].set
	if !known || set.Len() < 2 {
		return stops, nil
	}
	choice := parts.Layout.Of(w.Parts)
	in := layout.Input{Codebook: set.Codebook, Pos: set.Pos, Seed: w.Seed}
	if a.Graph {
		in.Graph = graph.Of(parts.Graph.Of(w.Parts).Choice, set)
	}
	x, err := a.New(in, choice.For(a, set.Len()))
	if err != nil {
		return nil, err
	}
	var moved []stop
	err = record(ctx, x, most, w.Options.Report.Stage("layout"), func(p step.Progress) error {
		now, err := set.WithPos(x.Pos().Clone())
		moved = append(moved, stop{name: told("Layout", p), at: float64(p.Done), set: now})
		return err
	})
	if err != nil || len(moved) < 2 {
		return stops, err
	}
	return append(spread(stops, 0, 0.5), spread(moved, 0.5, 1)[1:]...), nil
}

// spread has stops lie between two shares of a film as they lie now.
func spread(stops []stop, from, to float64) []stop {
	first, last := stops[0].at, stops[len(stops)-1].at
	for i := range stops {
		if last > first {
			stops[i].at = from + (to-from)*(stops[i].at-first)/(last-first)
		}
	}
	return stops
}

// told says how far it is.
func told(name string, p step.Progress) string {
	if p.Total <= 0 {
		return name
	}
	return fmt.Sprintf("%s, %.0f %%", name, 100*p.Fraction())
}
