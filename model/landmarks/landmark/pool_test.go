package landmark

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
)

// Landmarks begin at the points that may be drawn as they do at all points, to the last bit, also where some are
// invalid.
func TestABeginningLooksAtNoOtherPointsThanDrawn(t *testing.T) {
	const n, d = 4*MostDrawn + 4321, 3
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	x := matrix.New(n, d)
	for i := range x.Data {
		x.Data[i] = float32(r.NormFloat64())
	}
	for range n / 10 {
		x.Row(r.IntN(n))[r.IntN(d)] = float32(math.NaN())
	}
	seed := r.Uint64()
	some := func(of []int32) Pool {
		p := Pool{X: matrix.New(len(of), d), Of: of, N: n}
		for i, row := range of {
			copy(p.X.Row(i), x.Row(int(row)))
		}
		return p
	}
	drawn := some(Drawn(n, seed))
	if len(drawn.Of) > 2*MostDrawn || !slices.IsSorted(drawn.Of) {
		t.Fatalf("%d points are drawn", len(drawn.Of))
	}
	for name, begin := range map[string]func(p Pool) (*Set, error){
		"grid":    func(p Pool) (*Set, error) { return p.Grid(background, Shape{Cols: 5, Rows: 4}, Hex, seed) },
		"k-means": func(p Pool) (*Set, error) { return p.KMeans(background, 30, 3, seed) },
	} {
		want, err := begin(Pool{X: x})
		if err != nil {
			t.Fatal(err)
		}
		got, err := begin(drawn)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !slices.Equal(got.Codebook.Data, want.Codebook.Data) || !slices.Equal(got.Pos.Data, want.Pos.Data) {
			t.Errorf("%s: landmarks begin elsewhere", name)
		}
		if _, err := begin(some(drawn.Of[:100])); !errors.Is(err, ErrAll) {
			t.Errorf("%s of a hundred points: %v", name, err)
		}
	}
	few := Pool{X: matrix.Matrix32{Data: x.Data[:900*d], Rows: 900, Cols: d}, Of: Drawn(1000, seed)[:900], N: 1000}
	if _, err := few.Grid(background, Shape{Cols: 3, Rows: 3}, Rect, seed); !errors.Is(err, ErrAll) {
		t.Errorf("a grid at some of a thousand points: %v", err)
	}
}
