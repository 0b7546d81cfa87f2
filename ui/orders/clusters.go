package orders

import (
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/naming"
)

// Clusters are those of clusters beside their run, below which they stand.
var Clusters = []*order{
	{ID: "cluster-landmarks", Menu: "Model", Below: "cluster", Title: "Cluster the landmarks",
		Help: "Single linkage of the landmarks, live in training; points follow their nearest landmark",
		Run:  clusterLandmarks},
	{ID: "cluster-snap", Menu: "Model", Below: "cluster-landmarks", Title: "Snap the cut",
		Help:    "Cut the clusters where their number lasts longest: around the line, then in all",
		Enabled: func(d *desk.Desk) bool { return d.Clusters().Hierarchy() != nil && !naming.CutByItself(d) },
		Run:     naming.Snap},
}

func clusterLandmarks(d *desk.Desk) {
	name := d.Naming.Column(d.Doc.Data, "cluster")
	d.Doc.Do("Cluster landmarks", func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.SetTarget(true) })
		d.EditLook(s, func(l *parts.Look) { l.Column = name })
	})
	d.Window.Reveal("clusters")
}
