package tally

import (
	"math"
	"slices"

	"blossom/render/palette"
	"blossom/render/splat"
)

// medians are the medians of a quantity: of an even number of points the mean of the two in the middle. It reads the
// values of points once all are there, as commonest does.
type medians struct {
	values []float32
	of     []float64 // medians of the cells; NaN: no point of one has a value
}

func (m *medians) clear(cells int) { m.values, m.of = nil, cleared(m.of, cells) }

func (m *medians) keeps(p splat.Points) bool {
	m.values = p.Values
	return true
}

// add has nothing to add: see finish.
func (m *medians) add([]record, splat.Points, *Style, int) {}

// smooth leaves medians as they are: there is no sum to smooth.
func (m *medians) smooth(func(plane []float64)) {}

// finish sorts the values of the points of cells, which it first puts beside each other.
func (m *medians) finish(c *Canvas, band, from, to int) {
	ends := make([]int32, to-from+1)
	for i := from; i < to; i++ {
		ends[i-from+1] = ends[i-from] + c.count[i]
	}
	all, next := make([]float32, ends[to-from]), slices.Clone(ends[:to-from])
	for k := range c.chunks {
		ch := &c.chunks[k]
		for _, r := range ch.of(band) {
			if r.back() {
				continue
			}
			if at := ch.from + r.point(); at < len(m.values) && m.values[at]-m.values[at] == 0 {
				cell := int(r.cell()) - from
				all[next[cell]] = m.values[at]
				next[cell]++
			}
		}
	}
	for i := range to - from {
		m.of[from+i] = medianOf(all[ends[i]:next[i]])
	}
}

// medianOf is the median of values, which it sorts; NaN: there are none.
func medianOf(values []float32) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return (float64(values[(n-1)/2]) + float64(values[n/2])) / 2
}

func (m *medians) entry(cell int, s *Style) uint16 {
	if x := m.of[cell]; x == x {
		return s.Lookup.Entry(float32(x))
	}
	return palette.MissingEntry
}
