package tally

import (
	"blossom/render/palette"
	"blossom/render/splat"
)

// commonest is the label that most points of a cell have, the first of those that are as common; points without one
// count as a label that comes last. It reads the values of points once all are there: Canvas keeps their records.
type commonest struct {
	values []float32
	labels []int32 // labels of the cells; -1: points of one have none
}

func (m *commonest) clear(cells int) { m.values, m.labels = nil, cleared(m.labels, cells) }

func (m *commonest) keeps(p splat.Points) bool {
	m.values = p.Values
	return true
}

// add has nothing to add: see finish.
func (m *commonest) add([]record, splat.Points, *Style, int) {}

// smooth leaves labels as they are.
func (m *commonest) smooth(func(plane []float64)) {}

// finish counts the labels of the points of cells, which it first puts beside each other.
func (m *commonest) finish(c *Canvas, band, from, to int) {
	ends := make([]int32, to-from+1)
	for i := from; i < to; i++ {
		ends[i-from+1] = ends[i-from] + c.count[i]
	}
	index := make([]int32, ends[to-from])
	next := append([]int32(nil), ends[:to-from]...)
	most := int32(0)
	for k := range c.chunks {
		ch := &c.chunks[k]
		for _, r := range ch.of(band) {
			if r.back() {
				continue
			}
			label := int32(-1)
			if at := ch.from + r.point(); at < len(m.values) {
				if x := m.values[at]; x >= 0 && x < c.style.Lookup.Labels {
					label = int32(x)
				}
			}
			most = max(most, label)
			cell := int(r.cell()) - from
			index[next[cell]] = label
			next[cell]++
		}
	}
	counts := make([]int32, most+2) // the last is of those without a label
	for i := range to - from {
		mine := index[ends[i]:ends[i+1]]
		for k, label := range mine {
			if label < 0 {
				label = most + 1
				mine[k] = label
			}
			counts[label]++
		}
		best := int32(-1)
		for _, label := range mine {
			if best < 0 || counts[label] > counts[best] || counts[label] == counts[best] && label < best {
				best = label
			}
		}
		if m.labels[from+i] = best; best > most {
			m.labels[from+i] = -1
		}
		for _, label := range mine {
			counts[label] = 0
		}
	}
}

func (m *commonest) entry(cell int, s *Style) uint16 {
	if label := m.labels[cell]; label >= 0 {
		return s.Lookup.Entry(float32(label))
	}
	return palette.MissingEntry
}
