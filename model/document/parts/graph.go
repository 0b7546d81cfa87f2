package parts

import (
	"encoding/json"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/document/state"
	"blossom/model/landmarks/graph"
)

// When edges are drawn over a view.
const (
	EdgesWithTools = ""       // while landmarks are worked on
	EdgesAlways    = "always" // wherever landmarks are shown
	EdgesNever     = "never"
)

// GraphChoice is the graph over the landmarks, and what of it is drawn over views.
type GraphChoice struct {
	graph.Choice
	// Edges says when edges are drawn: EdgesWithTools, EdgesAlways or EdgesNever.
	Edges string `json:"edges,omitempty"`
	// Shade: cells behind the points show how far landmarks are from those that they are joined to (a U-matrix).
	Shade bool `json:"shade,omitempty"`
}

// Graph is the graph over the landmarks. What is done to edges by hand is of the landmarks.
var Graph = state.Register(state.Kind[GraphChoice]{
	ID: "graph", Title: "Graph", Version: 1,
	Default: func() GraphChoice { return GraphChoice{Choice: graph.Default()} },
	Equal: func(a, b GraphChoice) bool {
		return a.Choice.Equal(b.Choice) && a.Edges == b.Edges && a.Shade == b.Shade
	},
	Encode: encode[GraphChoice],
	Decode: func(raw json.RawMessage, _ int, c state.Context) (GraphChoice, error) {
		var g GraphChoice
		if err := decode(raw, "the graph", &g); err != nil {
			return g, err
		}
		if _, ok := graph.ByID(g.Kind); !ok {
			return g, problem.New(c.File, "choose another in the Layout panel", "there is no graph named %q here",
				g.Kind)
		}
		if !slices.Contains([]string{EdgesWithTools, EdgesAlways, EdgesNever}, g.Edges) {
			g.Edges = EdgesWithTools
		}
		return g, nil
	},
})
