package linkage

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/oracle"
)

// answers is what case.json of a folder of exact answers says.
type answers struct {
	dir        string
	Valid      int
	Metric     string
	Distinct   bool
	Tolerance  float64 `json:"relative_tolerance"`
	MinSamples int     `json:"min_samples"`
	Cuts       []struct {
		Number     int      `json:"n_clusters"`
		Distance   *float64 `json:"distance"`
		Size       int      `json:"min_size"`
		MinSamples int      `json:"min_samples"`
		Tie        bool     `json:"tie"`
		Clusters   int      `json:"clusters"`
	}
	Published []struct {
		K       int
		Heights int     `json:"ranks_with_another_height"`
		Ratio   float64 `json:"largest_ratio"`
	}
	x matrix.Matrix32
	z []float64
}

// answered reads the exact answers.
func answered(t *testing.T) (all []answers) {
	t.Helper()
	for _, dir := range oracle.Cases(t, oracle.Linkage) {
		a := answers{dir: dir, x: oracle.Matrix(t, dir, "points.npy"), z: numbers(t, dir, "Z.npy")}
		if oracle.Case(t, dir, &a); len(a.Cuts) == 0 {
			t.Fatalf("%s has no cuts", dir)
		}
		all = append(all, a)
	}
	return all
}

func numbers(t *testing.T, dir, name string) []float64 {
	t.Helper()
	v, _ := oracle.Array[float64](t, dir, name)
	return v
}

// cluster runs to the end.
func cluster(t testing.TB, x matrix.Matrix32, o Options) (*Linkage, *Clustering) {
	t.Helper()
	r, err := New(context.Background(), x, o)
	if err == nil {
		err = r.Finish(context.Background(), nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	return known(t, r), r
}

// known is the hierarchy as far as it is known.
func known(t interface{ Fatal(...any) }, r *Clustering) *Linkage {
	l, err := r.Linkage(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// sameZ says where two hierarchies differ.
func sameZ(t testing.TB, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: Z has %d numbers, not %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: row %d of Z is %v, not %v", what, i/4, got[i/4*4:i/4*4+4], want[i/4*4:i/4*4+4])
		}
	}
}

func TestOracle(t *testing.T) {
	for _, a := range answered(t) {
		for _, algorithm := range Algorithms() {
			if !algorithm.Exact {
				continue
			}
			for _, o := range []Options{{Threads: 1, K: 2}, {Threads: 2, K: 40}} {
				what := filepath.Base(a.dir) + " by " + algorithm.ID
				o.Metric, _ = ParseMetric(a.Metric)
				o.Algorithm = algorithm.ID
				if !algorithm.Neighbours {
					o.K = 0
				}
				plain, _ := cluster(t, a.x, o)
				sameZ(t, what, plain.Z, a.z)
				if plain.Len() != a.Valid {
					t.Errorf("%s: %d leaves, not %d", what, plain.Len(), a.Valid)
				}
				a.trees(t, what, plain)
				mutual := plain
				if o.MinSamples = a.MinSamples; o.MinSamples > 0 {
					mutual, _ = cluster(t, a.x, o)
					want := numbers(t, a.dir, "Z_mr.npy")
					sameZ(t, what+" with samples", mutual.Z, want)
				}
				a.cuts(t, what, plain, mutual)
			}
		}
	}
}

// trees compares the spanning tree: with ties there are several, of the same weights.
func (a *answers) trees(t *testing.T, what string, l *Linkage) {
	t.Helper()
	want := numbers(t, a.dir, "mst.npy")
	if len(want) != 3*len(l.Tree) {
		t.Fatalf("%s: a tree of %d edges, not %d", what, len(l.Tree), len(want)/3)
	}
	up := newSets(l.Len())
	for i, e := range l.Tree {
		i32, j32 := l.Row(e.I), l.Row(e.J)
		if e.W != want[3*i+2] || a.Distinct && (float64(i32) != want[3*i] || float64(j32) != want[3*i+1]) {
			t.Fatalf("%s: edge %d is %v, not %v", what, i, e, want[3*i:3*i+3])
		}
		if e.I >= e.J || !up.unite(e.I, e.J) {
			t.Fatalf("%s: edge %d, %v, is no part of a tree", what, i, e)
		}
	}
}

func (a *answers) cuts(t *testing.T, what string, plain, mutual *Linkage) {
	t.Helper()
	want, cols := oracle.Array[float64](t, a.dir, "labels.npy")
	for i, cut := range a.Cuts {
		l := plain
		if cut.MinSamples > 1 {
			l = mutual
		}
		var c *Cut
		var err error
		switch {
		case cut.Distance != nil:
			c, err = l.Z.CutDistance(l.Len(), *cut.Distance)
		case cut.Size > 0:
			c, err = l.Z.CutSize(l.Len(), cut.Size)
		default:
			c, err = l.Z.CutNumber(l.Len(), cut.Number)
		}
		if err != nil {
			t.Fatal(err)
		}
		if c.Clusters != cut.Clusters || c.More > 0 != cut.Tie || cut.Tie && (c.Fewer != cut.Clusters ||
			c.More <= cut.Number) {
			t.Errorf("%s: cut %+v has %d clusters, of %d or %d", what, cut, c.Clusters, c.Fewer, c.More)
		}
		labels := l.Spread(slices.Clone(c.Labels))
		for row := range labels {
			if float64(labels[row]) != want[row*cols+i] {
				t.Errorf("%s: cut %+v: row %d has label %d, not %g", what, cut, row, labels[row], want[row*cols+i])
				break
			}
		}
	}
}

// The published system finds what it is known to find: exact answers where its graph has the tree, others where it has
// not.
func TestPublished(t *testing.T) {
	for _, a := range answered(t) {
		metric, _ := ParseMetric(a.Metric)
		exact, _ := cluster(t, a.x, Options{Metric: metric})
		for _, p := range a.Published {
			_, r := cluster(t, a.x, Options{Metric: metric, Algorithm: "cuslink", K: p.K})
			wrong, err := r.Against(t.Context(), exact)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, k %d: %+v, known are %+v", filepath.Base(a.dir), p.K, wrong, p)
			if wrong.Heights != p.Heights || wrong.Edges > 0 != (p.Heights > 0) {
				t.Errorf("%s, k %d: %d heights are wrong, and %d are known", filepath.Base(a.dir), p.K, wrong.Heights,
					p.Heights)
			}
			if r.Proven() {
				t.Error("it says that it is proven")
			}
			_, same := cluster(t, a.x, Options{Metric: metric})
			if wrong, err := same.Against(t.Context(), exact); err != nil || wrong != (Wrong{Ratio: 1}) {
				t.Error("the exact hierarchy differs from itself")
			}
		}
	}
}
