package panel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/render/axes"
	"blossom/ui/desk"
	"blossom/ui/naming"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "histograms", Title: "Histograms",
		Also: "distribution range gate limits threshold marker expression density select by value",
		Key:  "Alt+B", Order: 35, Closed: true,
		Help: "How the values of each column spread, of all points and of those that are selected; a drag selects a " +
			"range",
		New: func(d *desk.Desk) Panel {
			return &histograms{desk: d, value: work.Keep[spreadsKey, *spreads](&d.Values, work.Policy{
				Title: "Histograms", Quiet: true, Background: true, Finish: true, Remedy: "open the panel again"})}
		}})
}

// histograms is the spread of each column, of all points against those that are selected or of the chosen population.
type histograms struct {
	desk  *desk.Desk
	value *work.Value[spreadsKey, *spreads]
	brush brushed
}

// brushed is the range that was marked last, and what was selected by that.
type brushed struct {
	column   string
	from, to float64 // transformed
	set      *selection.Set
}

// marked says whether a range is marked: as long as what is selected is what came of it.
func (p *histograms) marked() bool {
	return p.brush.to > p.brush.from && selection.Equal(p.desk.Stage.Selected(), p.brush.set)
}

// spreadsKey is what the spreads depend on.
type spreadsKey struct {
	table revision.Revision
	some  *selection.Set
}

// spreads are the counted values of columns, as their transforms give them.
type spreads struct {
	list []spreadOf
	more int // columns that are left out
}

// spreadOf is one column.
type spreadOf struct {
	column    int
	f         transform.Func
	lo, hi    float64 // the range of the bins, transformed
	all, some []float32
	ticks     []widget.SpreadTick
}

const (
	spreadBins    = 56
	spreadSample  = 20_000
	spreadColumns = 120
)

// some is the points that are set against all, and what they are called; nil: there are none.
func (p *histograms) some() (set *selection.Set, name string) {
	d := p.desk
	if set = d.Stage.Selected(); !set.Empty() {
		return set, "selected points"
	}
	if now, _ := d.Populations().Now(); now != nil {
		if at := now.Tree.Place(d.Stage.Scene.Gating.Chosen); at >= 0 {
			return now.Sets[at], now.Tree.All()[at].Name
		}
	}
	return nil, ""
}

// Note says what is shown.
func (p *histograms) Note() string {
	if _, name := p.some(); name != "" {
		return "all, " + population.Brief(name)
	}
	return "all points"
}

func (p *histograms) Draw() {
	u, d := p.desk.UI, p.desk
	p.want()
	now, _ := p.value.Now()
	switch {
	case p.value.Err() != nil:
		u.Wrapped(widget.Small, u.Theme().Warning, p.value.Err().Error())
		return
	case now == nil:
		u.Progress(-1, 0)
		return
	case len(now.list) == 0:
		u.Wrapped(widget.Small, u.Theme().Muted, "There are no columns of numbers.")
		return
	}
	for i := range now.list {
		x := &now.list[i]
		if x.column >= len(d.Doc.Data.Columns) {
			return // the data are others than were counted
		}
		if i%2 == 1 {
			u.Gap(12)
		}
		p.draw(x, i%2 == 0)
		if i%2 == 1 || i == len(now.list)-1 { // the range stands below the row that it is dragged in
			p.ends(now.list[i-i%2 : i+1])
		}
	}
	if now.more > 0 {
		left := fmt.Sprintf("%s more columns are not shown.", widget.Grouped(now.more))
		u.Wrapped(widget.Small, u.Theme().Muted, left)
	}
}

// draw draws the spread of a column, and selects the range that is dragged over it.
func (p *histograms) draw(x *spreadOf, half bool) {
	u, c := p.desk.UI, &p.desk.Doc.Data.Columns[x.column]
	o := widget.SpreadOpts{Half: half, All: x.all, Some: x.some, Tip: "The values of " + c.Title() + ", spread as in " +
		"the map, counted in a sample: of all points, and as a line of those that are selected. Heights are square " +
		"roots, each to its own peak.\nA drag selects the points of a range."}
	wide, share := x.wide(), x.share
	if p.brush.column == c.Name && p.marked() {
		o.From, o.To = share(p.brush.from), share(p.brush.to)
	}
	o.Ticks = x.ticks
	from, to, e := u.Spread(fmt.Sprintf("%s##spread%d", c.Short(), x.column), o)
	if e.Changed {
		p.brush = brushed{column: c.Name, from: x.lo + from*wide, to: x.lo + to*wide}
		if from <= 0 { // an end that is at the end of what is seen is none
			p.brush.from = math.Inf(-1)
		}
		if to >= 1 {
			p.brush.to = math.Inf(1)
		}
		if !(to > from) {
			p.brush = brushed{}
		}
	}
	p.selectRange(x, e)
}

// limit is the range of a column that is marked, in units of the file.
func (p *histograms) limit(x *spreadOf) population.Limit {
	l := population.Limit{Column: p.brush.column, Low: math.Inf(-1), High: math.Inf(1)}
	if p.brush.from > math.Inf(-1) {
		l.Low = x.f.Inverse(p.brush.from)
	}
	if p.brush.to < math.Inf(1) {
		l.High = x.f.Inverse(p.brush.to)
	}
	if l.Low > l.High {
		l.Low, l.High = l.High, l.Low // a falling transform
	}
	return l
}

// selectRange selects the points of the range that is marked: one entry of the history from press to release.
func (p *histograms) selectRange(x *spreadOf, e widget.Edit) {
	d := p.desk
	set := selection.None(d.Doc.Data.Points)
	name := "Select nothing"
	if e.Changed && p.brush.to > p.brush.from {
		l := p.limit(x)
		c, _, err := d.Column(l.Column)
		if err != nil || c == nil {
			return
		}
		set, err = selection.Within{Rows: d.Doc.Data.Points,
			Limits: []selection.Limit{{At: c.At, Low: l.Low, High: l.High}}}.Pick(context.Background())
		if err != nil {
			d.Window.Fail(err)
			return
		}
		if v := d.Stage.Scatter(); v != nil && v.View.Among() != nil {
			set = selection.Intersect(set, v.View.Among())
		}
		name = "Select by " + d.ColumnTitle(l.Column)
	}
	if e.Changed {
		p.brush.set = set
	}
	d.Change(name, e, func(s *state.State) { parts.Select(s, set) })
}

// ends are the ends of the range, if it is of one of some columns, and what can be made of it.
func (p *histograms) ends(list []spreadOf) {
	u, d := p.desk.UI, p.desk
	at := slices.IndexFunc(list, func(x spreadOf) bool {
		return d.Doc.Data.Columns[x.column].Name == p.brush.column
	})
	if at < 0 || !p.marked() {
		return
	}
	x := &list[at]
	l := p.limit(x)
	title := d.ColumnTitle(l.Column)
	u.Space(4)
	const far = 1e30
	end := func(label string, value, seen float64, to *float64, tip string) {
		if math.IsInf(value, 0) { // none: the end of what is seen
			value = x.f.Inverse(seen)
		}
		e := u.NumberField(label, &value, widget.Param{Min: -far, Max: far, Default: value}, tip)
		v := x.f.Forward(value)
		if !e.Changed || v-v != 0 {
			return
		}
		if *to = v; !(p.brush.from < p.brush.to) { // the other end goes along
			if to == &p.brush.from {
				p.brush.to = math.Inf(1)
			} else {
				p.brush.from = math.Inf(-1)
			}
		}
		p.selectRange(x, widget.Edit{Changed: true, Committed: true})
	}
	end(title+" from", l.Low, x.lo, &p.brush.from, "The lowest value that is selected, in units of the file")
	end(title+" to", l.High, x.hi, &p.brush.to, "The highest value that is selected, in units of the file")
	if u.Button("New population of the range##range", widget.ButtonOpts{Width: -1,
		Tip: "Name the points within these limits: a gate that other files have too"}) {
		parent := population.ID(0)
		if v := d.Stage.Scatter(); v != nil {
			parent = v.View.Of()
		}
		naming.FromLimits(d, []population.Limit{p.limit(x)}, parent)
	}
	u.Space(6)
}

// want has the spreads counted, beside the window.
func (p *histograms) want() {
	d := p.desk
	some, _ := p.some()
	if !p.value.Want(spreadsKey{d.Table().Rev, some}) {
		return
	}
	data, table := d.Doc.Data, d.Table()
	p.value.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (*spreads, error) {
		return spreadsOf(ctx, data, table, some)
	})
}

// spreadsOf counts the values of columns in a sample of all points, and in one of some of them (nil: none).
func spreadsOf(ctx context.Context, data *dataset.Dataset, table *transform.Table, some *selection.Set) (*spreads,
	error) {
	out := &spreads{}
	rows := table.Order[:min(len(table.Order), spreadSample)] // their order is random
	own := sampleOf(some, rows)
	for i := range data.Columns {
		if !explainable(&data.Columns[i]) {
			continue
		}
		if len(out.list) == spreadColumns {
			out.more++
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x := spreadOf{column: i, f: transform.FunctionOf(&data.Columns[i], table.Spec.Columns[i])}
		if k := slices.Index(table.Cols, i); k >= 0 {
			x.f = table.Funcs[k]
		}
		values := func(rows []int32) (v []float64) {
			for _, raw := range transform.Sample(data, table.Spec, i, rows) {
				if y := x.f.Forward(raw); y-y == 0 {
					v = append(v, y)
				}
			}
			slices.Sort(v)
			return v
		}
		all := values(rows)
		if len(all) == 0 {
			continue
		}
		x.lo, x.hi = all[len(all)/500], all[len(all)-1-len(all)/500]
		x.mark()
		x.all = x.count(all)
		if len(own) > 0 {
			x.some = x.count(values(own))
		}
		out.list = append(out.list, x)
	}
	return out, nil
}

// wide is the length of the range.
func (x *spreadOf) wide() float64 {
	if wide := x.hi - x.lo; wide > 0 {
		return wide
	}
	return 1
}

// share is where a value lies in the range.
func (x *spreadOf) share(v float64) float64 { return min(max((v-x.lo)/x.wide(), 0), 1) }

// mark finds the ticks.
func (x *spreadOf) mark() {
	axis := axes.Axis{Scale: &x.f}
	for _, k := range axis.Ticks(x.lo, x.lo+x.wide(), 100, func(s string) float64 {
		return 7 * float64(len([]rune(s)))
	}) {
		x.ticks = append(x.ticks, widget.SpreadTick{At: float32(x.share(k.At)), Text: k.Text})
	}
}

// count counts values in the bins of a column; those beyond stand in the first and the last.
func (x *spreadOf) count(values []float64) []float32 {
	counts := make([]float32, spreadBins)
	for _, v := range values {
		at := 0.5
		if x.hi > x.lo {
			at = (v - x.lo) / (x.hi - x.lo)
		}
		counts[min(max(int(at*spreadBins), 0), spreadBins-1)]++
	}
	return counts
}

// sampleOf is rows of a set: those of a sample where there are enough of them, else as many of the set, evenly.
func sampleOf(set *selection.Set, sample []int32) (rows []int32) {
	if set.Empty() {
		return nil
	}
	for _, row := range sample {
		if set.Contains(int(row)) {
			rows = append(rows, row)
		}
	}
	if len(rows) >= spreadSample/10 {
		return rows
	}
	rows = rows[:0]
	each, at := max(1, set.Count()/spreadSample), 0
	set.Each(0, set.Len(), func(row int) {
		if at%each == 0 {
			rows = append(rows, int32(row))
		}
		at++
	})
	return rows
}
