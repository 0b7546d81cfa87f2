// Package axes says what the axes of a picture mean: ticks at round raw values, through the transform of the column
// that an axis stands for. What they show is computed here once, for the window, which draws it with its own widgets,
// and for pictures, which Draw paints.
package axes

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/transform"
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
	Text string  // "0", "10⁴", "−2.5"
}

// Ticks returns round raw values between the coordinates lo and hi, ascending, no more than most and no two nearer to
// each other than a most-th of the way. Where the scale is curved they are 0 and powers of ten, the largest first,
// else multiples of a round step.
func (a Axis) Ticks(lo, hi float64, most int) []Tick {
	most = max(most, 1)
	if !(lo < hi) || math.IsInf(hi-lo, 0) {
		return nil
	}
	from, to := a.raw(lo), a.raw(hi)
	if from > to {
		from, to = to, from // a falling scale
	}
	if !(from < to) || math.IsInf(to-from, 0) {
		return nil
	}
	var ticks []Tick
	add := func(x float64, text string) bool {
		at := a.coordinate(x)
		if !(at >= lo && at <= hi) || slices.ContainsFunc(ticks, func(t Tick) bool {
			return math.Abs(t.At-at) < (hi-lo)/float64(most)
		}) {
			return false
		}
		ticks = append(ticks, Tick{at, text})
		return true
	}
	if a.curved(lo, hi) {
		add(0, "0")
		top := int(math.Floor(math.Log10(max(math.Abs(from), math.Abs(to)))))
		for k := top; k > top-maxDecades; k-- {
			for _, sign := range []float64{1, -1} {
				add(sign*math.Pow10(k), power(sign, k))
			}
		}
	}
	if len(ticks) < 2 { // within a decade
		ticks = nil
		round, step := legend.NiceTicks(from, to, most)
		for _, x := range round {
			add(x, legend.Format(x, decimals(step)))
		}
	}
	slices.SortFunc(ticks, func(x, y Tick) int { return int(math.Copysign(1, x.At-y.At)) })
	return ticks
}

// maxDecades is how many powers of ten are looked at.
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

// power writes sign 10^k: plain up to 100 and down to 0.01.
func power(sign float64, k int) string {
	text := "10" + raised.Replace(strconv.Itoa(k))
	if k >= -2 && k <= 2 {
		text = strconv.FormatFloat(math.Pow10(k), 'f', -1, 64)
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
