// Package axes says what the axes of a picture mean: ticks at round raw values, through the transform of the column
// that an axis stands for. What they show is computed here once, for the window, which draws it with its own widgets,
// and for pictures, which Draw paints.
package axes

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/space/transform"
	"blossom/render/legend"
)

// Axis says what a coordinate is.
type Axis struct {
	Title string // "CD4", "PC 1"
	Note  string // "BUV563-A", "37.6 %"
	// Scale turns raw values into coordinates where the axis is a transformed column; nil: coordinates are what
	// they are. Factor is what coordinates are multiplied with after that; 0: nothing.
	Scale  *transform.Func
	Factor float64
}

// Tick is a round raw value on an axis.
type Tick struct {
	At   float64 // coordinate
	Text string  // "0", "10⁴", "−2.5"; empty: a power of ten whose text has no room
	// Pos is where it is drawn, pixels from the end of the axis that has the lower coordinate, and Wide how far the
	// text reaches along the axis, centred there.
	Pos, Wide float64
}

// apart is the least room between two texts, in multiples of how far a digit reaches along the axis.
const apart = 3

// Ticks returns round raw values between the coordinates lo and hi on an axis of length pixels, ascending. wide is how
// far a text reaches along the axis, in pixels; texts never overlap. Where the scale is curved the values are 0 and
// powers of ten, the largest first, with twice and five times of those where there are few, and powers without room for
// their texts have marks alone; else, and where that gives more, multiples of a round step.
func (a Axis) Ticks(lo, hi, length float64, wide func(text string) float64) []Tick {
	if !(lo < hi) || math.IsInf(hi-lo, 0) || !(length > 0) || math.IsInf(length, 0) {
		return nil
	}
	from, to := a.raw(lo), a.raw(hi)
	if from > to {
		from, to = to, from // a falling scale
	}
	if !(from < to) {
		return nil
	}
	room := apart * wide("0")
	place := func(list []candidate) (ticks []Tick) {
		for _, c := range list {
			t := Tick{At: a.coordinate(c.raw), Text: c.text, Wide: wide(c.text)}
			if rounding := 1e-6 * (hi - lo); !(t.At >= lo-rounding && t.At <= hi+rounding) {
				continue
			}
			t.At = min(max(t.At, lo), hi)
			t.Pos = (t.At - lo) / (hi - lo) * length
			if !slices.ContainsFunc(ticks, func(o Tick) bool {
				return math.Abs(o.Pos-t.Pos) < (o.Wide+t.Wide)/2+room
			}) {
				ticks = append(ticks, t)
			}
		}
		return ticks
	}
	var ticks, bare []Tick
	if a.curved(lo, hi) {
		ticks = place(powers(from, to, 1))
		if len(ticks) < 3 {
			if more := place(powers(from, to, 1, 2, 5)); len(more) > len(ticks) {
				ticks = more
			}
		}
		bare = a.bare(powers(from, to, 1), ticks, Span{lo, hi}, length, wide("0")/2)
	}
	// The finest round step whose texts all have room.
	for most := int(min(length/max(wide("0")+room, 4), 12)); most > len(ticks); most-- {
		round, step := legend.NiceTicks(from, to, most)
		list := make([]candidate, len(round))
		for i, x := range round {
			list[i] = candidate{x, legend.FormatStep(x, step, decimals(step))}
		}
		if even := place(list); len(even) == len(list) && len(even) > len(ticks) {
			ticks, bare = even, nil
			break
		}
	}
	ticks = append(ticks, bare...)
	slices.SortFunc(ticks, func(x, y Tick) int { return int(math.Copysign(1, x.At-y.At)) })
	return ticks
}

// bare returns marks of the powers that have no tick, so that no decade seems to be missing; all are room pixels apart.
func (a Axis) bare(list []candidate, ticks []Tick, seen Span, length, room float64) (marks []Tick) {
	for _, c := range list {
		t := Tick{At: a.coordinate(c.raw)}
		if !(t.At >= seen.Lo && t.At <= seen.Hi) {
			continue
		}
		t.Pos = (t.At - seen.Lo) / (seen.Hi - seen.Lo) * length
		near := func(o Tick) bool { return math.Abs(o.Pos-t.Pos) < room }
		if !slices.ContainsFunc(ticks, near) && !slices.ContainsFunc(marks, near) {
			marks = append(marks, t)
		}
	}
	return marks
}

// candidate is a raw value that may become a tick.
type candidate struct {
	raw  float64
	text string
}

// powers returns 0 and, of both signs, the factors times powers of ten in [from, to]: all of one factor before the
// next, the largest powers first, for near 0 a scale that is even there crowds them.
func powers(from, to float64, factors ...float64) (list []candidate) {
	if from <= 0 && to >= 0 {
		list = append(list, candidate{0, "0"})
	}
	top := exponent(max(math.Abs(from), math.Abs(to)))
	least := top - maxDecades
	if from > 0 || to < 0 {
		least = exponent(min(math.Abs(from), math.Abs(to)))
	}
	for _, f := range factors {
		for k := top; k >= least; k-- {
			for _, sign := range []float64{1, -1} {
				if x := sign * f * math.Pow10(k); x >= from && x <= to {
					list = append(list, candidate{x, power(sign, f, k)})
				}
			}
		}
	}
	return list
}

// exponent is that of the largest power of ten not above x.
func exponent(x float64) int { return int(math.Floor(math.Log10(min(max(x, 1e-300), 1e300)) + 1e-9)) }

// maxDecades is how many powers of ten are looked at on a scale that shows 0.
const maxDecades = 20

func (a Axis) raw(coordinate float64) float64 {
	if a.Factor != 0 {
		coordinate /= a.Factor
	}
	if a.Scale != nil {
		coordinate = a.Scale.Inverse(coordinate)
	}
	return coordinate
}

func (a Axis) coordinate(raw float64) float64 {
	if a.Scale != nil {
		raw = a.Scale.Forward(raw)
	}
	if a.Factor != 0 {
		raw *= a.Factor
	}
	return raw
}

// curved says whether even steps of the coordinate are uneven ones of the raw value.
func (a Axis) curved(lo, hi float64) bool {
	from, middle, to := a.raw(lo), a.raw(lo/2+hi/2), a.raw(hi)
	return math.Abs(middle-(from/2+to/2)) > 1e-3*math.Abs(to-from)
}

// power writes sign f 10^k: plain up to 100, where it is no power of ten up to 5,000, and down to 0.01.
func power(sign, f float64, k int) string {
	text := "10" + raised.Replace(strconv.Itoa(k))
	switch {
	case k >= -2 && (k <= 2 || k == 3 && f != 1):
		text = legend.Format(f*math.Pow10(k), max(-k, 0))
	case f != 1:
		text = legend.Format(f, 0) + "·" + text
	}
	if sign < 0 {
		return "−" + text
	}
	return text
}

var raised = strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶",
	"7", "⁷", "8", "⁸", "9", "⁹")

// decimals is how many digits behind the point tell multiples of step apart.
func decimals(step float64) int {
	for d := range 12 {
		if s := step * math.Pow10(d); math.Abs(s-math.Round(s)) < 1e-6*s {
			return d
		}
	}
	return 12
}
