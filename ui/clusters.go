package ui

import (
	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/cluster"
)

func init() {
	registerCommand(command{id: "cluster", menu: "Model", below: "layout-again", title: "Cluster the points",
		help: "Single linkage of all points, exactly, beside the window; once more pauses it, or goes on",
		also: "dendrogram hierarchy tree hdbscan single linkage", keys: []string{"K"}, icon: assets.IconNetwork,
		rule: true, enabled: hasMap, run: (*App).toggleClusters})
	registerCommand(command{id: "cluster-landmarks", menu: "Model", below: "cluster", title: "Cluster the landmarks",
		help:    "Single linkage of the landmarks, live in training; points follow their nearest landmark",
		enabled: hasMap, run: (*App).clusterLandmarks})
	registerCommand(command{id: "cluster-snap", menu: "Model", below: "cluster-landmarks", title: "Snap the cut",
		help: "Cut the clusters where their number lasts longest: around the line, then in all",
		enabled: func(a *App) bool {
			return a.desk != nil && a.desk.Clusters().Hierarchy() != nil && !cluster.CutByItself(a.desk)
		},
		run: func(a *App) { cluster.Snap(a.desk) }})
}

// toggleClusters clusters the points, or pauses that.
func (a *App) toggleClusters() {
	c := a.desk.Clusters()
	if on, _, _ := c.Running(); on {
		c.Pause()
		return
	}
	cluster.Points(a.desk)
	a.showPanel("clusters")
}

func (a *App) clusterLandmarks() {
	name := a.desk.ClusterColumn()
	a.desk.Doc.Do("Cluster landmarks", func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Of(true) })
		a.desk.EditLook(s, func(l *parts.Look) { l.Column = name })
	})
	a.showPanel("clusters")
}
