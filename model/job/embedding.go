package job

import (
	"context"
	"slices"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/model/job/run"
)

// Embedding wants the coordinates that EmbedSOM gives every point, as a table.
type Embedding struct {
	Output string `json:"output,omitempty"` // "": nothing is written
	Beside
	Derived []string `json:"derived,omitempty"` // columns made of the map, beside the coordinates: run.Derivable

	// Seen is told the coordinates of the rows, some or all at a time; nil: nobody wants to know.
	Seen func(coordinates *dataset.Dataset) `json:"-"`

	Map  *run.Map         `json:"-"` // the map, once it is made
	More []dataset.Column `json:"-"` // the columns that Derived names, once they are made
}

func init() {
	Register(Kind{ID: "embedding", New: func() Want { return &Embedding{} },
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Embedding).ranges() }})
}

// What returns the ID of the kind.
func (e *Embedding) What() string { return "embedding" }

// Paths are the files that it names.
func (e *Embedding) Paths() (written, read []*string) { return []*string{&e.Output}, nil }

// Check says what is wrong with the wish.
func (e *Embedding) Check() error {
	if err := e.Beside.checkOutput(e.Output); err != nil {
		return err
	}
	return run.CheckDerived(e.Derived)
}

// knownTable says whether tables can be written under this name.
func knownTable(path string) error {
	if path == "" {
		return nil
	}
	if err := format.Writable(path); err != nil {
		return run.Usage{Err: err}
	}
	return nil
}

// Make projects every point.
func (e *Embedding) Make(ctx context.Context, w *Work) error {
	r, err := w.Resident(ctx)
	if err != nil {
		return err
	}
	m, err := w.Map()
	if err != nil {
		return err
	}
	if err := m.Project(ctx, r, parts.Projection.Of(w.Parts), w.Options.Report); err != nil {
		return err
	}
	e.Map = m
	w.Notes = append(w.Notes, m.Notes...)
	if e.Output == "" {
		return nil
	}
	ds, err := m.Coordinates(ctx)
	if err != nil {
		return err
	}
	e.sees(ds)
	if e.More, err = m.Derived(ctx, e.Derived, parts.Projection.Of(w.Parts), w.Options.Report); err != nil {
		return err
	}
	return e.Beside.save(ctx, w, e.Output, export.WithDerived(ds, e.More...), w.Points, &w.Notes, &m.Notes)
}

func (e *Embedding) sees(coordinates *dataset.Dataset) {
	if e.Seen != nil {
		e.Seen(coordinates)
	}
}

// ranges is what makes an embedding by ranges, nil where all rows are needed at once.
func (e *Embedding) ranges() func(context.Context, *Work) error {
	if e.Output == "" || e.Append || e.Each != "" || len(e.Derived) > 0 || !format.WritesRanges(e.Output) {
		return nil
	}
	return e.makeByRanges
}

// unwritten says whether it is made for what else is wanted alone.
func (e *Embedding) unwritten() bool { return e.Output == "" && len(e.Derived) == 0 }

// makeByRanges projects the points as they go by.
func (e *Embedding) makeByRanges(ctx context.Context, w *Work) error {
	all := e.WithData
	if all && !alikeInRanges(w.table) {
		return dataset.ErrWhole
	}
	if err := spaceByRanges(ctx, w); err != nil {
		return err
	}
	m, err := w.Map()
	if err != nil {
		return err
	}
	params, said := parts.Projection.Of(w.Parts), []string(nil)
	rows := &export.Rows{Data: w.table, Paint: w.paint}
	lost, err := rows.SaveRanges(ctx, &w.Files, e.Output, func(put func(*export.Rows) error) error {
		done := 0
		return w.Points.EachRange(ctx, all, func(p *run.Points) error {
			of := rows.Like(p.Data)
			if of.Made, err = m.ProjectRange(ctx, w.Engines.Engine(), p, params); err != nil {
				return err
			}
			e.sees(of.Made)
			notes := &said
			if done > 0 {
				notes = &[]string{} // one range says it for all
			}
			if of.Before, err = e.Beside.data(ctx, p, notes); err != nil {
				return err
			}
			done += p.Data.Points
			if w.Options.Report != nil {
				w.Options.Report("projecting", int64(done), int64(w.table.Points))
			}
			return put(of)
		})
	})
	if err != nil {
		return err
	}
	if e.Map, err = w.Map(); err != nil { // with remarks on the points, which are known now
		return err
	}
	e.Map.Projected(params)
	said = append(said, lost...)
	w.Notes = slices.Concat(w.Notes, e.Map.Notes, said)
	e.Map.Notes = append(e.Map.Notes, said...)
	return nil
}
