package population

import (
	"cmp"
	"context"
	"math"
	"slices"

	"blossom/model/clusters/gating"
	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// OfGates returns the tree with the gates of another program as populations, in their tree, under parent (0: under
// none), and how many of them are carried along as they are. A gate becomes a rule of ours, which can be seen on its
// axes and edited, where the map takes its columns just as it does and the rule has exactly the same of these rows.
// data is the table, spec the setting of its map. The error is a Problem, or that of a cancelled context.
func (t Tree) OfGates(ctx context.Context, s *gating.Strategy, parent ID, data *dataset.Dataset,
	spec transform.Spec) (out Tree, carried int, err error) {
	columns := Mixed(data, spec)
	m := making{ctx: ctx, columns: columns, in: Table(data.Points, columns), spec: spec, at: data.Places()}
	m.in.Data = data
	ids := make([]ID, len(s.Gates))
	out = t
	for i, g := range s.Gates {
		up := parent
		if g.Parent >= 0 {
			up = ids[g.Parent]
		}
		was := m.carried
		r, err := m.rule(g.Gate)
		if err != nil {
			return t, 0, err
		}
		if m.carried > was {
			carried++
		}
		if out, ids[i], err = out.Add(Population{Parent: up, Name: g.Name, Rule: r}); err != nil {
			return t, 0, err
		}
	}
	return out, carried, nil
}

// Mixed are the columns of a table by name as a map of this setting takes them before their transforms.
func Mixed(ds *dataset.Dataset, spec transform.Spec) map[string]*dataset.Column {
	all := make([]int, len(ds.Columns))
	for i := range all {
		all[i] = i
	}
	out := map[string]*dataset.Column{}
	for i, c := range transform.AllMixed(ds, spec, all) {
		out[ds.Columns[i].Name] = c
	}
	return out
}

// making is gates that become rules.
type making struct {
	ctx     context.Context
	columns map[string]*dataset.Column
	in      Inputs
	spec    transform.Spec
	at      map[string]int // the places of columns
	carried int
}

// rule is what a gate becomes.
func (m *making) rule(g *gating.Gate) (Rule, error) {
	if g.Of != nil {
		return m.combined(g)
	}
	want, err := gating.Rows(m.ctx, m.in.Data, g)
	if err != nil {
		return nil, err
	}
	for _, make := range []func(*gating.Gate) Rule{m.quadrant, m.rectangle, undrawn(m.quadrant), undrawn(m.rectangle),
		m.limits, m.polygon} {
		r := make(g)
		if r == nil {
			continue
		}
		if g.Outside {
			r = m.outside(g, r)
		}
		got, err := r.Rows(m.ctx, m.in)
		if m.ctx.Err() != nil {
			return nil, m.ctx.Err()
		}
		if err == nil && selection.Equal(got, want[0]) {
			return r, nil
		}
	}
	m.carried++
	return &Brought{g}, nil
}

// undrawn makes a rule of a gate on values as they are, where it has been drawn on a scale.
func undrawn(make func(*gating.Gate) Rule) func(*gating.Gate) Rule {
	return func(g *gating.Gate) Rule {
		plain, drawn := *g, false
		plain.Sides = slices.Clone(g.Sides)
		for i := range plain.Sides {
			drawn = drawn || plain.Sides[i].Drawn != ""
			plain.Sides[i].Drawn = ""
		}
		if !drawn {
			return nil
		}
		return make(&plain)
	}
}

// combined is a gate that is made of others.
func (m *making) combined(g *gating.Gate) (Rule, error) {
	all, some := &All{}, &Any{}
	for _, p := range g.Of {
		r, err := m.rule(p.Gate)
		if err != nil {
			return nil, err
		}
		all.Of = append(all.Of, Term{r, p.Not})
		if p.Not {
			r = &All{[]Term{{r, true}}}
		}
		some.Of = append(some.Of, r)
	}
	if g.Any {
		return some, nil
	}
	return all, nil
}

// outside is what has a place, and not in a region.
func (m *making) outside(g *gating.Gate, r Rule) Rule {
	there := &Limits{}
	for _, s := range g.Sides {
		there.Of = append(there.Of, Limit{m.column(s).Name, math.Inf(-1), math.Inf(1)})
	}
	return &All{[]Term{{there, false}, {r, true}}}
}

// column is the column of a dimension, as the map takes it; nil where there is none, or the dimension takes it
// otherwise: a rule on that would have other rows of other data, even where both have the same of these.
func (m *making) column(s gating.Side) *dataset.Column {
	name := detectorOf(s)
	for i, of := range s.Files {
		if n := detectorOf(of.Side); i == 0 {
			name = n
		} else if n != name {
			return nil
		}
	}
	c := m.columns[name]
	if c == nil || c.Categories != nil {
		return nil
	}
	if by, ok := m.compensation(s); !ok || !m.spec.Takes(m.in.Data, m.at[name], by) {
		return nil
	}
	return c
}

// detectorOf is the name of the column that a dimension takes, "" where it is not one alone.
func detectorOf(s gating.Side) string {
	if s.Matrix != nil && len(s.Matrix.Dyes) == len(s.Matrix.Detectors) {
		if i := slices.Index(s.Matrix.Dyes, s.Column); i >= 0 {
			return s.Matrix.Detectors[i]
		}
	}
	return s.Column
}

// compensation is that of a dimension as a mix of the table; ok is false where no mix does that.
func (m *making) compensation(s gating.Side) (by transform.Mix, ok bool) {
	files := []string{m.in.Data.Name}
	if s.Files == nil {
		s.Files = []gating.OfFile{{File: m.in.Data.Name, Side: s}}
	} else if from := m.in.Data.Origin(); from != nil {
		files = from.Categories
	}
	each := make([]*dataset.Spillover, len(files))
	for f, name := range files { // a gate may have them in another order
		at := slices.IndexFunc(s.Files, func(of gating.OfFile) bool { return of.File == name })
		if at < 0 || len(s.Files) != len(files) {
			return transform.Mix{}, false
		}
		of := s.Files[at]
		switch x := of.Side.Matrix; {
		case x != nil && slices.Contains(x.Dyes, of.Side.Column):
			if x.Inverse || len(x.Dyes) != len(x.Detectors) {
				return transform.Mix{}, false
			}
			each[f] = &dataset.Spillover{Names: x.Detectors, M: x.Rows}
		case of.Side.Own && len(each) > 1:
			return transform.Mix{}, false
		case of.Side.Own:
			by, why := transform.BroughtCompensation(m.in.Data)
			return by, why == ""
		}
	}
	by, why := transform.CompensationOf(m.in.Data, each)
	return by, why == ""
}

// limits are the limits of a range in values of the columns: the first one that is in, and the last.
func (m *making) limits(g *gating.Gate) Rule {
	if g.Range == nil {
		return nil
	}
	out := &Limits{}
	for i, s := range g.Sides {
		c := m.column(s)
		if c == nil {
			return nil
		}
		at, err := m.placed(c, s)
		if err != nil {
			return nil
		}
		l := Limit{c.Name, math.Inf(-1), math.Inf(1)}
		if low := g.Range[i].Low; low != nil {
			l.Low = first(func(x float64) bool { return at(x) >= *low })
		}
		if high := g.Range[i].High; high != nil {
			l.High = math.Nextafter(first(func(x float64) bool { return at(x) >= *high }), math.Inf(-1))
		}
		out.Of = append(out.Of, l)
	}
	return out
}

// placed is where a value of a column lies on the scale of a dimension.
func (m *making) placed(c *dataset.Column, s gating.Side) (func(x float64) float64, error) {
	place, err := s.Place()
	if place == nil {
		return c.ScaleValue, err
	}
	return func(x float64) float64 { return place(c.ScaleValue(x)) }, err
}

// first is the smallest number of which something is true that is true of all larger ones; +Inf where it is of none.
func first(is func(x float64) bool) float64 {
	low, high := ordinal(-math.MaxFloat64), ordinal(math.MaxFloat64)
	if !is(math.MaxFloat64) {
		return math.Inf(1)
	}
	for low < high {
		if middle := low + (high-low)/2; is(ordered(middle)) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return ordered(low)
}

// ordinal numbers float64 in their order, and ordered is the way back.
func ordinal(x float64) uint64 {
	if b := math.Float64bits(x); b>>63 == 0 {
		return b | 1<<63
	} else {
		return ^b
	}
}

func ordered(n uint64) float64 {
	if n>>63 == 1 {
		return math.Float64frombits(n &^ (1 << 63))
	}
	return math.Float64frombits(^n)
}

// axis is a dimension as an axis of a gate, and the way from a place on its scale to a coordinate of it. Lines across
// the axis may be all that matters: bent.
func (m *making) axis(s gating.Side, bent bool) (a Axis, from func(place float64) float64, ok bool) {
	c := m.column(s)
	if c == nil || s.Low != nil || s.High != nil {
		return a, nil, false
	}
	a.Column = c.Name
	if c.Log != nil && bent {
		at, err := m.placed(c, s)
		return a, func(place float64) float64 {
			return first(func(x float64) bool { return at(x) >= place })
		}, err == nil
	}
	if c.Log != nil {
		return m.logarithmic(a, c, s)
	}
	gain := 1.0
	if c.Gain > 0 {
		gain = c.Gain
	}
	text := cmp.Or(s.Scale, s.Drawn)
	if text == "" {
		return a, func(place float64) float64 { return place * gain }, true
	}
	t, err := transform.ParseFile(text)
	if err != nil {
		return a, nil, false
	}
	if gain != 1 {
		if t, ok = t.Magnified(gain); !ok {
			return a, nil, false
		}
	}
	a.Transform = t.File()
	f := transform.FunctionOf(&dataset.Column{}, t)
	if s.Scale == "" { // values on a line are on it as they are shown, too
		return a, func(value float64) float64 { return float64(float32(f.Forward(value * gain))) }, true
	}
	standard := transform.ByID(t.Op).Standard
	if standard == nil {
		return a, func(place float64) float64 { return place }, true
	}
	scale := standard(f.Params)
	if scale.Name == "" {
		return a, func(place float64) float64 { return place }, true
	}
	zero := scale.Place(0)
	unit := scale.Place(1) - zero
	return a, func(place float64) float64 { return (place - zero) / unit }, true
}

// logarithmic is the axis of a column whose raw values are logarithms, which are straight on the scale of one.
func (m *making) logarithmic(a Axis, c *dataset.Column, s gating.Side) (Axis, func(float64) float64, bool) {
	t, err := transform.ParseFile(s.Scale)
	if op := transform.ByID(t.Op); s.Scale == "" || err != nil || op.Standard == nil {
		return a, nil, false
	} else if on, l := op.Standard(t.Params), c.Log; on.Decades > 0 {
		return a, func(place float64) float64 {
			return ((place-1)*on.Decades + math.Log10(on.Top/l.Offset)) * l.Range / l.Decades
		}, true
	}
	return a, nil, false
}

// axes are the two axes of a gate of two columns, and its places on them.
func (m *making) axes(g *gating.Gate, bent bool) (x, y Axis, at func(p [2]float64) [2]float64, ok bool) {
	if len(g.Sides) != 2 {
		return x, y, nil, false
	}
	x, fromX, one := m.axis(g.Sides[0], bent)
	y, fromY, other := m.axis(g.Sides[1], bent)
	return x, y, func(p [2]float64) [2]float64 { return [2]float64{fromX(p[0]), fromY(p[1])} },
		one && other && x.Column != y.Column
}

// polygon is a polygon on its axes.
func (m *making) polygon(g *gating.Gate) Rule {
	x, y, at, ok := m.axes(g, false)
	if !ok || g.Polygon == nil || len(g.Polygon) > MostCorners {
		return nil
	}
	out := &Gate{X: x, Y: y, Shape: Polygon}
	for _, p := range g.Polygon {
		out.Path = append(out.Path, at(p))
	}
	return m.sound(out)
}

// rectangle is a range of two columns with all of its ends.
func (m *making) rectangle(g *gating.Gate) Rule {
	x, y, at, ok := m.axes(g, true)
	if !ok || g.Range == nil || g.Outside {
		return nil
	}
	for _, r := range g.Range {
		if r.Low == nil || r.High == nil {
			return nil
		}
	}
	low := at([2]float64{*g.Range[0].Low, *g.Range[1].Low})
	high := at([2]float64{*g.Range[0].High, *g.Range[1].High})
	for i := range high { // the end itself is not in any more
		high[i] = float64(math.Nextafter32(float32(high[i]), float32(math.Inf(-1))))
	}
	return m.sound(&Gate{X: x, Y: y, Shape: Rectangle, Path: [][2]float64{low, high}})
}

// quadrant is one of four parts around a place.
func (m *making) quadrant(g *gating.Gate) Rule {
	x, y, at, ok := m.axes(g, true)
	if !ok || !g.Quarter {
		return nil
	}
	var centre, side [2]float64
	for i, r := range g.Range {
		switch {
		case (r.Low == nil) == (r.High == nil):
			return nil
		case r.Low != nil:
			centre[i], side[i] = *r.Low, 1
		default:
			centre[i], side[i] = *r.High, -1
		}
	}
	return m.sound(&Gate{X: x, Y: y, Shape: Quadrant, Path: [][2]float64{at(centre), side}})
}

// sound is a gate, nil where it is none.
func (m *making) sound(g *Gate) Rule {
	for _, p := range g.Path {
		if math.IsNaN(p[0]-p[0]) || math.IsNaN(p[1]-p[1]) {
			return nil
		}
	}
	if g.check() != nil {
		return nil
	}
	return g
}
