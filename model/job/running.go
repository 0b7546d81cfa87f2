package job

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
)

// Running are the kinds of embeddings that run.
func Running() (kinds []*embedding.Kind) {
	for _, k := range embedding.Kinds() {
		if k.Way == embedding.Stepwise {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// Positions are wanted of an embedding that runs, as a window makes them that begins with the state: from the
// beginning, with the parameters that the state has for it.
type Positions struct {
	Of     embedding.Recipe `json:"of"`
	Output string           `json:"output,omitempty"`
	// Rows: the points are in the order of the table, as commands have them; else as a window, by the seed.
	Rows bool `json:"rows,omitempty"`

	Units int64 `json:"-"` // that were done
	notes []string
}

func init() { Register(Kind{"positions", func() Want { return &Positions{} }}) }

// WantPositions wants the positions of an embedding that runs, with some of its parameters over those of the state, and
// of all points where neither says of how many.
func (j *Job) WantPositions(r embedding.Recipe, values step.Values, output string) (*Positions, error) {
	k := embedding.ByID(r.Kind)
	c := state.Context{Data: j.table, Seed: j.Seed, File: j.table.Path, Strict: true}
	now, _, err := state.Decode(j.State, c)
	if err != nil {
		return nil, err
	}
	table := parts.Runs.Of(now).Edit(r, func(c *parts.RunChoice) {
		for _, p := range k.Run.Params {
			if _, said := c.Values[p.ID]; !said && p.Zero == "all" {
				c.Values[p.ID] = 0
			}
		}
		maps.Copy(c.Values, values)
	})
	parts.Runs.Put(&now, table)
	p := &Positions{Of: r, Output: output}
	if slices.Contains(j.kept, r.Key()) {
		p.notes = append(p.notes, "the session has a map by "+k.Title+", which stays: this one begins anew with its "+
			"parameters, without what was dragged or pinned there")
	}
	j.Want(p)
	return p, j.PutState(now, "runs")
}

// What is the ID of the kind.
func (p *Positions) What() string { return "positions" }

// Paths are the files that it names.
func (p *Positions) Paths() (written, read []*string) { return []*string{&p.Output}, nil }

// Check says what is wrong with the wish.
func (p *Positions) Check() error {
	k := embedding.ByID(p.Of.Kind)
	switch {
	case k == nil || k.Way != embedding.Stepwise:
		return problem.New("", "use a newer blossom, or one of "+problem.OneOf(runningIDs()...),
			"there is no running embedding %.60q", p.Of.Kind)
	case p.Of.Dims != 2 && p.Of.Dims != 3:
		return problem.New("", "use 2 or 3", "a map has 2 or 3 dimensions, not %d", p.Of.Dims)
	}
	return knownTable(p.Output)
}

// Make runs the embedding until it rests.
func (p *Positions) Make(ctx context.Context, w *Work) error {
	k := embedding.ByID(p.Of.Kind)
	choice := parts.Runs.Of(w.Parts).Get(p.Of)
	if choice.From != nil {
		return problem.New(w.table.Path, "let it begin by itself in the window, and save the session again",
			"%s is to begin from another map (%s), which the window alone does", k.Title, choice.From.Kind)
	}
	var order []int32
	if !p.Rows {
		order = transform.Shuffle(w.table.Points, w.Seed) // as a window has them
	}
	table, err := opening.Space(ctx, w.table, parts.Transform.Of(w.Parts), order, w.Report.Stage("transforming"))
	if err != nil {
		return err
	}
	if w.table.Points == 0 {
		return problem.New(w.table.Path, "give a table with at least one row", "it has no points to lay out")
	}
	r, err := w.Engines.Engine().Load(ctx, table.X)
	if err != nil {
		return err
	}
	defer r.Free()
	w.Points = &run.Points{Data: w.table, Cols: table.Cols, Spec: table.Spec, Table: table}
	in := embedding.Inputs{Data: w.table, Table: table, Caps: r.Caps(), Engine: w.Engines.Another,
		Memory: format.AvailableMemory()}
	pos, err := p.run(ctx, w, in, choice.Values)
	if err != nil || p.Output == "" {
		return err
	}
	out, err := export.Coordinates(ctx, p.Of.Kind, pos, p.Of.Dims, order)
	if err != nil {
		return err
	}
	e := w.Engines.Engine()
	out.Metadata = map[string]string{export.EngineKey: engine.FullName(e.Name(), e.Variant())}
	w.Notes = append(append(w.Notes, p.notes...), notesOf(w.table, table)...)
	return format.Save(ctx, p.Output, out, w.Report.Stage("writing"))
}

// notesOf is what there is to say of the points of a map.
func notesOf(ds *dataset.Dataset, t *transform.Table) (notes []string) {
	notes = append(notes, ds.Warnings...)
	if ds.Total > ds.Points {
		notes = append(notes, fmt.Sprintf("a sample of %d of %d points", ds.Points, ds.Total))
	}
	if t.Invalid > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d points have a missing or infinite value and no place on the map",
			t.Invalid, ds.Points))
	}
	return notes
}

// run returns the positions at rest, in the order of the table.
func (p *Positions) run(ctx context.Context, w *Work, in embedding.Inputs, asked step.Values) ([]float32, error) {
	run := embedding.ByID(p.Of.Kind).Run
	values := step.Values{}
	if run.Suggest != nil {
		maps.Copy(values, run.Suggest(in, p.Of))
	}
	maps.Copy(values, asked)
	if run.Check != nil {
		if err := run.Check(in, p.Of, values); err != nil {
			return nil, err
		}
	}
	b := embedding.Beginning{Values: values, Seed: w.Seed}
	if run.Basis != nil {
		var err error
		if b.Basis, err = run.Basis(ctx, in, p.Of, values, nil, w.Report.Stage("neighbours")); err != nil {
			return nil, err
		}
	}
	r, err := run.Start(ctx, in, p.Of, b)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for units := 1; ; {
		began := time.Now()
		at, err := r.Step(ctx, units)
		if err != nil {
			return nil, err
		}
		if p.Units = at.Done; w.Report != nil {
			w.Report("layout", at.Done, at.Total)
		}
		if at.Rest {
			break
		}
		switch took := time.Since(began); { // it changes nothing in the result
		case took < 40*time.Millisecond:
			units *= 2
		case took > 160*time.Millisecond:
			units = max(1, units/2)
		}
	}
	dst := embedsom.NewHostTarget(in.Table.X.Rows, p.Of.Dims)
	return dst.Data, r.Place(dst)
}
