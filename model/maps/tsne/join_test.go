package tsne

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"blossom/model/space/knn"
)

// Affinities are what their definition says, in float32 those of float64, and the same bits on one thread and on seven.
func TestJoin(t *testing.T) {
	x := cloud(230, 4, 21)
	for i := range 40 { // more duplicates than neighbours
		copy(x.Row(3*i), x.Row(0))
	}
	near, err := knn.Of(t.Context(), x, 24)
	if err != nil {
		t.Fatal(err)
	}
	was := runtime.GOMAXPROCS(1)
	p, err := AffinitiesOf(t.Context(), near, 8)
	runtime.GOMAXPROCS(7)
	again, _ := AffinitiesOf(t.Context(), near, 8)
	runtime.GOMAXPROCS(was)
	if err != nil || !slices.Equal(p.Value, again.Value) || !slices.Equal(p.Column, again.Column) {
		t.Fatal("the number of threads changes affinities", err)
	}
	s, _ := SparseOf(t.Context(), near, 8, nil)
	n := x.Rows
	want := make([]float64, n*n)
	d, c := make([]float64, 24), make([]float64, 24)
	for i := range n {
		for j := range d {
			d[j] = near.Squared(i, j)
		}
		Conditional(d, 8, c)
		index, _ := near.Row(i)
		for j, to := range index {
			want[i*n+int(to)] += c[j] / float64(2*n)
			want[int(to)*n+i] += c[j] / float64(2*n)
		}
	}
	edges := 0
	for i := range n {
		for e := p.Start[i]; e < p.Start[i+1]; e++ {
			j := int(p.Column[e])
			if w := want[i*n+j]; math.Abs(p.Value[e]-w) > 1e-9+1e-4*w || s.Column[e] != p.Column[e] ||
				math.Abs(float64(s.Value[e])-p.Value[e]) > 1e-6*p.Value[e] {
				t.Fatalf("p of %d and %d is %g, in float32 %g, want %g", i, j, p.Value[e], s.Value[e], w)
			}
			if want[i*n+j] > 0 {
				edges++
			}
			want[i*n+j] = 0
		}
	}
	if rest := slices.Max(want); rest > 0 || s.Edges() != int64(len(p.Column)) || edges == 0 {
		t.Errorf("an affinity of %g is missing", rest)
	}
	if math.Abs(s.Entropy-p.Entropy) > 1e-6*math.Abs(p.Entropy) {
		t.Errorf("entropy %g, in float32 %g", p.Entropy, s.Entropy)
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := SparseOf(stopped, near, 8, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
