// Package legend says what the colours of a map mean: a bar with ticks for numbers, swatches for
// labels. What it shows is computed here once, for the window, which draws it with its own widgets,
// and for pictures, which Draw paints.
package legend

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"blossom/render/palette"
)

// Legend is what is shown. With Entries it is of labels, otherwise of the numbers of Colouring.
type Legend struct {
	Title     string // names what is coloured: "CD3"
	Subtitle  string // how: "PE-Cy7-A, asinh/150"
	Colouring palette.Colouring
	// BelowLo and AboveHi say that there are values outside of the range, which have the end's colour.
	BelowLo, AboveHi bool
	Entries          []Entry
	// Chosen are how many points of each entry are selected, told beside how many there are; nil: none are.
	Chosen []int
	// Numbers are what stands under the bar where that is not the colouring's own numbers: raw values, as axes have
	// them, through the transform of a column. The first and the last are its ends.
	Numbers []Mark
	// OfCells says that the numbers are of points in cells: they are known once these have been counted.
	OfCells bool
	// Square is there where the colours are of two quantities at once, in the place of a bar.
	Square *Square
}

// Entry is a label.
type Entry struct {
	Name   string
	Label  int // its index; -1: of points that have none
	Count  int // points; below 0: not shown
	Colour color.NRGBA
}

// count writes how many points an entry has, and how many of them are selected: "1,203 of 4,567"; "" where that is not
// shown.
func (l *Legend) count(entry int) string {
	n := l.Entries[entry].Count
	switch {
	case n < 0:
		return ""
	case entry < len(l.Chosen):
		return countText(l.Chosen[entry]) + " of " + countText(n)
	}
	return countText(n)
}

// Mark is a number under the bar.
type Mark struct {
	At   float64 // 0 to 1 along the bar
	Text string  // "≤ −0.2", "1.5"
}

// Marks returns the ends of the range and the round numbers between them that leave room for the
// ends, up to about inner of those; Numbers where there are any.
func (l *Legend) Marks(inner int) []Mark {
	if len(l.Numbers) > 1 {
		return l.Numbers
	}
	lo, hi := float64(l.Colouring.Lo), float64(l.Colouring.Hi)
	if !finite(lo) || !finite(hi) || lo >= hi {
		return []Mark{{0.5, Format(lo, 2)}}
	}
	// The outer parts are for the ends, whose texts lie flush with the bar.
	part := hi*0.18 - lo*0.18
	ticks, step := NiceTicks(lo+part, hi-part, inner)
	// All numbers get the same decimals: as many as the ticks need and as show a fiftieth of the range,
	// less zeros that all of them end with.
	d := min(max(digits(step), int(math.Ceil(-math.Log10(part/9)))), 12)
	for d > 0 && zeros(lo, hi, ticks, d) {
		d--
	}
	first, last := Format(lo, d), Format(hi, d)
	if l.BelowLo {
		first = "≤ " + first
	}
	if l.AboveHi {
		last = "≥ " + last
	}
	marks := []Mark{{0, first}}
	for _, t := range ticks {
		marks = append(marks, Mark{(t*0.18 - lo*0.18) / part, Format(t, d)})
	}
	return append(marks, Mark{1, last})
}

// zeros says whether the last of d decimals is 0 in all numbers.
func zeros(lo, hi float64, ticks []float64, d int) bool {
	zero := func(x float64) bool { return math.Mod(math.Round(math.Abs(x)*math.Pow(10, float64(d))), 10) == 0 }
	for _, t := range ticks {
		if !zero(t) {
			return false
		}
	}
	return zero(lo) && zero(hi)
}

// NiceTicks returns the multiples of a round step (1, 2, 2.5 or 5 times a power of ten) that lie in
// [lo, hi], as many as possible but at most most (1 or more), and the step. It may find none.
func NiceTicks(lo, hi float64, most int) (ticks []float64, step float64) {
	if !finite(lo) || !finite(hi) || lo >= hi {
		return nil, 1
	}
	most = max(most, 1)
	span := hi/2 - lo/2 // half of the span: the full one may overflow
	if span < 1e-300 {
		return nil, 1
	}
	power := math.Pow(10, math.Floor(math.Log10(2*(span/float64(most+1))))-1)
	for i := 0; ; i++ {
		step = [...]float64{1, 2, 2.5, 5}[i%4] * power
		from, to := math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
		if to-from < float64(most) {
			for k := from; k <= to; k++ {
				ticks = append(ticks, k*step+0) // no negative zero
			}
			return ticks, step
		}
		if i%4 == 3 {
			power *= 10
		}
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// digits returns how many decimals show differences of step.
func digits(step float64) int {
	if !(step > 0) {
		return 0
	}
	for d := range 12 {
		if s := step * math.Pow(10, float64(d)); math.Abs(s-math.Round(s)) < 0.01*s && s >= 0.99 {
			return d
		}
		if step*math.Pow(10, float64(d)) >= 20 {
			return d
		}
	}
	return 12
}

// FormatStep writes one of several numbers that are step apart, with as many decimals as step has: as Format does,
// but with all the digits that tell them apart, also where they are large.
func FormatStep(x, step float64, decimals int) string {
	a := math.Abs(x)
	if !(step > 0) || a < 1e7 || a/step < 500 || math.IsInf(a, 0) {
		return Format(x, decimals)
	}
	if a >= 1e15 {
		s := strconv.FormatFloat(x, 'g', min(17, 2+int(math.Log10(a/step))), 64)
		return strings.ReplaceAll(strings.ReplaceAll(s, "e+", "e"), "-", "−")
	}
	s := strconv.FormatFloat(x, 'f', min(decimals, 12), 64)
	whole, rest, dot := strings.Cut(s, ".")
	if s = Group(whole); dot {
		s += "." + rest
	}
	return strings.ReplaceAll(s, "-", "−")
}

// Format writes a number for people: a true minus sign, commas between thousands, powers of ten where
// the number is very large or very small.
func Format(x float64, decimals int) string {
	var s string
	switch a := math.Abs(x); {
	case math.IsNaN(x):
		return "no value"
	case math.IsInf(x, 0):
		s = strconv.FormatFloat(x, 'f', 0, 64)
	case a >= 1e7 || a > 0 && decimals > 5:
		s = strconv.FormatFloat(x, 'g', 3, 64)
		s = strings.Replace(strings.Replace(s, "e+0", "e", 1), "e+", "e", 1)
		s = strings.Replace(s, "e-0", "e-", 1)
	default:
		s = strconv.FormatFloat(x, 'f', min(decimals, 5), 64)
		if strings.Trim(s, "-0.") == "" {
			s = strings.TrimPrefix(s, "-")
		}
		whole, rest, dot := strings.Cut(s, ".")
		s = Group(whole)
		if dot {
			s += "." + rest
		}
	}
	return strings.ReplaceAll(s, "-", "−")
}

// Group puts commas into the digits of a whole number: "987", "19,225".
func Group(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	if len(s) < 4 {
		return sign + s
	}
	var b strings.Builder
	for i, r := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return sign + b.String()
}
