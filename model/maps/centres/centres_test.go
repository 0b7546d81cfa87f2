package centres

import (
	"math/rand/v2"
	"testing"

	"blossom/model/base/matrix"
)

// Two groups of points have their landmarks in the middle of their places on the map, also where a few of a group lie
// elsewhere on it.
func TestLandmarksLieWhereMostOfTheirPointsLie(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n = 400
	x, pos := matrix.New(n, 3), make([]float32, 2*n)
	for i := range n {
		group := float32(i % 2)
		for c := range 3 {
			x.Row(i)[c] = 20*group + float32(r.NormFloat64())
		}
		if pos[2*i] = 10 - 20*group; i%10 == 0 { // some of either group lie far off
			pos[2*i] += 500
		}
		pos[2*i+1] = float32(r.NormFloat64())
	}
	set, err := At(t.Context(), x, pos, 2, 2, 1, nil)
	if err != nil || set.Len() != 2 {
		t.Fatalf("%v landmarks, %v", set, err)
	}
	for id := range 2 {
		p, first := set.Pos.Row(id), set.Codebook.Row(id)[0] < 10
		want := float32(-10)
		if first {
			want = 10
		}
		if d := p[0] - want; d < -2 || d > 2 || p[1] < -1 || p[1] > 1 {
			t.Errorf("landmark %d of the group at 10-20 %v lies at %v", id, first, p)
		}
	}
}
