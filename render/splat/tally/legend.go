package tally

import (
	"fmt"
	"image/color"
	"strconv"

	"blossom/model/maps/density"
	"blossom/render/legend"
	"blossom/render/palette"
)

// Legend is that of colours which say how many points a cell has. Its numbers are not known before all points are
// counted, nor may the size of cells be: see Tell.
func (s Settings) Legend(c palette.Colouring) *legend.Legend {
	return &legend.Legend{Title: s.amount(), Subtitle: s.Scale.Word(), Colouring: c, OfCells: true,
		Numbers: Marks(s.Scale.Levels(nil))}
}

// Shares is the legend of the shares of a label of a column.
func (s Settings) Shares(column string, c palette.Colouring) *legend.Legend {
	l := &legend.Legend{Title: s.Share, Subtitle: "of " + column, Colouring: c}
	s.Says(l)
	for _, at := range []float64{0, 0.5, 1} {
		l.Numbers = append(l.Numbers, legend.Mark{At: at, Text: fmt.Sprintf("%.0f %%", 100*at)})
	}
	return l
}

// soft says whether counts are smoothed.
func (s Settings) soft() bool { return s.Smooth > 0 && s.mode().Smooths }

// gaussian is by what they are.
func (s Settings) gaussian() string { return fmt.Sprintf("Gaussian of %.3g pixels", s.Smooth) }

// amount is what a number of points is of.
func (s Settings) amount() string {
	if s.soft() {
		return "points, " + s.gaussian()
	}
	return "points per " + s.Unit()
}

// Says has the legend of a column say what cells show of it.
func (s Settings) Says(l *legend.Legend) {
	if l == nil {
		return
	}
	word := s.Shown.Word() + " per " + s.mode().Cell
	if s.soft() && s.Shown != Commonest && s.Shown != Medians {
		word += ", " + s.gaussian()
	}
	if l.Subtitle != "" {
		word += ", " + l.Subtitle
	}
	l.Subtitle = word
}

// Key says what the opacity of cells means, on a ground; ok is false where it means nothing.
func (s Settings) Key(opacity float32, ink, ground color.NRGBA) (k legend.Key, ok bool) {
	if !s.Cells() || s.Shown == Counts || opacity > 0 {
		return k, false
	}
	what := "points per " + s.mode().Cell
	if s.soft() {
		what = s.amount()
	}
	k = legend.Key{Title: "opacity: " + what + ", " + s.Scale.Word(), OfCells: true}
	for i := range 33 {
		on := laid(ink, faintest+(1-faintest)*float64(i)/32, float64s(ground))
		k.Ramp = append(k.Ramp, color.NRGBA{R: uint8(on[0]), G: uint8(on[1]), B: uint8(on[2]), A: 255})
	}
	return k, true
}

// Tell puts the numbers of counts, and the size of cells, into a legend and into keys that are of cells; of is nil
// where points are not counted.
func (s Settings) Tell(l *legend.Legend, keys []legend.Key, of *density.Levels) {
	if of == nil {
		return
	}
	marks := Marks(of)
	if l != nil && l.OfCells {
		l.Title, l.Numbers = s.amount(), marks
	}
	for i := range keys {
		if keys[i].OfCells {
			keys[i].Ends = [2]string{marks[0].Text, marks[len(marks)-1].Text}
		}
	}
}

// Marks are numbers of points along a scale: its ends, and some between them.
func Marks(l *density.Levels) []legend.Mark {
	_, most := l.Ends()
	text := func(n int) string { return legend.Group(strconv.Itoa(n)) }
	first := l.First()
	if most == 0 {
		return []legend.Mark{{At: 0, Text: "0"}, {At: 1}}
	}
	if first == most { // all cells have as many
		return []legend.Mark{{At: 0}, {At: 1, Text: text(most)}}
	}
	marks := []legend.Mark{{At: 0, Text: text(first)}}
	for _, n := range l.Between() {
		marks = append(marks, legend.Mark{At: l.At(int32(n)), Text: text(n)})
	}
	return append(marks, legend.Mark{At: 1, Text: text(most)})
}
