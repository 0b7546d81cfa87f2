package ui

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/dataset"
	"blossom/model/parts"
	"blossom/model/revision"
	"blossom/model/state"
	"blossom/model/transform"
	"blossom/ui/widget"
)

// transformForm is what the Transform panel keeps between frames.
type transformForm struct {
	which int // 0: all columns of the map, else 1 + the column
	items []widget.ComboItem
	of    revision.Revision // the data that items list

	mixes   map[transform.ID]transform.Mix // what matrix ops suggest
	mixesOf revision.Revision              // for this data
}

func (a *App) transformNote() string {
	spec := parts.Transform.Of(a.m.Doc.State())
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

func (a *App) transformPanel() {
	data, s := a.m.Doc.Data, a.m.Doc.State()
	f := &a.transform
	if f.which > len(data.Columns) {
		f.which = 0
	}
	// The first choice is all columns of the map, then each by itself.
	if f.items == nil || f.of != data.Rev {
		f.items, f.of = make([]widget.ComboItem, 1, len(data.Columns)+1), data.Rev
		for i := range data.Columns {
			f.items = append(f.items, widget.ComboItem{Name: data.Columns[i].Title()})
		}
	}
	f.items[0].Name = fmt.Sprintf("All %d columns of the map", len(parts.Transform.Of(s).MapColumns()))
	a.ui.Combo("##columns", f.items, &f.which, widget.ComboOpts{Tip: "What the settings below apply to"})
	a.ui.Space(4)

	which := []int{f.which - 1}
	if f.which == 0 {
		which = parts.Transform.Of(s).MapColumns()
	}
	now := parts.Transform.Of(s).Columns[which[0]]
	mixed := false
	for _, i := range which {
		c := parts.Transform.Of(s).Columns[i]
		mixed = mixed || c.With(now.Op, now.Params) != c || c.Weight != now.Weight
	}
	if op := a.opChoice(now.Op); op != nil {
		suggested := transform.Default(data)
		a.respec("Transform to "+op.Title, func(spec *transform.Spec) {
			for _, i := range which {
				p := op.Defaults()
				if d := suggested.Columns[i]; d.Op == op.ID {
					p = d.Params
				}
				spec.Columns[i] = spec.Columns[i].With(op.ID, p)
			}
		})
	}
	a.ui.Space(4)
	if mixed {
		a.ui.Note("These columns differ; a change here makes them alike.")
		a.ui.Space(2)
	}
	set := func(name string, e widget.Edit, change func(*transform.Column)) {
		a.change(name, e, func(s *state.State) {
			spec := parts.Transform.Of(*s).Clone()
			for _, i := range which {
				change(&spec.Columns[i])
			}
			if weightless(spec) {
				a.say("all weights are 0: then there is no map")
				return
			}
			if spec.Validate(a.m.Doc.Data) == nil {
				parts.Transform.Put(s, spec)
			}
		})
	}
	if op := transform.ByID(now.Op); op != nil {
		if len(op.Params) != 1 || op.Params[0].Auto { // else its row says it all
			a.ui.Wrapped(widget.Small, a.ui.Theme().Muted, op.Help)
		}
		for i, p := range op.Params {
			name := p.Title
			if len(op.Params) > 1 {
				name = op.Title + " " + strings.ToLower(p.Title)
			}
			v := now.Params[i]
			e := a.opParam(p, &v)
			set(name, e, func(c *transform.Column) {
				if c.Op == op.ID {
					c.Params[i] = v
				}
			})
		}
	}
	w := now.Weight
	e := a.ui.Slider("Weight", &w, widget.Param{Min: 0, Max: 5, Default: 1, Format: "%.2f"},
		"How much the column counts in the map. Raising it makes differences in it larger; 0 takes it out.")
	set("Weight", e, func(c *transform.Column) { c.Weight = w })

	scale := parts.Transform.Of(s).Scale
	if a.ui.Switch("Scale to unit deviation", &scale,
		"Divide every column by its deviation, so that all count alike whatever their range") {
		a.respec("Scale to unit deviation", func(spec *transform.Spec) { spec.Scale = scale })
	}
	a.mixSwitches(data, parts.Transform.Of(s))
}

// opChoice draws the choice of the op and returns another that was chosen, else nil. As many as fit stand side by
// side, more are a list.
func (a *App) opChoice(now transform.ID) *transform.Op {
	ops := transform.Ops()
	var titles, help []string
	chosen := -1
	for i, o := range ops {
		titles, help = append(titles, o.Title), append(help, o.Title+": "+o.Help)
		if o.ID == now {
			chosen = i
		}
	}
	tip, changed := strings.Join(help, "\n"), false
	if len(ops) <= 4 {
		changed = a.ui.Segmented("Transform", titles, &chosen, tip)
	} else {
		changed = a.ui.Combo("Transform", widget.Items(titles...), &chosen, widget.ComboOpts{Tip: tip})
	}
	if !changed {
		return nil
	}
	return ops[chosen]
}

// opParam draws the row of a number of an op, made from its description.
func (a *App) opParam(p transform.Param, v *float64) widget.Edit {
	if len(p.Choices) > 0 {
		i := min(max(int(*v), 0), len(p.Choices)-1)
		changed := a.ui.Segmented(p.Title, p.Choices, &i, p.Help)
		if changed {
			*v = float64(i)
		}
		return widget.Edit{Changed: changed, Committed: changed}
	}
	// What a file has set stays possible, however far out.
	w := widget.Param{Min: min(p.Min, *v), Max: max(p.Max, *v), Default: p.Default, Log: p.Log, Integer: p.Integer}
	if p.Auto {
		w.Zero = "auto"
	}
	if p.Typed {
		return a.ui.NumberField(p.Title, v, w, p.Help)
	}
	return a.ui.Slider(p.Title, v, w, p.Help)
}

// mixSwitches draws a switch for each matrix op that the data suggests, or that the map has.
func (a *App) mixSwitches(data *dataset.Dataset, spec transform.Spec) {
	if a.transform.mixes == nil || a.transform.mixesOf != data.Rev {
		a.transform.mixes, a.transform.mixesOf = map[transform.ID]transform.Mix{}, data.Rev
		for _, o := range transform.MatrixOps() {
			if o.Suggest != nil {
				if m, ok := o.Suggest(data); ok {
					a.transform.mixes[o.ID] = m
				}
			}
		}
	}
	for _, o := range transform.MatrixOps() {
		suggested, ok := a.transform.mixes[o.ID]
		on := slices.ContainsFunc(spec.Mixes, func(m transform.Mix) bool { return m.Op == o.ID })
		if !ok && !on || !a.ui.Switch(o.Title, &on, o.Help) {
			continue
		}
		a.respec(o.Title, func(spec *transform.Spec) {
			spec.Mixes = slices.DeleteFunc(spec.Mixes, func(m transform.Mix) bool { return m.Op == o.ID })
			if on {
				spec.Mixes = append(spec.Mixes, suggested)
			}
		})
	}
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
