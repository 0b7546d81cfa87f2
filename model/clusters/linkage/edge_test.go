package linkage

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/matrix"
)

// rows makes a table of d columns.
func rows(d int, values ...float32) matrix.Matrix32 {
	return matrix.Matrix32{Rows: len(values) / d, Cols: d, Data: values}
}

// eachExact runs on all exact algorithms.
func eachExact(t *testing.T, run func(t *testing.T, algorithm string)) {
	for _, a := range Algorithms() {
		if a.Exact {
			t.Run(a.ID, func(t *testing.T) { run(t, a.ID) })
		}
	}
}

func TestEdges(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	minus := float32(math.Copysign(0, -1))
	for _, c := range []struct {
		name   string
		x      matrix.Matrix32
		metric Metric
		z      []float64
		leaves []int32
		twice  int
	}{
		{"no row", rows(2), Euclidean, nil, nil, 0},
		{"no valid row", rows(1, nan, inf), Euclidean, nil, []int32{}, 0},
		{"one", rows(2, 1, 2), Euclidean, nil, nil, 0},
		{"one valid of two", rows(1, nan, 3), Euclidean, nil, []int32{1}, 0},
		{"two", rows(1, 1, 4), Euclidean, []float64{0, 1, 3, 2}, nil, 0},
		{"equal, and minus zero", rows(1, 0, minus, 0), Euclidean, []float64{0, 1, 0, 2, 2, 3, 0, 3}, nil, 2},
		{"a line of ties", rows(1, 2, 0, 1), Euclidean, []float64{0, 1, 1, 2, 2, 3, 1, 3}, nil, 0},
		{"two new clusters of one height", rows(1, 10, 0, 1, 11), Euclidean,
			[]float64{0, 3, 1, 2, 1, 2, 1, 2, 4, 5, 9, 4}, nil, 0},
		{"a zero row has no angle", rows(2, 1, 0, 0, 0, 0, 2), Cosine, []float64{0, 1, 1, 2}, []int32{0, 2}, 0},
		{"opposite", rows(1, 1, -3), Cosine, []float64{0, 1, 2, 2}, nil, 0},
		{"city blocks", rows(2, 0, 0, 1, 2, 9, 9), L1, []float64{0, 1, 3, 2, 2, 3, 15, 3}, nil, 0},
		{"squares beyond float32", rows(1, -3e38, 3e38, 2e38), Euclidean,
			[]float64{1, 2, float64(float32(3e38)) - float64(float32(2e38)), 2,
				0, 3, float64(float32(2e38)) + float64(float32(3e38)), 3}, nil, 0},
		{"tiny", rows(1, 1e-45, 0), Euclidean, []float64{0, 1, float64(float32(1e-45)), 2}, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachExact(t, func(t *testing.T, algorithm string) {
				l, r := cluster(t, c.x, Options{Algorithm: algorithm, Metric: c.metric})
				sameZ(t, c.name, l.Z, c.z)
				if !slices.Equal(l.Leaves, c.leaves) || l.Duplicates != c.twice {
					t.Errorf("leaves %v, %d equal to others", l.Leaves, l.Duplicates)
				}
				if !r.Proven() {
					t.Error("it is not proven")
				}
			})
		})
	}
}

// cloud is clusters of different widths far from 0 in some columns, with rows that are equal.
func cloud(n, d int, seed uint64) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(seed, 5))
	x := matrix.New(n, d)
	for i := range n {
		row := x.Row(i)
		if i > 3 && r.IntN(40) == 0 {
			copy(row, x.Row(r.IntN(i)))
			continue
		}
		at, wide := float64(r.IntN(5)), 0.05+float64(r.IntN(3))
		for c := range row {
			row[c] = float32(at*3*float64(c%3) + wide*r.NormFloat64())
			if c == 1 {
				row[c] += 1e5
			}
		}
	}
	return x
}

// apart is the weight of two rows; equal rows are at 0, whatever rounding makes of the angle of a row with itself.
func apart(x matrix.Matrix32, metric Metric, i, j int) float64 {
	if slices.Equal(x.Row(i), x.Row(j)) {
		return 0
	}
	return metric.weight(x.Row(i), x.Row(j), metric.norm(x.Row(i)), metric.norm(x.Row(j)))
}

// brute is the hierarchy by Kruskal over all pairs.
func brute(x matrix.Matrix32, metric Metric, cores []float64) (tree []Edge) {
	var all []Edge
	for i := range x.Rows {
		for j := i + 1; j < x.Rows; j++ {
			w := apart(x, metric, i, j)
			if cores != nil {
				w = max(w, cores[i], cores[j])
			}
			all = append(all, Edge{int32(i), int32(j), w})
		}
	}
	slices.SortFunc(all, less)
	up := newSets(x.Rows)
	for _, e := range all {
		if up.unite(e.I, e.J) {
			tree = append(tree, e)
		}
	}
	return tree
}

// bruteCores are how far the s-th nearest other row is.
func bruteCores(x matrix.Matrix32, metric Metric, s int) (cores []float64) {
	for i := range x.Rows {
		var w []float64
		for j := range x.Rows {
			if j != i {
				w = append(w, apart(x, metric, i, j))
			}
		}
		slices.Sort(w)
		cores = append(cores, w[s-1])
	}
	return cores
}

func TestAgainstAllPairs(t *testing.T) {
	for _, d := range []int{1, 2, 7} {
		x := cloud(333, d, uint64(d))
		for m := range Metrics() {
			for _, s := range []int{1, 2, 6} {
				metric := Metric(m)
				want := FromTree(x.Rows, brute(x, metric, bruteCores(x, metric, s)))
				eachExact(t, func(t *testing.T, algorithm string) {
					l, r := cluster(t, x, Options{Algorithm: algorithm, Metric: metric, MinSamples: s})
					sameZ(t, metric.String(), l.Z, want)
					if v, err := r.Verify(context.Background(), nil); err != nil || v.Light != 0 || !v.All {
						t.Errorf("%+v %v", v, err)
					}
				})
			}
		}
	}
}

func TestOptions(t *testing.T) {
	x := cloud(50, 2, 1)
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Algorithm: "slink"}, `no algorithm "slink"`},
		{Options{MinSamples: 50}, "50 valid points"},
		{Options{MinSamples: -1}, "-1"},
		{Options{K: -2}, "-2"},
	} {
		if _, err := New(context.Background(), x, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.o, err)
		}
	}
	if _, err := ParseMetric("L2"); err == nil || !strings.Contains(err.Error(), "euclidean, cosine or l1") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New(ctx, x, Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Each step leaves a spanning tree that is at no rank lighter than the last one.
func TestUnprovenTree(t *testing.T) {
	x := cloud(700, 5, 3)
	for _, a := range Algorithms() {
		t.Run(a.ID, func(t *testing.T) {
			r, err := New(context.Background(), x, Options{Algorithm: a.ID, Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			last := known(t, r)
			for !r.Progress().Rest {
				was := r.Progress()
				if _, err := r.Step(context.Background(), 1+int(r.Units()/9)); err != nil {
					t.Fatal(err)
				}
				if now := r.Progress(); now.Done <= was.Done && !now.Rest || now.Total != was.Total {
					t.Fatalf("from %+v to %+v", was, now)
				}
				l := known(t, r)
				if len(l.Tree) != x.Rows-1 || len(l.Z) != 4*len(l.Tree) {
					t.Fatalf("a tree of %d edges", len(l.Tree))
				}
				for i := range l.Tree {
					if a.Exact && l.Z.Height(i) > last.Z.Height(i) {
						t.Fatalf("rank %d rises from %g to %g", i, last.Z.Height(i), l.Z.Height(i))
					}
				}
				last = l
			}
		})
	}
}

// Squares of what lies between two blocks may be smaller than float32 tells apart, and each rounds to twice what it is.
func TestFarBelowTheLongest(t *testing.T) {
	const d, step = 2048, 5.36e-23
	r := rand.New(rand.NewPCG(1, 2))
	x := matrix.New(256, d)
	for i := range x.Rows {
		row, at := x.Row(i), float32(0)
		if i > 126 { // blocks are halves of halves by column 0, then by number: one that is not of both ends there
			at = step
		}
		for c := range row {
			row[c] = at + 1e-25*float32(r.NormFloat64())
		}
		row[0] = 0
	}
	for _, i := range []int{30, 150} { // rows of blocks of their own, nearer to each other and further from all others
		for c := 1; c < d; c++ {
			x.Row(i)[c] += (step/2-x.Row(i)[c])/50 + 6e-24*float32(1-c%2*2)
		}
	}
	clear(x.Row(254))
	clear(x.Row(255))
	x.Row(254)[0], x.Row(255)[0] = 1, -1
	want, _ := cluster(t, x, Options{Algorithm: "prim"})
	got, _ := cluster(t, x, Options{})
	sameZ(t, "light", got.Z, want.Z)
}

// A hierarchy is made of the tree alone: when that is known what looked at pairs is let go of.
func TestRestHoldsNoPoints(t *testing.T) {
	x := cloud(200, 3, 4)
	r, err := New(context.Background(), x, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	freed := 0
	a := r.body.(*light)
	a.hold = counted{a.hold, &freed}
	if err := r.Finish(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if freed != 1 || a.hold != nil || a.l.Packed != nil {
		t.Errorf("at rest it has freed %d holdings and has %d numbers of points", freed, len(a.l.Packed))
	}
	if p := r.Progress(); !p.Rest || r.Work().Pairs == 0 || !r.Proven() || known(t, r).Len() != x.Rows {
		t.Errorf("%+v, %+v", p, r.Work())
	}
	if v, err := r.Verify(context.Background(), nil); err != nil || v.Light != 0 || v.Pairs == 0 {
		t.Errorf("%+v %v", v, err)
	}
}

// counted counts how often a holding is freed.
type counted struct {
	Holding
	times *int
}

func (c counted) Free() {
	*c.times++
	c.Holding.Free()
}
