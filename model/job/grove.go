package job

import (
	"context"
	"fmt"
	"io"

	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// Grove wants a minimum spanning tree of the points of one of many files, or of those of two: of all pairs of files
// come the clusters of all points by single linkage.
type Grove struct {
	Output string `json:"output"` // linkage.Grove
	First  int64  `json:"first"`  // the number of the first row among those of all files
	// With is the second of two files, whose rows come later in the table. Its path is "" where there is none.
	With      File   `json:"with"`
	WithFirst int64  `json:"with_first"`
	Algorithm string `json:"algorithm,omitempty"`
	Metric    string `json:"metric"`

	Made *linkage.Grove `json:"-"` // once it is made
	Rows int            `json:"-"` // rows of the first file
}

func init() {
	Register(Kind{ID: "grove", New: func() Want { return &Grove{} },
		Needs: func(w Want) engine.Capability { return looking(w.(*Grove).Algorithm) }})
}

// What returns the ID of the kind.
func (g *Grove) What() string { return "grove" }

// Paths are the files that it names, but for With, which may be other rows of the file of the data.
func (g *Grove) Paths() (written, read []*string) { return []*string{&g.Output}, nil }

// Check says what is wrong with the wish.
func (g *Grove) Check() error {
	wrong := func(remedy, what string) error { return run.Usage{Err: problem.New("", remedy, "%s", what)} }
	switch {
	case g.Output == "":
		return wrong("name a file", "no output is given for the tree")
	case g.First < 0 || g.WithFirst < 0:
		return wrong("count rows from 0", "rows before the first are not possible")
	}
	if _, err := linkage.ParseMetric(g.Metric); err != nil {
		return run.Usage{Err: err}
	}
	if g.With.Path == "" {
		return nil
	}
	return g.With.check()
}

// Make links the points.
func (g *Grove) Make(ctx context.Context, w *Work) error {
	if err := w.Space(ctx); err != nil {
		return err
	}
	a := linkage.Shard{First: int(g.First), X: w.Points.Table.X}
	b := a
	if g.Rows = a.X.Rows; g.With.Path != "" {
		from := &Job{Data: []File{g.With}, Match: w.Match}
		if err := from.read(ctx, &w.Options); err != nil {
			return err
		}
		points, _, err := w.Points.Like(ctx, from.table, "", w.Options.Report)
		if err != nil {
			return err
		}
		b = linkage.Shard{First: int(g.WithFirst), X: points.Table.X}
	}
	metric, err := linkage.ParseMetric(g.Metric)
	if err != nil {
		return run.Usage{Err: err}
	}
	o := linkage.Options{Metric: metric, Algorithm: g.Algorithm, MinSamples: 1,
		Threads: w.Options.Engine.Threads, Seed: w.Seed, Report: w.Options.Report}
	if err := o.Fits(a.X.Rows+b.X.Rows, a.X.Cols, available(), smallerParts); err != nil {
		return named(err, w.table.Path)
	}
	x, err := linkage.Joined(a, b)
	if err != nil {
		return named(err, w.table.Path)
	}
	held, err := pairs(ctx, w, x)
	if err != nil {
		return err
	}
	defer held.Free()
	o.Device, o.Near = held.Caps().Linkage, held.Caps().Neighbours
	if g.Made, err = linkage.OfJoined(ctx, x, a, b, o); err != nil {
		return named(err, w.table.Path)
	}
	return w.Files.Write(g.Output, func(to io.Writer) error { return g.Made.Write(ctx, to) })
}

// fewerOrParts is the remedy for points that no memory holds.
func fewerOrParts(n int) string {
	return fewerPoints(n) + fmt.Sprintf(", or link all of them in parts: --runner local --part-rows %d", n/2)
}

// smallerParts is the remedy for parts that no memory holds.
func smallerParts(n int) string {
	return fmt.Sprintf("make smaller parts: --part-rows %d", n/2)
}
