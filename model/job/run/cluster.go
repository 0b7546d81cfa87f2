package run

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/work/engine"
)

// Clustering is what is asked for of the hierarchy of the points: one cut, or none where the hierarchy itself is
// written. The zero value asks for no cut.
type Clustering struct {
	Number   int     // of clusters, with Cuts
	Distance float64 // with Cuts
	MinSize  int     // with Cuts
	// Cuts are the flags that were given: "n-clusters", "distance", "min-size".
	Cuts []string

	MinSamples int // 2 and more: mutual reachability
	Metric     string
	Algorithm  string
	K          int
	Verify     bool

	Labels, ZFile, TreeFile string // outputs; "": none
	AsState                 bool   // labels may come without a cut: the state has one
}

// Clusters are the flags that ask for a cut.
var Clusters = []string{"n-clusters", "distance", "min-size"}

// Check says what is wrong with the wishes themselves, as a Usage error.
func (c *Clustering) Check() error {
	if _, err := linkage.ParseMetric(c.Metric); err != nil {
		return Usage{err}
	}
	if _, err := linkage.Named(c.Algorithm); err != nil {
		return Usage{err}
	}
	if len(c.Cuts) > 1 {
		return usage("give one of them", "--%s and --%s are two cuts", c.Cuts[0], c.Cuts[1])
	}
	if len(c.Cuts) == 0 && !c.AsState && (c.Labels != "" || c.ZFile == "" && c.TreeFile == "") {
		return usage("give one of --n-clusters K, --distance T, --min-size M; or only --linkage-out or --mst-out",
			"no cut is given")
	}
	if len(c.Cuts) == 1 && c.Labels == "" {
		return usage("name a file with -o, or - for standard output", "no output is given for the labels of --%s",
			c.Cuts[0])
	}
	for _, cut := range c.Cuts {
		switch {
		case cut == "n-clusters" && c.Number < 1:
			return usage("use 1 or more", "--n-clusters %d is not possible", c.Number)
		case cut == "distance" && !(c.Distance >= 0):
			return usage("use a number from 0", "--distance %g is not possible", c.Distance)
		case cut == "min-size" && c.MinSize < 2:
			return usage("use 2 or more", "--min-size %d is not possible", c.MinSize)
		}
	}
	if c.MinSamples < 1 {
		return usage("use 1 or more", "--min-samples %d is not possible", c.MinSamples)
	}
	if c.K < 0 {
		return usage("leave it out, or use 1 or more", "--k %d is not possible", c.K)
	}
	if c.K > linkage.MostNear {
		return usage(fmt.Sprintf("use %d at most", linkage.MostNear), "--k %d is not possible", c.K)
	}
	return nil
}

// Clustered is a finished clustering.
type Clustered struct {
	Points   *Points
	Linkage  *linkage.Linkage
	Cut      *linkage.Cut // nil: none was asked for
	Labels   []int32      // of the rows of the input; nil without a cut
	Metric   linkage.Metric
	Exact    bool // the hierarchy is that of all pairs
	Engine   string
	Variant  string
	Device   string
	Work     linkage.Work
	Stages   []linkage.Stage
	Verified *linkage.Verified // nil: not asked for
	Notes    []string

	algorithm linkage.Algorithm
	state     *parts.ClusterCut // where nothing is said of a cut
}

// Algorithm is the ID of the one that was used.
func (c *Clustered) Algorithm() string { return c.algorithm.ID }

// Cluster clusters points and cuts as o says; with state, where o says nothing of a cut, as that does. An engine that
// was not chosen by name gives way to one that looks at pairs.
func Cluster(ctx context.Context, p *Points, engines *engine.Chooser, name string, o *Clustering,
	state *parts.ClusterCut, threads int, seed uint64, report Report) (*Clustered, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	out := &Clustered{Points: p, Notes: slices.Concat(p.lost(), p.Data.Warnings), state: state}
	out.Metric, _ = linkage.ParseMetric(o.Metric)
	var err error
	if out.algorithm, err = linkage.Named(o.Algorithm); err != nil {
		return nil, Usage{err}
	}
	work := linkage.Options{Metric: out.Metric, Algorithm: out.algorithm.ID, MinSamples: o.MinSamples, K: o.K,
		Threads: threads, Seed: seed}
	if err := work.Fits(p.Table.X.Rows-p.Table.Invalid, p.Table.X.Cols, available(), fewerPoints); err != nil {
		return nil, named(err, p.Data.Path)
	}
	held, err := pairs(ctx, engines, p.Table.X, name)
	if err != nil {
		return nil, err
	}
	defer held.Free()
	e := engines.Engine()
	out.Engine, out.Variant, out.Device = e.Name(), e.Variant(), e.Device()
	work.Report, work.Device, work.Near = report, held.Caps().Linkage, held.Caps().Neighbours
	if err := out.run(ctx, work, o, report); err != nil {
		return nil, err
	}
	return out, nil
}

// pairs makes the points resident on the engine, or where that was not chosen by name, on the best that looks at pairs.
func pairs(ctx context.Context, engines *engine.Chooser, x matrix.Matrix32,
	name string) (engine.Resident, error) {
	for {
		e := engines.Engine()
		r, err := e.Load(ctx, x)
		if err == nil && r.Caps().Linkage != nil {
			return r, nil
		}
		if err == nil {
			r.Free()
			err = problem.New("", "use --engine auto; --algorithm prim is the reference, and exact",
				"engine %s does not look at pairs of points", e.Name())
		}
		if ctx.Err() != nil || orAuto(name) != engine.Auto || !engines.Next() {
			return nil, err
		}
	}
}

func (c *Clustered) run(ctx context.Context, work linkage.Options, o *Clustering, report Report) error {
	r, err := linkage.New(ctx, c.Points.Table.X, work)
	if err != nil {
		return Wrong(ctx, err)
	}
	defer r.Close()
	m := r.Valid()
	if m > 0 && len(o.Cuts) == 1 && o.Cuts[0] == "n-clusters" && o.Number > m {
		_, err := linkage.Z{}.CutNumber(m, o.Number)
		return Wrong(ctx, err)
	}
	if err := r.Finish(ctx, report.Stage("clustering")); err != nil {
		return err
	}
	if c.Linkage, err = r.Linkage(ctx); err != nil {
		return err
	}
	if o.Verify {
		v, err := r.Verify(ctx, report.Stage("verifying"))
		if err != nil {
			return err
		}
		c.Verified = &v
		if c.algorithm.Exact && v.Light > 0 {
			return v.Error()
		}
	}
	c.Exact, c.Work, c.Stages = r.Proven(), r.Work(), r.Stages()
	if n := c.Linkage.Rows - m; n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d points have a missing or infinite value%s and no cluster", n,
			c.Linkage.Rows, c.zeros()))
	}
	if m == 0 && c.Linkage.Rows == 0 {
		c.Notes = append(c.Notes, "there are no points: there is nothing to join")
	}
	if m == 1 {
		c.Notes = append(c.Notes, "one point alone is valid: there is nothing to join")
	}
	if !c.Exact {
		c.Notes = append(c.Notes, "algorithm "+c.algorithm.ID+" is not exact; --algorithm "+linkage.Default+" is")
	}
	return Wrong(ctx, c.cut(ctx, o))
}

// zeros says what else makes a row invalid.
func (c *Clustered) zeros() string {
	if c.Metric == linkage.Cosine {
		return ", or zeros alone,"
	}
	return ""
}

// Wrong makes a Problem about the wishes a wrong usage; errors of the work are not.
func Wrong(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return Usage{err}
}

func (c *Clustered) cut(ctx context.Context, o *Clustering) (err error) {
	if len(o.Cuts) == 0 && (c.state == nil || o.Labels == "") {
		return nil
	}
	z, m := c.Linkage.Z, c.Linkage.Len()
	if m == 0 {
		c.Cut = &linkage.Cut{Height: math.NaN()}
		c.Labels = c.Linkage.Spread(nil)
		return nil
	}
	if len(o.Cuts) == 0 {
		return c.asState(ctx)
	}
	switch o.Cuts[0] {
	case "distance":
		c.Cut, err = z.CutDistance(m, o.Distance)
	case "min-size":
		c.Cut, err = z.CutSize(m, o.MinSize)
		if err == nil && c.Cut.Clusters == 0 {
			c.Notes = append(c.Notes, fmt.Sprintf("no part of the points splits into clusters of %d: all is noise",
				o.MinSize))
		}
	default:
		c.Cut, err = z.CutNumber(m, o.Number)
	}
	if err != nil {
		return err
	}
	switch cut := c.Cut; {
	case cut.More > cut.Fewer:
		c.Notes = append(c.Notes, fmt.Sprintf("%d clusters are not possible without splitting a tie: there are %d; "+
			"%d would be possible", o.Number, cut.Fewer, cut.More))
	case cut.More > 0:
		c.Notes = append(c.Notes, fmt.Sprintf("%d clusters are not possible: there are %d, all other points are equal "+
			"to one of theirs", o.Number, cut.Fewer))
	}
	c.Labels = c.Linkage.Spread(c.Cut.Labels)
	return nil
}

// asState cuts as a window with that state does.
func (c *Clustered) asState(ctx context.Context) error {
	sky, err := linkage.LaySkyline(ctx, c.Linkage.Len(), c.Linkage.Z)
	if err != nil {
		return err
	}
	least := cmp.Or(c.state.Least, parts.LeastFor(c.Linkage.Len()))
	height := c.state.Distance
	var flat *linkage.Flat
	switch c.state.By {
	case parts.CutPersistent:
		height, flat = math.NaN(), sky.Persistent(max(least, 2))
	case parts.CutByItself:
		height = parts.LongOf(sky, least).Middle()
		flat = sky.Cut(height, least)
	default:
		flat = sky.Cut(height, least)
	}
	labels := make([]int32, c.Linkage.Len())
	sky.Labels(flat, labels)
	c.Cut = &linkage.Cut{Labels: labels, Clusters: len(flat.Clusters), Height: height}
	c.Labels = c.Linkage.Spread(labels)
	return nil
}

// LeavesFile is where the rows of the leaves of a linkage matrix go: "Z.rows.npy" beside "Z.npy".
func LeavesFile(z string) string {
	return strings.TrimSuffix(z, filepath.Ext(z)) + ".rows.npy"
}

// Save writes what was asked for: labels in the format that the file's name says, the linkage matrix with the rows of
// its leaves where not every row is one, and the tree.
func (c *Clustered) Save(ctx context.Context, o *Clustering, report Report) error {
	write := func(path string, write func(io.Writer) error) error {
		if path == "" {
			return nil
		}
		return format.AtomicWrite(path, func(w io.Writer) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return write(w)
		})
	}
	if err := write(o.ZFile, c.Linkage.Z.Write); err != nil {
		return err
	}
	_, stale := os.Stat(LeavesFile(o.ZFile)) // of another Z of that name it would say what is wrong
	if o.ZFile != "-" && o.ZFile != "" && (c.Linkage.Leaves != nil || stale == nil) {
		if err := write(LeavesFile(o.ZFile), c.Linkage.WriteLeaves); err != nil {
			return err
		}
	}
	if err := write(o.TreeFile, c.Linkage.WriteTree); err != nil {
		return err
	}
	if o.Labels == "" {
		return nil
	}
	if strings.EqualFold(filepath.Ext(o.Labels), ".npy") {
		return write(o.Labels, func(w io.Writer) error { return linkage.WriteLabels(w, c.Labels) })
	}
	values := make([]float32, len(c.Labels))
	for i, label := range c.Labels {
		values[i] = float32(label)
	}
	column := dataset.Column{Name: "cluster", Values: values}
	if c.Cut.Clusters > 1<<24 { // which float32 does not tell apart
		column.Exact = make([]float64, len(values))
		for i, label := range c.Labels {
			column.Exact[i] = float64(label)
		}
	}
	ds, err := dataset.FromColumns(ctx, "clusters", []dataset.Column{column})
	if err != nil {
		return err
	}
	return format.Save(ctx, o.Labels, ds, report.Stage("writing"))
}

// Height is that of the cut for programs: null where a cut has no one height, or is above all.
func (c *Clustered) Height() *float64 {
	if c.Cut == nil || math.IsNaN(c.Cut.Height) || math.IsInf(c.Cut.Height, 1) {
		return nil
	}
	return &c.Cut.Height
}
