package panel

import (
	"fmt"
	"math"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/embedsom"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "projection", Title: "Projection", Key: "Alt+P", Order: 70,
		Help: "How landmarks place the points: neighbours, boost, adjust",
		New:  func(d *desk.Desk) Panel { return projection{d} }})
}

type projection struct{ desk *desk.Desk }

// Note says how many landmarks place a point.
func (p projection) Note() string {
	return fmt.Sprintf("k %d", parts.Projection.Of(p.desk.Doc.State()).K)
}

func (p projection) Draw() {
	u, s := p.desk.UI, p.desk.Doc.State()
	now, d := parts.Projection.Of(s), embedsom.Defaults()
	g := parts.Landmarks.Of(s).Len()

	k := float64(now.K)
	e := u.Slider("Neighbours", &k, widget.Param{Min: 3, Max: float64(max(3, min(g, 64))), Default: float64(d.K),
		Integer: true},
		"k: how many landmarks place a point. Raising it makes the map smoother and slower; lowering it brings "+
			"out local detail.")
	p.desk.Change("Neighbours", e, func(s *state.State) {
		parts.Projection.Edit(s, func(p *embedsom.Params) { p.K = int(k) })
	})

	boost := float64(now.Boost)
	e = u.Slider("Boost", &boost, widget.Param{Min: 0.01, Max: embedsom.MaxBoost, Default: float64(d.Boost), Log: true,
		Format: "%.2f"},
		"How much nearer landmarks count for more. Raising it pulls points to their nearest landmark; lowering it "+
			"spreads them.")
	p.desk.Change("Boost", e, func(s *state.State) {
		parts.Projection.Edit(s, func(p *embedsom.Params) { p.Boost = float32(boost) })
	})

	adjust := float64(now.Adjust)
	e = u.Slider("Adjust", &adjust, widget.Param{Min: 0, Max: 2, Default: float64(d.Adjust), Format: "%.2f"},
		"How much less pairs of landmarks count that lie far apart on the map. Raising it cuts long bridges "+
			"between islands.")
	p.desk.Change("Adjust", e, func(s *state.State) {
		parts.Projection.Edit(s, func(p *embedsom.Params) { p.Adjust = float32(adjust) })
	})

	u.LabelValue("Smooth (R package)", widget.Minus(widget.Figure(-math.Log(boost)-1)),
		"The same as boost in the words of the EmbedSOM package of R: boost = exp(-smooth - 1).")
	if int(now.K) > g {
		u.Note("k is limited by the number of landmarks.")
	}
}
