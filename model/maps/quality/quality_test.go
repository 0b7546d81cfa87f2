package quality

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/base/oracle"
)

func wide(m matrix.Matrix32) [][]float64 {
	out := make([][]float64, m.Rows)
	for i := range out {
		for _, v := range m.Row(i) {
			out[i] = append(out[i], float64(v))
		}
	}
	return out
}

// cloud is n x d points in some clusters, on a lattice where ties are wanted.
func cloud(rng *rand.Rand, n, d int, ties bool) matrix.Matrix32 {
	m := matrix.New(n, d)
	for i := range n {
		centre := float64(rng.IntN(4))
		for c := range d {
			v := centre*float64(c%3) + rng.NormFloat64()
			if ties {
				v = math.Round(v)
			}
			m.Row(i)[c] = float32(v)
		}
	}
	return m
}

func near(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-12 || a != a && b != b }

func measured(t testing.TB, x, y matrix.Matrix32, w Work) *Result {
	t.Helper()
	s, err := NewSpace(t.Context(), x, MostMeasured, w)
	if err != nil {
		t.Fatal(err)
	}
	r, err := s.Measure(t.Context(), s.Gather(y.Data, y.Cols, nil), y.Cols, w)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The curve, its area and both measures are those of brute force, with and without ties, at awkward sizes.
func TestAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 4, 5, 24, 25, 26, 31, 32, 33, 64, 65, 66, 150} {
		for _, dims := range []int{2, 3} {
			for _, ties := range []bool{false, true} {
				x, y := cloud(rng, n, 5, ties), cloud(rng, n, dims, ties)
				for i := range n { // half kept
					copy(y.Row(i), x.Row(i)[:1])
				}
				got, want := measured(t, x, y, Work{}), brute(wide(x), wide(y))
				if len(got.RNX) != len(want.rnx) {
					t.Fatalf("n %d: %d values of the curve, want %d", n, len(got.RNX), len(want.rnx))
				}
				for k, v := range want.rnx {
					if !near(got.RNX[k], v) {
						t.Fatalf("n %d: R_NX(%d) = %g, want %g", n, k+1, got.RNX[k], v)
					}
				}
				if n > 2 && (!near(got.AUC, want.auc) || !near(got.Trustworthiness, want.trust) ||
					!near(got.Continuity, want.cont)) {
					t.Errorf("n %d: %+v, want %+v", n, got, want)
				}
				whole, err := Among(t.Context(), x, y.Data, dims, Work{})
				if err != nil {
					t.Fatal(err)
				}
				if !near(whole.RNX, got.Value()) || n > 2 && (!near(whole.Trustworthiness, want.trust) ||
					!near(whole.Continuity, want.cont)) || whole.Points != n {
					t.Errorf("n %d, among all: %+v, want %+v", n, whole, got)
				}
			}
		}
	}
}

// Points without a place, in the space or on the map, are as if they were not there.
func TestPointsWithoutAPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	x, y := cloud(rng, 120, 4, true), cloud(rng, 120, 2, true)
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	var left []int
	for i := range 120 {
		switch {
		case i%7 == 0:
			x.Row(i)[i%4] = nan
		case i%11 == 0:
			y.Row(i)[i%2] = inf
		default:
			left = append(left, i)
		}
	}
	take := func(m matrix.Matrix32) matrix.Matrix32 {
		out := matrix.New(len(left), m.Cols)
		for at, i := range left {
			copy(out.Row(at), m.Row(i))
		}
		return out
	}
	got, want := measured(t, x, y, Work{}), measured(t, take(x), take(y), Work{})
	if !slices.Equal(got.RNX, want.RNX) || got.Points != len(left) || got.Trustworthiness != want.Trustworthiness ||
		got.Continuity != want.Continuity {
		t.Errorf("%+v, want %+v", got, want)
	}
	whole, err := Among(t.Context(), x, y.Data, 2, Work{})
	if err != nil || whole.Points != len(left) || !near(whole.RNX, want.Value()) {
		t.Errorf("%+v, %v", whole, err)
	}
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 90).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x := cloud(rng, n, 3, rapid.Bool().Draw(t, "ties"))
		run := func(x, y matrix.Matrix32, threads int) *Result {
			s, err := NewSpace(context.Background(), x, MostMeasured, Work{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			r, err := s.Measure(context.Background(), s.Gather(y.Data, y.Cols, nil), y.Cols, Work{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		for k, v := range run(x, x, 1).RNX { // the space itself: all is kept
			if !near(v, 1) {
				t.Fatalf("R_NX(%d) of the points themselves is %g", k+1, v)
			}
		}
		y := x.Clone()
		for i := range y.Data {
			y.Data[i] *= -2
		}
		if v := run(x, y, 1); !near(v.AUC, 1) || n > 24 && (v.Trustworthiness != 1 || v.Continuity != 1) {
			t.Fatalf("turned and doubled: %+v", v)
		}
		y = cloud(rng, n, 2, true)
		one, seven, swapped := run(x, y, 1), run(x, y, 7), run(y, x, 2)
		if !slices.Equal(one.RNX, seven.RNX) || one.Error != seven.Error {
			t.Fatal("the number of goroutines changes the result")
		}
		if !slices.Equal(one.RNX, swapped.RNX) || !near(one.Trustworthiness, swapped.Continuity) {
			t.Fatal("space and map, exchanged, do not exchange trustworthiness and continuity")
		}
		for k, v := range one.RNX {
			if !(v <= 1+1e-12 && v >= -1-float64(n)) {
				t.Fatalf("R_NX(%d) = %g", k+1, v)
			}
		}
	})
}

// A random map keeps as many neighbours as chance does, within the error that is told.
func TestChance(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := cloud(rng, 1200, 5, false), matrix.New(1200, 2)
	for i := range y.Data {
		y.Data[i] = rng.Float32()
	}
	r := measured(t, x, y, Work{})
	if !(r.Error > 0) || math.Abs(r.Value()) > 5*r.Error || math.Abs(r.Trustworthiness-0.5) > 0.03 {
		t.Errorf("R_NX %g +- %g, trustworthiness %g", r.Value(), r.Error, r.Trustworthiness)
	}
}

// Values of stored layouts by t-SNE, as another program measured them.
func TestStoredAnswers(t *testing.T) {
	for _, dir := range oracle.Cases(t, oracle.TSNE) {
		path := filepath.Base(dir)
		c := stored(t, dir)
		x := oracle.Matrix(t, dir, "points.npy")
		for name, want := range c.Layouts {
			y := oracle.Matrix(t, dir, "Y"+name+".npy")
			got := measured(t, x, y, Work{})
			if k := K(x.Rows); k != c.K && c.K != 0 {
				t.Errorf("%s: K %d, want %d", path, k, c.K)
			}
			if math.Abs(got.Value()-want.R) > 1e-3 {
				t.Errorf("%s %s: R_NX %.6f, want %.6f", path, name, got.Value(), want.R)
			}
			if want.T != nil && math.Abs(got.Trustworthiness-*want.T) > 1e-3 {
				t.Errorf("%s %s: trustworthiness %.6f, want %.6f", path, name, got.Trustworthiness, *want.T)
			}
			t.Logf("%s %s: R_NX off by %.1e", path, name, got.Value()-want.R)
		}
	}
}

// scikit-learn's trustworthiness, where there is one, on points without ties.
func TestAgainstScikitLearn(t *testing.T) {
	if exec.Command("python3", "-c", "import sklearn").Run() != nil {
		t.Skip("no scikit-learn here")
	}
	rng := rand.New(rand.NewPCG(7, 8))
	x, y := cloud(rng, 400, 6, false), cloud(rng, 400, 2, false)
	for i := range 400 {
		copy(y.Row(i), x.Row(i)[:2])
	}
	var b strings.Builder
	for _, m := range []matrix.Matrix32{x, y} {
		for i := range m.Rows {
			for _, v := range m.Row(i) {
				b.WriteString(strconv.FormatFloat(float64(v), 'g', -1, 64) + " ")
			}
			b.WriteByte('\n')
		}
	}
	c := exec.Command("python3", "-c", `
import sys, numpy as np
from sklearn.manifold import trustworthiness
r = [[float(v) for v in l.split()] for l in sys.stdin]
x, y = np.array(r[:400]), np.array(r[400:])
print(trustworthiness(x, y, n_neighbors=12), trustworthiness(y, x, n_neighbors=12))`)
	c.Stdin = strings.NewReader(b.String())
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(out))
	got := measured(t, x, y, Work{})
	for i, v := range []float64{got.Trustworthiness, got.Continuity} {
		if want, err := strconv.ParseFloat(f[i], 64); err != nil || math.Abs(v-want) > 1e-9 {
			t.Errorf("%g, scikit-learn says %s", v, f[i])
		}
	}
}

// A sample is told as one, and measures what all would within its error.
func TestSample(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	rng := rand.New(rand.NewPCG(9, 10))
	x := cloud(rng, 5001, 4, false)
	y := matrix.New(5001, 2)
	for i := range 5001 {
		copy(y.Row(i), x.Row(i)[:2])
	}
	whole, err := Among(t.Context(), x, y.Data, 2, Work{Progress: func(done, total int64) {}})
	if err != nil || whole.Queries != Queries || whole.Points != 5001 || !(whole.Error > 0) {
		t.Fatalf("%+v, %v", whole, err)
	}
	all := measured(t, x, y, Work{})
	if math.Abs(whole.RNX-all.Value()) > 5*whole.Error {
		t.Errorf("%d points: %g +- %g, all: %g", Queries, whole.RNX, whole.Error, all.Value())
	}
	s, err := NewSpace(t.Context(), x, 700, Work{})
	if err != nil || s.Len() != 700 || s.Of != 5001 || s.Points[699] != 699 {
		t.Fatalf("%d of %d, %v", s.Len(), s.Of, err)
	}
}

func TestCancelled(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 1800
	}
	x := cloud(rand.New(rand.NewPCG(1, 1)), n, 4, false)
	s, err := NewSpace(t.Context(), x, n, Work{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	pauses := 0
	begun := time.Now()
	_, err = s.Measure(ctx, s.Gather(x.Data[:n*4], 4, nil), 4, Work{Threads: 1, Pause: func() {
		if pauses++; pauses == 2 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || pauses > 3 {
		t.Errorf("%v after %d blocks", err, pauses)
	}
	if _, err = NewSpace(ctx, x, n, Work{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err = Among(ctx, x, x.Data, 4, Work{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err = s.Far(ctx, x, Work{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err = s.Measure(t.Context(), x.Data[:7], 2, Work{}); err == nil {
		t.Error("positions of other points are taken")
	}
	t.Logf("%v on %d cores", time.Since(begun), runtime.GOMAXPROCS(0))
}

// Points of a population without landmarks are far, and nearly no others, though noise in many dimensions is wider
// than the gaps between landmarks.
func TestFar(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, d := range []int{2, 30} {
		const n, g = 2000, 100
		x, code := matrix.New(n, d), matrix.New(g, d)
		for i := range g {
			code.Row(i)[0], code.Row(i)[1] = float32(i%10), float32(i/10)
		}
		lost := 0
		for i := range n {
			for c := range d {
				x.Row(i)[c] = float32(0.4 * rng.NormFloat64())
			}
			x.Row(i)[0] += float32(rng.Float64() * 9)
			x.Row(i)[1] += float32(rng.Float64() * 9)
			if i%4 == 0 {
				lost++
				x.Row(i)[0] += 60
			}
		}
		s, err := NewSpace(t.Context(), x, n, Work{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.Far(t.Context(), code, Work{})
		if err != nil || math.Abs(f.Share-float64(lost)/n) > 0.01 || !(f.Bound > 0) {
			t.Errorf("%d dimensions: %+v, %v", d, f, err)
		}
		for i := range n {
			if i%4 == 0 {
				x.Row(i)[0] -= 60
			}
		}
		if s, err = NewSpace(t.Context(), x, n, Work{}); err != nil {
			t.Fatal(err)
		}
		if f, err = s.Far(t.Context(), code, Work{}); err != nil || f.Share > 0.01 {
			t.Errorf("%d dimensions, all covered: %+v, %v", d, f, err)
		}
		same := matrix.New(g, d)
		for _, c := range []matrix.Matrix32{same, matrix.New(0, d), matrix.New(1, d), matrix.New(g, d+1)} {
			if f, err := s.Far(t.Context(), c, Work{}); err != nil || f.Share == f.Share {
				t.Errorf("%d landmarks at one place: %+v, %v", c.Rows, f, err)
			}
		}
	}
}
