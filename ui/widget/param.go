package widget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Param describes a number that can be set.
type Param struct {
	Min, Max, Default float64
	Log               bool   // the track is logarithmic; with Min <= 0 it is linear near Min
	Integer           bool   // whole numbers only
	Format            string // number format, as fmt has it; "" chooses
	Unit              string // shown after the number
	// Zero is a word for the special value, by itself 0 ("auto", "max", "endless"), "" for none. It is a chip beside
	// the track, not one of its ends: Min is above 0 then. The word can be typed as well.
	Zero string
	// Special is the special value where it is another than 0, which is a number like others then.
	Special float64
	// Now is what the special value amounts to at present: shown muted while it holds, and where the number begins
	// when the chip is let go. 0: unknown; the number begins at the default or in the middle then.
	Now      float64
	Disabled bool
}

// special reports whether v is the special value.
func (p Param) special(v float64) bool { return v == p.Special && p.Zero != "" }

// begin returns the number that takes the place of the special value.
func (p Param) begin() float64 {
	for _, v := range []float64{p.Now, p.Default} {
		if v != 0 && !math.IsNaN(v) && !math.IsInf(v, 0) {
			return p.quantize(v)
		}
	}
	return p.quantize(p.Value(0.5))
}

// Clamp returns the nearest allowed value; NaN gives the default.
func (p Param) Clamp(v float64) float64 {
	if p.special(v) {
		return v
	}
	if math.IsNaN(v) {
		v = p.Default
		if math.IsNaN(v) {
			v = p.Min
		}
	}
	if p.Integer {
		v = math.Round(v)
	}
	return min(max(v, p.Min), p.Max)
}

// bend is the share of the range around Min in which a logarithmic track with Min <= 0 is linear.
const bend = 1e-3

// Norm returns the place of v on the track, 0 to 1.
func (p Param) Norm(v float64) float64 {
	if !(p.Max > p.Min) {
		return 0
	}
	var t float64
	switch {
	case !p.Log:
		// halves, so that the difference of two huge numbers does not overflow
		t = (v/2 - p.Min/2) / (p.Max/2 - p.Min/2)
	case p.Min > 0:
		// differences of logarithms: the quotients could overflow
		t = (math.Log(v) - math.Log(p.Min)) / (math.Log(p.Max) - math.Log(p.Min))
	default:
		c := bend * (p.Max - p.Min)
		t = math.Log1p((v-p.Min)/c) / math.Log1p(1/bend)
	}
	if math.IsNaN(t) {
		return 0
	}
	return min(max(t, 0), 1)
}

// Value returns the value at a place of the track.
func (p Param) Value(t float64) float64 {
	t = min(max(t, 0), 1)
	if t == 1 {
		return p.Max
	}
	var v float64
	switch {
	case !p.Log:
		v = p.Min*(1-t) + p.Max*t
	case p.Min > 0:
		v = math.Exp(math.Log(p.Min)*(1-t) + math.Log(p.Max)*t)
	default:
		v = p.Min + bend*(p.Max-p.Min)*math.Expm1(t*math.Log1p(1/bend))
	}
	return p.Clamp(v)
}

// format returns the number as it is shown, without the unit.
func (p Param) format(v float64) string {
	switch {
	case p.Integer:
		return unsigned(strconv.FormatFloat(v, 'f', 0, 64))
	case p.Format != "":
		return unsigned(fmt.Sprintf(p.Format, v))
	}
	return unsigned(short(v, 4))
}

// unsigned is a written number, 0 without a sign.
func unsigned(number string) string {
	if strings.Trim(number, "-0.") == "" {
		return strings.TrimPrefix(number, "-")
	}
	return number
}

// Text returns the number as it is shown.
func (p Param) Text(v float64) string {
	if p.special(v) {
		return p.Zero
	}
	return p.format(v) + p.Unit
}

// fit returns the number as it is shown, where that does not fit without its unit, with fewer digits, and at last three
// dots. A number is never cut, as it would be read as another one.
func (p Param) fit(v float64, fits func(string) bool) string {
	for _, s := range []string{p.Text(v), p.format(v)} {
		if fits(s) {
			return s
		}
	}
	return fewer(func(digits int) string { return general(v, digits) }, fits)
}

// fewer writes numbers with as many digits as fit, at most four, and where none do three dots.
func fewer(write func(digits int) string, fits func(string) bool) string {
	for digits := 4; digits > 0; digits-- {
		if s := write(digits); fits(s) {
			return s
		}
	}
	return "…"
}

// quantize returns the value that the text of v stands for, so that a drag sets what it shows.
func (p Param) quantize(v float64) float64 {
	if q, err := strconv.ParseFloat(strings.TrimSpace(p.format(v)), 64); err == nil {
		return p.Clamp(q)
	}
	return p.Clamp(v)
}

// Parse reads what a user typed: a number with point or comma, with or without the unit. It reports
// false for anything else, NaN and infinities among them.
func (p Param) Parse(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if p.Zero != "" && strings.EqualFold(s, p.Zero) {
		return p.Special, true
	}
	s = strings.TrimSpace(strings.TrimSuffix(s, strings.TrimSpace(p.Unit)))
	s = strings.ReplaceAll(s, "−", "-")
	if strings.Count(s, ",") == 1 && !strings.Contains(s, ".") {
		s = strings.Replace(s, ",", ".", 1)
	}
	if strings.ContainsAny(s, "xXpP_") { // Go's own ways to write numbers
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return p.Clamp(v), true
}

// step moves v by n steps of the keyboard: a hundredth of the track, at least one digit of what is shown.
func (p Param) step(v, n float64) float64 {
	if p.special(v) {
		v = p.begin()
	}
	if p.Integer {
		return p.Clamp(v + n)
	}
	nv := p.quantize(p.Value(p.Norm(v) + n/100))
	if nv == v {
		nv = p.Value(p.Norm(v) + n/100)
	}
	return nv
}
