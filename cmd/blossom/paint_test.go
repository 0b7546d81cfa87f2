//go:build cgo && !static

package main

import (
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/document/parts"
	"blossom/model/job"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
)

// Edges and patches of a picture are those that a session has chosen; without a session it has the edges of the net.
func TestEdgesOfAPictureAreThoseOfItsSession(t *testing.T) {
	set := &landmark.Set{Codebook: matrix.New(3, 2), Pos: matrix.New(3, 2), Edges: [][2]int32{{0, 1}}}
	copy(set.Codebook.Data, []float32{0, 0, 1, 0, 0, 2})
	for _, c := range []struct {
		graph        *parts.GraphChoice
		edges, shade bool
	}{
		{nil, true, false},
		{&parts.GraphChoice{Choice: graph.Default()}, false, false},
		{&parts.GraphChoice{Choice: graph.Default(), Edges: parts.EdgesNever}, false, false},
		{&parts.GraphChoice{Choice: graph.Default(), Edges: parts.EdgesAlways}, true, false},
		{&parts.GraphChoice{Choice: graph.Default(), Shade: true}, false, true},
	} {
		p := job.NewPicture()
		p.Landmarks, p.Graph = true, c.graph
		m, err := mapOf(t.Context(), p, &job.Drawn{Landmarks: set}, new(wholes))
		if err != nil {
			t.Fatal(err)
		}
		if plan := planOf(p); plan.Edges != c.edges || plan.Shade != c.shade {
			t.Errorf("%+v: edges %v, patches %v", c.graph, plan.Edges, plan.Shade)
		}
		if has, want := m.Graph != nil, c.graph != nil && (c.edges || c.shade); has != want {
			t.Errorf("%+v: a graph is drawn: %v", c.graph, has)
		}
	}
}
