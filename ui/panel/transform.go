package panel

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "transform", Title: "Transform",
		Also: "scale asinh logicle log cofactor weight compensation spillover gaps missing",
		Key:  "Alt+T", Order: 30, Closed: true,
		Help: "How raw columns become the points of the map: scales, weights",
		New:  func(d *desk.Desk) Panel { return &transforms{desk: d} }})
}

type transforms struct {
	desk  *desk.Desk
	items []widget.ComboItem
	of    revision.Revision // the data that items list

	mixes   map[transform.ID]transform.Suggestion // suggestions of matrix ops for the data
	mixesOf [2]revision.Revision                  // this data, and the matrix that is switched off

	shown distribution
	share spreadShare

	mixing bool // the weights of all columns are shown
}

// spreadShare is who holds the spread of the columns of the map.
type spreadShare struct {
	data, spec revision.Revision
	text       string
	few        bool
}

// Note says what the columns of the map are transformed by.
func (p *transforms) Note() string {
	spec := parts.Transform.Of(p.desk.Doc.State())
	text := ""
	for _, i := range spec.MapColumns() {
		switch t := spec.Columns[i].Text(); {
		case text == "":
			text = t
		case text != t:
			return "several"
		}
	}
	return text
}

func (p *transforms) Draw() {
	data, s := p.desk.Doc.Data, p.desk.Doc.State()
	if p.desk.Subject > len(data.Columns) {
		p.desk.Subject = 0
	}
	// The first choice is all columns of the map, then each by itself.
	if p.items == nil || p.of != data.Rev {
		p.items, p.of = make([]widget.ComboItem, 1, len(data.Columns)+1), data.Rev
		for i := range data.Columns {
			p.items = append(p.items, widget.ComboItem{Name: data.Columns[i].Title()})
		}
	}
	p.items[0].Name = fmt.Sprintf("All %d columns of the map", len(parts.Transform.Of(s).MapColumns()))
	p.mixSwitches(data, parts.Transform.Of(s))
	p.desk.UI.Combo("##columns", p.items, &p.desk.Subject, widget.ComboOpts{Tip: "What the settings below apply to"})
	p.desk.UI.Space(4)

	which := []int{p.desk.Subject - 1}
	if p.desk.Subject == 0 {
		which = parts.Transform.Of(s).MapColumns()
	}
	now := parts.Transform.Of(s).Columns[which[0]]
	mixed := false
	for _, i := range which {
		c := parts.Transform.Of(s).Columns[i]
		mixed = mixed || c.With(now.Op, now.Params) != c || c.Weight != now.Weight
	}
	p.shown.draw(p.desk, p.sampled(which))
	if op := p.op(now.Op); op != nil {
		suggested := transform.Default(data)
		p.desk.Respec("Transform to "+op.Title, func(spec *transform.Spec) {
			for _, i := range which {
				to := op.Defaults()
				if d := suggested.Columns[i]; d.Op == op.ID {
					to = d.Params
				}
				spec.Columns[i] = spec.Columns[i].With(op.ID, to)
			}
			*spec = spec.WithLinear(data, which)
		})
	}
	p.desk.UI.Space(4)
	if mixed {
		p.desk.UI.Note("These columns differ; a change here makes them alike.")
		p.desk.UI.Space(2)
	}
	p.operation(which, now)
	w := now.Weight
	e := p.desk.UI.Slider("Weight", &w, widget.Param{Min: 0, Max: 5, Default: 1, Format: "%.2f"},
		"How much the column counts in the map. Raising it makes differences in it larger; 0 takes it out.")
	p.set("Weight", e, which, func(c *transform.Column) { c.Weight = w })

	p.mix()
	p.scale()
}

// set takes an edit of some columns over into the document.
func (p *transforms) set(name string, e widget.Edit, which []int, change func(*transform.Column)) {
	p.desk.Change(name, e, func(s *state.State) {
		spec := parts.Transform.Of(*s).Clone()
		for _, i := range which {
			change(&spec.Columns[i])
		}
		if weightless(spec) {
			p.desk.Window.Say("all weights are 0: then there is no map")
			return
		}
		if spec.Validate(p.desk.Doc.Data) == nil {
			parts.Transform.Put(s, spec)
		}
	})
}

// operation draws what the transform of some columns takes.
func (p *transforms) operation(which []int, now transform.Column) {
	op := transform.ByID(now.Op)
	if op == nil {
		return
	}
	if len(op.Params) != 1 || op.Params[0].Auto { // else its row says it all
		p.desk.UI.Wrapped(widget.Small, p.desk.UI.Theme().Muted, op.Help)
	}
	for i, x := range op.Params {
		name := x.Title
		if len(op.Params) > 1 {
			name = op.Title + " " + strings.ToLower(x.Title)
		}
		v := now.Params[i]
		e := p.param(x, &v)
		p.set(name, e, which, func(c *transform.Column) {
			if c.Op == op.ID {
				c.Params[i] = v
			}
		})
	}
}

// sampled is the column whose values are shown: that of the colours if it is one of which, else the first.
func (p *transforms) sampled(which []int) int {
	name := p.desk.Look().Column
	for _, i := range which {
		if p.desk.Doc.Data.Columns[i].Name == name {
			return i
		}
	}
	return which[0]
}

// scale draws the choice of how columns are made comparable, and why it is as it is.
func (p *transforms) scale() {
	spec := p.desk.Spec()
	i := 0
	switch {
	case spec.Scale && spec.Robust:
		i = 1
	case spec.Scale:
		i = 2
	}
	p.desk.UI.Muted("Scale")
	if p.desk.UI.Segmented("##scale", []string{"None", "Robust", "Deviation"}, &i,
		"None: columns count by their spread.\nRobust: each is divided by its deviation without the outermost 1 % of "+
			"its values, so that all count alike.\nDeviation: divided by the deviation of all values.") {
		name := []string{"Do not scale", "Scale to unit deviation, robust", "Scale to unit deviation"}[i]
		p.desk.Respec(name, func(s *transform.Spec) { s.Scale, s.Robust = i > 0, i == 1 })
	}
	u := p.desk.UI
	switch share := p.spread(spec); {
	case share.few && spec.Scale:
		u.Wrapped(widget.Small, u.Theme().Muted, "Scaled because "+share.text+".")
	case share.few:
		u.Wrapped(widget.Small, u.Theme().Warning,
			share.text+" and makes the map almost alone, unless columns are scaled.")
	}
}

// spread says who holds the spread of the columns of the map.
func (p *transforms) spread(spec transform.Spec) spreadShare {
	data, rev := p.desk.Doc.Data, parts.Transform.Rev(p.desk.Doc.State())
	if x := &p.share; x.data != data.Rev || x.spec != rev {
		share, few := transform.WantsScale(data, spec, spec.MapColumns())
		*x = spreadShare{data.Rev, rev, "", few}
		if few {
			x.text = share.Text(data)
		}
	}
	return p.share
}

// op draws the choice of the op and returns another that was chosen, else nil. As many as fit stand side by
// side, more are a list.
func (p *transforms) op(now transform.ID) *transform.Op {
	ops := transform.Ops()
	if o := transform.ByID(now); o != nil && o.Former { // not offered, but there
		ops = append(ops, o)
	}
	var titles, help []string
	chosen := -1
	for i, o := range ops {
		titles, help = append(titles, o.Title), append(help, o.Title+": "+o.Help)
		if o.ID == now {
			chosen = i
		}
	}
	tip, changed := strings.Join(help, "\n"), false
	if len(ops) <= 5 {
		changed = p.desk.UI.Segmented("Transform", titles, &chosen, tip)
	} else {
		changed = p.desk.UI.Combo("Transform", widget.Items(titles...), &chosen, widget.ComboOpts{Tip: tip})
	}
	if !changed {
		return nil
	}
	return ops[chosen]
}

// param draws the row of a number of an op, made from its description.
func (p *transforms) param(x transform.Param, v *float64) widget.Edit {
	if len(x.Choices) > 0 {
		i := min(max(int(*v), 0), len(x.Choices)-1)
		changed := p.desk.UI.Segmented(x.Title, x.Choices, &i, x.Help)
		if changed {
			*v = float64(i)
		}
		return widget.Edit{Changed: changed, Committed: changed}
	}
	// A value that a file has set stays possible, however far out.
	w := widget.Param{Min: x.Min, Max: x.Max, Default: x.Default, Log: x.Log, Integer: x.Integer}
	if x.Auto {
		w.Zero, w.Special = transform.Auto, x.AutoAt
	}
	if !x.Auto || *v != x.AutoAt {
		w.Min, w.Max = min(x.Min, *v), max(x.Max, *v)
	}
	if x.Typed {
		return p.desk.UI.NumberField(x.Title, v, w, x.Help)
	}
	return p.desk.UI.Slider(x.Title, v, w, x.Help)
}

// mixSwitches draws a switch for each matrix op that the data suggests, or that the map has, and what the data says
// of it.
func (p *transforms) mixSwitches(data *dataset.Dataset, spec transform.Spec) {
	off := parts.SwitchedOff.Rev(p.desk.Doc.State())
	if p.mixes == nil || p.mixesOf != [2]revision.Revision{data.Rev, off} {
		p.mixes, p.mixesOf = map[transform.ID]transform.Suggestion{}, [2]revision.Revision{data.Rev, off}
		for _, o := range transform.MatrixOps() {
			if o.Suggest != nil {
				p.mixes[o.ID] = o.Suggest(data)
			}
		}
		if m := parts.SwitchedOff.Of(p.desk.Doc.State()); m.Op != transform.None {
			p.mixes[m.Op] = transform.Suggestion{Mix: m}
		}
	}
	u := p.desk.UI
	for _, ways := range p.choices(spec) {
		first := p.mixes[ways[0].ID]
		at := slices.IndexFunc(spec.Mixes, func(m transform.Mix) bool { return slices.Contains(idsOf(ways), m.Op) })
		if !first.Any() && at < 0 {
			if ink := u.Theme().Warning; first.Said != "" {
				if first.Needless {
					ink = u.Theme().Muted
				}
				u.Wrapped(widget.Small, ink, sentence(first.Said))
				u.Space(4)
			}
			continue
		}
		p.mixChoice(ways, spec, at)
		switch {
		case first.Said != "" && first.On == (at >= 0) && (at < 0 || !first.Mix.Compensates() ||
			spec.Mixes[at].Equal(first.Mix)):
			u.Wrapped(widget.Small, u.Theme().Muted, sentence(first.Said))
		case at >= 0:
			u.Wrapped(widget.Small, u.Theme().Muted, sentence(spec.Mixes[at].Says()))
		case first.Any():
			u.Wrapped(widget.Small, u.Theme().Muted,
				fmt.Sprintf("Off: there is a matrix of %d detectors.", len(first.Mix.Changed())))
		}
		if (transform.Mix{Op: ways[0].ID}).Compensates() {
			p.matrix()
		}
		u.Space(6)
	}
}

// matrix offers to show the matrix of compensation.
func (p *transforms) matrix() {
	u, c := p.desk.UI, p.desk.Window.Command("dock-compensation")
	u.Space(2)
	if u.Button("Matrix…##matrix", widget.ButtonOpts{Tip: c.Tip, Disabled: !c.Can}) {
		c.Run()
	}
}

// choices are the matrix ops by what is chosen: those with the same title that the data suggests, or that the map has,
// are the ways of one choice. One that is not to be had stands alone.
func (p *transforms) choices(spec transform.Spec) (all [][]*transform.MatrixOp) {
	for _, o := range transform.MatrixOps() {
		if o.Off == "" {
			continue // it follows from the transforms of columns
		}
		on := slices.ContainsFunc(spec.Mixes, func(m transform.Mix) bool { return m.Op == o.ID })
		last := len(all) - 1
		if last >= 0 && o.Way != "" && all[last][0].Title == o.Title && (on || p.mixes[o.ID].Any()) {
			all[last] = append(all[last], o)
		} else {
			all = append(all, []*transform.MatrixOp{o})
		}
	}
	return all
}

func idsOf(ways []*transform.MatrixOp) (ids []transform.ID) {
	for _, o := range ways {
		ids = append(ids, o.ID)
	}
	return ids
}

// mixChoice draws a switch for one matrix op, and off and a button for each where there are several ways. at is where
// the one that is on stands in the mixes, -1 if none is.
func (p *transforms) mixChoice(ways []*transform.MatrixOp, spec transform.Spec, at int) {
	u, title := p.desk.UI, ways[0].Title
	chosen := 0 // 0: off
	if at >= 0 {
		chosen = 1 + slices.Index(idsOf(ways), spec.Mixes[at].Op)
	}
	names, help := []string{"Off"}, ways[0].Off+"."
	for _, o := range ways {
		names, help = append(names, o.Way), help+"\n"+o.Way+": "+o.Help
	}
	changed := false
	if len(ways) == 1 {
		on := chosen > 0
		changed = u.Switch(title, &on, ways[0].Help)
		chosen = 0
		if on {
			chosen = 1
		}
	} else {
		changed = u.Segmented(title, names, &chosen, help)
	}
	if !changed {
		return
	}
	words := title + ": off"
	if chosen > 0 {
		words = title
		if len(ways) > 1 {
			words += ": " + strings.ToLower(names[chosen])
		}
	}
	p.desk.Respec(words, func(spec *transform.Spec) {
		if m := (transform.Mix{Op: ways[0].ID}); m.Compensates() {
			if m = (transform.Mix{}); chosen > 0 {
				m = p.mixes[ways[chosen-1].ID].Mix
			}
			*spec = spec.WithCompensation(p.desk.Doc.Data, m)
			return
		}
		spec.Mixes = slices.DeleteFunc(spec.Mixes, func(m transform.Mix) bool {
			return slices.Contains(idsOf(ways), m.Op)
		})
		if chosen > 0 {
			spec.Mixes = append([]transform.Mix{p.mixes[ways[chosen-1].ID].Mix}, spec.Mixes...)
		}
	})
}

// weightless says whether no column of the map counts.
func weightless(spec transform.Spec) bool {
	for _, i := range spec.MapColumns() {
		if spec.Columns[i].Weight > 0 {
			return false
		}
	}
	return true
}

// sentence begins a remark with a capital and ends it.
func sentence(s string) string {
	r := []rune(s)
	return strings.ToUpper(string(r[:1])) + string(r[1:]) + "."
}
