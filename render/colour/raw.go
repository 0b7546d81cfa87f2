package colour

import (
	"math"
	"sort"
	"strings"
	"unicode/utf8"

	"blossom/model/data/dataset"
	"blossom/render/axes"
	"blossom/render/legend"
	"blossom/render/palette"
)

// Raw returns the raw value of one of Numbers: what a file has, before the transform. Of labels and of what has no
// transform it is x.
func (v *Values) Raw(x float64) float64 {
	switch {
	case v == nil:
		return x
	case v.ranks != nil:
		return v.ranks.value(x)
	case v.scale == nil:
		return x
	}
	return v.scale.Inverse(x)
}

// Number returns what a raw value is among Numbers; the inverse of Raw.
func (v *Values) Number(raw float64) float64 {
	switch {
	case v == nil:
		return raw
	case v.ranks != nil:
		return v.ranks.share(raw)
	case v.scale == nil:
		return raw
	}
	return v.scale.Forward(raw)
}

// In points, as the bar of a legend and the digits under it are.
const (
	barLength  = 220.0
	digitWidth = 6.0
)

// most is above the values that are written with all their digits.
const most = 1e7

// numbers are raw values under the bar of a legend, the same as on an axis of this column: a reader compares them with
// gates and with axes, which have no other numbers. nil where Numbers are raw.
func (v *Values) numbers(c palette.Colouring, below, above bool) []legend.Mark {
	lo, hi := float64(c.Lo), float64(c.Hi)
	if v.ranks != nil && lo < hi {
		return v.quarters(lo, hi, below, above)
	}
	if v.dates && lo < hi {
		return v.days(lo, hi, below, above)
	}
	if v.scale == nil || !(lo < hi) {
		return nil
	}
	from, to := v.Raw(lo), v.Raw(hi)
	span := math.Abs(to - from)
	if !(span > 0) || math.IsInf(span, 0) {
		return nil
	}
	less, more := "≤ ", "≥ "
	if from > to {
		less, more = more, less // a falling scale
	}
	first, last := end(from, span), end(to, span)
	if from > 0 && first == "0" { // many powers of ten below the span
		first = end(from, from)
	}
	if below {
		first = less + first
	}
	if above {
		last = more + last
	}
	marks := []legend.Mark{{At: 0, Text: first}}
	wide := func(text string) float64 { return digitWidth * float64(utf8.RuneCountInString(text)) }
	if lo, hi := min(from, to), max(from, to); lo > -most && hi < most { // no powers are written, but all digits
		wide = func(text string) float64 {
			switch {
			case !v.dense:
				return digitWidth * 6
			case text == "0": // the room between texts is measured by it
				return digitWidth / 2
			}
			return digitWidth * 4
		}
	}
	for _, t := range (axes.Axis{Scale: v.scale}).Ticks(lo, hi, barLength, wide) {
		if at := t.Pos / barLength; t.Text != "" && at > 0 && at < 1 {
			text := t.Text
			if raw := v.Raw(t.At); math.Abs(raw) >= 1000 && math.Abs(raw) < most {
				text = end(raw, span) // as the ends are written
			}
			marks = append(marks, legend.Mark{At: at, Text: text})
		}
	}
	return append(marks, legend.Mark{At: 1, Text: last})
}

// days are the ends of a bar whose raw values are dates; nil where they are none that can be written. A day is enough
// where they are far apart.
func (v *Values) days(lo, hi float64, below, above bool) []legend.Mark {
	from, to := v.Raw(lo), v.Raw(hi)
	if to-from > 3 {
		from, to = math.Floor(from), math.Ceil(to)
	}
	first, last := dataset.DateText(from), dataset.DateText(to)
	if first == "" || last == "" {
		return nil
	}
	if below {
		first = "≤ " + first
	}
	if above {
		last = "≥ " + last
	}
	return []legend.Mark{{At: 0, Text: first}, {At: 1, Text: last}}
}

// Reading says what a place on the bar of a legend stands for, 0 to 1 along it: a raw value, and the share of values
// that are lower.
func (v *Values) Reading(c palette.Colouring, at float64) (raw string, lower float64) {
	lo, hi := float64(c.Lo), float64(c.Hi)
	x := lo + at*(hi-lo)
	below := sort.Search(len(v.sorted), func(i int) bool { return float64(v.sorted[i]) >= x })
	raw = end(v.Raw(x), math.Abs(v.Raw(hi)-v.Raw(lo)))
	lower = float64(below) / float64(max(len(v.sorted), 1))
	if day := dataset.DateText(v.Raw(x)); v.dates && day != "" {
		raw = day
	}
	return raw, lower
}

// end writes the raw value at an end: three digits of it, more where they would not tell a hundredth of the range, and
// fewer where they are less than its ten-thousandth.
func end(x, span float64) string {
	decade := func(x float64) float64 { return math.Floor(math.Log10(max(x, 1e-300))) }
	unit := min(max(decade(math.Abs(x))-2, decade(span)-4), decade(span)-2)
	if step := math.Pow(10, unit); step > 0 {
		x = math.Round(x/step) * step
	}
	text := legend.Format(x, int(max(-unit, 0)))
	if strings.Contains(text, ".") && !strings.Contains(text, "e") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}
