package wall

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/maps/density"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/colour"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	register(view.Kind{ID: "strategy", Title: "Strategy of gates", Icon: assets.IconGrid3x3, Order: 23,
		Also: "gating hierarchy gates page plots biaxial backgating percent of parent",
		Help: "How populations were gated, on one page: each plot has the points of a population, and its gates"},
		func(v *view.View) subject { return &strategy{v: v} })
}

// strategy is a plot for each pair of axes that a population was gated on. It has all points of that population, also
// those of hidden ones: the page says how each was gated.
type strategy struct {
	v      *view.View
	of     revision.Revision // labels whose tree what follows is of
	steps  []population.Step
	others int // populations that no plot shows
}

// mostPlotted is how many points a plot has.
const mostPlotted = 30_000

// look brings the steps up to the tree whose points are known, which may be of a moment ago; nil: there is none.
func (x *strategy) look() *live.Populated {
	now, _ := x.v.Scene().Map.Populations().Now()
	if now == nil {
		x.of, x.steps, x.others = 0, nil, 0
		return nil
	}
	if now.Derived.Rev != x.of {
		steps, others := now.Tree.Strategy()
		x.of, x.steps, x.others = now.Derived.Rev, steps, len(others)
	}
	return now
}

func (x *strategy) want(*Settings) (k key, tiles func(ctx context.Context) ([]tile, error), ok bool) {
	m, now := x.v.Scene().Map, x.look()
	if now == nil || len(x.steps) == 0 {
		return key{}, nil, false
	}
	steps := x.steps[:min(len(x.steps), mostLabels)]
	drawers := make([]*drawer, 0, len(steps))
	var of strings.Builder // revisions of the columns
	for i, s := range steps {
		if d := newDrawer(m, now, s); d != nil {
			d.at = i
			drawers = append(drawers, d)
			for _, c := range d.columns {
				if c != nil {
					fmt.Fprintf(&of, "%d ", c.Rev)
				}
			}
		}
	}
	k = key{what: of.String(), made: now.Derived.Rev, with: m.Table().Rev}
	return k, func(ctx context.Context) (out []tile, err error) {
		for _, d := range drawers {
			t, err := d.tile(ctx)
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
		return out, nil
	}, true
}

func (x *strategy) empty() string {
	if len(x.steps) == 0 {
		return "No gates yet. Show two columns as axes, and draw in there with the Select tool (4)."
	}
	return "The plots are on their way."
}

func (x *strategy) title() (title, of string) {
	title, of = "Strategy of gates", problem.Count(len(x.steps), "plot")
	if x.others > 0 {
		of += " · " + problem.Count(x.others, "population") + " of another origin"
	}
	return title, of
}

func (x *strategy) by(*Settings) string { return "" }
func (x *strategy) menu(*Settings) bool { return false }

// pick shows the points of the population on the columns of a plot, where its gates can be moved.
func (x *strategy) pick(t *tile) {
	if t.label >= len(x.steps) {
		return
	}
	s := x.steps[t.label]
	x.v.Scene().Gating.Chosen = s.Of[0]
	columns := []string{s.X.Column, s.Y.Column}
	if s.Y.Column == "" {
		columns[1] = s.X.Column
	}
	x.v.Edit(func(p *parts.View) {
		p.Kind, p.Of = view.ScatterKind, s.Parent
		if columns[0] != columns[1] {
			p.Recipe, p.Camera = embedding.Columns(columns...), parts.Camera{}
		}
	})
	if columns[0] == columns[1] {
		x.v.ColourBy(columns[0])
	}
}

// drawer makes the tile of a step, beside the window. All that it has is read only.
type drawer struct {
	step    population.Step
	at      int
	now     *live.Populated
	columns [2]*dataset.Column // the second nil: a histogram
	shown   [2]transform.Column
	titles  [2]string
}

// newDrawer returns what draws a step; nil where a column of it is gone or on its way, or holds labels.
func newDrawer(m *live.Map, now *live.Populated, s population.Step) *drawer {
	d := &drawer{step: s, now: now}
	for i, a := range []population.Axis{s.X, s.Y} {
		if a.Column == "" {
			continue
		}
		c, setting, err := m.Column(a.Column)
		if err != nil || c == nil || c.Categories != nil {
			return nil
		}
		d.columns[i], d.shown[i], d.titles[i] = c, setting, c.Short()
		if s.Own {
			continue
		}
		d.shown[i] = transform.Column{}
		if a.Transform != "" {
			if d.shown[i], err = transform.ParseFile(a.Transform); err != nil {
				return nil
			}
		}
	}
	return d
}

// parent is the name and the rows of the population whose points are plotted; nil: all are.
func (d *drawer) parent() (name string, rows *selection.Set) {
	place := d.now.Tree.Place(d.step.Parent)
	if d.step.Parent == 0 || place < 0 {
		return "All points", nil
	}
	return d.now.Tree.All()[place].Name, d.now.Sets[place]
}

// tile draws the step.
func (d *drawer) tile(ctx context.Context) (t tile, err error) {
	name, set := d.parent()
	all, n := len(d.now.Values), len(d.now.Values)
	if set != nil {
		n = set.Count()
	}
	rows := d.rows(set, all, n)
	p := &plot{single: d.columns[1] == nil}
	for i, c := range d.columns {
		if c == nil {
			continue
		}
		f := transform.FunctionOf(c, d.shown[i])
		p.axes[i] = axes.Axis{Title: d.titles[i], Scale: &f}
	}
	t = tile{name: name, note: widget.Grouped(n), plot: p, label: d.at}
	x := transform.ColumnValues(d.columns[0], d.shown[0], rows)
	if p.single {
		d.histogram(p, x)
	} else {
		y := transform.ColumnValues(d.columns[1], d.shown[1], rows)
		if err := d.scatter(ctx, p, rows, x, y); err != nil {
			return t, err
		}
	}
	for _, id := range d.step.Of {
		d.outline(p, id)
	}
	t.values, err = crowding(ctx, p)
	return t, err
}

// rows are those that are plotted: all of the set, nil: of all, or as many of them evenly spread as a plot has.
func (d *drawer) rows(set *selection.Set, all, n int) []int32 {
	out := make([]int32, 0, min(n, mostPlotted))
	seen := 0
	add := func(row int) {
		if seen*mostPlotted/max(n, mostPlotted) >= len(out) { // every one, or every n/mostPlotted-th
			out = append(out, int32(row))
		}
		seen++
	}
	if set == nil {
		for row := range all {
			add(row)
		}
		return out
	}
	set.Each(0, set.Len(), add)
	return out
}

// scatter puts points on the plot, and looks at where most of them are and at the corners of gates.
func (d *drawer) scatter(ctx context.Context, p *plot, rows []int32, x, y []float32) error {
	for i, row := range rows {
		if a, b := x[i], y[i]; a-a == 0 && b-b == 0 {
			p.rows, p.places = append(p.rows, row), append(p.places, a, b)
		}
	}
	xs, ys := ends(x), ends(y)
	for _, id := range d.step.Of {
		for _, c := range d.corners(id) {
			xs, ys = xs.with(c[0]), ys.with(c[1])
		}
	}
	xs, ys = xs.wider(), ys.wider()
	p.box = camera.Bounds{Min: camera.Vec{X: xs.lo, Y: ys.lo}, Max: camera.Vec{X: xs.hi, Y: ys.hi}}
	return ctx.Err()
}

// bins is how many a histogram has.
const bins = 160

// histogram makes the curve of how often values are, to its own peak.
func (d *drawer) histogram(p *plot, x []float32) {
	span := ends(x)
	for _, id := range d.step.Of {
		for _, c := range d.corners(id) {
			span = span.with(c[0])
		}
	}
	span = span.wider()
	p.box = camera.Bounds{Min: camera.Vec{X: span.lo}, Max: camera.Vec{X: span.hi, Y: 1.25}}
	var counts [bins + 2]float64
	for _, v := range x {
		if at := (float64(v) - span.lo) / (span.hi - span.lo) * bins; at >= 0 && at < bins {
			counts[int(at)+1]++
		}
	}
	smooth := make([]float64, bins)
	most := 0.0
	for i := range smooth {
		smooth[i] = (counts[i] + 2*counts[i+1] + counts[i+2]) / 4
		most = max(most, smooth[i])
	}
	for i, n := range smooth {
		p.curve = append(p.curve, [2]float64{span.lo + (float64(i)+0.5)*(span.hi-span.lo)/bins, n / max(most, 1)})
	}
}

// interval is what of an axis is seen.
type interval struct{ lo, hi float64 }

// ends are the values between which almost all are.
func ends(values []float32) interval {
	var finite []float32
	for _, v := range values {
		if v-v == 0 {
			finite = append(finite, v)
		}
	}
	if len(finite) == 0 {
		return interval{0, 1}
	}
	slices.Sort(finite)
	cut := len(finite) / 1000
	return interval{float64(finite[cut]), float64(finite[len(finite)-1-cut])}
}

func (s interval) with(x float64) interval {
	if x-x != 0 {
		return s
	}
	return interval{min(s.lo, x), max(s.hi, x)}
}

// wider leaves some room on both sides.
func (s interval) wider() interval {
	room := 0.04 * (s.hi - s.lo)
	if !(room > 0) {
		room = max(math.Abs(s.lo)*1e-3, 0.5)
	}
	return interval{s.lo - room, s.hi + room}
}

// limits are the ends of a population's limits on the axes, transformed; an end that is none is infinite.
func (d *drawer) limits(r *population.Limits) (low, high [2]float64) {
	for i, l := range r.Of {
		f := transform.FunctionOf(d.columns[i], d.shown[i])
		end := func(x float64) float64 {
			if math.IsInf(x, 0) {
				return x
			}
			return f.Forward(x)
		}
		low[i], high[i] = end(l.Low), end(l.High)
	}
	return low, high
}

// corners are the finite places that must be seen of a population's gate.
func (d *drawer) corners(id population.ID) (out [][2]float64) {
	p, _ := d.now.Tree.Find(id)
	switch r := p.Rule.(type) {
	case *population.Gate:
		return r.Corners()
	case *population.Limits:
		low, high := d.limits(r)
		nan := math.NaN()
		finite := func(x float64) float64 {
			if math.IsInf(x, 0) {
				return nan
			}
			return x
		}
		return [][2]float64{{finite(low[0]), finite(low[1])}, {finite(high[0]), finite(high[1])}}
	}
	return nil
}

// outline adds that of a population to a plot.
func (d *drawer) outline(p *plot, id population.ID) {
	place := d.now.Tree.Place(id)
	if place < 0 {
		return
	}
	who := d.now.Tree.All()[place]
	o := outline{name: who.Name, share: d.share(place)}
	b := p.box
	switch r := who.Rule.(type) {
	case *population.Gate:
		if r.Shape == population.Quadrant {
			at, side := r.Path[0], r.Path[1]
			end := [2]float64{b.Max.X, b.Max.Y}
			if side[0] < 0 {
				end[0] = b.Min.X
			}
			if side[1] < 0 {
				end[1] = b.Min.Y
			}
			o.sides = [][2][2]float64{{at, {end[0], at[1]}}, {at, {at[0], end[1]}}}
			o.at = [2]float64{(at[0] + end[0]) / 2, max(at[1], end[1])}
			break
		}
		o.close(r.Corners())
	case *population.Limits:
		low, high := d.limits(r)
		x0, x1 := max(low[0], b.Min.X), min(high[0], b.Max.X)
		if p.single {
			const bar = 1.08 // above the peak
			o.sides = [][2][2]float64{{{x0, bar}, {x1, bar}}}
			for _, x := range []float64{low[0], high[0]} {
				if !math.IsInf(x, 0) {
					o.sides = append(o.sides, [2][2]float64{{x, 0}, {x, bar + 0.04}})
				}
			}
			o.at = [2]float64{(x0 + x1) / 2, 1.25}
			break
		}
		y0, y1 := max(low[1], b.Min.Y), min(high[1], b.Max.Y)
		o.close([][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}})
	}
	p.outlines = append(p.outlines, o)
}

// close makes the sides of a polygon.
func (o *outline) close(corners [][2]float64) {
	lo, hi, top := math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i, c := range corners {
		o.sides = append(o.sides, [2][2]float64{c, corners[(i+1)%len(corners)]})
		lo, hi, top = min(lo, c[0]), max(hi, c[0]), max(top, c[1])
	}
	o.at = [2]float64{(lo + hi) / 2, top}
}

// share is how many points a population has, in percent of those that are plotted.
func (d *drawer) share(place int) string {
	n, of := d.now.Sets[place].Count(), len(d.now.Values)
	if _, set := d.parent(); set != nil {
		of = set.Count()
	}
	return widget.Percent(n, of) + "  " + widget.Grouped(n)
}

// crowding are the colours of points: how densely they lie. A histogram has none.
func crowding(ctx context.Context, p *plot) (*colour.Values, error) {
	if p.single || len(p.rows) == 0 {
		return nil, ctx.Err()
	}
	low := [3]float64{p.box.Min.X, p.box.Min.Y}
	high := [3]float64{p.box.Max.X, p.box.Max.Y}
	field, err := density.Of(ctx, p.places, 2, low, high)
	if err != nil {
		return nil, err
	}
	c := dataset.Column{Name: "density", Values: make([]float32, len(p.rows))}
	for i := range c.Values {
		c.Values[i] = float32(math.Log10(field.At(p.places[2*i : 2*i+2])))
	}
	return colour.Of(&c, transform.Column{}, nil), nil
}
