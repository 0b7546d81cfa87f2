package transform

import (
	"slices"

	"blossom/model/base/matrix"
)

// Measured is what a table took from its data for one column of the map: where a setting leaves that to the data, other
// data gives other numbers, and what was made for the first has to be carried over.
type Measured struct {
	Transform string  `json:"transform"` // text of the setting
	Robust    bool    `json:"robust,omitempty"`
	Params    Params  `json:"params"` // with those that came from the data
	SD        float64 `json:"sd"`     // the deviation that scaling divided by; 0: nothing
}

// Measured returns what t took from its data, for each of its columns.
func (t *Table) Measured() []Measured {
	out := make([]Measured, len(t.Cols))
	for j, c := range t.Cols {
		col := t.Spec.Columns[c]
		out[j] = Measured{Transform: col.File(), Params: t.Funcs[j].Params}
		if t.Spec.Scale && col.SD == 0 {
			out[j].Robust, out[j].SD = t.Spec.Robust, t.SD[j]
		}
	}
	return out
}

// Remeasured returns a codebook that was made where was had been measured in the space of t: was has an entry for each
// column of t, that of the zero value where nothing is known. changed is false where nothing differs.
func (t *Table) Remeasured(was []Measured, code matrix.Matrix32) (out matrix.Matrix32, changed bool) {
	if len(was) != len(t.Cols) || code.Cols != len(t.Cols) {
		return code, false
	}
	now := t.Measured()
	old := *t
	old.Spec = t.Spec.Clone()
	old.Factor, old.Funcs = slices.Clone(t.Factor), slices.Clone(t.Funcs)
	for j, c := range t.Cols {
		if was[j].Transform != now[j].Transform || was[j].Robust != now[j].Robust || was[j] == now[j] {
			continue // a setting of another day says nothing about this one
		}
		changed = true
		old.Factor[j] = factor(old.Spec, c, was[j].SD)
		if was[j].Params != now[j].Params {
			old.Spec.Columns[c].Params = was[j].Params
			old.Funcs[j] = FunctionOf(nil, old.Spec.Columns[c])
		}
	}
	if !changed {
		return code, false
	}
	return Carry(&old, t, code, code), true
}
