package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/oracle"
)

// Every case of the exact answers comes out byte for byte: labels, linkage matrix and rows.
func TestClusterOracle(t *testing.T) {
	for _, dir := range oracle.Cases(t, oracle.Linkage) {
		var c struct {
			N, Valid   int
			MinSamples int `json:"min_samples"`
			Cuts       []struct {
				Number     int      `json:"n_clusters"`
				Distance   *float64 `json:"distance"`
				Size       int      `json:"min_size"`
				MinSamples int      `json:"min_samples"`
				Clusters   int
				Tie        bool
			}
		}
		oracle.Case(t, dir, &c)
		want := read(t, filepath.Join(dir, "labels.npy"))
		for i, cut := range c.Cuts {
			out := t.TempDir()
			line := []string{"cluster", "points.npy", "-o", filepath.Join(out, "labels.npy"), "--linkage-out",
				filepath.Join(out, "Z.npy"), "--scale=none", "--json", "--k", []string{"2", "40"}[i%2], "--threads",
				[]string{"1", "2"}[i%2]}
			matrix := "Z.npy"
			switch {
			case cut.Distance != nil:
				line = append(line, "--distance", fmt.Sprint(*cut.Distance))
			case cut.Size > 0:
				line = append(line, "--min-size", fmt.Sprint(cut.Size))
			default:
				line = append(line, "--n-clusters", fmt.Sprint(cut.Number))
			}
			if cut.MinSamples > 1 {
				line, matrix = append(line, "--min-samples", fmt.Sprint(cut.MinSamples)), "Z_mr.npy"
			}
			var done struct {
				Points, Valid, Clusters int
				Tie                     *[2]int
				Proven                  bool
			}
			parse(t, ok(t, dir, line...).stdout, &done)
			if done.Points != c.N || done.Valid != c.Valid || done.Clusters != cut.Clusters || !done.Proven ||
				done.Tie != nil != cut.Tie {
				t.Errorf("%s, cut %d: %+v", dir, i, done)
			}
			if text(t, filepath.Join(out, "Z.npy")) != text(t, filepath.Join(dir, matrix)) {
				t.Errorf("%s, cut %d: another linkage matrix", dir, i)
			}
			_, err := os.Stat(filepath.Join(out, "Z.rows.npy"))
			if (err == nil) != (c.Valid < c.N) {
				t.Errorf("%s, cut %d: rows of leaves: %v", dir, i, err)
			}
			labels := read(t, filepath.Join(out, "labels.npy")).Columns[0].Values
			for row, label := range labels {
				if label != want.Columns[i].Values[row] {
					t.Errorf("%s, cut %d: row %d has label %g, not %g", dir, i, row, label, want.Columns[i].Values[row])
					break
				}
			}
		}
	}
}

func TestCluster(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y\n0,0\n0,1\n9,9\nnan,2\n0,0\n9,8\n")
	line := []string{"cluster", "a.csv", "--scale=none", "--n-clusters", "2", "-o"}
	if got := ok(t, dir, append(line, "-")...).stdout; got != "cluster\n0\n0\n1\n-1\n0\n1\n" {
		t.Errorf("%q", got)
	}
	said := ok(t, dir, append(line, "b.tsv", "--linkage-out", "Z.npy", "--mst-out", "E.npy", "--verify")...).stderr
	if !strings.Contains(said, "verified: of all 6 pairs of different points none is closer than the tree says") {
		t.Errorf("a tree that is right is not said to be: %q", said)
	}
	if got := text(t, filepath.Join(dir, "b.tsv")); got != "cluster\n0\n0\n1\n-1\n0\n1\n" {
		t.Errorf("%q", got)
	}
	e := read(t, filepath.Join(dir, "E.npy"))
	if e.Points != 4 || e.Columns[0].Values[0] != 0 || e.Columns[1].Values[0] != 4 || e.Columns[2].Values[0] != 0 {
		t.Errorf("%d edges, the first %g %g %g", e.Points, e.Columns[0].Values[0], e.Columns[1].Values[0],
			e.Columns[2].Values[0])
	}
	if rows := read(t, filepath.Join(dir, "Z.rows.npy")).Columns[0].Values; len(rows) != 5 || rows[3] != 4 {
		t.Errorf("leaves are rows %v", rows)
	}
	r := ok(t, dir, "cluster", "a.csv", "--scale=none", "--n-clusters", "5", "-o", "c.csv")
	if !strings.Contains(r.stderr, "equal") {
		t.Errorf("it does not say why there are 4 clusters: %q", r.stderr)
	}
	all := ok(t, dir, "cluster", "a.csv", "--scale=none", "--distance", "inf", "-o", "c.csv", "--json").stdout
	if !strings.Contains(all, `"clusters": 1,`) || !strings.Contains(all, `"height": null`) {
		t.Errorf("cut above all: %s", all)
	}
	one, two := filepath.Join(dir, "Z.npy"), filepath.Join(dir, "Y.npy")
	for _, algorithm := range []string{"prim", "boruvka"} {
		ok(t, dir, "cluster", "a.csv", "--scale=none", "--linkage-out", "Y.npy", "--algorithm", algorithm)
		if !bytes.Equal([]byte(text(t, one)), []byte(text(t, two))) {
			t.Errorf("%s has another linkage matrix", algorithm)
		}
	}
}

func TestClusterWrong(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y\n0,0\n0,1\n9,9\n")
	write(t, filepath.Join(dir, "bad.csv"), "x,y\nnan,1\n2,nan\n")
	for line, word := range map[string]string{
		"a.csv -o b.csv":                                    "no cut is given",
		"a.csv --n-clusters 2":                              "no output",
		"a.csv -o b.csv --n-clusters 0":                     "--n-clusters 0",
		"a.csv -o b.csv --n-clusters 4":                     "--n-clusters 4 is not possible for 3 valid points",
		"a.csv -o b.csv --distance nan":                     "--distance NaN",
		"a.csv -o b.csv --distance -1":                      "--distance -1",
		"a.csv -o b.csv --min-size 1":                       "--min-size 1",
		"a.csv -o b.csv --min-size 2 --min-samples 3":       "--min-samples 3",
		"a.csv -o b.csv --n-clusters 2 --distance 1":        "--n-clusters and --distance",
		"a.csv -o b.csv --n-clusters 2 --metric l2":         `"l2"`,
		"a.csv -o b.csv --n-clusters 2 --algorithm slink":   `"slink"`,
		"a.csv -o b.csv --n-clusters 2 --k -1":              "--k -1",
		"a.csv -o b.xlsx --n-clusters 2":                    "use one of .csv",
		"a.csv --linkage-out Z.csv":                         ".npy",
		"a.csv --linkage-out Z.npy --mst-out Z.npy":         "named twice",
		"a.csv --linkage-out Z.npy --mst-out ./Z.npy":       "Z.npy: is named twice",
		"a.csv -o b.csv --n-clusters 2 --k 65":              "--k 65 is not possible: use 64 at most",
		"a.csv -o b.csv --n-clusters 2 --metric cityblock":  `no metric "cityblock": use l1, which is the same`,
		"bad.csv -o b.csv --n-clusters 1":                   "missing or infinite",
		"a.csv -o b.csv --n-clusters 2 --engine abacus":     "abacus",
		"a.csv -o b.csv --n-clusters many":                  `"many"`,
		"a.csv --linkage-out Z.npy -o b.csv":                "no cut",
		"a.csv -o b.csv --n-clusters 2 --variant cpu/abc":   "abc",
		"a.csv -o b.csv --n-clusters 2 --metric euclidean2": "euclidean2",
	} {
		t.Run(line, func(t *testing.T) {
			blossom(t, dir, append([]string{"cluster"}, strings.Fields(line)...)...).refused(t, exitUsage, word)
		})
	}
	if got := names(t, dir); len(got) != 2 {
		t.Errorf("a wrong command line left %q", got)
	}
}

// Flags of another bench are refused, not left aside.
func TestBenchFlags(t *testing.T) {
	for line, word := range map[string]string{
		"cluster --grid papers":  "bench cluster has no --grid, which is of bench embed",
		"load --engine cpu":      "bench load has no --engine",
		"embed --algorithm prim": "bench embed has no --algorithm, which is of bench cluster",
		"layout --repeats 3":     "which is of bench embed, train, tsne or umap",
		"load --nonsense":        "bench load has no --nonsense",
	} {
		blossom(t, t.TempDir(), append([]string{"bench"}, strings.Fields(line)...)...).refused(t, exitUsage, word)
	}
	for line, word := range map[string]string{
		"embed --points 0": "--points 0", "tsne --points 0": "--points 0", "layout --points 0": "--points 0",
		"frame --points 0": "--points 0", "follow --points 10": "--points 10", "layout --points 20000": "2 to 16384",
		"cluster --shape 100000000x1000": "memory", "--shape 100000000x1000 cluster": "memory",
	} {
		blossom(t, t.TempDir(), append([]string{"bench"}, strings.Fields(line)...)...).refused(t, exitUsage, word)
	}
}

func TestBenchCluster(t *testing.T) {
	type row struct {
		Bench, Variant string
		N, D           int
		Failed         string
		Proven         bool
		Ratio, Seconds float64
		Wrong          *struct {
			Heights int `json:"wrong_heights"`
		}
	}
	var out struct{ Rows []row }
	parse(t, ok(t, t.TempDir(), "bench", "cluster", "--shape", "600x8", "--engine", "cpu", "--json").stdout, &out)
	found := map[string]row{}
	for _, r := range out.Rows {
		found[r.Variant] = r
	}
	for _, id := range []string{"light", "prim", "boruvka", "cuslink"} {
		r := found[id]
		if r.N != 600 || r.D != 8 || r.Seconds <= 0 || r.Ratio <= 0 || r.Proven != (id != "cuslink") ||
			r.Wrong == nil || r.Proven && r.Wrong.Heights != 0 {
			t.Errorf("%s: %+v", id, r)
		}
	}
	if r := found["SciPy"]; r.N != 600 || r.Failed == "" && r.Seconds <= 0 {
		t.Errorf("%+v", r)
	}
	for _, wrong := range [][]string{{"--shape", "600"}, {"--shape", "1x8"}, {"--shape", "600x8", "--algorithm", "x"}} {
		r := blossom(t, t.TempDir(), append([]string{"bench", "cluster"}, wrong...)...)
		if r.code == 0 || strings.Count(r.stderr, "\n") != 1 {
			t.Errorf("%q: %d %s", wrong, r.code, r.stderr)
		}
	}
}

// An engine that looks at no pairs is refused where the algorithm takes them from it, and not where it takes none: in
// parts, too, before one is made.
func TestEngineThatLinksNothingIsRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y\n1,2\n2,5\n4,4\n")
	cluster := []string{"cluster", "a.csv", "--n-clusters", "2", "-o", "l.npy", "--engine", "reference"}
	for _, more := range [][]string{nil, {"--runner", "local", "--part-rows", "1"}} {
		blossom(t, dir, append(slices.Clone(cluster), more...)...).refused(t, exitUsage,
			"engine reference makes no hierarchies by single linkage: use --engine auto", "cpu")
	}
	if is, _ := os.ReadDir(dir); len(is) != 1 {
		t.Errorf("left: %v", is)
	}
	ok(t, dir, append(cluster, "--algorithm", "prim")...)
}

// No points are no clusters, and no error, as for t-SNE; standard output takes one thing.
func TestClusterOfNothing(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "empty.csv"), "x,y\n")
	r := blossom(t, dir, "cluster", "empty.csv", "--n-clusters", "2", "-o", "l.csv", "--linkage-out", "Z.npy")
	if r.code != 0 || !strings.Contains(r.stderr, "no points") {
		t.Errorf("%+v", r)
	}
	if got := read(t, filepath.Join(dir, "l.csv")); got.Points != 0 {
		t.Errorf("%d labels", got.Points)
	}
	write(t, filepath.Join(dir, "a.csv"), "x,y\n1,2\n2,5\n4,4\n")
	blossom(t, dir, "cluster", "a.csv", "--linkage-out", "-", "--json").refused(t, exitUsage, "standard output")
	blossom(t, dir, "cluster", "a.csv", "--linkage-out", "-", "--mst-out", "-").refused(t, exitUsage, "twice")
}
