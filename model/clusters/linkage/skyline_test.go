package linkage

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

// drawnSkyline is the skyline of a drawn table.
func drawnSkyline(t *rapid.T, least int) (Z, *Skyline) {
	l := drawnZ(t, drawn(t, least), Options{Algorithm: "prim", Threads: 1})
	return l.Z, NewSkyline(l.Len(), l.Z)
}

func labelsOf(s *Skyline, f *Flat) []int32 {
	out := make([]int32, s.Len())
	s.Labels(f, out)
	return out
}

// A skyline holds each leaf and each height once, and each cluster as a run.
func TestSkylineIsTheHierarchy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, s := drawnSkyline(t, 1)
		leaves, gaps := slices.Clone(s.Order), slices.Clone(s.Gap)
		slices.Sort(leaves)
		slices.Sort(gaps)
		for i, leaf := range leaves {
			if int(leaf) != i {
				t.Fatalf("leaves %v", s.Order)
			}
		}
		if !slices.Equal(gaps, heights(z)) {
			t.Fatalf("gaps %v of heights %v", s.Gap, heights(z))
		}
	})
}

// Its cuts are those of Z: by distance, by number and by size.
func TestSkylineCutsAsZ(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, s := drawnSkyline(t, 1)
		n := s.Len()
		height := 0.0
		if h := heights(z); len(h) > 0 {
			height = rapid.SampledFrom(h).Draw(t, "height") *
				rapid.SampledFrom([]float64{0, 0.9, 1, 1.1}).Draw(t, "of it")
		}
		want, err := z.CutDistance(n, height)
		got := s.Cut(height, 1)
		if err != nil || !slices.Equal(labelsOf(s, got), want.Labels) || got.Left != 0 {
			t.Fatalf("at %g: %v, not %v (%v)", height, labelsOf(s, got), want.Labels, err)
		}
		k := rapid.IntRange(1, n).Draw(t, "k")
		if want, err = z.CutNumber(n, k); err != nil {
			t.Fatal(err)
		}
		level := s.Number(k, 1)
		if got = s.Cut(level.Middle(), 1); !slices.Equal(labelsOf(s, got), want.Labels) ||
			level.Number != want.Clusters {
			t.Fatalf("%d clusters: level %+v, %v, not %v", k, level, labelsOf(s, got), want.Labels)
		}
		size := rapid.IntRange(2, 8).Draw(t, "size")
		if want, err = z.CutSize(n, size); err != nil {
			t.Fatal(err)
		}
		if got = s.Persistent(size); !slices.Equal(labelsOf(s, got), want.Labels) || got.Left != want.NoiseCount() {
			t.Fatalf("of %d: %v, not %v", size, labelsOf(s, got), want.Labels)
		}
	})
}

// Clusters of a least size are those of all that are as large; a number of them is found wherever there is one.
func TestSkylineLeastSize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z, s := drawnSkyline(t, 2)
		least := rapid.IntRange(1, 6).Draw(t, "least")
		number := func(h float64) (k, left int) {
			for _, c := range s.Cut(h, 1).Clusters {
				if c.Size() >= least {
					k++
				} else {
					left += c.Size()
				}
			}
			return k, left
		}
		highest := map[int]float64{} // the highest height with each number of clusters
		for _, h := range append([]float64{0}, heights(z)...) {
			k, left := number(h)
			f := s.Cut(h, least)
			if len(f.Clusters) != k || f.Left != left {
				t.Fatalf("at %g: %d clusters and %d left, not %d and %d", h, len(f.Clusters), f.Left, k, left)
			}
			highest[k] = h
		}
		for k := range 8 {
			h, there := highest[k]
			l := s.Number(k, least)
			if there != (l.Number == k) {
				t.Fatalf("%d clusters of %d: %+v, though there are: %v", k, least, l, there)
			}
			if there && (!(l.Low <= h && h < l.High) || len(s.Cut(l.Middle(), least).Clusters) != k) {
				t.Fatalf("%d clusters of %d are there up to %g: %+v", k, least, h, l)
			}
		}
	})
}

// Steps go through all numbers that there are, up and down alike.
func TestSkylineSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawnSkyline(t, 2)
		least := rapid.IntRange(1, 4).Draw(t, "least")
		var up, down []int
		at := -1.0
		for h := s.Step(0, least, -1); h != at; h = s.Step(h, least, 1) {
			at = h
			up = append(up, len(s.Cut(h, least).Clusters))
		}
		at = -1
		for h := s.Top() * 1.5; h != at; h = s.Step(h, least, -1) {
			at = h
			down = append(down, len(s.Cut(h, least).Clusters))
		}
		slices.Reverse(down)
		if !slices.Equal(up, down) {
			t.Fatalf("up %v, down %v", up, down)
		}
		for i := 1; i < len(up); i++ {
			if up[i] == up[i-1] {
				t.Fatalf("a step that changes nothing: %v", up)
			}
		}
	})
}

// A column shows its largest gap, and the mouse points at a cluster.
func TestSkylineColumnsAndBranches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9000).Draw(t, "n") // three levels of sums
		x := matrix.New(n, 1)
		seed := rapid.Uint32Range(1, 1000).Draw(t, "seed")
		for i := range x.Data {
			seed = seed*1664525 + 1013904223
			x.Data[i] = float32(seed >> 8)
		}
		slices.Sort(x.Data) // the tree is the line
		tree := make([]Edge, n-1)
		for i := range tree {
			tree[i] = Edge{int32(i), int32(i + 1), float64(x.Data[i+1] - x.Data[i])}
		}
		sortEdges(tree, nil)
		z := FromTree(n, tree)
		s := NewSkyline(n, z)
		out := make([]float64, rapid.IntRange(1, 700).Draw(t, "pixels"))
		from := rapid.Float64Range(0, float64(n-1)).Draw(t, "from")
		to := rapid.Float64Range(from+0.1, float64(n)).Draw(t, "to")
		s.Columns(from, to, out)
		for i, got := range out {
			a := int(from + (to-from)*float64(i)/float64(len(out)))
			b := max(a+1, int(from+(to-from)*float64(i+1)/float64(len(out))))
			want := -1.0
			for k := a; k < min(b, n-1); k++ {
				want = max(want, s.Gap[k])
			}
			if got != want {
				t.Fatalf("column %d of %d, places %d to %d: %g, not %g", i, len(out), a, b, got, want)
			}
		}
		place := rapid.IntRange(0, n-1).Draw(t, "place")
		height := s.Gap[rapid.IntRange(0, n-2).Draw(t, "gap")]
		a, b := s.Branch(place, height)
		found := slices.ContainsFunc(s.Cut(height, 1).Clusters, func(c Stretch) bool {
			return int(c.From) == a && int(c.To) == b
		})
		if !found || place < a || place >= b {
			t.Fatalf("place %d at %g: %d to %d is no cluster there", place, height, a, b)
		}
	})
}

// Two far groups of three near pairs each: what lasts longest is known.
func TestSkylineLong(t *testing.T) {
	x := matrix.New(12, 1)
	copy(x.Data, []float32{0, 1, 10, 11, 20, 21, 1000, 1001, 1010, 1011, 1020, 1021})
	r, err := New(t.Context(), x, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Finish(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	l := known(t, r)
	s := NewSkyline(l.Len(), l.Z)
	if best, ok := s.Long(1, 0); !ok || best != (Level{2, 9, 979}) {
		t.Errorf("the longest is %+v", best)
	}
	if best, ok := s.Long(1, 3); !ok || best != (Level{6, 1, 9}) {
		t.Errorf("about 3 it is %+v", best)
	}
	if s.Top() != 979 || s.Low(0) != 1 || math.IsInf(s.Step(2000, 1, 1), 1) {
		t.Errorf("top %g, low %g", s.Top(), s.Low(0))
	}
	for _, n := range []int{0, 1} {
		s := NewSkyline(n, Z{})
		if f := s.Cut(1, 1); len(f.Clusters) != n || s.Top() != 0 || s.Step(1, 1, 1) != 1 || s.Low(0.5) != 0 {
			t.Errorf("of %d leaves: %+v", n, f)
		}
		s.Columns(0, float64(n), make([]float64, 3))
		if _, ok := s.Long(1, 0); ok {
			t.Errorf("of %d leaves something lasts", n)
		}
	}
}

// The linkage of a shuffled table is that of the table, also where rows are not valid.
func TestLinkageOfAnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawn(t, 2)
		for range rapid.IntRange(0, 3).Draw(t, "invalid") {
			x.Row(rapid.IntRange(0, x.Rows-1).Draw(t, "row"))[0] = float32(math.NaN())
		}
		order := rapid.Permutation(ints(x.Rows)).Draw(t, "order")
		mixed := matrix.New(x.Rows, x.Cols)
		for i, row := range order {
			copy(mixed.Row(i), x.Row(int(row)))
		}
		want := drawnZ(t, x, Options{})
		r, err := New(t.Context(), mixed, Options{})
		if err == nil {
			err = r.Finish(t.Context(), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		got, err := r.LinkageOf(t.Context(), order, x.Rows)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Z, want.Z) || !slices.Equal(got.Leaves, want.Leaves) ||
			got.Duplicates != want.Duplicates || got.Len() != want.Len() {
			t.Fatalf("%v of %v, not %v of %v", got.Z, got.Leaves, want.Z, want.Leaves)
		}
	})
}

func ints(n int) (out []int32) {
	for i := range int32(n) {
		out = append(out, i)
	}
	return out
}

// chained is the skyline of a million points on a line whose gaps are of many sizes.
func chained(b *testing.B) *Skyline {
	const n = 1_000_000
	tree := make([]Edge, n-1)
	seed := uint32(7)
	next := func() float64 {
		seed = seed*1664525 + 1013904223
		return float64(seed>>8) / (1 << 24)
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	for i := n - 1; i > 0; i-- { // neighbours in the tree are none in the table
		j := int(next() * float64(i+1))
		order[i], order[j] = order[j], order[i]
	}
	for i := range tree {
		w := 1 + next()
		if next() < 1e-4 {
			w *= 3
		}
		tree[i] = Edge{min(order[i], order[i+1]), max(order[i], order[i+1]), w}
	}
	sortEdges(tree, nil)
	b.ResetTimer()
	return NewSkyline(n, FromTree(n, tree))
}

// This is the cost of a frame in which the cut of a million points has moved: clusters, and the label of each point.
func BenchmarkMovingTheCut(b *testing.B) {
	s := chained(b)
	out := make([]float32, s.Len())
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		f := s.Cut([]float64{2.2, 3, 4}[i%3], 50)
		s.Put(f, len(f.Clusters), nil, out)
	}
}

// The controls ask this of a million points within a frame: the next number, a number, which clusters last longest.
func BenchmarkSkylineLevels(b *testing.B) {
	s := chained(b)
	for _, least := range []int{1, 100} {
		b.Run(fmt.Sprint(least), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s.Step(3, least, 1-2*(i%2))
				s.Number(1+i%3000, least)
				s.Long(least, 0)
			}
		})
	}
}

// This is a job over a million points.
func BenchmarkPersistent(b *testing.B) {
	s := chained(b)
	for b.Loop() {
		s.Persistent(100)
	}
}

func BenchmarkNewSkyline(b *testing.B) {
	s := chained(b)
	for b.Loop() {
		NewSkyline(s.Len(), s.z)
	}
}

// The columns of a picture of a million points.
func BenchmarkSkylineColumns(b *testing.B) {
	s := chained(b)
	out := make([]float64, 1600)
	b.ResetTimer()
	for b.Loop() {
		s.Columns(0, float64(s.Len()), out)
	}
}

// Clusters are numbered alike by comparing and by counting, whether they are few or many.
func TestClustersAreNumberedAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 9))
	for range 50 {
		n := 1 + r.IntN(300)
		s := &Skyline{Order: make([]int32, n)}
		for i, leaf := range r.Perm(n) {
			s.Order[i] = int32(leaf)
		}
		var few Flat
		for from := 0; from < n; {
			to := min(n, from+1+r.IntN(1+r.IntN(9)))
			if r.IntN(4) > 0 { // else it is too small
				few.Clusters = append(few.Clusters, Stretch{int32(from), int32(to)})
			}
			from = to
		}
		many := Flat{Clusters: slices.Clone(few.Clusters)}
		few.compare(s)
		many.count(s)
		if !slices.Equal(few.Clusters, many.Clusters) {
			t.Fatalf("%v, by counting %v, of %v", few.Clusters, many.Clusters, s.Order)
		}
	}
}

// A height written with so many digits is the same cut, and with fewer it is another.
func TestSkylineDigits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawnSkyline(t, 2)
		height := rapid.Float64Range(0, 1.2*s.Top()).Draw(t, "height")
		if rapid.Bool().Draw(t, "near a merge") {
			height = s.Gap[rapid.IntRange(0, len(s.Gap)-1).Draw(t, "merge")] * (1 + 1e-9)
		}
		cut := func(digits int) []int32 {
			v, err := strconv.ParseFloat(strconv.FormatFloat(height, 'g', digits, 64), 64)
			if err != nil {
				t.Fatal(err)
			}
			return labelsOf(s, s.Cut(v, 1))
		}
		digits, want := s.Digits(height, 2), labelsOf(s, s.Cut(height, 1))
		if !slices.Equal(cut(digits), want) {
			t.Fatalf("%g with %d digits is another cut", height, digits)
		}
		if digits > 2 && slices.Equal(cut(digits-1), want) {
			t.Fatalf("%g needs no %d digits", height, digits)
		}
	})
}
