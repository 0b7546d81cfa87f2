package tsne

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/space/knn"
)

type answers struct {
	N          int
	K          int
	Perplexity float64
	Used       float64 `json:"perplexity_used"`
	Layouts    map[string]struct{ Z, KL, Extent float64 }
}

func read(t *testing.T, dir string) (a answers) {
	t.Helper()
	if oracle.Case(t, dir, &a); len(a.Layouts) == 0 {
		t.Fatalf("%s has no layouts", dir)
	}
	return a
}

// array reads numbers of any kind, without losing digits of float64.
func array(t *testing.T, dir, name string) []float64 {
	t.Helper()
	v, _ := oracle.Array[float64](t, dir, name+".npy")
	return v
}

// apart is |a-b| / |b|.
func apart(a, b []float64) float64 {
	var diff, sum float64
	for i := range b {
		diff += (a[i] - b[i]) * (a[i] - b[i])
		sum += b[i] * b[i]
	}
	return math.Sqrt(diff / max(sum, 1e-300))
}

// Neighbours, affinities, forces, Z and KL are those of the exact answers.
func TestOracle(t *testing.T) {
	for _, dir := range oracle.Cases(t, oracle.TSNE) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			a := read(t, dir)
			x := oracle.Matrix(t, dir, "points.npy")
			used, k := Allowed(a.N, a.Perplexity)
			if used != a.Used || k != a.K {
				t.Errorf("perplexity %g with %d neighbours, want %g with %d", used, k, a.Used, a.K)
			}
			near, err := knn.Of(t.Context(), x, k)
			if err != nil {
				t.Fatal(err)
			}
			distances := array(t, dir, "distances")
			for i, j := range array(t, dir, "neighbours") {
				if d := math.Abs(near.Squared(i/k, i%k)-distances[i]) / max(distances[i], 1e-9); d > 1e-7 {
					t.Fatalf("neighbour %d of point %d at %g, want %g", i%k, i/k, near.Squared(i/k, i%k), distances[i])
				}
				if near.Index[i] != int32(j) && !tied(distances[i/k*k:i/k*k+k], i%k) {
					t.Fatalf("neighbour %d of point %d is %d, want %g", i%k, i/k, near.Index[i], j)
				}
			}
			p, err := AffinitiesOf(t.Context(), near, a.Perplexity)
			if err != nil {
				t.Fatal(err)
			}
			sparse, err := SparseOf(t.Context(), near, a.Perplexity, nil)
			if err != nil || sparse.Check() != nil {
				t.Fatal(err, sparse.Check())
			}
			checkAffinities(t, dir, p.Start, p.Column, p.Value, 1e-12)
			checkAffinities(t, dir, sparse.Start, sparse.Column, widened(sparse.Value), 1e-6)
			for dims := 2; dims <= 3; dims++ {
				for _, when := range []string{"early", "late"} {
					checkForces(t, dir, a, p, dims, when)
				}
			}
		})
	}
}

func tied(d []float64, k int) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*b }
	return k > 0 && near(d[k-1], d[k]) || k+1 < len(d) && near(d[k], d[k+1]) || k+1 == len(d)
}

func widened(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

func checkAffinities(t *testing.T, dir string, starts []int64, columns []int32, values []float64, rounding float64) {
	t.Helper()
	start, column := array(t, dir, "P_indptr"), array(t, dir, "P_indices")
	value := array(t, dir, "P_data")
	want := map[[2]int]float64{}
	most := slices.Max(value)
	n := len(starts) - 1
	for i := range n {
		for e := int(start[i]); e < int(start[i+1]); e++ {
			want[[2]int{i, int(column[e])}] = value[e]
		}
	}
	off, worst, sum := 0.0, 0.0, 0.0
	for i := range n {
		for e := starts[i]; e < starts[i+1]; e++ {
			if e > starts[i] && columns[e] <= columns[e-1] || int(columns[e]) == i {
				t.Fatalf("row %d: column %d", i, columns[e])
			}
			at := [2]int{i, int(columns[e])}
			d := math.Abs(values[e] - want[at])
			off += d
			sum += values[e]
			if w := want[at]; w > most/1000 {
				worst = max(worst, d/w)
			}
			delete(want, at)
		}
	}
	for _, v := range want {
		off += v
	}
	t.Logf("affinities: sum of differences %.2g, relative %.2g", off, worst)
	if off > 1e-5 || worst > 1e-3 || math.Abs(sum-1) > rounding {
		t.Errorf("affinities differ by %g in all, by %g of one; sum %g", off, worst, sum)
	}
}

func checkForces(t *testing.T, dir string, a answers, p *Affinities, dims int, when string) {
	t.Helper()
	name := fmt.Sprintf("%d_%s", dims, when)
	y := array(t, dir, "Y"+name)
	var f Forces
	f.Of(p, y, dims)
	attraction, repulsion := array(t, dir, "attr"+name), array(t, dir, "rep"+name)
	d := apart(f.Attraction, attraction)
	for c := range f.Repulsion { // the answers' is divided by Z
		f.Repulsion[c] /= f.Z
	}
	r := apart(f.Repulsion, repulsion)
	z, kl := math.Abs(f.Z/a.Layouts[name].Z-1), math.Abs(f.KL-a.Layouts[name].KL)
	t.Logf("%s: attraction %.1g, repulsion %.1g, Z %.1g, KL %.1g", name, d, r, z, kl)
	if d > 1e-5 || r > 1e-6 || z > 1e-6 || kl > 1e-5 {
		t.Errorf("%s: attraction is off by %g, repulsion by %g, Z by %g, KL by %g", name, d, r, z, kl)
	}
}

// A whole run ends as well as that of the exact answers.
func TestOracleRun(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	for _, dir := range oracle.Cases(t, oracle.TSNE) {
		for dims := 2; dims <= 3; dims++ {
			a := read(t, dir)
			o := Defaults()
			o.Dims, o.Perplexity, o.Total = dims, a.Perplexity, 750
			r, err := Exactly(t.Context(), oracle.Matrix(t, dir, "points.npy"), o)
			if err != nil {
				t.Fatal(err)
			}
			if p, err := r.Step(context.Background(), 2000); err != nil || p.Done != 750 || !p.Rest {
				t.Fatal(p, err)
			}
			var f Evaluation
			if err := r.Evaluate(t.Context(), &f); err != nil {
				t.Fatal(err)
			}
			want := a.Layouts[fmt.Sprintf("%d_late", dims)].KL
			t.Logf("%s, %dD: KL %.4f, exact answer %.4f", filepath.Base(dir), dims, f.KL, want)
			if f.KL > 1.015*want+0.006 { // a few points may come to rest in another minimum
				t.Errorf("%s, %dD: KL %g, want %g", filepath.Base(dir), dims, f.KL, want)
			}
		}
	}
}
