package main

import (
	"context"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/job"
	"blossom/model/job/run"
)

func clusterCommand(a *app) *cobra.Command {
	s := settings()
	o := run.Clustering{}
	var from jobFlags
	asJSON := false
	var clash func(string) error
	c := &cobra.Command{
		Use:   "cluster INPUT... -o LABELS (--n-clusters K | --distance T | --min-size M)",
		Short: "Exact single linkage: labels, linkage matrix, spanning tree",
		Long: `Clusters the points of INPUT by single linkage, exactly: at a height, points are together that a chain of
points joins whose steps are no longer. One cut makes labels of the hierarchy, a row for each row of INPUT, from 0 by
falling size, -1 for noise and for rows with a missing or infinite value: a number of clusters (the most, at most K,
that split no tie), a distance, or a least size (clusters that persist the most; the rest is noise).

The extension of LABELS says how: .npy (int32), .csv, .tsv (column cluster); "-" is CSV on standard output.
--linkage-out is SciPy's linkage matrix of the valid rows, (m-1) x 4; where rows are not valid, Z.rows.npy beside Z.npy
says which row each of its leaves is. --mst-out is a minimum spanning tree: rows i < j, and how far they are apart.
Heights are those of SciPy to the last bits, of values as float32 holds them, and the same bytes on every engine,
with any number of threads. --min-samples S of 2 and more is mutual reachability, by the S-th nearest other point
(scikit-learn counts the point itself); all neighbours are found first, which takes far longer than linkage alone.

Points are taken as blossom embed takes them: markers, with the transforms that the file suggests; say --transform
linear --scale=none for the values as they are.

algorithms: ` + algorithmHelp(),
		Example: `  blossom cluster sample.fcs --n-clusters 12 -o clusters.csv
  blossom cluster points.npy --min-size 50 --min-samples 5 -o labels.npy --linkage-out Z.npy
  blossom cluster points.npy --linkage-out Z.npy --mst-out E.npy --verify --json`,
		RunE: func(c *cobra.Command, paths []string) error {
			s.More = paths[min(1, len(paths)):]
			for _, cut := range run.Clusters {
				if c.Flags().Changed(cut) {
					o.Cuts = append(o.Cuts, cut)
				}
			}
			if err := s.Check(); err != nil {
				return err
			}
			o.AsState = from.session != ""
			if err := o.Check(); err != nil {
				return err
			}
			limitThreads(s.Threads)
			// What is of use is a few arrays as long as the points: garbage as large again is not waited for.
			defer debug.SetGCPercent(debug.SetGCPercent(20))
			for _, out := range []string{o.Labels, o.ZFile, o.TreeFile} {
				if err := clash(out); err != nil {
					return err
				}
			}
			if err := checkOutputs(&o, &from, s.Files(paths...)); err != nil {
				return err
			}
			report, end := a.progress()
			defer end()
			m, err := a.cluster(c.Context(), &from, &s, paths, report, &o)
			if m == nil || err != nil {
				return err
			}
			end()
			if !asJSON {
				a.notes(m.Notes)
				return nil
			}
			return a.printJSON(ofClusters(a, m, &o))
		},
	}
	f := c.Flags()
	outputFlag(c, &o.Labels, "`LABELS` file: .npy, .csv, .tsv, or - for standard output")
	f.IntVar(&o.Number, "n-clusters", 0, "cut into `K` clusters, or the most below it that split no tie")
	f.Float64Var(&o.Distance, "distance", 0, "cut at the height `T`")
	f.IntVar(&o.MinSize, "min-size", 0, "cut where clusters of at least `M` points persist the most")
	f.IntVar(&o.MinSamples, "min-samples", 1,
		"mutual reachability: no point is nearer to any than its `S`-th neighbour")
	f.StringVar(&o.ZFile, "linkage-out", "", "write the linkage matrix, SciPy's format, to this `file`")
	f.StringVar(&o.TreeFile, "mst-out", "", "write a minimum spanning tree to this `file`")
	f.StringVar(&o.Metric, "metric", linkage.Euclidean.String(), strings.Join(linkage.Metrics(), "|"))
	f.StringVar(&o.Algorithm, "algorithm", linkage.Default, strings.Join(linkage.IDs(), "|"))
	f.IntVar(&o.K, "k", 0, "neighbours of the graph of cuslink and boruvka, `N` (default: log2 n + 15)")
	f.BoolVar(&o.Verify, "verify", false, "look at pairs in float64, all up to 20,000 points: none may be closer than "+
		"the tree says")
	from.add(c)
	c.Args = from.args("n-clusters", "distance", "min-size", "linkage-out", "mst-out", "algorithm", "verify", "k")
	inputFlags(f, &s)
	computeFlags(f, &s)
	devicesFlag(f, &s.GPU.Device, &s.GPU.Beside)
	clash = jsonFlag(c, &asJSON)
	return c
}

// cluster executes the job of a command line, or prints it; then there are no clusters.
func (a *app) cluster(ctx context.Context, f *jobFlags, s *run.Settings, inputs []string, report run.Report,
	o *run.Clustering) (*run.Clustered, error) {
	j, err := f.job(ctx, s, inputs, report, (*job.Job).ForPoints)
	if err != nil {
		return nil, err
	}
	l, err := j.WantLabels(o, f.session != "")
	if err != nil {
		return nil, err
	}
	_, err = a.execute(ctx, f, s, j, report)
	return l.Made, err
}

// algorithmHelp lists the algorithms.
func algorithmHelp() string {
	var all []string
	for _, a := range linkage.Algorithms() {
		all = append(all, a.ID+" ("+a.Help+")")
	}
	return strings.Join(all, "; ")
}

// checkOutputs refuses outputs that cannot be written, or that are the same.
func checkOutputs(o *run.Clustering, from *jobFlags, inputs []string) error {
	leaves, places := "", []string(nil)
	if o.ZFile != "" && o.ZFile != "-" {
		leaves = run.LeavesFile(o.ZFile)
	}
	for _, out := range []struct {
		path  string
		known func(string) error
	}{{o.Labels, knownLabels}, {o.ZFile, knownArray}, {leaves, nil}, {o.TreeFile, knownArray}} {
		if out.path == "" {
			continue
		}
		place := whereIs(out.path)
		if slices.Contains(places, place) {
			return run.Usage{Err: problem.New(out.path, "give each output a file of its own", "is named twice")}
		}
		places = append(places, place)
		if err := from.checkOutput(out.path, out.known, inputs...); err != nil {
			return err
		}
	}
	return nil
}

// whereIs is where a file is or would be, however it is spelled.
func whereIs(path string) string {
	if path == "-" {
		return path
	}
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		return filepath.Join(dir, filepath.Base(path))
	}
	return path
}

// knownLabels says whether labels can be written with this extension.
func knownLabels(path string) error {
	for _, ext := range []string{".npy", ".csv", ".tsv"} {
		if strings.HasSuffix(strings.ToLower(path), ext) {
			return nil
		}
	}
	return problem.New(path, "use .npy, .csv or .tsv", "labels are not written with this extension")
}

// knownArray says whether an array can be written with this extension.
func knownArray(path string) error {
	if path == "-" || strings.HasSuffix(strings.ToLower(path), ".npy") {
		return nil
	}
	return problem.New(path, "use a name that ends in .npy", "arrays are written as .npy alone")
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

func ofClusters(a *app, m *run.Clustered, o *run.Clustering) clustersDone {
	l := m.Linkage
	out := clustersDone{Input: m.Points.Data.Path, Output: o.Labels, Linkage: o.ZFile, Tree: o.TreeFile, Points: l.Rows,
		Valid: l.Len(), Duplicates: l.Duplicates, Metric: m.Metric.String(), MinSamples: o.MinSamples,
		Algorithm: m.Algorithm(), Engine: m.Engine, Variant: m.Variant, Device: m.Device, Height: m.Height(),
		Proven: m.Exact, Verified: m.Verified, Work: m.Work, Stages: map[string]float64{}, Notes: m.Notes,
		Seconds: time.Since(a.started).Seconds()}
	if o.ZFile != "" && l.Leaves != nil {
		out.Leaves = run.LeavesFile(o.ZFile)
	}
	for _, c := range m.Points.Cols {
		out.Columns = append(out.Columns, m.Points.Data.Columns[c].Name)
	}
	if m.Cut != nil {
		noise := m.Cut.NoiseCount()
		out.Clusters, out.Noise = &m.Cut.Clusters, &noise
		if m.Cut.More > 0 {
			out.Tie = &[2]int{m.Cut.Fewer, m.Cut.More}
		}
	}
	for _, stage := range m.Stages {
		out.Stages[stage.Name] += stage.Seconds
	}
	if out.Notes == nil {
		out.Notes = []string{}
	}
	return out
}
