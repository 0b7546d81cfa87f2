package ui

import (
	"math"

	"blossom/model/embedsom"
	"blossom/model/parts"
	"blossom/model/state"
	"blossom/ui/widget"
)

// change carries what a control did to the document: one entry of the history from press to release.
func (a *App) change(name string, e widget.Edit, change func(*state.State)) {
	if e.Changed {
		if !a.m.Doc.Open() {
			a.m.Doc.Begin(name)
		}
		a.m.Doc.Change(change)
	}
	if e.Committed {
		a.m.Doc.Commit()
	}
}

func (a *App) projectionPanel() {
	s := a.m.Doc.State()
	p, d := parts.Projection.Of(s), embedsom.Defaults()
	g := parts.Landmarks.Of(s).Len()

	k := float64(p.K)
	e := a.ui.Slider("Neighbours", &k, widget.Param{Min: 3, Max: float64(max(3, min(g, 64))), Default: float64(d.K),
		Integer: true},
		"k: how many landmarks place a point. Raising it makes the map smoother and slower; lowering it brings "+
			"out local detail.")
	a.change("Neighbours", e, func(s *state.State) {
		parts.Projection.Edit(s,
			func(p *embedsom.Params) { p.K = int(k) })
	})

	boost := float64(p.Boost)
	e = a.ui.Slider("Boost", &boost, widget.Param{Min: 0.01, Max: 20, Default: float64(d.Boost), Log: true,
		Format: "%.2f"},
		"How much nearer landmarks count for more. Raising it pulls points to their nearest landmark; lowering it "+
			"spreads them.")
	a.change("Boost", e, func(s *state.State) {
		parts.Projection.Edit(s,
			func(p *embedsom.Params) { p.Boost = float32(boost) })
	})

	adjust := float64(p.Adjust)
	e = a.ui.Slider("Adjust", &adjust, widget.Param{Min: 0, Max: 2, Default: float64(d.Adjust), Format: "%.2f"},
		"How much less pairs of landmarks count that lie far apart on the map. Raising it cuts long bridges "+
			"between islands.")
	a.change("Adjust", e, func(s *state.State) {
		parts.Projection.Edit(s, func(p *embedsom.Params) { p.Adjust = float32(adjust) })
	})

	a.ui.LabelValue("Smooth (R package)", formatNumber(-math.Log(boost)-1),
		"The same as boost in the words of the EmbedSOM package of R: boost = exp(-smooth - 1).")
	if int(p.K) > g {
		a.ui.Note("k is limited by the number of landmarks.")
	}
}
