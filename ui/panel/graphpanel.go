package panel

import (
	"blossom/model/graph"
	"blossom/model/parts"
	"blossom/ui/desk"
)

func init() {
	Register(Kind{ID: "graph", Title: "Graph", Order: 59, Closed: true,
		Help: "What joins which of the landmarks: neighbours, spanning tree, edges cut and locked by hand",
		New:  func(d *desk.Desk) Panel { return graphs{d} }})
}

type graphs struct{ *desk.Desk }

// Note says which graph it is.
func (p graphs) Note() string {
	k, _ := graph.ByID(parts.Graph.Of(p.Doc.State()).Kind)
	return k.Title
}

func (p graphs) Draw() { GraphRows(p.Desk) }
