package tally

import "blossom/render/splat"

// Shown is what the colours of cells say.
type Shown uint8

// Counts and the others are all that cells can show.
const (
	Counts    Shown = iota // how many points they have
	Means                  // the mean of a quantity
	PairMeans              // means of two quantities
	Commonest              // the label that most of their points have
	Medians                // the median of a quantity
	Shares                 // the part of their points that has a label
)

// Word says what cells show of a column.
func (s Shown) Word() string {
	return [...]string{"", "mean", "means", "commonest", "median", "share"}[s]
}

// shown is what is kept of the points of cells beside how many there are. Bands of cells are worked on at the same
// time.
type shown interface {
	// clear forgets all points, for so many cells.
	clear(cells int)
	// add adds the records of a band that stand out; points of theirs count from one of p.
	add(records []record, p splat.Points, s *Style, from int)
	// keeps takes points whose records are to be added, and says that these are kept until all are there. Then finish
	// is called for the cells of each band.
	keeps(p splat.Points) bool
	finish(c *Canvas, band, from, to int)
	// smooth has the sums of cells smoothed by a function, plane by plane, where there are sums.
	smooth(by func(plane []float64))
	// entry is the place of a cell's colour in the table of the style.
	entry(cell int, s *Style) uint16
}

// new is what is kept of points, in the memory of what was kept before.
func (s Settings) new(cells int, former shown) shown {
	var out shown
	switch s.Shown {
	case Means:
		if _, is := former.(*means); is {
			out = former
		} else {
			out = new(means)
		}
	case PairMeans:
		if _, is := former.(*pairs); is {
			out = former
		} else {
			out = new(pairs)
		}
	case Commonest:
		if _, is := former.(*commonest); is {
			out = former
		} else {
			out = new(commonest)
		}
	case Medians:
		if _, is := former.(*medians); is {
			out = former
		} else {
			out = new(medians)
		}
	case Shares:
		if _, is := former.(*shares); is {
			out = former
		} else {
			out = new(shares)
		}
		out.(*shares).label = float32(s.Label)
	default:
		return nil
	}
	out.clear(cells)
	return out
}
