package live

import (
	"context"
	"slices"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/model/work"
)

// graphs is the graph over the landmarks, kept until what it was made of changes.
type graphs struct {
	pairs  *work.Value[pairsKey, [][2]int32]
	choice *graph.Choice // the last one: one that is equal has its address, so that keys can be compared

	graph graph.Graph // the present graph, made from:
	of    graphKey
	rev   revision.Revision
}

// pairsKey is what the pairs of a graph depend on.
type pairsKey struct {
	choice *graph.Choice
	g      int
	code   revision.Revision
	pos    revision.Revision // 0 where places do not matter
	net    *[2]int32         // the first of the map's own edges: they are never changed in place
	edges  int
}

// graphKey is what a graph depends on.
type graphKey struct {
	g           int
	code, edges revision.Revision
	pairs       revision.Revision
}

func newGraphs(all *work.Values) graphs {
	return graphs{pairs: work.Keep[pairsKey, [][2]int32](all, work.Policy{Title: "Graph", Quiet: true, Finish: true})}
}

// Graph returns the graph over the landmarks that the document has chosen, with what was done to its edges by hand, and
// a revision that is another whenever the graph is. It is kept: asking each frame costs nothing. After a change of the
// codebook or of the choice pairs are found beside the window, where that takes long, and fresh is false until they are
// there: the graph then has the edges from before with their lengths of now, or where the number of landmarks has
// changed those alone that were joined by hand.
func (m *Map) Graph() (g graph.Graph, rev revision.Revision, fresh bool) {
	s, q := m.Doc.State(), &m.graphs
	l, choice := m.Landmarks(), parts.Graph.Of(s).Choice
	if q.choice == nil || !q.choice.Equal(choice) {
		c := choice // a copy, so that choice itself stays off the heap where nothing has changed
		q.choice = &c
	}
	key := pairsKey{choice: q.choice, g: l.Len(), code: l.CodeRev, edges: len(l.Edges)}
	if k, ok := graph.ByID(choice.Kind); ok && k.Places {
		key.pos = l.PosRev
	}
	if len(l.Edges) > 0 {
		key.net = &l.Edges[0]
	}
	if q.pairs.Want(key) {
		q.join(key, l)
	}
	pairs, fresh := q.pairs.Now()
	if of := (graphKey{l.Len(), l.CodeRev, l.EdgeRev, q.pairs.Rev()}); q.rev == 0 || of != q.of {
		if q.pairs.Of().g != l.Len() {
			pairs = nil
		}
		q.graph, q.of, q.rev = graph.With(pairs, l), of, revision.Next()
	}
	return q.graph, q.rev, fresh
}

// join has the pairs of a key made: within the frame where there is no older graph of that kind to go on with.
func (q *graphs) join(key pairsKey, l *landmark.Set) {
	choice, in := *key.choice, graph.InputOf(l)
	cost := work.Ops(key.g * key.g * in.Codebook.Cols)
	if was := q.pairs.Of(); was.g == key.g && was.choice == key.choice {
		cost = work.Aside
	}
	q.pairs.Make(cost, func(context.Context, func(done, total int64)) ([][2]int32, error) {
		return slices.Clip(graph.Pairs(choice, in)), nil
	})
}
