package tally

import (
	"blossom/render/palette"
	"blossom/render/splat"
)

// shares are the parts of the points of cells that have a label, number Settings.Label. Points without one count among
// the others.
type shares struct {
	of    sums
	label float32
}

func (m *shares) clear(cells int) { m.of.clear(cells) }

func (m *shares) add(records []record, p splat.Points, _ *Style, from int) {
	values := rest(p.Values, from)
	for _, r := range records {
		if i := r.point(); !r.back() {
			cell := &m.of.cells[r.cell()]
			if cell.n++; i < len(values) && values[i] == m.label {
				cell.of++
			}
		}
	}
}

func (m *shares) keeps(splat.Points) bool         { return false }
func (m *shares) finish(*Canvas, int, int, int)   {}
func (m *shares) smooth(by func(plane []float64)) { m.of.smooth(by) }
func (m *shares) entry(cell int, _ *Style) uint16 {
	share, ok := m.of.mean(cell)
	if !ok {
		return palette.MissingEntry
	}
	return uint16(share*(palette.Entries-1) + 0.5)
}
