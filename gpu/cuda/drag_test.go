package cuda

import (
	"testing"

	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

// While landmarks are dragged, one after the other and with all that may happen meanwhile, the map is
// that of points that were just loaded.
func TestDrag(t *testing.T) {
	needsCard(t)
	const n, d, g = 600, 3, 40
	x, l := random(n, d, g, 2)
	x.Data[9] /= x.Data[9] - x.Data[9]
	copy(l.Codebook.Row(11), l.Codebook.Row(12)) // twins
	p := embedsom.Params{K: 5, Boost: 1, Adjust: 1}
	r := loaded(t, x, 0)
	fresh := loaded(t, x, 0) // it never places all at once, so it knows no drag
	dst, want := embedsom.NewHostTarget(n, 2), embedsom.NewHostTarget(n, 2)
	find := func() {
		r.mustFind(t, l, p, 0, n)
		fresh.mustFind(t, l, p, 0, n)
	}
	move := func(landmarks ...int) {
		next := &landmark.Set{Codebook: l.Codebook, Pos: l.Pos.Clone(), CodeRev: l.CodeRev, PosRev: revision.Next()}
		for _, i := range landmarks {
			next.Pos.Row(i)[0] += 0.25
		}
		l = next
	}
	check := func(what string, listed bool) {
		t.Helper()
		r.mustPlace(t, l, p, dst, 0, n)
		if r.drag.listed != listed {
			t.Errorf("%s: listed is %v", what, r.drag.listed)
		}
		fresh.mustPlace(t, l, p, want, 0, n-1)
		fresh.mustPlace(t, l, p, want, n-1, n)
		equal(t, what, dst.Data, want.Data)
	}
	find()
	check("at first", false)
	move(3)
	check("one", true)
	move(3)
	check("the same", true)
	move(39)
	check("another", true)
	move(3, 39)
	check("both", true)
	move(39)
	check("one of them", true)
	check("none", true)
	dst = embedsom.NewHostTarget(n, 2)
	move(12)
	check("another target", true)
	move(1, 2, 3, 4, 5)
	check("many", false)
	move(5)
	check("one of many", true)
	p.Boost = 1.5
	check("another boost", false)
	move(5)
	check("one again", true)
	move(6)
	r.mustPlace(t, l, p, dst, 100, 200)
	move(7)
	check("after a part", false)
	move(7)
	check("after that", true)
	p.K = 4
	find()
	move(7)
	check("another k", false)
	move(7)
	check("with it", true)
	l = &landmark.Set{Codebook: l.Codebook.Clone(), Pos: l.Pos.Clone(), CodeRev: revision.Next(),
		PosRev: revision.Next()}
	l.Codebook.Data[4] += 0.1
	find()
	check("another codebook", false)
	move(30)
	check("the last", true)
}
