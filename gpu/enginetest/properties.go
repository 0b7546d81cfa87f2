package enginetest

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// close2 compares two embeddings that should be equal but for rounding.
func (s *suite) close2(what string, c Case, got, want matrix.Matrix32) {
	s.Helper()
	if m := Measure(got, want, Extent(c.Pos)); m.Strange > 0 || m.Median > 1e-5 || m.P99 > 1e-3 {
		s.Errorf("%s: %v", what, m)
	}
}

// properties are the symmetries of the projection.
func properties(s *suite) {
	for _, dims := range []int{2, 3} {
		c := Blobs(s.rng, 300, 9, 120, 12, dims)
		y := s.embed(c)

		moved := c
		moved.Pos = c.Pos.Clone()
		want := y.Clone()
		angle := 2 * math.Pi * s.rng.Float64()
		turn := func(r []float32) {
			sin, cos := math.Sincos(angle)
			x0, x1 := float64(r[0]), float64(r[1])
			r[0], r[1] = float32(cos*x0-sin*x1)+30, float32(sin*x0+cos*x1)-20
			if len(r) == 3 {
				r[2] += 7
			}
		}
		for i := range moved.Pos.Rows {
			turn(moved.Pos.Row(i))
		}
		for i := range want.Rows {
			turn(want.Row(i))
		}
		s.close2("positions turned and shifted", c, s.embed(moved), want)
		s.close2("data scaled by 1000", c, s.embed(scaled(c, 1000)), y)
		s.close2("data scaled by 2^-20", c, s.embed(scaled(c, 0x1p-20)), y)

		perm := s.rng.Perm(c.Codebook.Rows)
		shuffled := c
		shuffled.Codebook, shuffled.Pos = c.Codebook.Clone(), c.Pos.Clone()
		for i, j := range perm {
			copy(shuffled.Codebook.Row(i), c.Codebook.Row(j))
			copy(shuffled.Pos.Row(i), c.Pos.Row(j))
		}
		s.close2("landmarks in another order", c, s.embed(shuffled), y)
	}
	// Where the map is the data itself, every point lands on itself; so does one on a landmark.
	c := Uniform(s.rng, 100, 2, 100, 10, 2)
	for i := range c.Pos.Data {
		c.Pos.Data[i] = 3*c.Codebook.Data[i] + 1
	}
	c.X = c.Codebook
	for i, v := range s.embed(c).Data {
		if e := math.Abs(float64(v-c.Pos.Data[i])) / Extent(c.Pos); !(e < 1e-4) {
			s.Errorf("a point on landmark %d lands %g of the extent away from its position", i/2, e)
		}
	}
}

// bits checks that a point's result depends on nothing but the point and the landmarks: not on
// where it is in the table, the ranges it is computed in, or the run.
func bits(s *suite) {
	ctx := context.Background()
	for _, dims := range []int{2, 3} {
		for _, c := range []Case{
			Blobs(s.rng, few(1500), 5, 70, 10, dims),
			nearDuplicates(s.rng, Uniform(s.rng, few(1500), 3, 200, 16, dims), 1e-5),
			shift(Uniform(s.rng, few(1500), 17, 300, 33, dims), 100),
		} {
			all := s.embed(c)
			if again := s.embed(c); !sameBits(all.Data, again.Data) {
				s.Errorf("%s: a second run differs", c.Name)
			}
			for range 4 {
				from := s.rng.IntN(c.X.Rows)
				to := from + 1 + s.rng.IntN(c.X.Rows-from)
				sub := c
				sub.X = rows(c.X, from, to)
				if got := s.embed(sub); !sameBits(got.Data, all.Data[from*dims:to*dims]) {
					s.Errorf("%s: rows %d to %d alone differ from the same rows of all", c.Name, from, to)
				}
			}
			// in pieces, in any order, on one resident
			res, err := s.engine.Load(ctx, c.X)
			if err != nil {
				s.Fatal(err)
			}
			cuts := []int{0, 1, 16, 40, 41, 300, 1023, 1024, 1111}
			cuts = append(slices.DeleteFunc(cuts, func(i int) bool { return i >= c.X.Rows }), c.X.Rows)
			l := c.Landmarks()
			dst := embedsom.NewHostTarget(c.X.Rows, dims)
			for _, i := range s.rng.Perm(len(cuts) - 1) {
				if err := res.Neighbours(ctx, l, c.P, engine.Range{From: cuts[i], To: cuts[i+1]}); err != nil {
					s.Fatal(err)
				}
			}
			for _, i := range s.rng.Perm(len(cuts) - 1) {
				if err := res.Project(ctx, l, c.P, dst, engine.Range{From: cuts[i], To: cuts[i+1]}); err != nil {
					s.Fatal(err)
				}
			}
			if !sameBits(dst.Data, all.Data) {
				s.Errorf("%s: in pieces it differs", c.Name)
			}
			res.Free()
		}
	}
}

// positions checks that moving landmarks one by one, in ones and in all, leaves no stale table.
func positions(s *suite) {
	ctx := context.Background()
	c := Blobs(s.rng, 300, 6, 80, 10, 2)
	res, err := s.engine.Load(ctx, c.X)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Free()
	all := engine.Range{From: 0, To: c.X.Rows}
	l := c.Landmarks()
	dst := embedsom.NewHostTarget(c.X.Rows, 2)
	must := func(err error) {
		s.Helper()
		if err != nil {
			s.Fatal(err)
		}
	}
	must(res.Neighbours(ctx, l, c.P, all))
	must(res.Project(ctx, l, c.P, dst, all))
	for step := range 12 {
		next := &landmark.Set{Codebook: l.Codebook, Pos: l.Pos.Clone(), CodeRev: l.CodeRev, PosRev: revision.Next()}
		switch step % 6 {
		case 0, 3: // drag one
			i := s.rng.IntN(80)
			next.Pos.Row(i)[0] += 0.7
			next.Pos.Row(i)[1] -= 0.4
		case 1: // all of them
			for i := range next.Pos.Data {
				next.Pos.Data[i] += s.rng.Float32()
			}
		case 2: // other parameters
			c.P.Adjust, c.P.Boost = s.rng.Float32(), 0.5+2*s.rng.Float32()
		case 4: // one onto another
			copy(next.Pos.Row(3), next.Pos.Row(17))
		case 5: // the codebook too, a little
			next.Codebook, next.CodeRev = l.Codebook.Clone(), revision.Next()
			for i := range next.Codebook.Data {
				next.Codebook.Data[i] *= 1.1
			}
			must(res.Neighbours(ctx, next, c.P, all))
		}
		l = next
		must(res.Project(ctx, l, c.P, dst, all))
		fresh := c
		fresh.Codebook, fresh.Pos = l.Codebook, l.Pos
		want := s.embed(fresh)
		if !sameBits(dst.Data, want.Data) {
			s.Errorf("step %d: a resident that lived through changes differs from a fresh one: %v", step,
				Measure(matrix.Matrix32{Rows: c.X.Rows, Cols: 2, Data: dst.Data}, want, Extent(l.Pos)))
		}
	}
}
