package orders

import (
	"slices"

	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/work/embedding"
	"blossom/ui/desk"
)

// Forming is what else can be done with embeddings of a kind that are runs of r: below another command of the menu
// View, and below those of r.
func Forming(k *embedding.Kind, r *desk.RunKind, view string) []*order {
	return []*order{
		{ID: k.ID + "-view", Menu: "View", Below: view, Title: k.Title + " beside",
			Help: "Show a " + k.Title + " of the points in a view beside the active one", Icon: assets.IconPanelRight,
			Run: func(d *desk.Desk) {
				d.ShowBeside(embedding.Recipe{Kind: k.ID, Dims: 2})
				d.Window.Reveal(k.ID)
			}},
		{ID: k.ID + "-landmarks", Menu: "Model", Below: r.Again.ID, Title: k.Title + " map as landmarks",
			Help: "Put landmarks where the " + k.Title +
				" in sight has their points: EmbedSOM then places all points in its picture",
			Icon:    assets.IconCircleDot,
			Enabled: func(d *desk.Desk) bool { return len(r.InSight(d)) > 0 },
			Run: func(d *desk.Desk) {
				_, e := d.RunningView(k.ID)
				if err := landmarksFrom(d, e); err != nil {
					d.Window.Fail(err)
				}
			}},
	}
}

// broughtCommands are of maps that the file brings.
var broughtCommands = []*order{
	{ID: "brought-landmarks", Menu: "Model", Below: "grid", Title: "Points of the file as landmarks",
		Also: "umap t-sne coordinates X_umap obsm start of landmarks from the file",
		Help: "Put landmarks where the file has their points, as the active view shows it: EmbedSOM then places all " +
			"points " +
			"in that picture",
		Icon: assets.IconCircleDot, Enabled: func(d *desk.Desk) bool { return brought(d) != nil },
		Run: func(d *desk.Desk) {
			if err := landmarksFrom(d, brought(d)); err != nil {
				d.Window.Fail(err)
			}
		}},
}

// brought is the embedding of the active view, where that is one that the file brings; else nil.
func brought(d *desk.Desk) *live.Embedding {
	v := d.Stage.Scatter()
	if v == nil || v.Field() == nil {
		return nil
	}
	recipes, _ := embedding.Brought(d.Doc.Data)
	if !slices.ContainsFunc(recipes, v.View.State().Recipe.Equal) {
		return nil
	}
	return v.Field()
}

// landmarksFrom makes landmarks of an embedding in sight.
func landmarksFrom(d *desk.Desk, e *live.Embedding) error {
	if e.Runs() {
		e.Pause()
	}
	m := d.Map
	g := d.Placed
	if g == 0 {
		g = parts.Landmarks.Of(d.Doc.State()).Len()
	}
	hand := d.Stage.Hand()
	return d.LandmarksFrom(e, g, func() {
		if m.Values.Closed() {
			return
		}
		hand.Cancel()
		hand.Landmarks.Selected, hand.Hover = nil, -1
		fitLandmarks(d)
		title, _ := e.Label()
		d.Window.Say("landmarks lie where " + title + " has their points")
	})
}
