package tally

import (
	"blossom/render/palette"
	"blossom/render/splat"
)

// sums are the sums of a quantity in cells, in the order of the points, and how many have a value.
type sums struct {
	cells []sum
	soft  []sum // smoothed; empty: they are not
}

type sum struct {
	of, n float64
}

func (s *sums) clear(cells int) { s.cells, s.soft = cleared(s.cells, cells), s.soft[:0] }

func (s *sums) add(records []record, values []float32) {
	for _, r := range records {
		if i := r.point(); !r.back() && i < len(values) {
			if x := values[i]; x-x == 0 {
				cell := &s.cells[r.cell()]
				cell.of += float64(x)
				cell.n++
			}
		}
	}
}

// smooth smooths the sums, and how many points they are of.
func (s *sums) smooth(by func(plane []float64)) {
	plane := make([]float64, len(s.cells))
	s.soft = grown(s.soft, len(s.cells))
	for _, part := range []func(*sum) *float64{func(x *sum) *float64 { return &x.of },
		func(x *sum) *float64 { return &x.n }} {
		for i := range plane {
			plane[i] = *part(&s.cells[i])
		}
		by(plane)
		for i := range plane {
			*part(&s.soft[i]) = plane[i]
		}
	}
}

// mean is that of a cell; ok is false where no point has a value.
func (s *sums) mean(cell int) (mean float64, ok bool) {
	x := s.cells[cell]
	if len(s.soft) > 0 {
		x = s.soft[cell]
	}
	if !(x.n > 0) {
		return 0, false
	}
	return x.of / x.n, true
}

// entry is the place of a mean among the colours of a lookup.
func (s *sums) entry(cell int, l *palette.Lookup) uint16 {
	mean, ok := s.mean(cell)
	if !ok {
		return palette.MissingEntry
	}
	return l.Entry(float32(mean))
}

// rest is the values of points from one on.
func rest(values []float32, from int) []float32 { return values[min(from, len(values)):] }

// means are the means of a quantity.
type means struct{ of sums }

func (m *means) clear(cells int) { m.of.clear(cells) }
func (m *means) add(records []record, p splat.Points, _ *Style, from int) {
	m.of.add(records, rest(p.Values, from))
}
func (m *means) keeps(splat.Points) bool         { return false }
func (m *means) smooth(by func(plane []float64)) { m.of.smooth(by) }
func (m *means) finish(*Canvas, int, int, int)   {}
func (m *means) entry(cell int, s *Style) uint16 { return m.of.entry(cell, &s.Lookup) }

// pairs are the means of two quantities.
type pairs struct{ of [2]sums }

func (m *pairs) clear(cells int) {
	m.of[0].clear(cells)
	m.of[1].clear(cells)
}

func (m *pairs) add(records []record, _ splat.Points, s *Style, from int) {
	if s.Pair != nil {
		m.of[0].add(records, rest(s.Pair.Of[0], from))
		m.of[1].add(records, rest(s.Pair.Of[1], from))
	}
}

func (m *pairs) keeps(splat.Points) bool { return false }
func (m *pairs) smooth(by func(plane []float64)) {
	m.of[0].smooth(by)
	m.of[1].smooth(by)
}
func (m *pairs) finish(*Canvas, int, int, int) {}

// entry is the label of both means, as palette.Pair has them.
func (m *pairs) entry(cell int, s *Style) uint16 {
	if s.Pair == nil {
		return palette.MissingEntry
	}
	x, y := m.of[0].entry(cell, &s.Pair.By[0]), m.of[1].entry(cell, &s.Pair.By[1])
	label, ok := palette.PairLabel(x, y)
	if !ok {
		return palette.MissingEntry
	}
	return label
}
