package heat

import (
	"blossom/model/base/matrix"
	"blossom/model/base/revision"
)

// subject is what the rows of a heat map stand for: landmarks, populations. Each is a file of its own, which registers
// its kind of view.
type subject interface {
	// update brings the rows up to the document; nil: they are on their way, or there are none, for which empty has
	// the words.
	update() (numbers, key)
	empty() string
	// label names the view, and says a little of it.
	label() (title, note string)
	// marked says whether a row is chosen, hovered which row the mouse is on elsewhere (-1: none).
	marked(row int) bool
	hovered() int
	// hover takes note that the mouse is on a row here.
	hover(row int)
	// pick chooses rows, from that of a press (first) to the one that the mouse is on now.
	pick(rows []int, first bool)
	// free ends what is being computed.
	free()
}

// key is what numbers depend on.
type key struct{ values, names, table revision.Revision }

// numbers are what the cells of a heat map show. They are immutable.
type numbers interface {
	// vectors are what rows are ordered by: those that are alike stand together.
	vectors() matrix.Matrix32
	columns() []string
	// value is the number of a cell; NaN: it has none.
	value(row, col int) float64
	// scale is the ends of the palette for each column, or for all in common; without a value they are crossed.
	scale(common bool) [][2]float64
	// ends are what the ends of the palette mean.
	ends(common bool) (low, high string)
	title(row int) string
	tip(row, col int) string
}

// inCommon widens the ends of all columns to the lowest and the highest of them.
func inCommon(ends [][2]float64) [][2]float64 {
	if len(ends) == 0 {
		return ends
	}
	all := ends[0]
	for _, e := range ends {
		all = [2]float64{min(all[0], e[0]), max(all[1], e[1])}
	}
	for i := range ends {
		ends[i] = all
	}
	return ends
}
