package panel

import (
	"context"
	"fmt"
	"math"
	"strings"

	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/maps/explain"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/naming"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "explain", Title: "Explain",
		Also: "marker difference medians compare effect hypergate",
		Key:  "Alt+X", Order: 87, Closed: true,
		Help: "What the selected points, or those of the chosen population, have that others have not",
		New: func(d *desk.Desk) Panel {
			return &explained{desk: d, value: work.Keep[explainKey, *explanation](&d.Values, work.Policy{
				Title: "Explain", Quiet: true, Background: true, Remedy: "select them again"})}
		}})
}

// explained is the panel that says what points have in common.
type explained struct {
	desk  *desk.Desk
	value *work.Value[explainKey, *explanation]
}

// explainKey is what an explanation depends on.
type explainKey struct {
	set, parent  *selection.Set
	table, names revision.Revision
}

// explanation is what sets points apart from others.
type explanation struct {
	columns []string // names and titles of those that were looked at
	titles  []string
	raw     []func(float64) float64 // lead back from the scale of the map, which medians are in
	limits  []explain.Description
	apart   []explain.Difference
	like    []explain.Likeness
	others  []string // the populations that they may be like
	size    int
	rest    int
	why     string // there is nothing to explain
}

// subject is the points to be explained, among which, and what they are called.
func (p *explained) subject() (set, parent *selection.Set, of, among string) {
	d, at := p.desk, -1
	now, _ := d.Populations().Now()
	if now != nil {
		at = now.Tree.Place(d.Stage.Scene.Gating.Chosen)
	}
	set = d.Stage.Selected()
	switch {
	case at >= 0 && (set.Empty() || selection.Equal(set, now.Sets[at])):
	case !set.Empty():
		return set, nil, "selected points", ""
	default:
		return nil, nil, "", ""
	}
	x := now.Tree.All()[at]
	if up := now.Tree.Place(x.Parent); up >= 0 {
		return now.Sets[at], now.Sets[up], x.Name, now.Tree.All()[up].Name
	}
	return now.Sets[at], nil, x.Name, ""
}

// Note says that it is being looked for.
func (p *explained) Note() string {
	if p.value.Busy() {
		return "looking"
	}
	return ""
}

func (p *explained) Draw() {
	u := p.desk.UI
	set, parent, of, among := p.subject()
	if set.Empty() {
		u.Wrapped(widget.Small, u.Theme().Muted,
			"Select some points, or click a population: here stands what they have that others have not.")
		return
	}
	p.want(set, parent)
	now, _ := p.value.Now()
	if err := p.value.Err(); err != nil {
		u.Wrapped(widget.Small, u.Theme().Warning, err.Error())
		return
	}
	if now == nil {
		u.Progress(-1, 0)
		return
	}
	what := widget.Grouped(now.size) + " " + of + " against " + widget.Grouped(now.rest) + " others"
	if among != "" {
		what += " of " + among
	}
	u.Wrapped(widget.Small, u.Theme().Muted, what)
	if now.why != "" {
		u.Wrapped(widget.Small, u.Theme().Warning, now.why)
		return
	}
	p.describe(now)
	p.differences(now)
	p.likeness(now)
}

// want has the explanation made, beside the window.
func (p *explained) want(set, parent *selection.Set) {
	d := p.desk
	key := explainKey{set, parent, d.Table().Rev, parts.Populations.Rev(d.Doc.State())}
	if !p.value.Want(key) {
		return
	}
	populated, _ := d.Populations().Now()
	data, spec := d.Doc.Data, d.Table().Spec
	p.value.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (*explanation, error) {
		return explainOf(ctx, data, spec, set, parent, populated)
	})
}

// explainOf explains a set of points among those of a parent (nil: all), beside the populations that there are, if any.
func explainOf(ctx context.Context, data *dataset.Dataset, spec transform.Spec, set, parent *selection.Set,
	populated *live.Populated) (*explanation, error) {
	out := &explanation{}
	var cols []int
	for i := range data.Columns {
		if explainable(&data.Columns[i]) {
			cols = append(cols, i)
		}
	}
	mixed := transform.AllMixed(data, spec, cols)
	var columns, shown []explain.Column // as they are, and as the map has them
	for _, i := range cols {
		at, f := mixed[i].At, transform.FunctionOf(mixed[i], spec.Columns[i])
		columns = append(columns, explain.Column{Name: data.Columns[i].Name, At: at})
		shown = append(shown, explain.Column{Name: data.Columns[i].Name, At: func(row int) float64 {
			return f.Forward(at(row))
		}})
		out.raw = append(out.raw, f.Inverse)
		out.columns, out.titles = append(out.columns, data.Columns[i].Name), append(out.titles,
			data.Columns[i].Short())
	}
	all := parent
	if all == nil {
		all = selection.All(data.Points)
	}
	rest := selection.Subtract(all, set)
	out.size, out.rest = set.Count(), rest.Count()
	switch {
	case len(columns) == 0:
		out.why = "There are no columns of numbers to tell them apart by."
		return out, nil
	case rest.Empty():
		out.why = "There are no other points."
		return out, nil
	}
	var err error
	if out.apart, err = explain.Apart(ctx, shown, set, rest); err != nil {
		return nil, err
	}
	if out.limits, err = explain.Describe(ctx, columns, set, parent); err != nil {
		return nil, err
	}
	if populated == nil {
		return out, nil
	}
	var others []*selection.Set
	for i, x := range populated.Tree.All() {
		o := populated.Sets[i] // one that lies in the other is like it in any case
		if !o.Empty() && !selection.Subtract(o, set).Empty() && !selection.Subtract(set, o).Empty() {
			others, out.others = append(others, o), append(out.others, x.Name)
		}
	}
	if len(others) > 0 {
		out.like, err = explain.Alike(ctx, shown, set, others)
	}
	return out, err
}

// limitsOf are the limits of a description as a rule has them.
func (x *explanation) limitsOf(e explain.Description) (out []population.Limit) {
	for _, l := range e.Limits {
		out = append(out, population.Limit{Column: x.columns[l.Column], Low: l.Low, High: l.High})
	}
	return out
}

// words says limits by the titles of columns, one by one.
func (x *explanation) words(e explain.Description) (out []string) {
	for _, l := range e.Limits {
		title, low, high := x.titles[l.Column], widget.FigureOf(l.Low, 4), widget.FigureOf(l.High, 4)
		switch {
		case math.IsInf(l.High, 1):
			out = append(out, title+" ≥ "+low)
		case math.IsInf(l.Low, -1):
			out = append(out, title+" ≤ "+high)
		default:
			out = append(out, fmt.Sprintf("%s %s–%s", title, low, high))
		}
	}
	return out
}

// describe lists the limits that describe them best; a click makes a population of one.
func (p *explained) describe(x *explanation) {
	u := p.desk.UI
	u.Space(4)
	u.SplitNote("Limits that tell them best", "F1")
	for i, e := range x.limits {
		tip := fmt.Sprintf("%s\n%s points are within: %.1f %% of them are these (precision), and %.1f %% of these are "+
			"there (recall).\nA click makes a population of the limits.", strings.Join(x.words(e), ", "),
			widget.Grouped(e.Within), 100*e.Precision, 100*e.Recall)
		clicked, note := false, fmt.Sprintf("%.3f", e.F1)
		for k, limit := range x.words(e) {
			if k > 0 {
				limit, note = "and "+limit, ""
			}
			clicked = u.Row(fmt.Sprintf("%s##limits%d.%d", limit, i, k), widget.RowOpts{Height: 23, Note: note,
				Tip: tip}).Clicked || clicked
		}
		if clicked {
			parent := population.ID(0)
			if up, ok := parts.Populations.Of(p.desk.Doc.State()).Find(p.desk.Stage.Scene.Gating.Chosen); ok &&
				p.desk.Stage.Selected().Empty() {
				parent = up.Parent
			}
			naming.FromLimits(p.desk, x.limitsOf(e), parent)
		}
	}
}

// shownDifferences is how many columns are listed.
const shownDifferences = 10

// differences lists the columns that set them apart the most; a click colours by one.
func (p *explained) differences(x *explanation) {
	u := p.desk.UI
	u.Space(6)
	u.SplitNote("What sets them apart", "median, others'")
	for _, a := range x.apart[:min(len(x.apart), shownDifferences)] {
		sign := "+"
		if a.Above < 0.5 {
			sign = "−"
		}
		mine, others := x.raw[a.Column](a.A), x.raw[a.Column](a.B)
		note := widget.FigureOf(mine, 3) + "   " + widget.FigureOf(others, 3)
		tip := fmt.Sprintf("%s: in %.1f %% of pairs one of these is above one of the others.\nMedians %s and %s, %.1f "+
			"spreads apart. A click colours by it.", x.titles[a.Column], 100*a.Above, widget.FigureOf(mine, 4),
			widget.FigureOf(others, 4), a.Shifted)
		if u.Row(fmt.Sprintf("%s %s##apart%d", x.titles[a.Column], sign, a.Column), widget.RowOpts{Height: 23,
			Note: note,
			Tip:  tip}).Clicked {
			p.desk.ColourBy(x.columns[a.Column])
		}
	}
}

// likeness names the populations that are the most like them.
func (p *explained) likeness(x *explanation) {
	if len(x.like) == 0 {
		return
	}
	u := p.desk.UI
	var names []string
	for _, l := range x.like[:min(len(x.like), 3)] {
		if l.Distance == l.Distance {
			names = append(names, x.others[l.Set])
		}
	}
	if len(names) > 0 {
		u.Space(4)
		u.Wrapped(widget.Small, u.Theme().Muted, "Most like: "+strings.Join(names, ", "))
	}
}
