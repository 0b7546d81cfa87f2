package embedsom

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
)

// sheet is a grid of landmarks, 12 x 12, and points on it, with positions that are the grid's own.
func sheet(n int) (x, code, pos matrix.Matrix32) {
	rng := rand.New(rand.NewPCG(2, 3))
	x, code, pos = matrix.New(n, 3), matrix.New(144, 3), matrix.New(144, 2)
	for i := range 144 {
		code.Row(i)[0], code.Row(i)[1] = float32(i%12), float32(i/12)
		copy(pos.Row(i), code.Row(i)[:2])
	}
	for i := range n {
		x.Row(i)[0], x.Row(i)[1] = float32(11*rng.Float64()), float32(11*rng.Float64())
		x.Row(i)[2] = float32(0.05 * rng.NormFloat64())
	}
	return x, code, pos
}

func residuals(t *testing.T, x, code, pos matrix.Matrix32, p Params) []float32 {
	t.Helper()
	r, err := Residuals(context.Background(), x, code, pos, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Where the map is the sheet itself nothing disagrees. Where a part of it is folded back over the rest the points of
// the crease are flagged, and those far from it are not.
func TestResidualFlagsAFold(t *testing.T) {
	x, code, pos := sheet(2000)
	for i, v := range residuals(t, x, code, pos, Defaults()) {
		if !(v < 1e-3) {
			t.Fatalf("point %d of a flat map has a residual of %g", i, v)
		}
	}
	folded := pos.Clone()
	for i := range 144 {
		if x := folded.Row(i)[0]; x > 6.5 {
			folded.Row(i)[0] = 13 - x
		}
	}
	crease, flat := []float32{}, []float32{}
	for i, v := range residuals(t, x, code, folded, Defaults()) {
		switch d := math.Abs(float64(x.Row(i)[0]) - 6.5); {
		case d < 0.5:
			crease = append(crease, v)
		case d > 3:
			flat = append(flat, v)
		}
	}
	slices.Sort(crease)
	slices.Sort(flat)
	if a, b := crease[len(crease)/10], flat[len(flat)-1]; !(a > 0.05 && a > 20*b) {
		t.Errorf("a tenth of the crease is below %g, and the flat part reaches %g", a, b)
	}
}

// The residual is that of the definition, with the projection's own result, and does not know the map's size.
func TestResidualIsTheObjective(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	random := func(rows, cols int) matrix.Matrix32 {
		m := matrix.New(rows, cols)
		for i := range m.Data {
			m.Data[i] = float32(rng.NormFloat64())
		}
		return m
	}
	x, code := random(60, 5), random(40, 5)
	for _, m := range []int{2, 3} {
		pos := random(40, m)
		p := Params{K: 7, Boost: 1.5}
		got := residuals(t, x, code, pos, p)
		ref, err := NewReference(code, pos, p)
		if err != nil {
			t.Fatal(err)
		}
		w := ref.Worker()
		for i := range x.Rows {
			y := make([]float64, m)
			w.Point(x.Row(i), y)
			objective := func(y []float64) (off, all float64) {
				for a := range 7 {
					for b := a + 1; b < 7; b++ {
						la, lb := w.all[a].id, w.all[b].id
						var q2, t, hh, place float64
						for c := range 5 {
							v := float64(code.Row(lb)[c]) - float64(code.Row(la)[c])
							q2, t = q2+v*v, t+v*(float64(x.Row(i)[c])-float64(code.Row(la)[c]))
						}
						t /= q2
						for c := range m {
							h := float64(pos.Row(lb)[c]) - float64(pos.Row(la)[c])
							hh, place = hh+h*h, place+h*(y[c]-float64(pos.Row(la)[c]))
						}
						s := w.score[a] * w.score[b] * math.Exp(-(t-0.5)*(t-0.5))
						e := place/math.Sqrt(hh) - math.Sqrt(hh)*t
						off, all = off+s*e*e, all+s*hh
					}
				}
				return off, all
			}
			off, all := objective(y)
			if want := math.Sqrt(off / all); math.Abs(float64(got[i])-want) > 1e-6*(1+want) {
				t.Fatalf("%dD, point %d: %g, want %g", m, i, got[i], want)
			}
			for c := range m { // and the projection is its minimum, but for gravity
				for _, d := range []float64{-0.05, 0.05} {
					z := slices.Clone(y)
					z[c] += d
					if more, _ := objective(z); more < off*(1-1e-3) {
						t.Fatalf("%dD, point %d: %g beside the projection, %g there", m, i, more, off)
					}
				}
			}
		}
		wide := pos.Clone()
		for i := range wide.Data {
			wide.Data[i] = 1000*wide.Data[i] + 7
		}
		for i, v := range residuals(t, x, code, wide, p) {
			if math.Abs(float64(v-got[i])) > 1e-3*(1+float64(got[i])) {
				t.Fatalf("a map of another size: %g, was %g", v, got[i])
			}
		}
	}
}

func TestResidualOfOddPoints(t *testing.T) {
	x, code, pos := sheet(3)
	nan := float32(math.NaN())
	x.Row(0)[1] = nan
	x.Row(1)[0] = 1e30
	r := residuals(t, x, code, pos, Defaults())
	if r[0] == r[0] || math.IsInf(float64(r[1]), 0) || !(r[2] < 1e-3) {
		t.Errorf("%v", r)
	}
	one := matrix.New(1, 3)
	if r := residuals(t, x, one, matrix.New(1, 2), Defaults()); r[2] == r[2] {
		t.Errorf("one landmark: %v", r)
	}
	if _, err := Residuals(context.Background(), x, matrix.New(4, 2), matrix.New(4, 2), Defaults(), nil); err == nil {
		t.Error("landmarks of another space are taken")
	}
	// The nearest that are gathered are those that sorting all finds.
	ref, err := NewReference(code, pos, Defaults())
	if err != nil {
		t.Fatal(err)
	}
	w := ref.Worker()
	p, _, _ := sheet(300)
	for i := range p.Rows {
		want := slices.Clone(w.Neighbours(p.Row(i), nil, nil))
		w.gather(p.Row(i))
		w.rank(p.Row(i))
		for at, id := range want {
			if w.all[at].id != int(id) {
				t.Fatalf("point %d: neighbour %d is %d, want %d", i, at, w.all[at].id, id)
			}
		}
	}
}

// A million points are some seconds.
func BenchmarkResiduals(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	random := func(rows, cols int) matrix.Matrix32 {
		m := matrix.New(rows, cols)
		for i := range m.Data {
			m.Data[i] = float32(rng.NormFloat64())
		}
		return m
	}
	x, code, pos := random(10_000, 30), random(400, 30), random(400, 2)
	for b.Loop() {
		if _, err := Residuals(b.Context(), x, code, pos, Defaults(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
