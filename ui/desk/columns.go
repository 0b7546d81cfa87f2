package desk

import (
	"blossom/model/dataset"
	"blossom/model/parts"
	"blossom/model/state"
	"blossom/model/transform"
)

// Spec is the transform of the map.
func (d *Desk) Spec() transform.Spec { return parts.Transform.Of(d.Doc.State()) }

// Respec changes the transform as one entry of the history, unless the result makes no sense; then it says why.
func (d *Desk) Respec(name string, change func(*transform.Spec)) {
	spec := d.Spec().Clone()
	change(&spec)
	if err := spec.Validate(d.Doc.Data); err != nil {
		d.Window.Fail(err)
		return
	}
	d.Doc.Do(name, func(s *state.State) { parts.Transform.Put(s, spec) })
}

// RoleWord names a role in the words of the field that the data is from.
func (d *Desk) RoleWord(r dataset.Role) string {
	if r == dataset.Marker {
		return d.Doc.Data.ColumnWord()
	}
	return r.String()
}
