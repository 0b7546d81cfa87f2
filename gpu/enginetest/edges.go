package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// mat makes a matrix from rows of equal length.
func mat(cols int, v ...float32) matrix.Matrix32 {
	return matrix.Matrix32{Rows: len(v) / cols, Cols: cols, Data: v}
}

// edges checks the table of edge cases: always finite, and what the reference says.
func edges(s *suite) {
	cases := edgeCases()
	for i := range 24 {
		cases = append(cases, heldByAThread(s.rng, i))
	}
	for _, c := range cases {
		got, want := s.embed(c), s.reference(c)
		m := Measure(got, want, Extent(c.Pos))
		for i, v := range got.Data {
			if v-v != 0 {
				s.Errorf("%s: point %d is not finite: %v", c.Name, i/got.Cols, got.Row(i/got.Cols))
			}
		}
		if m.Strange > 0 || m.Max > 1e-4 {
			s.Errorf("%s: %v\n got  %v\n want %v", c.Name, m, got.Data, want.Data)
		}
	}
	s.exactAnswers()
	s.invalid()
}

// edgeCases are degenerate points, landmarks and positions, and extreme numbers and parameters.
func edgeCases() []Case {
	square := mat(2, 0, 0, 1, 0, 0, 1, 1, 1, 2, 0.5)
	p := embedsom.Params{K: 3, Boost: 2, Adjust: 0.2}
	axes := mat(3, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1)
	same := mat(2, 3, 4, 3, 4, 3, 4, 3, 4, 3, 4)
	corners := mat(2, 0, 0, 1, 0, 0, 1, 1, 1, 2, 0)
	line := mat(2, 0, 0, 1, 2, 2, 4, 3, 6, 4, 8)
	far := mat(2, 3e38, 0, 0, 3e38, -3e38, 3e38, 1, 1, 3e38, 3e38)
	big := mat(2, 0.2, 0.1, 1e38, 0.3, -3e38, 3e38, 5, 1e30, 1e-38, 0.4)
	tiny := mat(2, 0, 0, 1e-40, 0, 0, 1e-40, 1e-40, 1e-40, 2e-40, 0)
	five := func(k int) embedsom.Params { return embedsom.Params{K: k, Boost: 2, Adjust: 0.2} }
	in := mat(2, 0.2, 0.1, 0.5, 0.5, 3, -1, 1, 1, 0.9, 0.2)
	return []Case{
		{"all distances equal", mat(3, 0, 0, 0), axes, square, p},
		{"all distances equal, all landmarks", mat(3, 0, 0, 0), axes, square, five(5)},
		{"all landmarks on the point", mat(2, 3, 4), same, square, p},
		{"all landmarks identical", mat(2, 5, 5, 3, 4, 1e10, 0), same, square, p},
		{"all landmarks identical, k = g", mat(2, 5, 5, 3, 4), same, square, five(9)},
		{"all positions identical", in, corners, mat(2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2), p},
		{"positions on a line", in, corners, line, p},
		{"positions on a line along x", in, corners, mat(2, 0, 1, 1, 1, 2, 1, 3, 1, 4, 1), five(5)},
		{"positions in a plane", in, corners, mat(3, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 2, 2, 1), five(5)},
		{"positions on a line in space", in, corners, mat(3, 0, 0, 0, 1, 2, 3, 2, 4, 6, 3, 6, 9, 4, 8, 12), five(5)},
		{"landmarks on a line", in, mat(2, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4), square, p},
		{"one landmark", in, mat(2, 1, 1), mat(2, 7, -3), p},
		{"two landmarks", in, mat(2, 0, 0, 1, 1), mat(2, 0, 0, 3, 4), p},
		{"two landmarks, k 1", in, mat(2, 0, 0, 1, 1), mat(2, 0, 0, 3, 4), five(1)},
		{"two landmarks in space", in, mat(2, 0, 0, 1, 1), mat(3, 0, 0, 1, 3, 4, 2), p},
		{"three landmarks in space", in, mat(2, 0, 0, 1, 1, 0, 1), mat(3, 0, 0, 1, 3, 4, 2, 1, 1, 1), p},
		{"k 0", in, corners, square, five(0)},
		{"k -5", in, corners, square, five(-5)},
		{"k far above g", in, corners, square, five(1000)},
		{"one dimension", mat(1, 0, 0.5, 1, 2, 1e6, -3), mat(1, 0, 1, 2, 3, 4), square, p},
		{"points of 1e38", big, corners, square, p},
		{"landmarks of 1e38", big, far, square, p},
		{"denormal landmarks", big, tiny, square, p},
		{"huge boost", in, corners, square, embedsom.Params{K: 3, Boost: 1e6, Adjust: 0.2}},
		{"tiny boost", in, corners, square, embedsom.Params{K: 3, Boost: 1e-30, Adjust: 0.2}},
		{"huge adjust", in, corners, square, embedsom.Params{K: 3, Boost: 2, Adjust: 1e6}},
		{"huge positions", in, corners, scaled(Case{X: square, Codebook: square}, 1e12).X, p},
		{"tiny positions", in, corners, scaled(Case{X: square, Codebook: square}, 1e-4).X, p},
		{"constant columns", mat(4, 1, 5, 0.1, 7, 1, 5, 0.7, 7),
			mat(4, 1, 5, 0, 7, 1, 5, 1, 7, 1, 5, 2, 7, 1, 5, 3, 7, 1, 5, 4, 7), square, p},
	}
}

// heldByAThread is a point that two landmarks are equally near to and all others far from, at a high boost: across the
// line of the two it is held by weights many orders of magnitude below theirs.
func heldByAThread(rng *rand.Rand, i int) Case {
	k := []int{4, 10, 16, 30}[i%4]
	g := k + 2
	code, pos := matrix.New(g, g), matrix.New(g, 2)
	away := 1 + 4*rng.Float64()
	for i := range g { // each on an axis of its own: distances from the origin can be chosen
		d := away * (1 + 0.3*rng.Float64()*rng.Float64())
		switch {
		case i < 2:
			d = 1 + 1e-3*rng.Float64()
		case i == 2:
			d = 1 + (away-1)*(0.8+0.2*rng.Float64())
		}
		code.Row(i)[i] = float32(d)
		pos.Row(i)[0], pos.Row(i)[1] = float32(10*rng.Float64()), float32(10*rng.Float64())
	}
	boost := []float32{14, 17, embedsom.MaxBoost}[i%3]
	return Case{fmt.Sprintf("held by a thread, boost %g, k %d", boost, k), matrix.New(1, g), code, pos,
		embedsom.Params{K: k, Boost: boost, Adjust: 0.2}}
}

// exactAnswers are edge cases with an answer that needs no program.
func (s *suite) exactAnswers() {
	p := embedsom.Params{K: 3, Boost: 2, Adjust: 0.2}
	near := func(name string, got matrix.Matrix32, want ...float32) {
		s.Helper()
		for i, w := range want {
			if math.Abs(float64(got.Data[i]-w)) > 1e-3 { // gravity shifts a little
				s.Errorf("%s: got %v, want %v", name, got.Data, want)
				return
			}
		}
	}
	near("one landmark", s.embed(Case{"", mat(2, 9, 9), mat(2, 1, 1), mat(2, 7, -3), p}), 7, -3)
	// half way and a quarter of the way between two landmarks, and beside their line
	near("two landmarks", s.embed(Case{"", mat(2, 1, 1, 0.5, 0.5, 2, 0), mat(2, 0, 0, 2, 2), mat(2, 0, 0, 4, 0), p}),
		2, 0, 1, 0, 2, 0)
	// all landmarks on one place: the mean of the three lowest ones, which tie
	same := mat(2, 3, 4, 3, 4, 3, 4, 3, 4)
	near("landmarks identical", s.embed(Case{"", mat(2, 0, 1), same, mat(2, 0, 0, 3, 0, 0, 3, 100, 100), p}), 1, 1)
}

// invalid checks that points with NaN or Inf give NaN and leave the others alone, bit for bit.
func (s *suite) invalid() {
	c := Blobs(s.rng, 200, 7, 64, 10, 2)
	clean := s.embed(c)
	bad := map[int]bool{}
	c.X = c.X.Clone()
	for i, v := range []float32{nan, inf, -inf, nan, nan, inf} {
		r := []int{0, 15, 16, 77, 198, 199}[i]
		c.X.Row(r)[s.rng.IntN(7)] = v
		bad[r] = true
	}
	got := s.embed(c)
	for i := range got.Rows {
		if bad[i] {
			if got.Row(i)[0] == got.Row(i)[0] || got.Row(i)[1] == got.Row(i)[1] {
				s.Errorf("invalid point %d is at %v", i, got.Row(i))
			}
		} else if !sameBits(got.Row(i), clean.Row(i)) {
			s.Errorf("point %d moved from %v to %v because of others that are invalid", i, clean.Row(i), got.Row(i))
		}
	}
	all := Uniform(s.rng, 40, 3, 10, 5, 3)
	for i := range all.X.Data {
		all.X.Data[i] = nan
	}
	for _, v := range s.embed(all).Data {
		if v == v {
			s.Fatal("an invalid point has a position")
		}
	}
	for _, where := range []string{"codebook", "positions"} {
		for _, v := range []float32{nan, inf} {
			c := Uniform(s.rng, 5, 3, 10, 5, 2)
			if where == "codebook" {
				c.Codebook.Data[4] = v
			} else {
				c.Pos.Data[4] = v
			}
			if _, err := s.tryEmbed(c); err == nil {
				s.Errorf("%v in the %s is accepted", v, where)
			}
		}
	}
}

// outlier moves a point from among the landmarks to 1e6 times their spread and beyond: always
// finite, as the reference has it, inside the grown box when far, and without jumps.
func outlier(s *suite) {
	const decades, steps, nudge = 20, 1000, 1e-4
	for _, dims := range []int{2, 3} {
		c := Blobs(s.rng, 2*steps, 6, 100, 10, dims)
		dir := make([]float64, 6)
		for q := range dir {
			dir[q] = s.rng.NormFloat64()
		}
		centre := append([]float32(nil), c.Codebook.Row(3)...)
		distance := func(i int) float64 {
			return math.Pow(10, decades*float64(i/2)/steps) * 0.1 * (1 +
				nudge*float64(i%2))
		}
		for i := range c.X.Rows { // two points at almost the same place at each distance
			for q := range dir {
				c.X.Row(i)[q] = centre[q] + float32(distance(i)*dir[q])
			}
		}
		c.Name = fmt.Sprintf("outlier, %dD", dims)
		got, want := s.embed(c), s.reference(c)
		size := Extent(c.Pos)
		m := Measure(got, want, size)
		s.Logf("%s: %v", c.Name, m)
		if m.Strange > 0 || !(m.Max < 3e-3) {
			s.Errorf("%s: %v", c.Name, m)
		}
		for i := range c.X.Rows {
			for q, v := range got.Row(i) {
				lo, hi := columnRange(c.Pos, q)
				if distance(i) > 1e4 && (float64(v) < lo-size || float64(v) > hi+size) {
					s.Fatalf("%s: at distance %g the point is at %v", c.Name, distance(i), got.Row(i))
				}
				if i%2 == 1 && math.Abs(float64(v-got.Row(i - 1)[q])) > 0.01*size {
					s.Fatalf("%s: it jumps from %v to %v at distance %g", c.Name, got.Row(i-1), got.Row(i), distance(i))
				}
			}
		}
	}
}

func columnRange(m matrix.Matrix32, q int) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range m.Rows {
		lo, hi = min(lo, float64(m.Row(i)[q])), max(hi, float64(m.Row(i)[q]))
	}
	return lo, hi
}

func sameBits(a, b []float32) bool {
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return false
		}
	}
	return true
}
