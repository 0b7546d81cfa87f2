package live

import (
	"math"
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/maps/embedsom"
)

// Exactly the points that have a landmark among their neighbours move with it, as the float64 projection has it, and
// no others.
func TestALandmarkMovesThePointsOfItsHalo(t *testing.T) {
	d := open(t, "demo:cytometry:1500")
	d.settle(t)
	if d.Influence() != nil {
		t.Fatal("there is one before anybody has asked")
	}
	(<-d.posts)()
	f := d.Influence()
	if f == nil || f.N != 1500 {
		t.Fatalf("%+v", f)
	}
	s := d.Doc.State()
	l := parts.Landmarks.Of(s)
	before, err := embedsom.NewReference(l.Codebook, l.Pos, parts.Projection.Of(s))
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []int{0, 17, l.Len() / 2, l.Len() - 1} {
		moved := l.Pos.Clone()
		moved.Row(id)[0] += 0.7
		moved.Row(id)[1] -= 0.4
		after := before.Moved(moved)
		halo := map[int]float64{}
		f.Carried(id, func(point int, share float64) {
			if _, twice := halo[point]; twice || share < 0 || share > 1 {
				t.Fatalf("point %d with %g, twice %v", point, share, twice)
			}
			halo[point] = share
		})
		v, w := before.Worker(), after.Worker()
		a, b := make([]float64, 2), make([]float64, 2)
		went := 0
		for i := range f.N {
			v.Point(d.table.X.Row(i), a)
			w.Point(d.table.X.Row(i), b)
			share, in := halo[i]
			if !slices.Equal(a, b) {
				if went++; !in {
					t.Fatalf("point %d moves with landmark %d and is not in its halo", i, id)
				}
			} else if in && share > 1e-6 {
				t.Fatalf("point %d, of which landmark %d has %g, does not move with it", i, id, share)
			}
		}
		if c := f.Standing(id, 5).Carries; math.Abs(c-float64(len(halo))/1500) > 1e-12 {
			t.Fatalf("landmark %d carries %g of the points, not %d", id, c, len(halo))
		}
		t.Logf("landmark %d: %d of %d in the halo move", id, went, len(halo))
	}
}

func TestHowALandmarkStands(t *testing.T) {
	d := open(t, "demo:cytometry:1500")
	d.settle(t)
	d.Influence()
	(<-d.posts)()
	f, l := d.Influence(), parts.Landmarks.Of(d.Doc.State())
	x := d.table.X
	sum := 0.0
	for id := range l.Len() {
		s := f.Standing(id, 5)
		sum += s.Share
		// By the definition.
		n, square := 0, 0.0
		mean := make([]float64, x.Cols)
		if id%40 != 0 {
			continue
		}
		for i := range x.Rows {
			best, at := math.Inf(1), -1
			for j := range l.Len() {
				if d := apart(x.Row(i), l.Codebook.Row(j)); d < best {
					best, at = d, j
				}
			}
			if at == id {
				n++
				square += best
				for c, v := range x.Row(i) {
					mean[c] += float64(v)
				}
			}
		}
		if n != s.Points || n > 0 && math.Abs(s.Spread-math.Sqrt(square/float64(n))) > 1e-9 ||
			n == 0 && s.Spread == s.Spread {
			t.Fatalf("landmark %d: %d points with a spread of %g, not %d", id, s.Points, s.Spread, n)
		}
		if len(s.Columns) != 5 {
			t.Fatalf("landmark %d: %d columns", id, len(s.Columns))
		}
		for k, c := range s.Columns {
			if n > 0 && math.Abs(c.Value-mean[c.Dim]/float64(n)) > 1e-9 {
				t.Fatalf("landmark %d: column %d is %g, not %g", id, c.Dim, c.Value, mean[c.Dim]/float64(n))
			}
			if k > 0 && math.Abs(c.Off) > math.Abs(s.Columns[k-1].Off) {
				t.Fatalf("landmark %d: %+v", id, s.Columns)
			}
		}
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Fatalf("shares add up to %g", sum)
	}
}

// apart is the square of the distance of two rows.
func apart(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += (float64(x) - float64(b[i])) * (float64(x) - float64(b[i]))
	}
	return sum
}

// While landmarks are trained nobody counts the points of one that the mouse rests on; afterwards they are counted.
func TestPointsOfLandmarksAreCountedWhenTrainingRests(t *testing.T) {
	d := open(t, "demo:cytometry:1500")
	d.settle(t)
	if err := d.Training().Start(); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if d.Influence() != nil || d.influence.Busy() {
			t.Fatal("points are counted while landmarks are trained")
		}
		d.frame(t)
	}
	d.Training().Pause()
	d.settle(t)
	d.Influence()
	(<-d.posts)()
	if d.Influence() == nil {
		t.Error("points are not counted afterwards")
	}
}
