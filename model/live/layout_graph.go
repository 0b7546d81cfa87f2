package live

import (
	"blossom/model/graph"
	"blossom/model/revision"
)

// Graph is empty for now.
func (m *Map) Graph() (graph.Graph, revision.Revision, bool) { return graph.Graph{}, 1, true }
