package linkage

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// A table that no memory holds is linked by pairs of its shards: the MSTs of the rows of each two shards have, all
// together, an MST of all rows. For let rows u and v be together at a height w, joined by a pair of shards i and j: in
// any MST of the rows of both the way from u to v has no edge above w, so that at each height the edges of these trees
// join what all pairs join. This holds under ties, and whatever trees were found, so that the hierarchy is that of one
// machine, bit for bit, whoever links which pair and however often. n rows in b shards are b(b-1)/2 pairs of 2n/b rows:
// twice the pairs of rows that one machine looks at.

// Shard is some rows of a table: First and those that follow it.
type Shard struct {
	First int
	X     matrix.Matrix32
}

// Grove is what is known of some rows of a table: a tree of those that are valid, as rows of the table.
type Grove struct {
	Rows  []int32 // rows that are valid, ascending
	Again []int32 // rows among these that are equal to an earlier one
	Tree  []Edge  // a minimum spanning forest
}

// Joined are the rows of two shards of which the first comes first in the table, one after the other, or those of one
// shard if both are the same. The error is a Problem.
func Joined(a, b Shard) (matrix.Matrix32, error) {
	if b.First+b.X.Rows > math.MaxInt32 {
		return matrix.Matrix32{}, problem.New("", "use fewer rows", "more than %d rows are not linked", math.MaxInt32)
	}
	if a.First == b.First {
		return a.X, nil
	}
	if a.First+a.X.Rows > b.First || a.X.Cols != b.X.Cols {
		return matrix.Matrix32{}, problem.New("", "report this", "shards of rows %d and %d are not of one table",
			a.First, b.First)
	}
	return matrix.Matrix32{Rows: a.X.Rows + b.X.Rows, Cols: a.X.Cols, Data: slices.Concat(a.X.Data, b.X.Data)}, nil
}

// OfShards links the rows of two shards of which the first comes first in the table, or of one shard if both are the
// same. The options are those of all pairs; MinSamples, which asks for neighbours among all rows, is refused. The error
// is ctx's or a Problem.
func OfShards(ctx context.Context, a, b Shard, o Options) (*Grove, error) {
	x, err := Joined(a, b)
	if err != nil {
		return nil, err
	}
	return OfJoined(ctx, x, a, b, o)
}

// OfJoined is OfShards of rows that are joined already: a Device of the options is of these.
func OfJoined(ctx context.Context, x matrix.Matrix32, a, b Shard, o Options) (*Grove, error) {
	if o.MinSamples > 1 {
		return nil, problem.New("", "leave it out, or link one table",
			"--min-samples asks for the neighbours of each row among all rows, which no two shards have")
	}
	cut := a.X.Rows
	row := func(i int32) int32 { // as the table numbers it
		if int(i) < cut {
			return int32(a.First) + i
		}
		return int32(b.First-cut) + i
	}
	r, err := New(ctx, x, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Finish(ctx, o.report("linking")); err != nil {
		return nil, err
	}
	l, err := r.Linkage(ctx)
	if err != nil {
		return nil, err
	}
	g := &Grove{Rows: make([]int32, l.Len()), Tree: slices.Clone(l.Tree)}
	for i := range g.Rows {
		g.Rows[i] = row(l.Row(int32(i)))
		if r.p.first != nil && int(r.p.first[i]) != i {
			g.Again = append(g.Again, g.Rows[i])
		}
	}
	for k, e := range g.Tree {
		g.Tree[k] = Edge{g.Rows[e.I], g.Rows[e.J], e.W}
	}
	return g, nil
}

// report is Report for one stage.
func (o *Options) report(stage string) func(done, total int64) {
	if o.Report == nil {
		return nil
	}
	return func(done, total int64) { o.Report(stage, done, total) }
}

// Groves are those of the pairs of shards of a table, as they are merged, in any order and also twice. They take about
// 100 bytes of each row.
type Groves struct {
	threads      int
	valid, again []bool
	up           sets
	edges, spare []Edge
	sorted       bool
}

// NewGroves begins with none, of a table of so many rows. threads 0 is all cores.
func NewGroves(rows, threads int) *Groves {
	if threads <= 0 {
		threads = par.Cores()
	}
	return &Groves{threads: threads, valid: make([]bool, rows), again: make([]bool, rows), up: newSets(rows)}
}

// Add merges another. The error is ctx's, or a Problem of one that is of no such table.
func (g *Groves) Add(ctx context.Context, o *Grove) error {
	n := int32(len(g.valid))
	out := func(i int32) bool { return i < 0 || i >= n }
	if slices.ContainsFunc(o.Rows, out) || slices.ContainsFunc(o.Again, out) ||
		slices.ContainsFunc(o.Tree, func(e Edge) bool { return out(e.I) || out(e.J) || e.I >= e.J || !(e.W >= 0) }) {
		return problem.New("", "link the shards again", "a tree is of rows that the table does not have")
	}
	for _, i := range o.Rows {
		g.valid[i] = true
	}
	for _, i := range o.Again {
		g.again[i] = true
	}
	if len(g.edges)+len(o.Tree) > 3*len(g.valid) {
		if err := g.prune(ctx); err != nil {
			return err
		}
	}
	g.edges, g.sorted = append(g.edges, o.Tree...), false
	return nil
}

// prune leaves a minimum spanning forest of the edges.
func (g *Groves) prune(ctx context.Context) error {
	if g.sorted {
		return ctx.Err()
	}
	g.spare = sortEdgesOn(g.threads, g.edges, g.spare)
	kept, err := kruskal(ctx, g.up, g.edges, nil, g.spare[:0:len(g.spare)])
	if err != nil {
		return err
	}
	g.edges, g.sorted = append(g.edges[:0], kept...), true
	return nil
}

// Linkage is the hierarchy of the rows. It is that of the table once all pairs of its shards, and those that have no
// other, are merged: what it lacks then is a Problem.
func (g *Groves) Linkage(ctx context.Context) (*Linkage, error) {
	if err := g.prune(ctx); err != nil {
		return nil, err
	}
	l, leaf := &Linkage{Rows: len(g.valid)}, make([]int32, len(g.valid))
	m := int32(0)
	for i, valid := range g.valid {
		leaf[i] = m
		if valid {
			m++
		}
		if g.again[i] {
			l.Duplicates++
		}
	}
	if len(g.edges) < int(m)-1 {
		return nil, problem.New("", "link all pairs of shards", "%d rows are in %d parts, which no pair of shards "+
			"joins", m, int(m)-len(g.edges))
	}
	if int(m) < l.Rows {
		l.Leaves = make([]int32, 0, m)
		for i, valid := range g.valid {
			if valid {
				l.Leaves = append(l.Leaves, int32(i))
			}
		}
	}
	l.Tree = make([]Edge, len(g.edges))
	for k, e := range g.edges {
		l.Tree[k] = Edge{leaf[e.I], leaf[e.J], e.W}
	}
	var err error
	l.Z, err = fromTree(ctx, int(m), l.Tree, g.threads)
	return l, err
}
