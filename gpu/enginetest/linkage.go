package enginetest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/clusters/linkage"
	"blossom/model/work/engine"
)

// hierarchies compares single linkage by the engine's look at pairs with that of all pairs, bit by bit: where points
// are spread, in clumps far from each other, far from 0, on a lattice, along a line, equal, and of extreme sizes.
func hierarchies(s *suite) {
	some := os.Getenv(Slow) != "" && os.Getenv("BLOSSOM_LONG") == ""
	for i, c := range pairTables(s.rng) {
		for m := range linkage.Metrics() {
			metric := linkage.Metric(m)
			if metric != linkage.Euclidean && c.x.Rows > 1000 {
				continue
			}
			if some && metric != linkage.Euclidean && i%2 != m%2 {
				continue // each of the others on every second table
			}
			samples := []int{1}
			if c.x.Rows > 300 && c.x.Rows < 1000 {
				samples = append(samples, 4)
			}
			for _, least := range samples {
				o := linkage.Options{Metric: metric, MinSamples: least, Algorithm: "prim"}
				want := s.hierarchy(c.x, o)
				can := s.load(c.x)
				o.Device, o.Near = can.Linkage, can.Neighbours
				for _, algorithm := range []string{"light", "boruvka"} {
					o.Algorithm, o.Threads, o.K = algorithm, 1, 3
					if algorithm == "light" {
						o.Threads = 3
					} else if c.x.Rows > 1000 {
						continue
					}
					if got := s.hierarchy(c.x, o); !slices.Equal(got, want) {
						at := 0
						for at < len(got) && got[at] == want[at] {
							at++
						}
						s.Errorf("%s, %v, %d samples, %s: Z differs first in row %d", c.name, metric, least, algorithm,
							at/4)
					}
				}
			}
		}
	}
	s.stopped()
	s.forests()
}

// forests compares the published system with itself in plain Go, on points whose scores are exact in float32: the
// same edges of a graph, and of many equal weights the same by their noise.
func (s *suite) forests() {
	for _, n := range []int{2, 70, 330} {
		x := matrix.New(n, 3)
		for i := range x.Data {
			x.Data[i] = float32(s.rng.IntN(12) + i/3*7/n*40)
		}
		o := linkage.Options{Algorithm: "cuslink", K: 4, Seed: 9}
		want := s.hierarchy(x, o)
		o.Device = s.load(x).Linkage
		if got := s.hierarchy(x, o); !slices.Equal(got, want) {
			s.Errorf("the published system has another hierarchy of %d points", n)
		}
		o.Device, o.K = nil, 40 // a queue of 64
		want = s.hierarchy(x, o)
		o.Device = s.load(x).Linkage
		if got := s.hierarchy(x, o); !slices.Equal(got, want) {
			s.Errorf("the published system has another hierarchy of %d points by 40 neighbours", n)
		}
	}
}

// load makes points resident until the test ends, and returns what can be done with them.
func (s *suite) load(x matrix.Matrix32) engine.Caps {
	s.Helper()
	r, err := s.engine.Load(s.Context(), x)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(r.Free)
	return r.Caps()
}

func (s *suite) hierarchy(x matrix.Matrix32, o linkage.Options) linkage.Z {
	s.Helper()
	r, err := linkage.New(s.Context(), x, o)
	if err == nil {
		err = r.Finish(s.Context(), nil)
	}
	if err != nil {
		s.Fatal(err)
	}
	defer r.Close()
	return s.known(r).Z
}

func (s *suite) known(r *linkage.Clustering) *linkage.Linkage {
	s.Helper()
	l, err := r.Linkage(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return l
}

// stopped cancels in the middle, and goes on to the same hierarchy.
func (s *suite) stopped() {
	x := gaussians(s.rng, few(1500), 8, 12, 3)
	want := s.hierarchy(x, linkage.Options{Algorithm: "prim"})
	r, err := linkage.New(s.Context(), x, linkage.Options{Device: s.load(x).Linkage, Threads: 2})
	if err != nil {
		s.Fatal(err)
	}
	defer r.Close()
	for !r.Progress().Rest {
		ctx, cancel := context.WithCancel(s.Context())
		cancel()
		was := r.Progress()
		if now, err := r.Step(ctx, 3); err == nil || now != was {
			s.Fatalf("cancelled, it goes from %+v to %+v: %v", was, now, err)
		}
		if _, err := r.Step(s.Context(), 3); err != nil {
			s.Fatal(err)
		}
	}
	if !slices.Equal(s.known(r).Z, want) {
		s.Error("cancelled between steps, Z differs")
	}
}

type pairTable struct {
	name string
	x    matrix.Matrix32
}

// gaussians are points in clusters whose widths differ by up to apart times.
func gaussians(r *rand.Rand, n, d, clusters int, apart float64) matrix.Matrix32 {
	x, at := matrix.New(n, d), matrix.New(clusters, d)
	wide := make([]float64, clusters)
	for i := range at.Data {
		at.Data[i] = float32(6 * r.NormFloat64())
	}
	for i := range wide {
		wide[i] = math.Pow(apart, r.Float64())
	}
	for i := range n {
		k := r.IntN(clusters)
		for c := range d {
			x.Row(i)[c] = at.Row(k)[c] + float32(wide[k]*r.NormFloat64())
		}
	}
	return x
}

func pairTables(r *rand.Rand) (all []pairTable) {
	add := func(name string, x matrix.Matrix32) { all = append(all, pairTable{name, x}) }
	for _, n := range []int{1, 2, 63, 64, 65, 129} {
		add(fmt.Sprintf("%d points", n), gaussians(r, n, 3, 4, 2))
	}
	add("clusters", gaussians(r, max(1100, few(2500)), 9, 30, 4))
	add("uniform", Uniform(r, few(700), 5, 1, 1, 2).X)
	add("far from 0", shifted(gaussians(r, max(310, few(600)), 6, 5, 3), 1e5))
	add("many columns", gaussians(r, max(130, few(200)), 301, 3, 2))
	add("one column", gaussians(r, few(400), 1, 3, 50))
	lattice := matrix.New(few(900), 3)
	for i := range lattice.Data {
		lattice.Data[i] = float32(r.IntN(9))
	}
	add("lattice", lattice)
	for i, name := range []string{"bytes", "integers"} {
		top := 255 + 2*float64(i)
		whole := gaussians(r, 170, 70, 3, 2)
		for i, v := range whole.Data {
			whole.Data[i] = float32(math.Round(min(top-300, max(-300, 20*float64(v)-180))))
		}
		whole.Data[3], whole.Data[99] = -300, float32(top-300)
		add(name, whole)
	}
	add("many columns, wide", gaussians(r, 150, 61, 2, 1))
	clumps := matrix.New(few(1300), 4) // 1e4 apart and 1e-3 wide
	for i := range clumps.Rows {
		k := r.IntN(20)
		for c := range 4 {
			clumps.Row(i)[c] = float32(1e4*float64(k>>c&1) + 7e4*float64(k/16) + 1e-3*r.NormFloat64())
		}
	}
	add("clumps", clumps)
	add("huge", stretched(gaussians(r, max(129, few(300)), 3, 4, 3), 1e36))
	add("tiny", stretched(gaussians(r, max(129, few(300)), 3, 4, 3), 1e-40))
	return append(all, oddTables(r)...)
}

// oddTables are those whose distances float32 hardly holds, or tells apart.
func oddTables(r *rand.Rand) (all []pairTable) {
	add := func(name string, x matrix.Matrix32) { all = append(all, pairTable{name, x}) }
	// Squares below those of float32: all but one are 1e-15 times as far from the mean as that one.
	near := gaussians(r, 200, 12, 3, 2)
	for i := range near.Data {
		near.Data[i] = near.Data[i]*1e-15 + 1e-14*float32(i/12%3)
	}
	for c, v := range near.Row(77) {
		near.Row(77)[c] = v * 1e15
	}
	add("squares below those of float32", near)
	outlier := gaussians(r, few(500), 4, 6, 3)
	copy(outlier.Row(17), []float32{3e30, 0, 0, -1e30})
	add("an outlier", outlier)
	constant := gaussians(r, few(300), 3, 4, 3)
	for i := range constant.Rows {
		constant.Row(i)[1] = 7
	}
	add("a constant column", constant)
	equal := matrix.New(150, 2)
	for i := range equal.Data {
		equal.Data[i] = 2.5
	}
	add("all equal", equal)
	return all
}

// shifted adds by to all values of x.
func shifted(x matrix.Matrix32, by float32) matrix.Matrix32 {
	for i := range x.Data {
		x.Data[i] += by
	}
	return x
}

// stretched multiplies all values of x with by.
func stretched(x matrix.Matrix32, by float32) matrix.Matrix32 {
	for i := range x.Data {
		x.Data[i] *= by
	}
	return x
}
