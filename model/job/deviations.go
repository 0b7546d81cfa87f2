package job

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/job/run"
)

// Deviations wants the exact moments of the columns of the map among the rows of one of many files, of which the
// deviations of all rows come that scaling divides by.
type Deviations struct {
	Output string `json:"output"` // ColumnMoments, as JSON

	Made    *ColumnMoments `json:"-"` // once they are made
	Invalid int            `json:"-"` // rows with a value that is not finite
}

// ColumnMoments are those of the finite values of each column, exactly: those of parts of the rows add up to those of
// all.
type ColumnMoments struct {
	Rows    int64           `json:"rows"`
	Columns []exact.Moments `json:"columns"`
}

// Merge adds those of other rows. False: these have other columns, and nothing was added.
func (m *ColumnMoments) Merge(o *ColumnMoments) bool {
	if m.Columns == nil && m.Rows == 0 {
		m.Columns = make([]exact.Moments, len(o.Columns))
	}
	if len(m.Columns) != len(o.Columns) {
		return false
	}
	m.Rows += o.Rows
	for j := range o.Columns {
		m.Columns[j].Merge(&o.Columns[j])
	}
	return true
}

// Write writes them as JSON.
func (m *ColumnMoments) Write(w io.Writer) error { return json.NewEncoder(w).Encode(m) }

func init() {
	Register(Kind{ID: "deviations", New: func() Want { return &Deviations{} },
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Deviations).makeByRanges }})
}

// What returns the ID of the kind.
func (d *Deviations) What() string { return "deviations" }

// Paths are the files that it names.
func (d *Deviations) Paths() (written, read []*string) { return []*string{&d.Output}, nil }

// Check says what is wrong with the wish.
func (d *Deviations) Check() error {
	if d.Output == "" {
		return run.Usage{Err: problem.New("", "name a file", "no output is given for the deviations")}
	}
	return nil
}

// Make adds up the points.
func (d *Deviations) Make(ctx context.Context, w *Work) error {
	if err := w.Space(ctx); err != nil {
		return err
	}
	d.Made = &ColumnMoments{}
	if err := d.Made.add(ctx, w.Points.Table.X); err != nil {
		return err
	}
	return d.keep(ctx, w)
}

// makeByRanges adds up the points as they go by.
func (d *Deviations) makeByRanges(ctx context.Context, w *Work) error {
	if err := spaceByRanges(ctx, w); err != nil {
		return err
	}
	d.Made = &ColumnMoments{}
	err := w.Points.EachRange(ctx, false, func(p *run.Points) error { return d.Made.add(ctx, p.Table.X) })
	if err != nil {
		return err
	}
	return d.keep(ctx, w)
}

func (d *Deviations) keep(ctx context.Context, w *Work) error {
	d.Invalid = w.Points.Table.Invalid
	return w.Files.Write(d.Output, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return d.Made.Write(to)
	})
}

// add adds points. The error is ctx's.
func (m *ColumnMoments) add(ctx context.Context, x matrix.Matrix32) error {
	const size = 1024
	some := &ColumnMoments{Rows: int64(x.Rows), Columns: make([]exact.Moments, x.Cols)}
	var lock sync.Mutex
	err := par.Blocks(ctx, x.Rows, size, func(_, from, to int) {
		var buffer [size]float32
		for j := range x.Cols {
			column := buffer[:to-from]
			for i := range column {
				column[i] = x.Data[(from+i)*x.Cols+j]
			}
			var of exact.Moments
			of.Add(column)
			lock.Lock()
			some.Columns[j].Merge(&of)
			lock.Unlock()
		}
	})
	m.Merge(some)
	return err
}
