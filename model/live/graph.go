package live

import (
	"context"
	"slices"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
)

// graphs is the graph over the landmarks, kept until what it was made of changes.
type graphs struct {
	pairs    [][2]int32 // of key
	key      pairsKey
	known    bool
	building bool // pairs of another key are being made

	graph graph.Graph // of pairs, and:
	of    graphKey
	rev   revision.Revision
}

// pairsKey is what the pairs of a graph depend on.
type pairsKey struct {
	choice graph.Choice
	g      int
	code   revision.Revision
	pos    revision.Revision // 0 where places do not matter
	net    *[2]int32         // the first of the map's own edges: they are never changed in place
	edges  int
}

func (k pairsKey) equal(o pairsKey) bool {
	return k.choice.Equal(o.choice) && k.g == o.g &&
		k.code == o.code && k.pos == o.pos && k.net == o.net && k.edges == o.edges
}

// graphKey is what a graph depends on beside its pairs.
type graphKey struct {
	g           int
	code, edges revision.Revision
}

// graphAtOnce is how many differences of coordinates (landmarks x landmarks x dimensions) may be looked at within a
// frame, where there is no older graph to go on with: some milliseconds.
const graphAtOnce = 1 << 24

// Graph returns the graph over the landmarks that the document has chosen, with what was done to its edges by hand, and
// a revision that is another whenever the graph is. It is kept: asking each frame costs nothing. After a change of the
// codebook or of the choice pairs are found beside the window, where that takes long, and fresh is false until they are
// there: the graph then has the edges from before with their lengths of now, or where the number of landmarks has
// changed those alone that were joined by hand.
func (m *Map) Graph() (g graph.Graph, rev revision.Revision, fresh bool) {
	s, q := m.Doc.State(), &m.graphs
	l, choice := m.Landmarks(), parts.Graph.Of(s).Choice
	key := pairsKey{choice: choice, g: l.Len(), code: l.CodeRev, edges: len(l.Edges)}
	if k, ok := graph.ByID(choice.Kind); ok && k.Places {
		key.pos = l.PosRev
	}
	if len(l.Edges) > 0 {
		key.net = &l.Edges[0]
	}
	fresh = q.known && q.key.equal(key)
	if !fresh {
		fresh = m.buildGraph(key, l)
	}
	if of := (graphKey{l.Len(), l.CodeRev, l.EdgeRev}); q.rev == 0 || of != q.of {
		pairs := q.pairs
		if q.key.g != l.Len() {
			pairs = nil
		}
		q.graph, q.of, q.rev = graph.With(pairs, l), of, revision.Next()
	}
	return q.graph, q.rev, fresh
}

// buildGraph has the pairs of a key made, and says whether they are there already.
func (m *Map) buildGraph(key pairsKey, l *landmark.Set) bool {
	q, in := &m.graphs, graph.InputOf(l)
	put := func(pairs [][2]int32) {
		q.pairs, q.key, q.known, q.rev = pairs, key, true, 0
	}
	usable := q.known && q.key.g == key.g && q.key.choice.Equal(key.choice)
	if !usable && key.g*key.g*in.Codebook.Cols <= graphAtOnce {
		put(graph.Pairs(key.choice, in))
		return true
	}
	if !q.building {
		q.building = true
		choice := key.choice
		done := func(pairs [][2]int32) {
			q.building = false
			put(pairs)
		}
		job := m.Jobs.Quiet(func(context.Context) (func(), error) {
			pairs := slices.Clip(graph.Pairs(choice, in))
			return func() { done(pairs) }, nil
		})
		job.Dropped = func() { done(nil) } // it failed: said once, and not tried again until something is different
	}
	return false
}
