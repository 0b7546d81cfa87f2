package live

import (
	"slices"
	"testing"

	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
)

func sameGraph(t *testing.T, d *desk, what string) {
	t.Helper()
	want := graph.Of(parts.Graph.Of(d.Doc.State()).Choice, parts.Landmarks.Of(d.Doc.State()))
	got, _, fresh := d.Graph()
	if !fresh || got.N != want.N || !slices.Equal(got.Edges, want.Edges) {
		t.Fatalf("%s: fresh %v, %d edges, not %d", what, fresh, len(got.Edges), len(want.Edges))
	}
}

func TestTheGraphFollowsTheDocument(t *testing.T) {
	d := open(t, "demo:cytometry:2000")
	d.settle(t)
	sameGraph(t, d, "at first")
	_, rev, _ := d.Graph()
	if _, again, _ := d.Graph(); again != rev {
		t.Fatal("another revision of the same graph")
	}

	l := parts.Landmarks.Of(d.Doc.State())
	cut, err := l.EditEdge(int(mustEdge(d).A), int(mustEdge(d).B), landmark.EdgeCut)
	if err != nil {
		t.Fatal(err)
	}
	d.Doc.Do("Cut edge", func(s *state.State) { parts.Landmarks.Put(s, cut) })
	sameGraph(t, d, "an edge cut, at once")
	if _, now, _ := d.Graph(); now == rev {
		t.Fatal("the same revision of another graph")
	}
	d.Doc.Undo()
	sameGraph(t, d, "undone")

	choose := func(c graph.Choice) {
		d.Doc.Do("Graph", func(s *state.State) {
			parts.Graph.Edit(s, func(g *parts.GraphChoice) { g.Choice = c })
		})
	}
	choose(graph.Choice{Kind: "net"})
	sameGraph(t, d, "another kind")
	choose(graph.Choice{Kind: "nearest", Values: step.Values{"k": 5}})
	sameGraph(t, d, "another k")

	// Trained landmarks: the edges of before with their lengths of now, and soon those of now.
	l = parts.Landmarks.Of(d.Doc.State())
	code := l.Codebook.Clone()
	for i := range code.Data {
		code.Data[i] *= float32(1 + i%3)
	}
	trained, err := l.WithCodebook(code)
	if err != nil {
		t.Fatal(err)
	}
	parts.StartTraining(d.Doc, "Train")
	parts.Trained(d.Doc, trained)
	g, _, fresh := d.Graph()
	if fresh || len(g.Edges) == 0 || !d.Busy() {
		t.Fatalf("while it is made: fresh %v, %d edges, busy %v", fresh, len(g.Edges), d.Busy())
	}
	want := graph.With([][2]int32{{g.Edges[0].A, g.Edges[0].B}}, trained).Edges[0].Length
	if g.Edges[0].Length != want {
		t.Fatalf("an edge of %g is %g long", want, g.Edges[0].Length)
	}
	(<-d.posts)()
	sameGraph(t, d, "trained")

	fewer, _, err := parts.Landmarks.Of(d.Doc.State()).Remove([]int{3, 9})
	if err != nil {
		t.Fatal(err)
	}
	d.Doc.Do("Remove landmarks", func(s *state.State) { parts.Landmarks.Put(s, fewer) })
	sameGraph(t, d, "fewer landmarks")
}

func mustEdge(d *desk) graph.Edge {
	g, _, _ := d.Graph()
	return g.Edges[0]
}

// A graph that cannot be made is said once; the map comes to rest all the same, and what is different later is made.
func TestAGraphThatFailsIsSaidOnce(t *testing.T) {
	breaks := false
	build := func(graph.Input, step.Values) [][2]int32 {
		if breaks {
			panic("no graph today")
		}
		return [][2]int32{{0, 1}}
	}
	graph.Register(graph.Kind{ID: "breaks", Title: "breaks", Order: 99, Build: build})
	d := open(t, "demo:cytometry:500")
	d.Doc.Do("Graph", func(s *state.State) {
		parts.Graph.Edit(s, func(g *parts.GraphChoice) { g.Choice = graph.Choice{Kind: "breaks"} })
	})
	d.settle(t)
	d.Graph()
	retrain := func() {
		l := *parts.Landmarks.Of(d.Doc.State())
		l.Codebook, l.CodeRev = l.Codebook.Clone(), revision.Next()
		d.Doc.Do("Train", func(s *state.State) { parts.Landmarks.Put(s, &l) })
		for range 3 {
			d.Graph()
			for d.graphs.pairs.Busy() {
				(<-d.posts)()
			}
		}
	}
	breaks = true
	retrain()
	if len(d.errors) != 1 || d.graphs.pairs.Busy() {
		t.Fatalf("%d errors, building %v", len(d.errors), d.graphs.pairs.Busy())
	}
	breaks, d.errors = false, nil
	retrain()
	if g, _, fresh := d.Graph(); !fresh || len(g.Edges) != 1 {
		t.Fatalf("afterwards: %d edges, fresh %v", len(g.Edges), fresh)
	}
}
