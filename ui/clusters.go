package ui

import (
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/cluster"
)

func init() {
	commands.Add(&entry{ID: "cluster-landmarks", Menu: "Model", Below: "cluster", Title: "Cluster the landmarks",
		Help:    "Single linkage of the landmarks, live in training; points follow their nearest landmark",
		Enabled: hasMap, Run: (*App).clusterLandmarks})
	commands.Add(&entry{ID: "cluster-snap", Menu: "Model", Below: "cluster-landmarks", Title: "Snap the cut",
		Help: "Cut the clusters where their number lasts longest: around the line, then in all",
		Enabled: func(a *App) bool {
			return a.desk != nil && a.desk.Clusters().Hierarchy() != nil && !cluster.CutByItself(a.desk)
		},
		Run: func(a *App) { cluster.Snap(a.desk) }})
}

func (a *App) clusterLandmarks() {
	name := a.desk.ClusterColumn()
	a.desk.Doc.Do("Cluster landmarks", func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Of(true) })
		a.desk.EditLook(s, func(l *parts.Look) { l.Column = name })
	})
	a.rooms.side.Reveal("clusters")
}
