package ui

import (
	"slices"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// without offers to take back what a table begins with by itself beside the transforms of its columns: matrix ops, and
// scaling.
func (a *App) without(d *state.Document) []action {
	var out []action
	for _, m := range parts.Transform.Of(d.State()).Mixes {
		o := transform.MatrixByID(m.Op)
		if o == nil || o.Off == "" {
			continue
		}
		out = append(out, action{o.Off, func() {
			if a.desk == nil || a.desk.Doc != d {
				return
			}
			a.desk.Respec(o.Title+": off", func(s *transform.Spec) {
				s.Mixes = slices.DeleteFunc(s.Mixes, func(x transform.Mix) bool { return x.Op == o.ID })
			})
		}})
	}
	if parts.Transform.Of(d.State()).Scale {
		out = append(out, action{"Do not scale", func() {
			if a.desk != nil && a.desk.Doc == d {
				a.desk.Respec("Do not scale", func(s *transform.Spec) { s.Scale, s.Robust = false, false })
			}
		}})
	}
	return out
}
