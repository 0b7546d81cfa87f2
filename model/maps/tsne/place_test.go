package tsne

import (
	"math"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/oracle"
	"blossom/model/space/knn"
)

// placed puts new points into the map y of x.
func placed(t *testing.T, x matrix.Matrix32, y []float32, dims int, fresh matrix.Matrix32, threads int) []float32 {
	t.Helper()
	f, err := Freeze(y, dims)
	if err != nil {
		t.Fatal(err)
	}
	q := knn.Query{K: PlaceNear, New: fresh}
	near := knn.NewLists(x, q)
	if err := knn.Search(t.Context(), x, q, near); err != nil {
		t.Fatal(err)
	}
	out, err := f.Place(t.Context(), near, threads, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// New points go near the points that they are like, each for itself, with all pairs and by the tree.
func TestPlace(t *testing.T) {
	for _, n := range []int{1, 3, 40, 2500} {
		for dims := 2; dims <= 3; dims++ {
			x, fresh := cloud(n, 4, 1), cloud(70, 4, 2)
			fresh.Row(3)[1] = float32(math.NaN())
			y := make([]float32, n*dims)
			for i := range n {
				for c := range dims { // three groups, well apart, each like its own
					y[i*dims+c] = float32(40*(i%3)) + x.Row(i)[c] - float32(5*(i%3))
				}
			}
			all := placed(t, x, y, dims, fresh, 1)
			part := matrix.Matrix32{Rows: 20, Cols: 4, Data: fresh.Data[10*4 : 30*4]}
			if got := placed(t, x, y, dims, part, 7); !slices.Equal(got, all[10*dims:30*dims]) {
				t.Errorf("%d points in %dD: some of the points come elsewhere than among all", n, dims)
			}
			for i := range fresh.Rows {
				for c := range dims {
					switch v := float64(all[i*dims+c]); {
					case i == 3 && v == v:
						t.Errorf("a point without finite coordinates is at %g", v)
					case i != 3 && !(math.Abs(v-40*float64(i%3)) < 12) && n > 3:
						t.Fatalf("%d points in %dD: point %d is at %v", n, dims, i, all[i*dims:(i+1)*dims])
					case i != 3 && v-v != 0:
						t.Fatalf("%d points in %dD: point %d is at %v", n, dims, i, all[i*dims:(i+1)*dims])
					}
				}
			}
		}
	}
	if _, err := Freeze(make([]float32, 5), 2); err == nil {
		t.Error("half a point is frozen")
	}
	if _, err := Freeze([]float32{1, float32(math.Inf(1))}, 2); err == nil {
		t.Error("infinity is frozen")
	}
}

// The tree's field is that of all pairs, nearly.
func TestMeanTree(t *testing.T) {
	for dims := 2; dims <= 3; dims++ {
		y := make([]float64, 3000*dims)
		Jitter(y, 1, 1, 15)
		for i := range 300 {
			copy(y[i*dims:(i+1)*dims], y[:dims]) // on a spot
		}
		tree := newMeanTree(y, dims)
		for i := range 50 {
			var at [3]float64
			copy(at[:], y[i*60*dims:(i*60+1)*dims])
			want, phi := pairs(y, dims, 0, 3000, at)
			got, p, _ := tree.field(at, placeTheta, nil)
			if math.Abs(p/phi-1) > 4e-3 {
				t.Errorf("%dD: phi %g, want %g", dims, p, phi)
			}
			if d := apart(got[:dims], want[:dims]); d > 0.05 {
				t.Errorf("%dD: the force is off by %g", dims, d)
			}
			if got, p, _ := tree.field(at, 0, nil); apart(got[:dims], want[:dims]) > 1e-9 || math.Abs(p/phi-1) > 1e-12 {
				t.Errorf("%dD: with theta 0 it is not that of all pairs", dims)
			}
		}
	}
}

// Affinities, start and forces of new points are those of the exact answers.
func TestOraclePlace(t *testing.T) {
	for _, dir := range oracle.Cases(t, oracle.Placing) {
		a := read(t, dir)
		x, fresh := oracle.Matrix(t, dir, "points.npy"), oracle.Matrix(t, dir, "new_points.npy")
		late := array(t, dir, "Y2_late")
		f, err := Freeze(narrow(late), 2)
		if err != nil {
			t.Fatal(err)
		}
		q := knn.Query{K: PlaceNear, New: fresh}
		near := knn.NewLists(x, q)
		if err := knn.Search(t.Context(), x, q, near); err != nil {
			t.Fatal(err)
		}
		w := f.newPlacing()
		affinity, start := array(t, dir, "new_c"), array(t, dir, "new_start")
		attraction, repulsion := array(t, dir, "new_attr"), array(t, dir, "new_rep")
		index := array(t, dir, "new_neighbours")
		var gotA, gotR []float64
		for i := range fresh.Rows {
			y := w.prepare(near, i)
			for c := range 2 {
				if d := math.Abs(y[c] - start[2*i+c]); d > 1e-5*a.Layouts["2_late"].Extent {
					t.Errorf("point %d starts %g off", i, d)
				}
				y[c] = start[2*i+c]
			}
			for j, c := range w.c {
				if math.Abs(c-affinity[i*len(w.c)+j]) > 1e-5 || w.near[j] != int32(index[i*len(w.c)+j]) {
					t.Errorf("point %d: affinity %g to %d, want %g to %g", i, c, w.near[j], affinity[i*len(w.c)+j],
						index[i*len(w.c)+j])
				}
			}
			at, r, phi := w.forces(y)
			gotA = append(gotA, at[:2]...)
			gotR = append(gotR, r[0]/phi, r[1]/phi)
		}
		if da, dr := apart(gotA, attraction), apart(gotR, repulsion); da > 1e-5 || dr > 1e-5 {
			t.Errorf("attraction is off by %g, repulsion by %g", da, dr)
		}
	}
}

// One point far away does not put all others into one cell of the curve: leaves stay small, and placing fast.
func TestMeanTreeWithAnOutlier(t *testing.T) {
	for dims := 2; dims <= 3; dims++ {
		sides := func(outlier float64) float64 {
			y := make([]float64, 4000*dims)
			Jitter(y, 1, 1, 15)
			y[0] = outlier
			side := slices.Clone(newMeanTree(y, dims).levels[0].side)
			slices.Sort(side)
			return math.Sqrt(side[len(side)/2])
		}
		if without, with := sides(0), sides(1e6); !(with < 2*without) {
			t.Errorf("%dD: a leaf is %g wide, without an outlier %g", dims, with, without)
		}
	}
}
