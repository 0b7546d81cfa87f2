package morph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

func random(t *testing.T, g, d, dims int, seed uint64) *landmark.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	code, pos := matrix.New(g, d), matrix.New(g, dims)
	for i := range code.Data {
		code.Data[i] = float32(rng.NormFloat64())
	}
	for i := range pos.Data {
		pos.Data[i] = float32(rng.NormFloat64())
	}
	s, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The ends are the maps themselves; the same landmarks go straight from one to the other.
func TestTheSameLandmarks(t *testing.T) {
	a, b := random(t, 20, 5, 2, 1), random(t, 20, 5, 2, 2)
	m := New(a, b, embedsom.Defaults(), Effort)
	if m.At(0) != a || m.At(1) != b || m.At(-1) != a || m.At(2) != b || m.At(math.NaN()) != a {
		t.Fatal("the ends are not the maps")
	}
	if m.Same() || !New(a, a, embedsom.Defaults(), Effort).Same() {
		t.Fatal("wrong about what is the same")
	}
	for _, f := range []float64{0.25, 0.5, 0.9} {
		at := m.At(f)
		for i := range at.Pos.Data {
			want := float64(a.Pos.Data[i]) + f*(float64(b.Pos.Data[i])-float64(a.Pos.Data[i]))
			if math.Abs(float64(at.Pos.Data[i])-want) > 1e-6 {
				t.Fatalf("at %g coordinate %d is %g, not %g", f, i, at.Pos.Data[i], want)
			}
		}
		for i := range at.Codebook.Data {
			want := float64(a.Codebook.Data[i]) + f*(float64(b.Codebook.Data[i])-float64(a.Codebook.Data[i]))
			if math.Abs(float64(at.Codebook.Data[i])-want) > 1e-6 {
				t.Fatalf("at %g value %d is %g, not %g", f, i, at.Codebook.Data[i], want)
			}
		}
		if at.PosRev == a.PosRev || at.PosRev == b.PosRev || at.CodeRev == a.CodeRev || at.Validate() != nil {
			t.Fatal("what lies between has no revision of its own")
		}
	}
	moved, err := a.Move([]int{3}, []float32{1, 0})
	if err != nil {
		t.Fatal(err)
	}
	if at := New(a, moved, embedsom.Defaults(), Effort).At(0.5); at.CodeRev != a.CodeRev {
		t.Error("the codebook changes where only a position does: all neighbours would be found anew")
	}
}

// Other landmarks change places halfway, each lot where the other map would put it; both halves meet in the picture.
func TestOtherLandmarks(t *testing.T) {
	a := random(t, 30, 4, 2, 3)
	b, _, err := a.Remove([]int{1, 7})
	if err != nil {
		t.Fatal(err)
	}
	p := embedsom.Defaults()
	m := New(a, b, p, Effort)
	if got := m.At(0.49).Len(); got != 30 {
		t.Errorf("before the middle there are %d landmarks", got)
	}
	if got := m.At(0.51).Len(); got != 28 {
		t.Errorf("after the middle there are %d landmarks", got)
	}
	near := m.At(1 - 1e-6)
	for i := range near.Pos.Data {
		if math.Abs(float64(near.Pos.Data[i]-b.Pos.Data[i])) > 1e-3 {
			t.Fatalf("shortly before the end coordinate %d is %g, not %g", i, near.Pos.Data[i], b.Pos.Data[i])
		}
	}
	// A landmark that both have stands, on the other map, where it stands on its own.
	at := m.At(0.49)
	for i := range 30 {
		if i == 1 || i == 7 {
			continue
		}
		for c := range 2 {
			if math.Abs(float64(at.Pos.Row(i)[c]-a.Pos.Row(i)[c])) > 0.35 {
				t.Errorf("landmark %d moves from %v to %v, though both maps have it there", i, a.Pos.Row(i),
					at.Pos.Row(i))
				break
			}
		}
	}
	if too := New(a, b, p, 10); too.At(0.4) == a || !slices.Equal(too.At(0.4).Pos.Data, a.Pos.Data) ||
		!slices.Equal(too.At(0.6).Pos.Data, b.Pos.Data) {
		t.Error("without the effort the maps do not change places halfway")
	}
}

// Flat and solid maps, and maps of none, change places halfway.
func TestFlatAndSolid(t *testing.T) {
	flat, solid, none := random(t, 9, 3, 2, 4), random(t, 9, 3, 3, 5), &landmark.Set{}
	p := embedsom.Defaults()
	for _, m := range []*Morph{New(flat, solid, p, Effort), New(none, flat, p, Effort)} {
		a, b := m.Ends()
		if m.At(0.3).Len() != a.Len() || m.At(0.3).Dims() != a.Dims() || m.At(0.7).Dims() != b.Dims() {
			t.Error("they do not change places halfway")
		}
	}
}
