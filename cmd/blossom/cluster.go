package main

import (
	"cmp"
	"context"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// clustering is the command at work.
type clustering struct {
	computing
	l          job.Labels
	metric     string
	minSamples int
	parts      parting
}

func clusterCommand(a *app) *cobra.Command {
	o := &clustering{computing: computing{app: a, s: settings()}}
	c := &cobra.Command{
		Use:   "cluster INPUT... -o LABELS (--n-clusters K | --distance T | --min-size M)",
		Short: "Exact single linkage: labels, linkage matrix, spanning tree",
		Long: `Clusters the points of INPUT by single linkage, exactly: at a height, points are together that a chain of
points joins whose steps are no longer. One cut makes labels of the hierarchy, a row for each row of INPUT, from 0 by
falling size, -1 for noise and for rows with a missing or infinite value: a number of clusters (the most, at most K,
that split no tie), a distance, or a least size (clusters that persist the most; the rest is noise).

The extension of LABELS says how: .npy (int32), .csv, .tsv, .csv.gz, .fcs, .npz, .h5ad, .parquet (column
cluster); "-" is CSV
on standard output.
--linkage-out is SciPy's linkage matrix of the valid rows, (m-1) x 4; where rows are not valid, Z.rows.npy beside Z.npy
says which row each of its leaves is. --mst-out is a minimum spanning tree: rows i < j, and how far they are apart;
where distances are equal it is one of several, and labels and matrix are the same for all of them.
Heights are those of SciPy to the last bits, of values as float32 holds them, and the same bytes on every engine,
with any number of threads. --min-samples S of 2 and more is mutual reachability, by the S-th nearest other point
(scikit-learn counts the point itself); all neighbours are found first, which takes far longer than linkage alone.

With --landmarks it is landmarks that are clustered, and each point goes with the nearest: of any number of points, as
large files are read by ranges. Clusters are then numbered by how many landmarks they have. Where
INPUT is a folder that blossom embed -o FOLDER/ has made, the landmarks are its own, and LABELS/, a folder, has a part
of each of its files (docs/scale.md).

With --runner the points of files, or of ranges of a large one (--part-rows), are linked in parts, each of the rows of
two: the same hierarchy and labels, in the memory of two parts and 100 bytes a row. LABELS is .npy, or a folder, for a
file of labels of each input.

Points are taken as blossom embed takes them: markers, with the transforms that the file suggests; say --transform
linear --scale=none for the values as they are.

algorithms: ` + algorithmHelp(),
		Example: `  blossom cluster sample.fcs --n-clusters 12 -o clusters.csv
  blossom cluster points.npy --min-size 50 --min-samples 5 -o labels.npy --linkage-out Z.npy
  blossom cluster points.npy --linkage-out Z.npy --mst-out E.npy --verify --json
  blossom cluster points.npy --landmarks map.json --n-clusters 12 -o labels.npy
  blossom cluster out/ --n-clusters 12 -o labels/ --runner slurm
  blossom cluster 'data/*.npy' --n-clusters 12 -o labels.npy --runner local`,
		RunE: o.run,
	}
	o.flags(c)
	return c
}

func (o *clustering) flags(c *cobra.Command) {
	f, l := c.Flags(), &o.l
	outputFlag(c, &l.Output, "`LABELS` file: "+strings.Join(format.Extensions(), ", ")+", or - for standard output")
	f.Var(intVar{&l.NClusters}, "n-clusters", "cut into `K` clusters, or the most below it that split no tie")
	f.Var(floatVar{&l.Distance}, "distance", "cut at the height `T`")
	f.Var(intVar{&l.MinSize}, "min-size", "cut where clusters of at least `M` points persist the most")
	f.IntVar(&o.minSamples, "min-samples", 1,
		"mutual reachability: no point is nearer to any than its `S`-th neighbour")
	f.StringVar(&l.LinkageOut, "linkage-out", "", "write the linkage matrix, SciPy's format, to this `file`")
	f.StringVar(&l.TreeOut, "mst-out", "", "write a minimum spanning tree to this `file`")
	f.StringVar(&o.metric, "metric", linkage.Euclidean.String(), strings.Join(linkage.Metrics(), "|"))
	f.StringVar(&l.Algorithm, "algorithm", linkage.Default, strings.Join(linkage.IDs(), "|"))
	f.IntVar(&l.K, "k", 0, "neighbours of the graph of cuslink and boruvka, `N` (default: log2 n + 15)")
	f.BoolVar(&l.Verify, "verify", false, "look at pairs in float64, all up to 20,000 points: none may be closer than "+
		"the tree says")
	f.StringVar(&o.s.Origin.Landmarks, "landmarks", "",
		"cluster the landmarks in this `FILE`, written by blossom train; each point goes with its nearest")
	besideFlags(f, &l.Beside)
	o.computing.flags(c)
	c.Args = o.from.args("n-clusters", "distance", "min-size", "linkage-out", "mst-out", "algorithm", "verify", "k")
	inputFlags(f, &o.s)
	o.parts.partFlags(f)
	computeFlags(f, &o.s.Machine)
	devicesFlag(f, &o.s.Machine.GPU.Device, &o.s.Machine.GPU.Beside)
}

// run clusters points, or prints the job that does.
func (o *clustering) run(c *cobra.Command, inputs []string) error {
	metric, err := linkage.ParseMetric(o.metric)
	l := &o.l
	switch {
	case err != nil:
		return run.Usage{Err: err}
	case o.minSamples < 1:
		return run.Usage{Err: problem.New("", "use 1 or more", "--min-samples %d is not possible", o.minSamples)}
	case o.from.session == "" && l.Uncut() && (l.Output != "" || l.LinkageOut == "" && l.TreeOut == ""):
		return run.Usage{Err: problem.New("",
			"give one of --n-clusters K, --distance T, --min-size M; or only --linkage-out or --mst-out",
			"no cut is given")}
	}
	// Arrays as long as the points are nearly all that is of use: garbage as large again is not waited for.
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	points := (*job.Job).ForPoints
	if l.OfLandmarks = o.s.Origin.Landmarks != ""; l.OfLandmarks {
		points, o.ranges = (*job.Job).ForMap, true
	}
	if len(inputs) == 1 && scale.IsFolder(inputs[0]) {
		if c.Flags().Changed("part-rows") {
			return run.Usage{Err: problem.New("", "leave it out",
				"--part-rows is of files, and a folder has its parts")}
		}
		return o.parts.over(c, &o.computing, inputs[0], l.Output, o.ofFolder(metric))
	} else if o.parts.runner != "" {
		o.parts.without = "say who makes parts: --runner local, or leave it out"
		return o.linkInParts(c.Context(), inputs, metric)
	} else if err := o.parts.alone(c.Flags(), "part-format", "part-rows"); err != nil {
		return err
	}
	state := o.stateOf(points, metric)
	if err := folder(c.Flags(), &l.Output); err != nil {
		return err
	}
	w, err := o.compute(c.Context(), cmp.Or(l.Output, l.LinkageOut, l.TreeOut), inputs, state, l)
	if w == nil {
		return err
	}
	return o.say(w)
}

// stateOf is the state of a job of points, with how they are clustered.
func (o *clustering) stateOf(points stateOf, metric linkage.Metric) stateOf {
	return func(j *job.Job, ctx context.Context, s *run.Flags) error {
		if err := points(j, ctx, s); err != nil {
			return err
		}
		var now state.State
		parts.Clusters.Put(&now, parts.ClusterChoice{Metric: metric, MinSamples: o.minSamples})
		return j.PutState(now, "clusters")
	}
}

// say says what was done.
func (o *clustering) say(w *job.Work) error {
	if !o.json {
		o.notes(o.l.Made.Notes)
		return nil
	}
	return o.printJSON(ofClusters(o.app, w, &o.l))
}

// ofFolder is what is wanted of the files of a finished folder.
func (o *clustering) ofFolder(metric linkage.Metric) (made again) {
	o.l.OfLandmarks = true
	made.want = &o.l
	var now state.State
	parts.Clusters.Put(&now, parts.ClusterChoice{Metric: metric, MinSamples: o.minSamples})
	made.state, made.ids = now, []string{"clusters"}
	return made
}

// algorithmHelp lists the algorithms.
func algorithmHelp() string {
	var all []string
	for _, a := range linkage.Algorithms() {
		all = append(all, a.ID+" ("+a.Help+")")
	}
	return strings.Join(all, "; ")
}

// clustersDone is what cluster says of its work with --json.
type clustersDone struct {
	Input      string             `json:"input"`
	Output     string             `json:"output"`
	Linkage    string             `json:"linkage_out,omitempty"`
	Leaves     string             `json:"linkage_rows,omitempty"`
	Tree       string             `json:"mst_out,omitempty"`
	Points     int                `json:"points"`
	Valid      int                `json:"valid"`
	Duplicates int                `json:"duplicates"`
	Columns    []string           `json:"columns"`
	Metric     string             `json:"metric"`
	MinSamples int                `json:"min_samples"`
	Algorithm  string             `json:"algorithm"`
	Engine     string             `json:"engine"`
	Variant    string             `json:"variant,omitempty"`
	Device     string             `json:"device"`
	Clusters   *int               `json:"clusters"`
	Noise      *int               `json:"noise"` // valid points in no cluster
	Height     *float64           `json:"height"`
	Tie        *[2]int            `json:"tie"`    // the two numbers of clusters that were possible
	Proven     bool               `json:"proven"` // no pair is closer than the hierarchy says
	Verified   *linkage.Verified  `json:"verified,omitempty"`
	Work       linkage.Work       `json:"work"`
	Stages     map[string]float64 `json:"seconds_by_stage"`
	Notes      []string           `json:"notes"`
	Seconds    float64            `json:"seconds"`
}

func ofClusters(a *app, w *job.Work, o *job.Labels) clustersDone {
	m, h := o.Made, o.Made.Linkage
	out := clustersDone{Input: m.Points.Data.Path, Output: o.Output, Linkage: o.LinkageOut, Tree: o.TreeOut,
		Points: h.Rows, Valid: h.Len(), Duplicates: h.Duplicates, Metric: m.Metric.String(), MinSamples: m.MinSamples,
		Algorithm: m.Algorithm(), Engine: w.Ran.Kind, Variant: w.Ran.Variant, Device: w.Ran.Device, Height: m.Height(),
		Proven: m.Exact, Verified: m.Verified, Work: m.Work, Stages: map[string]float64{}, Notes: m.Notes,
		Seconds: time.Since(a.started).Seconds()}
	if h.Leaves != nil {
		out.Leaves = job.LeavesFile(o.LinkageOut)
	}
	for _, c := range m.Points.Cols {
		out.Columns = append(out.Columns, m.Points.Data.Columns[c].Name)
	}
	if m.Cut != nil {
		out.Clusters, out.Noise = &m.Cut.Clusters, &m.Noise
		if m.Cut.More > 0 {
			out.Tie = &[2]int{m.Cut.Fewer, m.Cut.More}
		}
	}
	if o.OfLandmarks {
		out.Points = m.Points.Data.Points
		out.Valid = out.Points - m.Points.Table.Invalid
	}
	for _, stage := range m.Stages {
		out.Stages[stage.Name] += stage.Seconds
	}
	if out.Notes == nil {
		out.Notes = []string{}
	}
	return out
}
