package job

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/embedsom"
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
	Rows      bool    `json:"rows,omitempty"`
	StartFile string  `json:"start_file,omitempty"` // positions from which points go on; with Rows
	Tables    []Table `json:"tables,omitempty"`     // tables of what was found of the points, to be written; with Rows
	Beside
	Keep bool `json:"keep,omitempty"` // an interrupted run keeps the positions that it has

	Measure bool       `json:"-"` // the quality of the map is measured
	Made    *PointsMap `json:"-"`
}

// Table is a table beside a map, by the ID that its kind gives it: "graph-out".
type Table struct {
	ID     string `json:"id"`
	Output string `json:"output"`
}

func init() {
	Register(Kind{ID: "positions", New: func() Want { return &Positions{} },
		Lays:  func(w Want) Laying { return w.(*Positions).lays() },
		Needs: func(w Want) engine.Capability { return needsOf(w.(*Positions).Of) }})
}

// Values gives the job parameters of an embedding that runs, over those of its state. Where nobody has said of how many
// points it is made, it is of all.
func (j *Job) Values(r embedding.Recipe, values step.Values) error {
	c := state.Context{Data: j.table, Seed: j.Seed, File: j.table.Path, Strict: true}
	now, _, err := state.Decode(j.State, c)
	if err != nil {
		return err
	}
	table := parts.Runs.Of(now).Edit(r, func(c *parts.RunChoice) {
		for _, p := range embedding.ByID(r.Kind).Run.Params {
			if _, said := c.Values[p.ID]; !said && p.Zero == "all" {
				c.Values[p.ID] = 0
			}
		}
		maps.Copy(c.Values, values)
	})
	parts.Runs.Put(&now, table)
	return j.PutState(now, "runs")
}

// What returns the ID of the kind.
func (p *Positions) What() string { return "positions" }

// Paths are the files that it names.
func (p *Positions) Paths() (written, read []*string) {
	written = []*string{&p.Output}
	for i := range p.Tables {
		written = append(written, &p.Tables[i].Output)
	}
	return written, []*string{&p.StartFile}
}

// runs says whether a recipe is of an embedding that runs.
func runs(r embedding.Recipe) error {
	k := embedding.ByID(r.Kind)
	switch {
	case k == nil || k.Way != embedding.Stepwise:
		return problem.New("", "use a newer blossom, or one of "+problem.OneOf(runningIDs()...),
			"there is no running embedding %.60q", r.Kind)
	case r.Dims != 2 && r.Dims != 3:
		return problem.New("", "use 2 or 3", "a map has 2 or 3 dimensions, not %d", r.Dims)
	}
	return nil
}

// Check says what is wrong with the wish.
func (p *Positions) Check() error {
	if err := runs(p.Of); err != nil {
		return err
	}
	if !p.Rows && (p.StartFile != "" || len(p.Tables) > 0) {
		return problem.New("", "leave them out, or say rows",
			"start_file and tables are in the order of the rows, which a map as in the window is not")
	}
	for i, t := range p.Tables {
		known := slices.ContainsFunc(embedding.ByID(p.Of.Kind).Run.Tables,
			func(k embedding.BasisTable) bool { return k.ID == t.ID })
		if !known || slices.ContainsFunc(p.Tables[:i], func(o Table) bool { return o.ID == t.ID }) {
			return problem.New("", "leave it out", "there is no further table %.60q of %s", t.ID, p.Of.Kind)
		}
		if err := knownTable(t.Output); err != nil {
			return err
		}
	}
	return p.Beside.checkOutput(p.Output)
}

// needsOf is what an engine is to have for an embedding that runs.
func needsOf(r embedding.Recipe) engine.Capability { return embedding.ByID(r.Kind).Run.Needs }

// Make runs the embedding until it rests.
func (p *Positions) Make(ctx context.Context, w *Work) error {
	k := embedding.ByID(p.Of.Kind)
	choice := parts.Runs.Of(w.Parts).Get(p.Of)
	if choice.From != nil {
		return problem.New(w.table.Path, "let it begin by itself in the window, and save the session again",
			"%s is to begin from another map (%s), which the window alone does", k.Title, choice.From.Kind)
	}
	if slices.Contains(w.Job.had.drawn, p.Of.Key()) {
		said := "the session has a map by " + k.Title + ", which stays: this one begins anew with its parameters, " +
			"without what was dragged or pinned there"
		if changed := changedSince(k, choice.Values, w.Job.had.ran[p.Of.Key()]); len(changed) > 0 {
			said += "; since that map was made another " + strings.Join(changed, ", ") +
				" was chosen, which this one has"
		}
		w.Notes = append(w.Notes, said)
	}
	space := w.Space
	if !p.Rows {
		space = w.spaceAsWindow
	}
	if err := space(ctx); err != nil {
		return err
	}
	if w.table.Points == 0 && len(p.Tables) > 0 {
		return problem.New(w.table.Path, "leave the further tables out", "it has no points of which they could be")
	}
	m := w.mapper(p.Of.Dims)
	p.Made = m.out
	var err error
	if w.table.Points > 0 {
		err = p.form(ctx, m, choice.Values)
	}
	if err != nil && !(p.Keep && m.out.Interrupted) {
		return named(err, w.table.Path)
	}
	return m.end(ctx, err, p.Output, p.Beside, func(ctx context.Context) (*dataset.Dataset, error) {
		return m.coordinates(ctx, p.Of.Kind)
	})
}

// changedSince are the parameters, by their titles, that are chosen otherwise than a map ran with.
func changedSince(k *embedding.Kind, chosen, ran step.Values) (titles []string) {
	for _, p := range k.Run.Params {
		now, said := chosen[p.ID]
		if was, known := ran[p.ID]; said && known && was != now && !(now == 0 && p.Zero != "") {
			titles = append(titles, strings.ToLower(p.Title[:1])+p.Title[1:])
		}
	}
	return titles
}

// form makes the positions, in the order of the points, and writes the tables beside them.
func (p *Positions) form(ctx context.Context, m *mapper, asked step.Values) error {
	stages, w := embedding.ByID(p.Of.Kind).Run, m.w
	table := w.Points.Table
	r, err := w.Engines.Engine().Load(ctx, table.X)
	if err != nil {
		return err
	}
	defer r.Free()
	in := embedding.Inputs{Data: w.table, Table: table, Caps: r.Caps(), Engine: w.Engines.Another, Memory: available()}
	b, err := p.beginning(ctx, m, in, asked)
	if err != nil {
		return err
	}
	for _, t := range stages.Tables {
		at := slices.IndexFunc(p.Tables, func(of Table) bool { return of.ID == t.ID })
		if at < 0 {
			continue
		}
		ds, err := dataset.FromColumns(ctx, t.ID, t.Make(b.Basis))
		if err != nil {
			return err
		}
		if err := w.Files.Save(ctx, p.Tables[at].Output, ds, nil); err != nil {
			return err
		}
	}
	run, err := stages.Start(ctx, in, p.Of, b)
	if err != nil {
		return err
	}
	defer run.Close()
	m.lap("start")
	_, stopped := step.ToRest(ctx, run, 1, unitsTake, func(at step.Progress, _ time.Duration) error {
		if m.out.Units = int(at.Done); w.Options.Report != nil {
			w.Options.Report("layout", at.Done, at.Total)
		}
		return nil
	})
	if stopped != nil && !p.Keep {
		return stopped
	}
	m.stopped(stopped)
	dst := embedsom.NewHostTarget(table.X.Rows, p.Of.Dims)
	if err := run.Place(dst); err != nil {
		return err
	}
	m.out.Pos = dst.Data
	if err := p.told(m, run); err != nil {
		return err
	}
	m.lap("layout")
	if stopped != nil || !p.Measure {
		return stopped
	}
	return m.measure(ctx, table.X, dst.Data)
}

// told notes what a run has to say of the map that it has made.
func (p *Positions) told(m *mapper, run embedding.Runner) error {
	standing, err := run.Standing()
	if err != nil {
		return err
	}
	if standing.Warning != "" {
		m.out.note("%s", standing.Warning)
	}
	return nil
}

// beginning is what the run begins with.
func (p *Positions) beginning(ctx context.Context, m *mapper, in embedding.Inputs,
	asked step.Values) (b embedding.Beginning, err error) {
	stages := embedding.ByID(p.Of.Kind).Run
	b = embedding.Beginning{Values: stages.Values(in, p.Of, asked), Seed: m.w.Seed}
	if p.StartFile != "" {
		m.valid()
		y, err := m.positions(ctx, p.StartFile, p.Of.Dims, true)
		if err != nil {
			return b, err
		}
		b.From = &embedding.Result{Dims: p.Of.Dims, Pos: m.scatter(y, p.Of.Dims)}
	}
	b.Basis, err = stages.Prepare(ctx, in, p.Of, b.Values, nil, m.w.Options.Report.Stage("neighbours"))
	m.lap("neighbours")
	return b, err
}

// available says how much memory is free; tests set it.
var available = format.AvailableMemory

// unitsTake is how long the units of a layout take at least that are done at once.
const unitsTake = 40 * time.Millisecond
