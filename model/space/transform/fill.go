package transform

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/data/dataset"
)

// filler is a way to put values in the place of missing ones, so that a point is not left out of the map for one gap.
// Each is a matrix op with the same title, of which at most one is on, and a word of --fill. Infinite values are no
// gaps: they stay, and keep their points out.
type filler struct {
	op   MatrixOp
	word string // in --fill: "median"
	does string // said of a gap: "is taken for the median of its column"
	// mix makes the mix that fills the gaps of gappy, columns of a map of cols.
	mix func(ds *dataset.Dataset, cols, gappy []int) Mix
}

var fillers []filler

// registerFill adds a way to fill gaps; each does so from the init of its file.
func registerFill(f filler) {
	f.op.Title, f.op.Off, f.op.Word = "Fill gaps", "Leave points with gaps out", "filled"
	f.op.Suggest = func(ds *dataset.Dataset) Suggestion {
		if ds.Outlined() { // its values would say what gaps are filled with
			return Suggestion{}
		}
		var markers []int
		for i, c := range ds.Columns {
			if c.Role == dataset.Marker {
				markers = append(markers, i)
			}
		}
		m := Filling(ds, markers, f.word)
		if m.Op == None {
			return Suggestion{}
		}
		said := ""
		if f.word == fillers[0].word { // once for all of them
			said = "points with a missing value in " + oneOf(len(m.Changed())) + " are left out of the map"
		}
		return Suggestion{Mix: m, Said: said}
	}
	RegisterMatrix(f.op)
	fillers = append(fillers, f)
	slices.SortFunc(fillers, func(a, b filler) int { return a.op.Order - b.op.Order })
}

// FillWords are the words for the ways in which gaps can be filled: "median", "nearest".
func FillWords() (words []string) {
	for _, f := range fillers {
		words = append(words, f.word)
	}
	return words
}

// FillHelp is what each of the words does, in a line.
func FillHelp() string {
	var each []string
	for _, f := range fillers {
		each = append(each, fmt.Sprintf("%s: %s", f.word, f.does))
	}
	return strings.Join(each, "; ")
}

// Filling is the mix that fills the gaps of those of cols, the columns of a map, that have any, in the way that word
// names; the zero Mix where none has, or the word is not known.
func Filling(ds *dataset.Dataset, cols []int, word string) Mix {
	var numbers, gappy []int
	for _, i := range cols {
		if c := &ds.Columns[i]; c.Stats.Count > 0 && c.Categories == nil {
			numbers = append(numbers, i)
			if c.Stats.Invalid > 0 {
				gappy = append(gappy, i)
			}
		}
	}
	at := slices.IndexFunc(fillers, func(f filler) bool { return f.word == word })
	if at < 0 || len(gappy) == 0 {
		return Mix{}
	}
	return fillers[at].mix(ds, numbers, gappy)
}

// Fills says whether the mix puts values in the place of missing ones.
func (m Mix) Fills() bool {
	return slices.ContainsFunc(fillers, func(f filler) bool { return f.op.ID == m.Op })
}

// FillingNote says what filling did to a table, "" where there is none.
func FillingNote(ds *dataset.Dataset, s Spec) string {
	at := slices.IndexFunc(s.Mixes, Mix.Fills)
	if at < 0 {
		return ""
	}
	gap, n := make([]bool, ds.Points), 0
	changed := s.Mixes[at].Changed()
	for _, c := range changed {
		for i, x := range ds.Columns[c].Values {
			if x != x && !gap[i] {
				gap[i] = true
				n++
			}
		}
	}
	way := fillers[slices.IndexFunc(fillers, func(f filler) bool { return f.op.ID == s.Mixes[at].Op })]
	return fmt.Sprintf("%d of %d points have a missing value in %s, which %s", n, ds.Points, oneOf(len(changed)),
		way.does)
}

// oneOf writes a number of columns, one of which is meant.
func oneOf(n int) string {
	if n == 1 {
		return "one column"
	}
	return fmt.Sprintf("one of %d columns", n)
}

// unlikely says what is wrong with numbers that are to be put in the place of gaps, "" if nothing.
func unlikely(values []float64) string {
	if slices.ContainsFunc(values, func(x float64) bool { return x-x != 0 }) {
		return "what gaps are filled with must be finite"
	}
	return ""
}
