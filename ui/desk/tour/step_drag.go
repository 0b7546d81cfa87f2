package tour

import (
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/document/parts"
	"blossom/ui/desk"
	"blossom/ui/view"
)

func init() {
	Register(&Step{ID: "drag", Order: 30, Title: "Move the map by hand",
		Words: "The grey dots are landmarks: the map is made of their places. Take the Landmarks tool, drag one that " +
			"lies among cells, and they follow.",
		Keys: "2, Ctrl+A, then the arrows move them",
		At: func(d *desk.Desk) []string {
			if d.Stage.Hand().Tool == view.ToolByID("landmarks") {
				return []string{SpotLandmark, SpotMap}
			}
			return []string{"tools/landmarks"}
		},
		Begin: func(d *desk.Desk) func() bool {
			from := parts.Landmarks.Of(d.Doc.State()).Pos
			return func() bool {
				l := parts.Landmarks.Of(d.Doc.State())
				return l.ByHand && !d.Doc.Open() && !d.Layout().Active() && followed(d, from, l.Pos)
			}
		}})
}

// followed says whether cells went with landmarks that were at some places and are at others now. While nobody knows
// whom they move it says no, and is asked again.
func followed(d *desk.Desk, from, now matrix.Matrix32) bool {
	for i := range now.Rows {
		if (i >= from.Rows || !slices.Equal(from.Row(i), now.Row(i))) && leads(d, i) {
			return true
		}
	}
	return false
}

// ledShare is which part of the cells a landmark moves that has some.
const ledShare = 0.005

// leads says whether a landmark moves cells, as far as that is known.
func leads(d *desk.Desk, landmark int) bool {
	f := d.Map.Influence()
	return f != nil && f.Standing(landmark, 0).Carries >= ledShare
}
