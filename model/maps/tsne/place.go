package tsne

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/maps/places"
	"blossom/model/space/knn"
)

// Frozen is a map that stays as it is while new points are placed in it, each for itself: they do not see each other.
// So a point comes to the same place, to the bit, among any others.
type Frozen struct {
	n, dims int
	y       []float64    // n x dims
	tree    *meanTree    // nil: all pairs
	field   *frozenField // lattice in place of the tree, in 2D
}

// How new points are placed: by so many neighbours at this perplexity, from the median of so many, over so many units.
const (
	placeNeighbours = 15
	placePerplexity = 5
	// PlaceNear is how many neighbours Place is to be given, or as many as there are.
	PlaceNear = 25

	placeUnits        = 250
	placeExaggeration = 1.5
	placeEta          = 0.1
	placeMomentum     = 0.8
	placeCut          = 0.25 // share of |g|
	placeExact        = 2000 // reference points up to which all pairs are taken
	placeTheta        = 0.3
)

// Freeze takes the map y (n x dims, finite) of the reference. y must not change.
func Freeze(y []float32, dims int) (*Frozen, error) {
	if dims != 2 && dims != 3 {
		return nil, problem.New("", "take 2 or 3", "t-SNE has no maps of %d dimensions", dims)
	}
	if err := places.Check(y, len(y)/dims, dims); err != nil {
		return nil, err
	}
	if len(y) == 0 {
		return nil, problem.New("", "take a map with points", "the map has no points to place others among")
	}
	f := &Frozen{n: len(y) / dims, dims: dims, y: make([]float64, len(y))}
	for c, v := range y {
		f.y[c] = float64(v)
	}
	if f.n > placeExact {
		f.tree = newMeanTree(f.y, dims)
		if dims == 2 {
			f.field = &frozenField{tree: f.tree}
		}
	}
	return f, nil
}

// Place returns where new points go (m x dims), by the neighbours that they have in the reference: PlaceNear of them,
// or as many as there are. A point without finite coordinates goes nowhere: NaN. threads 0: all. The error is ctx's.
func (f *Frozen) Place(ctx context.Context, near *knn.Lists, threads int,
	progress func(done, total int64)) ([]float32, error) {
	if want := min(PlaceNear, f.n); near.K != want {
		return nil, problem.New("", "this is a defect of the program",
			"%d neighbours are given of each new point, and %d wanted", near.K, want)
	}
	return places.New(ctx, near.N, f.dims, threads, func() func(int, []float32) {
		w := f.newPlacing()
		return func(i int, out []float32) { w.place(near, i, out) }
	}, progress)
}

// placing is the memory of one goroutine.
type placing struct {
	f     *Frozen
	near  []int32 // points that attract
	d, c  []float64
	axis  []float64
	stack []int32
	tile  seenTile
}

func (f *Frozen) newPlacing() *placing {
	return &placing{f: f, d: make([]float64, min(f.n, placeNeighbours)), c: make([]float64, min(f.n, placeNeighbours)),
		axis: make([]float64, 0, PlaceNear)}
}

// prepare finds the affinities of a new point and where it starts.
func (w *placing) prepare(near *knn.Lists, i int) (y [3]float64) {
	f := w.f
	index, beyond := near.Row(i)
	k := len(w.d)
	w.near = index[:k]
	for j := range w.d {
		w.d[j] = float64(beyond[j])
	}
	if u := min(placePerplexity, float64(k)/3); f.n > 4 && u > 1 {
		Conditional(w.d, u, w.c)
	} else {
		for j := range w.c {
			w.c[j] = 1 / float64(k)
		}
	}
	for c := range f.dims {
		w.axis = w.axis[:0]
		for _, j := range index {
			w.axis = append(w.axis, f.y[int(j)*f.dims+c])
		}
		slices.Sort(w.axis)
		m := len(w.axis)
		y[c] = (w.axis[(m-1)/2] + w.axis[m/2]) / 2
	}
	return y
}

// forces returns attraction, repulsion that is not divided by phi, and phi, at y.
func (w *placing) forces(y [3]float64) (a, r [3]float64, phi float64) {
	f := w.f
	for j, p := range w.near {
		var e [3]float64
		d := 1.0
		for c := range f.dims {
			e[c] = y[c] - f.y[int(p)*f.dims+c]
			d += e[c] * e[c]
		}
		for c := range f.dims {
			a[c] += w.c[j] * e[c] / d
		}
	}
	if f.field != nil {
		var ok bool
		if r, phi, ok = f.field.at(y, &w.tile); ok {
			return a, r, phi
		}
	}
	if f.tree != nil {
		r, phi, w.stack = f.tree.field(y, placeTheta, w.stack)
	} else {
		r, phi = pairs(f.y, f.dims, 0, f.n, y)
	}
	return a, r, phi
}

// pairs adds up the repulsion of the points [from, to) on one at y, and phi.
func pairs(all []float64, dims, from, to int, y [3]float64) (r [3]float64, phi float64) {
	if dims == 2 {
		for q := all[2*from : 2*to]; len(q) >= 2; q = q[2:] {
			dx, dy := y[0]-q[0], y[1]-q[1]
			v := 1 / (1 + dx*dx + dy*dy)
			phi += v
			v *= v
			r[0] += v * dx
			r[1] += v * dy
		}
		return r, phi
	}
	for q := all[3*from : 3*to]; len(q) >= 3; q = q[3:] {
		dx, dy, dz := y[0]-q[0], y[1]-q[1], y[2]-q[2]
		v := 1 / (1 + dx*dx + dy*dy + dz*dz)
		phi += v
		v *= v
		r[0] += v * dx
		r[1] += v * dy
		r[2] += v * dz
	}
	return r, phi
}

// place moves a new point from its start to where it belongs: v = mu v - eta g, y += v.
func (w *placing) place(near *knn.Lists, i int, out []float32) {
	if near.Near[i] != near.Near[i] {
		for c := range out {
			out[c] = float32(math.NaN())
		}
		return
	}
	y, dims := w.prepare(near, i), w.f.dims
	var v [3]float64
	for range placeUnits {
		a, r, phi := w.forces(y)
		var g [3]float64
		length := 0.0
		for c := range dims {
			g[c] = placeExaggeration*a[c] - r[c]/phi
			length += g[c] * g[c]
		}
		cut := 1.0
		if length > placeCut*placeCut {
			cut = placeCut / math.Sqrt(length)
		}
		for c := range dims {
			v[c] = placeMomentum*v[c] - placeEta*cut*g[c]
			y[c] += v[c]
		}
	}
	for c := range out {
		out[c] = float32(y[c])
	}
}
