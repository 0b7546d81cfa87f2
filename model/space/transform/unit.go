package transform

import (
	"math"
	"slices"

	"blossom/model/data/dataset"
)

// Unit is how raw values of a column stand for linear ones, which is what matrices of spillover are about: x for
// Offset 10^(Decades x / Range) where Decades is above 0 (FCS 3.1, $PnE), and else for x / Gain ($PnG).
type Unit struct{ Gain, Decades, Offset, Range float64 }

// unitOf is the unit of the raw values of a column.
func unitOf(c *dataset.Column) Unit {
	if l := c.Log; l != nil && l.Decades > 0 && l.Range > 0 && l.Offset > 0 {
		return Unit{1, l.Decades, l.Offset, l.Range}
	}
	if c.Gain > 0 && !math.IsInf(c.Gain, 1) {
		return Unit{Gain: c.Gain}
	}
	return Unit{Gain: 1}
}

// unitsOf are the units of columns.
func unitsOf(ds *dataset.Dataset, cols []int) []Unit {
	units := make([]Unit, len(cols))
	for i, c := range cols {
		units[i] = unitOf(&ds.Columns[c])
	}
	return units
}

// alike says whether units are linear with the same gain, which a matrix leaves as it is.
func alike(units []Unit) bool {
	return !slices.ContainsFunc(units, func(u Unit) bool { return u != units[0] || u.Decades > 0 })
}

// unitsIn are the units of the columns of m in ds, which may be other data than m was made for: linear values of a
// detector are the same wherever its raw ones are logarithms, or have another gain. What knew no units, in files of
// earlier versions, was of raw values, and stays so, as do the transforms that stand behind it.
func (m Mix) unitsIn(ds *dataset.Dataset) []Unit {
	if !m.Compensates() && !m.linearises() {
		return m.Units
	}
	cols := m.Changed()
	units := unitsOf(ds, cols)
	if m.Units == nil && !alike(units) {
		return nil
	}
	for range len(m.Cols) - len(cols) { // a label has none
		units = append(units, Unit{Gain: 1})
	}
	return units
}

// linear replaces raw values by the linear ones that they stand for.
func (u Unit) linear(strip []float64) {
	if u.Decades > 0 {
		for i, x := range strip {
			strip[i] = u.Offset * math.Pow(10, u.Decades*x/u.Range)
		}
		return
	}
	if u.Gain != 1 {
		for i := range strip {
			strip[i] /= u.Gain
		}
	}
}

// gained brings linear values to what is shown of the column: with its gain, as they were stored. Those of a
// logarithmic amplifier stay linear.
func (u Unit) gained(strip []float64) {
	if u.Decades > 0 || u.Gain == 1 {
		return
	}
	for i := range strip {
		strip[i] *= u.Gain
	}
}

// raw replaces linear values by the raw ones that stand for them. A logarithmic amplifier has nothing below its
// channel 0.
func (u Unit) raw(strip []float64) {
	if u.Decades == 0 {
		u.gained(strip)
		return
	}
	for i, x := range strip {
		if x = u.Range / u.Decades * math.Log10(x/u.Offset); !(x > 0) {
			x = 0
		}
		strip[i] = x
	}
}

// Linearised says whether a mix takes the values of a column out of the logarithms that a file holds. They are linear
// then, up to top.
func (s Spec) Linearised(col int) (top float64, ok bool) {
	for _, m := range s.mixesOf(col) {
		for i, u := range m.Units {
			if m.Cols[i] == col && u.Decades > 0 {
				return u.Offset * math.Pow(10, u.Decades), true
			}
		}
	}
	return 0, false
}

// logarithms is the transform of raw values of a logarithmic amplifier.
func logarithms(c *dataset.Column) Column {
	return Column{}.With(Linear, Params{c.Log.Decades * math.Ln10 / c.Log.Range})
}

// logicleOf is the transform of linear values up to top that were logarithms.
func logicleOf(top float64) Column { return Column{}.With(Logicle, Params{top, 0.5, 4.5, 0}) }

// linearises says whether it makes a column linear, and does nothing else to it.
func (m Mix) linearises() bool { return m.Op == Linearise }

// ofChannels says whether a column holds logarithms, which a chosen transform is not about: None and that by which
// channels become natural logarithms are of channel numbers.
func (c Column) ofChannels(of *dataset.Column) bool {
	return unitOf(of).Decades == 0 || c.Op == None || c.sameTransform(logarithms(of))
}

// WithLinear returns s, which is of ds, as it is once somebody has chosen the transforms that cols have in it: they are
// of linear values, which channels of a logarithmic amplifier become first where compensation does not make them so.
func (s Spec) WithLinear(ds *dataset.Dataset, cols []int) Spec {
	out := s.Clone()
	for _, c := range cols {
		own := func(m Mix) bool { return m.linearises() && m.Cols[0] == c }
		out.Mixes = slices.DeleteFunc(out.Mixes, own)
		if _, linear := out.Linearised(c); !linear && !out.Columns[c].ofChannels(&ds.Columns[c]) {
			out.Mixes = append(out.Mixes, Mix{Op: Linearise, Cols: []int{c}, Units: unitsOf(ds, []int{c})})
		}
	}
	return out
}

// with returns s with other mixes. Columns that these take out of logarithms, or leave in them now, get the transform
// that they begin with, unless somebody has given them another, which is of linear values before and after.
func (s Spec) with(ds *dataset.Dataset, mixes []Mix) Spec {
	out := s.Clone()
	out.Mixes = slices.DeleteFunc(slices.Clone(mixes), Mix.linearises)
	for i := range out.Columns {
		if ds.Columns[i].Log == nil {
			continue
		}
		was, before := s.Linearised(i)
		top, after := out.Linearised(i)
		switch c, log := &out.Columns[i], logarithms(&ds.Columns[i]); {
		case after && !before && c.sameTransform(log):
			*c = c.WithTransform(logicleOf(top))
		case before && !after && c.sameTransform(logicleOf(was)) && !s.linearises(i):
			*c = c.WithTransform(log)
		case before && !after:
			out = out.WithLinear(ds, []int{i})
		}
	}
	return out
}

// linearises says whether a column has a mix that makes it linear, and does nothing else to it.
func (s Spec) linearises(col int) bool {
	return slices.ContainsFunc(s.Mixes, func(m Mix) bool { return m.linearises() && m.Cols[0] == col })
}

// WithCompensation returns s, which is of ds, with the compensation m in the place of any that it has; the zero Mix is
// none. Columns whose values become linear by it, or do not any more, are transformed as suits that.
func (s Spec) WithCompensation(ds *dataset.Dataset, m Mix) Spec {
	mixes := slices.DeleteFunc(slices.Clone(s.Mixes), Mix.Compensates)
	if m.Op != None {
		mixes = append([]Mix{m}, mixes...)
	}
	return s.with(ds, mixes)
}

// functions are what m does to a block of its columns, and back.
func (m Mix) functions() (forward, inverse func(Block)) {
	o := MatrixByID(m.Op)
	if o == nil {
		return nil, nil
	}
	forward, inverse = o.New(len(m.Cols), m.Values)
	if m.Units == nil || len(m.Units) == len(m.Cols) && alike(m.Units[:len(m.Changed())]) {
		return forward, inverse
	}
	there, back := forward, inverse
	return func(b Block) { m.inUnits(b, there) }, func(b Block) {
		for i, u := range m.Units {
			if u.Decades == 0 && u.Gain != 1 {
				u.linear(b[i])
			}
		}
		back(b)
		for i, u := range m.Units {
			u.raw(b[i])
		}
	}
}

// inUnits does something to the linear values of a block. One that it leaves alone keeps all of its digits.
func (m Mix) inUnits(b Block, do func(Block)) {
	was, linear := make(Block, len(m.Units)), make(Block, len(m.Units))
	for i, u := range m.Units {
		if u.Decades == 0 && u.Gain != 1 {
			was[i] = append(was[i], b[i]...)
		}
		u.linear(b[i])
		if was[i] != nil {
			linear[i] = append(linear[i], b[i]...)
		}
	}
	do(b)
	for i, u := range m.Units {
		u.gained(b[i])
		for r, x := range linear[i] {
			if b[i][r] == x*u.Gain {
				b[i][r] = was[i][r]
			}
		}
	}
}

// encoded are units as files keep them, four numbers each; decodeUnits reads them.
func encodeUnits(units []Unit) (out []float64) {
	for _, u := range units {
		out = append(out, u.Gain, u.Decades, u.Offset, u.Range)
	}
	return out
}

func decodeUnits(values []float64) (out []Unit) {
	for at := 0; at+4 <= len(values); at += 4 {
		out = append(out, Unit{values[at], values[at+1], values[at+2], values[at+3]})
	}
	return out
}

// wrongUnits says what is wrong with the units of m, "" if nothing. A label has one like any other, which does nothing.
func (m Mix) wrongUnits() string {
	if m.Units != nil && len(m.Units) != len(m.Cols) {
		return "there must be a unit for each column that is mixed"
	}
	for _, u := range m.Units {
		for _, x := range []float64{u.Gain, u.Decades, u.Offset, u.Range} {
			if x-x != 0 {
				return "the units of columns that are mixed must be finite"
			}
		}
		if u.Gain <= 0 || u.Decades != 0 && !(u.Decades > 0 && u.Offset > 0 && u.Range > 0) {
			return "the units of columns that are mixed must be above 0"
		}
	}
	return ""
}
