package landmark_test

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

// mapOf is a map of 144 landmarks on a bent sheet in 4 dimensions, and points near some of them.
func mapOf(t interface{ Fatal(...any) }, dims int, rng *rand.Rand, points int) (*landmark.Set, matrix.Matrix32) {
	shape := landmark.Shape{Cols: 12, Rows: 12, Layers: 1}
	if dims == 3 {
		shape = landmark.Shape{Cols: 6, Rows: 6, Layers: 4}
	}
	pos, _ := landmark.Grid(shape, landmark.Rect)
	code := matrix.New(pos.Rows, 4)
	for i := range code.Rows {
		p := pos.Row(i)
		r := code.Row(i)
		r[0], r[1], r[2] = p[0], p[1], float32(math.Sin(float64(p[0])/3))
		if dims == 3 {
			r[3] = p[2]
		} else {
			r[3] = float32(rng.NormFloat64()) / 5
		}
	}
	s, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	x := matrix.New(points, 4)
	cx, cy := float32(rng.NormFloat64()*2), float32(rng.NormFloat64()*2)
	for i := range x.Rows {
		r := x.Row(i)
		r[0], r[1] = cx+float32(rng.NormFloat64())*0.8, cy+float32(rng.NormFloat64())*0.8
		r[2], r[3] = float32(math.Sin(float64(r[0])/3)), float32(rng.NormFloat64())/4
	}
	return s, x
}

// carried says which landmarks carry points, and where the real projection puts them, in float64.
func carried(t interface{ Fatal(...any) }, s *landmark.Set, x matrix.Matrix32) (landmark.Carried, []float64) {
	ref, err := embedsom.NewReference(s.Codebook, s.Pos, embedsom.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	c, err := embedsom.NewCarriers(context.Background(), ref, x)
	if err != nil {
		t.Fatal(err)
	}
	return landmark.Carried{N: c.Len(), K: c.K, IDs: c.IDs, Places: c.Places, Derivatives: c.Derivatives}, c.Weights
}

// where are the mean and the spread of points on the map, by a projection of its own.
func where(t interface{ Fatal(...any) }, s *landmark.Set, pos, x matrix.Matrix32) (mean []float64, spread float64) {
	ref, err := embedsom.NewReference(s.Codebook, pos, embedsom.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	w, out := ref.Worker(), make([]float64, pos.Cols)
	mean = make([]float64, pos.Cols)
	var all []float64
	for i := range x.Rows {
		w.Point(x.Row(i), out)
		all = append(all, out...)
		for q, v := range out {
			mean[q] += v / float64(x.Rows)
		}
	}
	for i, v := range all {
		spread += (v - mean[i%pos.Cols]) * (v - mean[i%pos.Cols])
	}
	return mean, math.Sqrt(spread / float64(x.Rows))
}

// The mean of the points goes where the hand takes it, as the real projection has it, and they keep their spread; pins
// stay, and so do landmarks that carry none of them.
func TestPointsLeadTheirLandmarks(t *testing.T) {
	tried, missed := 0, 0
	defer func() {
		if missed > 2+tried/50 {
			t.Errorf("in %d of %d cases the points did not go where the hand took them", missed, tried)
		}
	}()
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		dims := rapid.IntRange(2, 3).Draw(t, "dims")
		s, x := mapOf(t, dims, rng, rapid.IntRange(1, 40).Draw(t, "points"))
		c, weights := carried(t, s, x)
		share := map[int32]float64{}
		for i, id := range c.IDs {
			share[id] += weights[i] / float64(c.N)
		}
		pins, pinned, held := rapid.Bool().Draw(t, "pins"), []int{}, 0.0
		for _, id := range slices.Sorted(maps.Keys(share)) {
			w := share[id]
			if pins && held+w < 0.3 && rng.IntN(6) == 0 {
				pinned, held = append(pinned, int(id)), held+w
			}
		}
		s, err := s.Pin(pinned, true)
		if err != nil {
			t.Fatal(err)
		}
		l, err := landmark.NewLead(s, c)
		if err != nil {
			t.Fatal(err)
		}
		mean, spread := where(t, s, s.Pos, x)
		for q, m := range l.Middle() {
			if math.Abs(m-mean[q]) > 1e-9 {
				t.Fatalf("the middle is %v, not %v", l.Middle(), mean)
			}
		}
		way, length := make([]float64, dims), 0.0
		for q := range way {
			way[q] = rng.NormFloat64() * 2
			length = math.Hypot(length, way[q])
		}
		var pos matrix.Matrix32
		frames := rapid.SampledFrom([]int{1, 5}).Draw(t, "frames")
		if len(pinned) > 0 {
			frames = 12
		}
		for f := 1; f <= frames; f++ {
			part := make([]float64, dims)
			for q := range part {
				part[q] = way[q] * float64(f) / float64(frames)
			}
			pos, _ = l.To(part)
		}
		now, wide := where(t, s, pos, x)
		off := 0.0
		for q := range now {
			off = math.Hypot(off, now[q]-mean[q]-way[q])
		}
		allowed := 0.005 * length
		if len(pinned) > 0 { // pins hold back what they carry
			allowed = (0.1 + 2*held) * length
			if c.N < 5 { // also by where they stand, far from those that have moved, if there are few points
				allowed = 0.5 * length
			}
		}
		tried++
		if off > allowed+1e-5 { // seldom, where the map is far from linear about a few points
			missed++
		}
		if off > length {
			t.Fatalf("the mean is %g off a way of %g (%d points, %d pinned that carry %.2f of them)", off, length, c.N,
				len(pinned), held)
		}
		apart := 0.25*spread + 0.05*length + 0.05
		if c.N > 1 && len(pinned) == 0 && math.Abs(wide-spread) > apart {
			t.Fatalf("a spread of %g became %g", spread, wide)
		}
		for i := range s.Len() {
			_, carries := share[int32(i)]
			same := true
			for q, v := range pos.Row(i) {
				same = same && v == s.Pos.Row(i)[q]
			}
			if (s.Pinned[i] || !carries) && !same {
				t.Fatalf("landmark %d moved: pinned %v, carries %v", i, s.Pinned[i], carries)
			}
		}
	})
}

// Back at the start everything is as it was, nearly.
func TestLeadBackAndForth(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s, x := mapOf(t, 2, rng, 40)
	c, _ := carried(t, s, x)
	l, err := landmark.NewLead(s, c)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for f := range 60 {
		a := float64(f) / 60 * 2 * math.Pi
		if _, missing := l.To([]float64{1 - math.Cos(a), 0.5 * math.Sin(a)}); missing > 0.005 {
			t.Fatalf("in frame %d the mean is %g off", f, missing)
		}
	}
	t.Logf("%v a frame", time.Since(start)/60)
	pos, _ := l.To([]float64{0, 0})
	mean, spread := where(t, s, s.Pos, x)
	now, wide := where(t, s, pos, x)
	if math.Hypot(now[0]-mean[0], now[1]-mean[1]) > 1e-3 || math.Abs(wide-spread) > 0.1*spread {
		t.Fatalf("back at the start: %v, not %v; a spread of %g, not %g", now, mean, wide, spread)
	}
}

// One point in 3D whose landmarks lie nearly in a plane: steps by derivatives take it the other way, all of its
// landmarks together take it along.
func TestLeadOfOnePointWhereDerivativesMislead(t *testing.T) {
	rng := rand.New(rand.NewPCG(0x74b731, 3))
	s, x := mapOf(t, 3, rng, 1)
	c, _ := carried(t, s, x)
	l, err := landmark.NewLead(s, c)
	if err != nil {
		t.Fatal(err)
	}
	way := []float64{rng.NormFloat64() * 2, rng.NormFloat64() * 2, rng.NormFloat64() * 2}
	if _, missing := l.To(way); missing > 1e-5 {
		t.Errorf("the point is %g off its way %v", missing, way)
	}
}

func TestLeadRefusals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s, x := mapOf(t, 2, rng, 20)
	c, _ := carried(t, s, x)
	if _, err := landmark.NewLead(s, landmark.Carried{K: 3, Places: func(matrix.Matrix32, []float64) {}}); err == nil {
		t.Error("no points were taken")
	}
	all := make([]int, s.Len())
	for i := range all {
		all[i] = i
	}
	s, _ = s.Pin(all, true)
	if _, err := landmark.NewLead(s, c); err == nil {
		t.Error("pinned landmarks were taken")
	}
}

// At the edge of a map in 3D all landmarks of some points lie in a plane, and a step out of it takes those points far
// away. They follow the hand all the same, also where landmarks beside them are pinned.
func TestLeadOfPointsAboveAPlane(t *testing.T) {
	rng := rand.New(rand.NewPCG(0, 3))
	s, x := mapOf(t, 3, rng, 3)
	c, _ := carried(t, s, x)
	s, err := s.Pin([]int{2, 36, 73, 75, 76}, true)
	if err != nil {
		t.Fatal(err)
	}
	l, err := landmark.NewLead(s, c)
	if err != nil {
		t.Fatal(err)
	}
	for f := range 12 {
		part := float64(f+1) / 12
		if _, missing := l.To([]float64{-0.6 * part, 0, 1.8 * part}); f > 0 && missing > 0.1*1.9*part {
			t.Errorf("in frame %d of 12 the mean is %.3g off a way of %.3g", f+1, missing, 1.9*part)
		}
	}
}
