package job

import (
	"context"

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
	if e.More, err = m.Derived(ctx, e.Derived, parts.Projection.Of(w.Parts), w.Options.Report); err != nil {
		return err
	}
	return e.Beside.save(ctx, w, e.Output, export.WithDerived(ds, e.More...), w.Points, &w.Notes, &m.Notes)
}
