package panel

import (
	"fmt"
	"math"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/render/colour"
	"blossom/render/palette"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// scales are the ways in which values are spread over a palette.
var scales = []struct {
	spread transform.Spread
	title  string
}{{transform.SpreadMap, "As in the map"}, {transform.SpreadLinear, "Linear"}, {transform.SpreadLog, "Log"},
	{transform.SpreadAsinh, "Asinh"}, {transform.SpreadQuantile, "Quantile"}}

var scaleItems = func() (out []widget.ComboItem) {
	for _, s := range scales {
		out = append(out, widget.ComboItem{Name: s.title})
	}
	return out
}()

const scaleTip = "How values are spread over the palette: as the transform of the column does in the map; evenly; by " +
	"powers of ten, where values at or below zero count as the smallest above it; evenly around zero and by powers " +
	"of ten far from it; or by rank, so that each colour has as many points"

// scaleRow chooses how values are spread over the palette.
func (p *colours) scaleRow(look parts.Look, v *colour.Values) {
	chosen := 0
	for i, s := range scales {
		if s.spread == look.Spread {
			chosen = i
		}
	}
	p.desk.UI.Muted("Scale")
	if p.desk.UI.Combo("##scale", scaleItems, &chosen, widget.ComboOpts{Tip: scaleTip}) {
		to := scales[chosen]
		p.desk.SetLook("Scale of colour: "+to.title, func(l *parts.Look) {
			from, end := l.From, l.To
			if l.Spread == transform.SpreadMap {
				from, end = v.Raw(from), v.Raw(end)
			}
			l.Spread = to.spread
			if !l.ByValue() {
				return
			}
			if to.spread == transform.SpreadMap {
				from, end = p.mapped(l.Column, from), p.mapped(l.Column, end)
			}
			if l.From, l.To = from, end; !(from < end) || math.IsInf(end-from, 0) {
				l.From, l.To, l.Of = 0, 0, ""
			}
		})
	}
	p.desk.UI.Space(4)
}

// mapped is a raw value as the map has it, NaN where there is no such column.
func (p *colours) mapped(column string, raw float64) float64 {
	c, how, err := p.desk.Column(column)
	if err != nil || c == nil {
		return math.NaN()
	}
	return transform.FunctionOf(c, how).Forward(raw)
}

// spreadText says how the values of a histogram are spread.
func spreadText(look parts.Look, v *colour.Values) string {
	text := "spread as in the map"
	switch look.Spread {
	case transform.SpreadLinear:
		text = "spread evenly"
	case transform.SpreadLog:
		text = "on a logarithmic scale"
		if n := v.Clamped(); n > 0 {
			text += fmt.Sprintf(". %s of them are at or below zero and have the colour of the low end",
				widget.Grouped(n))
		}
	case transform.SpreadAsinh:
		text = "on a scale that is even around zero and logarithmic far from it"
	case transform.SpreadQuantile:
		text = "by rank: each colour has as many points"
	}
	return text
}

// centreRows say where the middle of a diverging palette lies.
func (p *colours) centreRows(look parts.Look, c palette.Colouring) {
	if c.Palette == nil || c.Palette.Kind != palette.Diverging {
		return
	}
	u, on := p.desk.UI, look.Centred
	if u.Switch("Centre", &on, "Put the middle of the palette at a value. Percentiles then give ends that are equally "+
		"far from it; of ends given as values each keeps its place, and both halves are stretched to them.") {
		p.desk.SetLook("Centre of the palette", func(l *parts.Look) { l.Centred = on })
		look = p.desk.Look()
	}
	if !look.Centred {
		return
	}
	at := look.Centre
	const far = 1e30
	tip := "The value at which the middle of the palette lies, as in the file"
	if !c.Centred {
		tip += ". It is not between the ends now: the palette is as without it"
	}
	e := u.NumberField("Centre at", &at, widget.Param{Min: -far, Max: far, Default: 0}, tip)
	p.edit("Centre of the palette", e, func(l *parts.Look) { l.Centre = at })
	u.Space(4)
}

// andRow chooses a second column.
func (p *colours) andRow(look parts.Look) {
	c := p.list()
	chosen := 0
	for i, name := range c.seconds {
		if name == look.And {
			chosen = i
			break // headings have no name either
		}
	}
	if p.desk.UI.Combo("##and", c.andItems, &chosen, widget.ComboOpts{Tip: "A second column beside the first: points " +
		"that are high in the first are magenta, in the second green, in both lightest or darkest. Both have the " +
		"same percentiles at their ends"}) {
		name, title := c.seconds[chosen], "One column alone"
		if name != "" {
			title = "Colour by " + p.desk.ColumnTitle(name) + ", too"
		}
		p.desk.SetLook(title, func(l *parts.Look) { l.And = name })
	}
}

// valueRows sets the values at the ends of the palette; most of them are between lo and hi. The slider moves as colours
// are spread; what is written and typed is raw, as the legend has it.
func (p *colours) valueRows(look parts.Look, v *colour.Values, lo, hi float64) {
	u, raw := p.desk.UI, look.Spread != transform.SpreadMap
	from, to := look.From, look.To
	if raw {
		from, to = v.Number(from), v.Number(to)
	}
	was := [2]float64{from, to}
	lo, hi = min(lo, from), max(hi, to)
	e := u.RangeSlider("Range", &from, &to, widget.Param{Min: lo, Max: hi, Default: lo},
		func(digits int) string {
			return widget.FigureOf(v.Raw(from), digits) + "–" + widget.FigureOf(v.Raw(to), digits)
		}, "Values at the ends of the palette. Values outside get the end's colour.")
	set := func(e widget.Edit) {
		p.edit("Colour range", e, func(l *parts.Look) {
			a, b := from, to
			if raw {
				if a, b = l.From, l.To; from != was[0] {
					a = v.Raw(from)
				}
				if to != was[1] {
					b = v.Raw(to)
				}
			}
			if a < b {
				l.From, l.To = a, b
			}
		})
	}
	set(e)
	wide := to - from
	field := func(name string, end, other *float64, normal, aside float64, tip string) {
		const far = 1e30
		x := v.Raw(*end)
		e := u.NumberField(name, &x, widget.Param{Min: -far, Max: far, Default: v.Raw(normal)}, tip)
		if x := v.Number(x); e.Changed && x-x == 0 {
			if *end = x; !(from < to) { // the other end goes along
				*other = x + aside
			}
		}
		set(e)
	}
	field("From value", &from, &to, lo, wide, "Values below get the colour of the low end; as in the file. The other "+
		"end goes along where this one passes it")
	field("To value", &to, &from, hi, -wide, "Values above get the colour of the high end; as in the file. The other "+
		"end goes along where this one passes it")
}

// sameRange offers the range to the other views, where one has another: values to those that are coloured by the same
// column, percentiles to all.
func (p *colours) sameRange(look parts.Look) {
	s := p.desk.Doc.State()
	views, looks := parts.Views.Of(s), parts.Looks.Of(s)
	byValue := look.ByValue()
	with := func(l parts.Look) parts.Look {
		switch {
		case !byValue:
			l.Low, l.High = look.Low, look.High
			if l.Column == look.Column {
				l.From, l.To, l.Of = 0, 0, ""
			}
		case l.Column == look.Column:
			l.From, l.To, l.Of, l.Spread = look.From, look.To, look.Of, look.Spread
		}
		return l
	}
	differ := false
	for _, v := range views.Views {
		l := looks.Get(v.ID)
		differ = differ || v.ID != views.Active && !v.Linked && with(l) != l
	}
	tip := "Give every view these percentiles"
	if byValue {
		tip = "Give every view of this column these values"
	}
	if !differ || !p.desk.UI.Link("Same range in all views##same", tip) {
		return
	}
	p.desk.Doc.Do("Same range in all views", func(s *state.State) {
		for _, v := range views.Views {
			t := parts.Looks.Of(*s)
			parts.Looks.Put(s, t.With(v.ID, with(t.Get(v.ID))))
		}
	})
}

// pairNote says what the colours of two columns are, in the place of a palette.
func (p *colours) pairNote(v *view.Scatter) {
	second := v.Colours.Second()
	p.desk.UI.Note(fmt.Sprintf("Magenta: %s. Green: %s.", v.Colours.Titled(), second.Titled()))
	p.desk.UI.Space(4)
}
