package job

import (
	"context"
	"fmt"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/maps/embedsom"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
)

func init() {
	for _, k := range Running() {
		RegisterSubject(Subject{ID: k.ID, Title: "A run of " + k.Title,
			Help: fmt.Sprintf("the points as %s brings them about, step by step", k.Title), Runs: k.ID,
			Begin: beginRun})
	}
}

// recipe is the embedding that a film runs.
func (s Subject) recipe(f *Film) embedding.Recipe {
	return embedding.Recipe{Kind: s.Runs, Dims: max(2, f.Beginning.Dims)}
}

// running is an embedding that forms. What is shown grows with it, as it may become a million times as large as it was
// in the beginning.
type running struct {
	f      *Film
	w      *Work
	held   engine.Resident
	run    embedding.Runner
	recipe embedding.Recipe
	at     step.Progress
	box    [][2]float64
	last   *Shot
}

// filmNeeds is what an engine is to have for the film.
func filmNeeds(f *Film) engine.Capability {
	subject, _ := subjectByID(f.Of)
	if subject.Runs == "" {
		return engine.Capability{}
	}
	return needsOf(subject.recipe(f))
}

func beginRun(ctx context.Context, f *Film, w *Work) (Shots, error) {
	subject, _ := subjectByID(f.Of)
	r := subject.recipe(f)
	if err := w.Space(ctx); err != nil {
		return nil, err
	}
	f.Colour, f.And = plainName(w.table, f.Colour), plainName(w.table, f.And)
	x := &running{f: f, w: w, recipe: r, box: f.Box}
	stages, table := embedding.ByID(r.Kind).Run, w.Points.Table
	var err error
	if x.held, err = w.Engines.Engine().Load(ctx, table.X); err != nil {
		return nil, err
	}
	in := embedding.Inputs{Data: w.table, Table: table, Caps: x.held.Caps(), Engine: w.Engines.Another,
		Memory: available()}
	p := &Positions{Of: r, Rows: true}
	b, err := p.beginning(ctx, w.mapper(r.Dims), in, parts.Runs.Of(w.Parts).Get(r).Values)
	if err == nil {
		x.run, err = stages.Start(ctx, in, r, b)
	}
	if err != nil {
		x.Close()
		return nil, named(err, w.table.Path)
	}
	w.Notes = append(w.Notes, w.Points.Notes("place on the map")...)
	return x, nil
}

// Shot runs up to the units of the frame.
func (x *running) Shot(ctx context.Context, k int) (*Shot, error) {
	moved := x.last == nil
	if k > 0 && !x.at.Rest {
		if x.at.Total == 0 {
			var err error
			if x.at, err = x.run.Step(ctx, 1); err != nil {
				return nil, named(err, x.w.table.Path)
			}
			moved = true
		}
		if ahead := int64(x.f.share(k)*float64(x.at.Total)) - x.at.Done; ahead > 0 {
			var err error
			if x.at, err = x.run.Step(ctx, int(ahead)); err != nil {
				return nil, named(err, x.w.table.Path)
			}
			moved = true
		}
	}
	if !moved {
		return x.last, nil
	}
	dst := embedsom.NewHostTarget(x.w.table.Points, x.recipe.Dims)
	if err := x.run.Place(dst); err != nil {
		return nil, err
	}
	d := &Drawn{Data: x.w.table, Spec: x.w.Points.Spec, Columns: x.w.Points.Cols,
		Places: embedding.Result{Dims: x.recipe.Dims, Pos: dst.Data}}
	if len(x.f.Box) == 0 {
		x.box = union(x.box, x.f.box(d.Places, d))
	}
	name := embedding.ByID(x.recipe.Kind).Title
	if x.at.Total > 0 {
		name = fmt.Sprintf("%s, step %d of %d", name, x.at.Done, x.at.Total)
	}
	p := x.f.titled(name)
	p.Box = x.box
	if err := p.known(ctx, d, x.w); err != nil {
		return nil, err
	}
	x.f.Sight.populations = p.Sight.populations
	x.last = &Shot{p, d}
	return x.last, nil
}

// Close ends the run.
func (x *running) Close() {
	if x.run != nil {
		x.run.Close()
	}
	if x.held != nil {
		x.held.Free()
	}
}
