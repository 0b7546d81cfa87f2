package job

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// Clustered is a finished clustering.
type Clustered struct {
	Points     *run.Points
	Linkage    *linkage.Linkage
	Cut        *linkage.Cut // nil: none was asked for
	Labels     []int32      // the cluster of each row of the input; nil without a cut, or where rows went by
	Landmarks  []int32      // the cluster of each landmark, where these were clustered; nil: points were
	Noise      int          // how many valid points are in none
	Sizes      []int64      // how many points each cluster has, where landmarks were clustered
	Metric     linkage.Metric
	Exact      bool // the hierarchy is that of all pairs
	MinSamples int
	Work       linkage.Work
	Stages     []linkage.Stage
	Verified   *linkage.Verified // nil: not asked for
	Notes      []string

	noun      string // "point" or "landmark", as these were clustered
	algorithm linkage.Algorithm
	state     *parts.ClusterCut // where nothing is said of a cut
}

// Algorithm is the ID of the one that was used.
func (c *Clustered) Algorithm() string { return c.algorithm.ID }

// cluster clusters the points of the job, and cuts.
func (l *Labels) cluster(ctx context.Context, w *Work) (*Clustered, error) {
	v, p, err := parts.Clusters.Of(w.Parts), w.Points, error(nil)
	out := &Clustered{Points: p, Metric: v.Metric, MinSamples: max(1, v.MinSamples), state: v.OfPoints(),
		noun: "point"}
	x, invalid := p.Table.X, p.Table.Invalid
	if l.OfLandmarks {
		if w.Landmarks == nil {
			return nil, problem.New(p.Data.Path, "give some with --landmarks", "there are no landmarks to cluster")
		}
		x, invalid, out.noun = w.Landmarks.Set.Codebook, 0, "landmark"
	} else {
		out.Notes = p.Notes("")
	}
	if out.algorithm, err = linkage.Named(cmp.Or(l.Algorithm, linkage.Default)); err != nil {
		return nil, run.Usage{Err: err}
	}
	work := linkage.Options{Metric: out.Metric, Algorithm: out.algorithm.ID, MinSamples: out.MinSamples, K: l.K,
		Threads: w.Options.Engine.Threads, Seed: w.Seed}
	if l.Linked == nil {
		if err := work.Fits(x.Rows-invalid, x.Cols, available(), fewerOrParts); err != nil {
			return nil, named(err, p.Data.Path)
		}
	}
	work.Report = w.Options.Report
	if l.Linked != nil {
		return out, out.linked(ctx, l)
	}
	if !l.OfLandmarks { // which are too few for a device to be faster, and are the same without one
		held, err := pairs(ctx, w, x)
		if err != nil {
			return nil, err
		}
		defer held.Free()
		work.Device, work.Near = held.Caps().Linkage, held.Caps().Neighbours
	}
	if err := out.run(ctx, x, work, l, w.Options.Report); err != nil {
		return nil, err
	}
	return out, nil
}

// pairs makes the points resident on the engine, or, where that was not chosen by name, on the best that holds them and
// looks at pairs.
func pairs(ctx context.Context, w *Work, x matrix.Matrix32) (engine.Resident, error) {
	for {
		r, err := w.Engines.Engine().Load(ctx, x)
		if err == nil || ctx.Err() != nil || !w.another() || (fitting{w}).has(ctx, engine.Hierarchy) != nil {
			return r, err
		}
	}
}

// looking is what an engine is to have for an algorithm.
func looking(algorithm string) engine.Capability {
	if a, err := linkage.Named(cmp.Or(algorithm, linkage.Default)); err != nil || a.Alone {
		return engine.Capability{}
	}
	return engine.Hierarchy
}

func (c *Clustered) run(ctx context.Context, x matrix.Matrix32, work linkage.Options, l *Labels,
	report run.Report) error {
	r, err := linkage.New(ctx, x, work)
	if err != nil {
		return run.Wrong(ctx, err)
	}
	defer r.Close()
	m := r.Valid()
	if m > 0 && l.NClusters != nil && *l.NClusters > m {
		_, err := linkage.Z{}.CutNumber(m, *l.NClusters)
		return run.Wrong(ctx, err)
	}
	if err := r.Finish(ctx, report.Stage("clustering")); err != nil {
		return err
	}
	if c.Linkage, err = r.Linkage(ctx); err != nil {
		return err
	}
	if l.Verify {
		v, err := r.Verify(ctx, report.Stage("verifying"))
		if err != nil {
			return err
		}
		c.Verified = &v
		if c.algorithm.Exact && v.Light > 0 {
			return v.Error()
		}
		c.Notes = append(c.Notes, v.String())
	}
	c.Exact, c.Work, c.Stages = r.Proven(), r.Work(), r.Stages()
	if n := c.Linkage.Rows - m; n > 0 {
		zeros := ""
		if c.Metric == linkage.Cosine {
			zeros = ", or zeros alone,"
		}
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d %ss have a missing or infinite value%s and no cluster", n,
			c.Linkage.Rows, c.noun, zeros))
	}
	if m == 0 && c.Linkage.Rows == 0 {
		c.Notes = append(c.Notes, "there are no points: there is nothing to join")
	}
	if m == 1 {
		c.Notes = append(c.Notes, "one "+c.noun+" alone is valid: there is nothing to join")
	}
	if !c.Exact {
		c.Notes = append(c.Notes, "algorithm "+c.algorithm.ID+" is not exact; --algorithm "+linkage.Default+" is")
	}
	return run.Wrong(ctx, c.cut(ctx, l))
}

func (c *Clustered) cut(ctx context.Context, l *Labels) (err error) {
	if l.Uncut() && (c.state == nil || l.Output == "") {
		return nil
	}
	z, m := c.Linkage.Z, c.Linkage.Len()
	switch {
	case m == 0:
		c.Cut = &linkage.Cut{Height: math.NaN()}
		c.Labels = c.Linkage.Spread(nil)
		return nil
	case l.Distance != nil:
		c.Cut, err = z.CutDistance(m, *l.Distance)
	case l.MinSize != nil:
		c.Cut, err = z.CutSize(m, *l.MinSize)
		if err == nil && c.Cut.Clusters == 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("no part of the points splits into clusters of %d: all is noise",
				*l.MinSize))
		}
	case l.NClusters != nil:
		c.Cut, err = z.CutNumber(m, *l.NClusters)
	default:
		return c.asState(ctx)
	}
	if err != nil {
		return err
	}
	switch cut := c.Cut; {
	case cut.More > cut.Fewer:
		c.Notes = append(c.Notes, fmt.Sprintf("%d clusters are not possible without splitting a tie: there are %d; "+
			"%d would be possible", *l.NClusters, cut.Fewer, cut.More))
	case cut.More > 0:
		c.Notes = append(c.Notes, fmt.Sprintf("%d clusters are not possible: there are %d, all other points are equal "+
			"to one of theirs", *l.NClusters, cut.Fewer))
	}
	c.Labels = c.Linkage.Spread(c.Cut.Labels)
	c.Noise = c.Cut.NoiseCount()
	return nil
}

// asState cuts as a window with that state does. A label is the number that the cluster has there, less one.
func (c *Clustered) asState(ctx context.Context) error {
	h, err := parts.NewHierarchy(ctx, c.Linkage, c.Metric, 0, 1, 0)
	if err != nil {
		return err
	}
	cut := c.state.At(h)
	flat := cut.Flat(h.Sky)
	labels := make([]int32, h.Len())
	h.Sky.Labels(flat, labels)
	for numbers, i := h.BadgesOf(cut.Least).Numbers(flat, len(flat.Clusters)), 0; i < len(labels); i++ {
		if labels[i] != linkage.Noise {
			labels[i] = int32(numbers[labels[i]] - 1)
		}
	}
	c.Cut = &linkage.Cut{Labels: labels, Clusters: len(flat.Clusters), Height: cut.Height}
	c.Labels = c.Linkage.Spread(labels)
	c.Noise = c.Cut.NoiseCount()
	return nil
}

// LeavesFile is where the rows of the leaves of a linkage matrix go: "Z.rows.npy" beside "Z.npy"; "" where there is no
// such file, or standard output is it.
func LeavesFile(z string) string {
	if z == "" || z == "-" {
		return ""
	}
	return strings.TrimSuffix(z, filepath.Ext(z)) + ".rows.npy"
}

// save writes what was asked for: labels in the format that the file's name says, the linkage matrix with the rows of
// its leaves where not every row is one, and the tree.
func (c *Clustered) save(ctx context.Context, l *Labels, w *Work) error {
	if err := c.saveHierarchy(ctx, l, w); err != nil || l.Output == "" {
		return err
	}
	if l.bare() {
		return writing(ctx, &w.Files, l.Output, func(w io.Writer) error { return linkage.WriteLabels(w, c.Labels) })
	}
	ds, err := dataset.FromColumns(ctx, "clusters", []dataset.Column{c.column()})
	if err != nil {
		return err
	}
	return l.Beside.save(ctx, w, l.Output, ds, c.Points, &c.Notes)
}

// bare says whether labels are written as whole numbers alone.
func (l *Labels) bare() bool {
	return strings.EqualFold(filepath.Ext(l.Output), ".npy") && !l.WithData
}

// writing writes a file, if it has a name.
func writing(ctx context.Context, files *format.Files, path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	return files.Write(path, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return write(to)
	})
}

// saveHierarchy writes what was asked for of the hierarchy.
func (c *Clustered) saveHierarchy(ctx context.Context, l *Labels, w *Work) error {
	if err := writing(ctx, &w.Files, l.LinkageOut, c.Linkage.Z.Write); err != nil {
		return err
	}
	switch leaves := LeavesFile(l.LinkageOut); {
	case l.LinkageOut == "-" && c.Linkage.Leaves != nil:
		c.Notes = append(c.Notes, "which rows the leaves of the linkage matrix are is not written to standard output: "+
			"they are the valid ones, in order; --linkage-out FILE writes them")
	case c.Linkage.Leaves != nil:
		if err := writing(ctx, &w.Files, leaves, c.Linkage.WriteLeaves); err != nil {
			return err
		}
	case leaves != "": // one of another matrix would say what is wrong
		w.Files.Stale(leaves)
	}
	return writing(ctx, &w.Files, l.TreeOut, c.Linkage.WriteTree)
}

// column is the labels as a column of numbers.
func (c *Clustered) column() dataset.Column {
	return c.columnOf(c.Labels)
}

// columnOf is labels of some rows as such a column.
func (c *Clustered) columnOf(labels []int32) dataset.Column {
	out := dataset.Column{Name: "cluster", Values: make([]float32, len(labels))}
	for i, label := range labels {
		out.Values[i] = float32(label)
	}
	if c.Cut.Clusters > 1<<24 { // which float32 does not tell apart
		out.Exact = make([]float64, len(labels))
		for i, label := range labels {
			out.Exact[i] = float64(label)
		}
	}
	return out
}

// Height is that of the cut for programs: null where a cut has no one height, or is above all.
func (c *Clustered) Height() *float64 {
	if c.Cut == nil || math.IsNaN(c.Cut.Height) || math.IsInf(c.Cut.Height, 1) {
		return nil
	}
	return &c.Cut.Height
}
