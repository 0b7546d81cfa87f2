package documents

import (
	"slices"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/ui/desk"
)

// without offers to take back what a table begins with by itself beside the transforms of its columns: matrix ops, and
// scaling.
func (d *Documents) without(doc *state.Document) []desk.Action {
	var out []desk.Action
	for _, m := range parts.Transform.Of(doc.State()).Mixes {
		o := transform.MatrixByID(m.Op)
		if o == nil || o.Off == "" {
			continue
		}
		out = append(out, desk.Action{Label: o.Off, Do: func() {
			if d.w.Desk() == nil || d.w.Desk().Doc != doc {
				return
			}
			d.w.Desk().Respec(o.Title+": off", func(s *transform.Spec) {
				if m.Compensates() {
					*s = s.WithCompensation(doc.Data, transform.Mix{})
					return
				}
				s.Mixes = slices.DeleteFunc(s.Mixes, func(x transform.Mix) bool { return x.Op == o.ID })
			})
		}})
	}
	if parts.Transform.Of(doc.State()).Scale {
		out = append(out, desk.Action{Label: "Do not scale", Do: func() {
			if d.w.Desk() != nil && d.w.Desk().Doc == doc {
				d.w.Desk().Respec("Do not scale", func(s *transform.Spec) { s.Scale, s.Robust = false, false })
			}
		}})
	}
	return out
}
