package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/quality"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
)

// Stepped says how a map of all points is made by an embedding that runs, beside Settings.
type Stepped struct {
	Kind   *embedding.Kind
	Values step.Values // those that were said
	Start  string      // a file of rows x dims positions, which keep their size; "": as the kind begins
	Into   string      // the file of reference points, in whose
	Map    string      // map (a file of rows x dims positions) new points are placed
	Keep   bool        // what there is when it is interrupted
	Tables []string    // IDs of the tables that are wanted
}

// SteppedMap is a map that was made so.
type SteppedMap struct {
	*TSNEMap
	Title  string // of its columns
	Tables map[string][]dataset.Column
}

// Files are the files that are read beside those of Settings.
func (t *Stepped) Files() []string { return []string{t.Start, t.Into, t.Map} }

// Check says what is wrong, before any file is touched.
func (t *Stepped) Check(s *Settings) error {
	if err := s.Check(); err != nil {
		return err
	}
	switch {
	case s.Dims != 0 && s.Dims != 2 && s.Dims != 3:
		return usage("use --dims 2 or --dims 3", "a map cannot have %d dimensions", s.Dims)
	case (t.Into == "") != (t.Map == ""):
		return usage("give both: the reference's points, and its map", "--into and --map belong together")
	case t.Into != "" && t.Kind.Run.Into == nil:
		return usage("leave --into out", "%s places no new points", t.Kind.Title)
	}
	return nil
}

// Run reads the input and makes its map. With Keep an interrupted map comes with the error of the context. measure:
// R_NX and trustworthiness in the end.
func (t *Stepped) Run(ctx context.Context, s *Settings, path string, measure bool, report Report) (*SteppedMap, error) {
	if err := t.Check(s); err != nil {
		return nil, err
	}
	dims := max(2, s.Dims)
	m := &steppedMapper{Stepped: t, open: s.Engines, tables: map[string][]dataset.Column{}}
	m.mapper = &mapper{s: s, t: &TSNE{Options: tsne.Options{Dims: dims}, Into: t.Into, Map: t.Map, Measure: measure},
		report: report, started: time.Now(), out: &TSNEMap{Dims: dims, KL: math.NaN(), Z: math.NaN(),
			Perplexity: math.NaN(), Recall: 1, Method: t.Kind.ID}}
	var err error
	if m.engines, err = m.open(); err != nil {
		return nil, err
	}
	defer m.engines.Close()
	if t.Into != "" {
		err = m.into(ctx, path)
	} else {
		err = m.form(ctx, path)
	}
	if err != nil && !m.out.Interrupted {
		return nil, named(err, path)
	}
	e := m.engines.Engine()
	m.out.Engine, m.out.Variant, m.out.Device = e.Name(), e.Variant(), e.Device()
	return &SteppedMap{m.out, t.Kind.ID, m.tables}, err
}

// steppedMapper makes a SteppedMap.
type steppedMapper struct {
	*mapper
	*Stepped
	open   func() (engine.Chooser, error)
	tables map[string][]dataset.Column
}

// inputs are what the embedding is made from.
func (m *steppedMapper) inputs(p *Points) embedding.Inputs {
	return embedding.Inputs{Data: p.Data, Table: p.Table, Memory: available(), Engine: func() (engine.Engine, error) {
		c, err := m.open()
		return c.Engine(), err
	}}
}

func (m *steppedMapper) recipe() embedding.Recipe {
	return embedding.Recipe{Kind: m.Kind.ID, Dims: m.out.Dims}
}

// form makes the map of a table.
func (m *steppedMapper) form(ctx context.Context, path string) error {
	if err := m.read(ctx, path); err != nil {
		return err
	}
	if m.out.Points.Data.Points == 0 {
		return noPoints(path)
	}
	in, r, stages := m.inputs(m.out.Points), m.recipe(), &m.Kind.Run
	values := step.Values{}
	if stages.Suggest != nil {
		values = stages.Suggest(in, r)
	}
	delete(values, "points") // a sample is taken with --max-points
	for id, v := range m.Values {
		values[id] = v
	}
	if stages.Check != nil {
		if err := stages.Check(in, r, values); err != nil {
			return err
		}
	}
	b := embedding.Beginning{Values: values, Seed: m.s.Seed}
	if m.Start != "" {
		y, err := m.positions(ctx, m.Start, true)
		if err != nil {
			return err
		}
		b.From = &embedding.Result{Dims: m.out.Dims, Pos: m.scatter(y, m.out.Dims)}
	}
	if stages.Basis != nil {
		var err error
		b.Basis, err = stages.Basis(ctx, in, r, values, nil, m.report.Stage("neighbours"))
		if err != nil {
			return err
		}
		m.lap("neighbours")
	}
	for _, t := range stages.Tables {
		if slices.Contains(m.Stepped.Tables, t.ID) {
			m.tables[t.ID] = t.Make(b.Basis)
		}
	}
	run, err := stages.Start(ctx, in, r, b)
	if err != nil {
		return err
	}
	defer run.Close()
	m.lap("start")
	stopped := m.advance(ctx, run)
	if stopped != nil && !(m.Keep && errors.Is(stopped, context.Canceled)) {
		return stopped
	}
	m.out.Interrupted = stopped != nil
	return m.finish(context.WithoutCancel(ctx), run, stopped)
}

// noPoints says that there is nothing to lay out.
func noPoints(path string) error {
	return problem.New(path, "give a table with at least one row", "it has no points to lay out")
}

// advance does all units.
func (m *steppedMapper) advance(ctx context.Context, run embedding.Runner) error {
	for units := 1; ; {
		began := time.Now()
		p, err := run.Step(ctx, units)
		m.out.Units = int(p.Done)
		if err != nil {
			return err
		}
		if m.report != nil {
			m.report("layout", p.Done, p.Total)
		}
		if p.Rest {
			return nil
		}
		switch took := time.Since(began); { // it changes nothing in the result
		case took < 40*time.Millisecond:
			units *= 2
		case took > 160*time.Millisecond:
			units = max(1, units/2)
		}
	}
}

// finish takes the positions, and measures them.
func (m *steppedMapper) finish(ctx context.Context, run embedding.Runner, stopped error) error {
	n := m.out.Points.Data.Points
	target := embedsom.NewHostTarget(n, m.out.Dims)
	if err := run.Place(target); err != nil {
		return err
	}
	m.out.Pos = target.Data
	standing, err := run.Standing()
	if err != nil {
		return err
	}
	if standing.Warning != "" {
		m.out.note("%s", standing.Warning)
	}
	if m.out.Interrupted {
		m.out.note("interrupted after %d units: what there was by then is kept", m.out.Units)
		return stopped
	}
	m.lap("layout")
	if !m.t.Measure {
		return nil
	}
	w := quality.Work{Threads: m.s.Threads, Progress: m.report.Stage("quality")}
	if n > quality.Exact {
		w.Sample = transform.Shuffle(n, m.s.Seed)[:quality.Queries]
	}
	m.out.Quality, err = quality.Among(ctx, m.out.Points.Table.X, m.out.Pos, m.out.Dims, w)
	m.lap("quality")
	return err
}

// into places new points into the map of others.
func (m *steppedMapper) into(ctx context.Context, path string) error {
	own := *m.s
	own.More, own.MaxPoints = nil, 0 // those are of the new points
	reference := &mapper{s: &own, t: m.t, report: m.report, started: m.started, out: &TSNEMap{}}
	if err := reference.read(ctx, m.Into); err != nil {
		return named(err, m.Into)
	}
	y, err := reference.positions(ctx, m.Map, false)
	if err != nil {
		return err
	}
	if len(reference.rows) == 0 {
		return problem.New(m.Into, "take a map with points", "it has no points to place others among")
	}
	m.out.Dims = len(y) / len(reference.rows)
	if err := m.like(ctx, path, reference.out.Points); err != nil {
		return err
	}
	r, err := m.load(ctx, reference.x, false)
	if err != nil {
		return err
	}
	defer r.Free()
	table := *reference.out.Points.Table
	table.X, table.Invalid = reference.x, 0
	in := m.inputs(reference.out.Points)
	in.Table, in.Caps = &table, r.Caps()
	placed, err := m.Kind.Run.Into(ctx, in, m.recipe(), m.Values, y, m.x, m.report.Stage("placing"))
	if err != nil {
		return err
	}
	if len(placed) != m.x.Rows*m.out.Dims || !knn.Finite(placed) {
		return fmt.Errorf("%s gave no place to a point", m.Kind.Title)
	}
	m.out.Pos, m.out.Placed = m.scatter(placed, m.out.Dims), true
	m.lap("placing")
	return nil
}
