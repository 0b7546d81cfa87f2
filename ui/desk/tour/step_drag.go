package tour

import (
	"slices"

	"blossom/model/document/parts"
	"blossom/ui/desk"
	"blossom/ui/view"
)

func init() {
	Register(&Step{ID: "drag", Order: 30, Title: "Move the map by hand",
		Words: "The grey dots are landmarks: the map is made of their places. Take the Landmarks tool, drag one of " +
			"them, and its cells follow.",
		Keys: "2, Ctrl+A, then the arrows move them",
		At: func(d *desk.Desk) []string {
			if d.Stage.Hand().Tool == view.ToolByID("landmarks") {
				return []string{SpotLandmark, SpotMap}
			}
			return []string{"tools/landmarks"}
		},
		Begin: func(d *desk.Desk) func() bool {
			from := parts.Landmarks.Of(d.Doc.State()).Pos.Data
			return func() bool {
				l := parts.Landmarks.Of(d.Doc.State())
				return l.ByHand && !slices.Equal(l.Pos.Data, from) && !d.Doc.Open() && !d.Layout().Active()
			}
		}})
}
