package ui

import (
	"fmt"

	"blossom/model"
	"blossom/model/revision"
	"blossom/model/transform"
	"blossom/render/colour"
	"blossom/ui/widget"
)

// transformForm is what the Transform panel keeps between frames.
type transformForm struct {
	which int // 0: all columns of the map, else 1 + the column
	items []widget.ComboItem
	of    revision.Revision // the data that items list
}

var kindTitles = []string{"None", "Linear", "Asinh", "Log"}

func (a *App) transformNote() string {
	spec := a.m.Doc.State().Transform
	text := ""
	for _, i := range spec.MapColumns() {
		switch t := colour.TransformText(spec.Columns[i]); {
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
	f.items[0].Name = fmt.Sprintf("All %d columns of the map", len(s.Transform.MapColumns()))
	a.ui.Combo("##columns", f.items, &f.which, widget.ComboOpts{Tip: "What the settings below apply to"})
	a.ui.Space(4)

	which := []int{f.which - 1}
	if f.which == 0 {
		which = s.Transform.MapColumns()
	}
	now := s.Transform.Columns[which[0]]
	mixed := false
	for _, i := range which {
		c := s.Transform.Columns[i]
		mixed = mixed || c.Kind != now.Kind || c.Cofactor != now.Cofactor || c.A != now.A || c.B != now.B ||
			c.Weight != now.Weight
	}
	kind := int(now.Kind)
	if a.ui.Segmented("Transform", kindTitles, &kind, "asinh for cytometry, log for counts, linear to calibrate") {
		a.respec("Transform to "+kindTitles[kind], func(spec *transform.Spec) {
			for _, i := range which {
				c := &spec.Columns[i]
				c.Kind = transform.Kind(kind)
				if c.Kind == transform.Asinh && !(c.Cofactor > 0) {
					c.Cofactor = transform.FluorescenceCofactor
				}
				if c.Kind == transform.Linear && c.A == 0 {
					c.A = 1
				}
			}
		})
	}
	a.ui.Space(4)
	if mixed {
		a.ui.Note("These columns differ; a change here makes them alike.")
		a.ui.Space(2)
	}
	set := func(name string, e widget.Edit, change func(*transform.Column)) {
		a.change(name, e, func(s *model.State) {
			spec := s.Transform.Clone()
			for _, i := range which {
				change(&spec.Columns[i])
			}
			if weightless(spec) {
				a.say("all weights are 0: then there is no map")
				return
			}
			if spec.Validate(a.m.Doc.Data) == nil {
				s.Transform, s.TransformRev = spec, revision.Next()
			}
		})
	}
	switch now.Kind {
	case transform.Asinh:
		v := now.Cofactor
		e := a.ui.Slider("Cofactor", &v, widget.Param{Min: 0.1, Max: 10000, Default: transform.FluorescenceCofactor,
			Log: true},
			"asinh(x / cofactor): values below the cofactor are shown evenly, those above on a log scale. Raising "+
				"it hides noise around zero. 150 suits fluorescence, 5 mass cytometry.")
		set("Cofactor", e, func(c *transform.Column) { c.Cofactor = v })
	case transform.Linear:
		v := now.A
		e := a.ui.NumberField("Factor", &v, widget.Param{Min: -1e9, Max: 1e9, Default: 1}, "a in a·x + b")
		set("Linear factor", e, func(c *transform.Column) {
			if v != 0 {
				c.A = v
			}
		})
		b := now.B
		e = a.ui.NumberField("Offset", &b, widget.Param{Min: -1e12, Max: 1e12}, "b in a·x + b")
		set("Linear offset", e, func(c *transform.Column) { c.B = b })
	case transform.Log:
		a.ui.Wrapped(widget.Small, a.ui.Theme().Muted, "log10; values at or below zero count as the smallest above it.")
	}
	w := now.Weight
	e := a.ui.Slider("Weight", &w, widget.Param{Min: 0, Max: 5, Default: 1, Format: "%.2f"},
		"How much the column counts in the map. Raising it makes differences in it larger; 0 takes it out.")
	set("Weight", e, func(c *transform.Column) { c.Weight = w })

	scale := s.Transform.Scale
	if a.ui.Switch("Scale to unit deviation", &scale,
		"Divide every column by its deviation, so that all count alike whatever their range") {
		a.respec("Scale to unit deviation", func(spec *transform.Spec) { spec.Scale = scale })
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
