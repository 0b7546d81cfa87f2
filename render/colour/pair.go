package colour

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/render/legend"
	"blossom/render/palette"
)

// pairSteps is how many steps of colour each of two columns has.
const pairSteps = palette.PairSteps

// pair is two quantities that points are coloured by at once.
type pair struct {
	of [2]*Values
	by [2]palette.Colouring
}

// Pair returns values that are two quantities at once: the step of x's range that a point is in, and of y's, each
// between its ends as the settings say; typed ends and the way round are of x alone. A point without a value in one
// of them is missing. Everything else is asked of x. It is x where one of them is a label, and both belong to the pair.
func Pair(x, y *Values, s Settings) *Values {
	if x == nil || y == nil || x.Labels != nil || y.Labels != nil || len(x.Numbers) != len(y.Numbers) {
		return x
	}
	out := *x
	p := &pair{of: [2]*Values{x, y}}
	s.Centred = false
	p.by[0] = x.Colouring(s)
	s.From, s.To, s.Reversed = 0, 0, false
	p.by[1] = y.Colouring(s)
	out.pair, out.own = p, true
	out.Numbers = make([]float32, len(x.Numbers))
	_ = par.Blocks(context.Background(), len(out.Numbers), 1<<16, func(_, from, to int) {
		a, b := p.by[0].Lookup(), p.by[1].Lookup()
		for i := from; i < to; i++ {
			out.Numbers[i] = pairOf(a.Entry(x.Numbers[i]), b.Entry(y.Numbers[i]))
		}
	})
	return &out
}

// pairOf is the label of two entries of a table of colours.
func pairOf(x, y uint16) float32 {
	if label, ok := palette.PairLabel(x, y); ok {
		return float32(label)
	}
	return float32(math.NaN())
}

// Both are two quantities that points are coloured by at once, and how each finds its colours; ok is false where there
// is one alone.
func (v *Values) Both() (of [2][]float32, by [2]palette.Lookup, ok bool) {
	if v == nil || v.pair == nil {
		return of, by, false
	}
	for i, one := range v.pair.of {
		of[i], by[i] = one.Numbers, v.pair.by[i].Lookup()
	}
	return of, by, true
}

// colouring paints a pair.
func (p *pair) colouring(out palette.Colouring, dark bool) palette.Colouring {
	out.Palette, out.Labels = palette.Pair(dark), pairSteps*pairSteps
	out.Lo, out.Hi = p.by[0].Lo, p.by[0].Hi
	return out
}

// legend is the square of a pair.
func (p *pair) legend(c palette.Colouring) *legend.Legend {
	l := &legend.Legend{Title: p.of[0].title + " and " + p.of[1].title, Colouring: c, Square: &legend.Square{}}
	for i, v := range p.of {
		one := v.Legend(p.by[i])
		l.Square.Titles[i], l.Square.Marks[i] = one.Title, one.Marks(1)
	}
	return l
}

// Second is the other of two quantities; nil: there is one alone.
func (v *Values) Second() *Values {
	if v == nil || v.pair == nil {
		return nil
	}
	return v.pair.of[1]
}

// Titled is how what points are coloured by is called.
func (v *Values) Titled() string { return v.title }

// Written writes a raw value as the legend does, by the range of a colouring.
func (v *Values) Written(c palette.Colouring, number float64) string {
	return end(v.Raw(number), math.Abs(v.Raw(float64(c.Hi))-v.Raw(float64(c.Lo))))
}

// Told says for a point of a pair both values, as the legend writes them; "" where one is missing or there is no pair.
func (v *Values) Told(point int) string {
	if v == nil || v.pair == nil || point >= len(v.Numbers) || v.Numbers[point] != v.Numbers[point] {
		return ""
	}
	text := ""
	for i, one := range v.pair.of {
		if i > 0 {
			text += ", "
		}
		text += one.title + " " + one.Written(v.pair.by[i], float64(one.Numbers[point]))
	}
	return text
}
