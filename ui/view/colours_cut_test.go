package view

import (
	"testing"

	_ "blossom/gpu/reference"
	"blossom/model/clusters/linkage"
	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/model/work"
	"blossom/model/work/engine"
)

// chain is a hierarchy of n points in a row, in which gaps between neighbours differ in height.
func chain(t *testing.T, n int, m *live.Map) *parts.Hierarchy {
	t.Helper()
	// Heights rise with k; consecutive ones are far apart in the row, as 7919 is prime to n-1.
	edges := make([]linkage.Edge, n-1)
	for k := range edges {
		i := int32(k * 7919 % (n - 1))
		edges[k] = linkage.Edge{I: i, J: i + 1, W: float64(k + 1)}
	}
	l, err := linkage.OfTree(n, n, edges)
	if err != nil {
		t.Fatal(err)
	}
	h, err := parts.NewHierarchy(t.Context(), l, linkage.Euclidean, 1, 1, m.Table().Print())
	if err != nil {
		t.Fatal(err)
	}
	h.Here = true
	return h
}

// mapOf opens a map of n points without a window. No job may be started by it: there is nobody to land one.
func mapOf(t *testing.T, n int) *live.Map {
	t.Helper()
	x, y := make([]float32, n), make([]float32, n)
	for i := range n {
		x[i], y[i] = float32(i), float32(i*i%1009)
	}
	data, err := dataset.FromColumns(t.Context(), "t", []dataset.Column{{Name: "x", Values: x}, {Name: "y", Values: y}})
	if err != nil {
		t.Fatal(err)
	}
	o, err := opening.Prepare(t.Context(), data, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.Open("reference", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	buffers := live.Buffers{Make: func(n, dims int) embedsom.Target { return embedsom.NewHostTarget(n, dims) }}
	m, err := live.NewMap(o, &e, buffers, &work.Jobs{Post: func(func()) {}, Failed: func(err error) { t.Error(err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close(); e.Close() })
	return m
}

// The hand that drags the line of the cut sees its colours in the same frame, at a million points too: nothing is left
// to a job, and the numbers of points stay in their memory.
func TestTheCutIsColouredInItsFrame(t *testing.T) {
	if testing.Short() {
		t.Skip("a million points")
	}
	const n = 1_000_000
	m := mapOf(t, n)
	h := chain(t, n, m)
	m.Doc.Do("Cluster", func(s *state.State) { parts.Tree.Put(s, h) })
	var c Colours
	keepColours(&m.Values, &c)
	var memory *float32
	for _, height := range []float64{n / 2, n - 3, n - 11} {
		v := parts.Clusters.Of(m.Doc.State())
		v.CutAt(height)
		m.Doc.Do("Cut", parts.Clusters.With(v))
		c.update(m, parts.Look{Column: "cluster"}, true)
		if !m.Values.Jobs.Idle() || !c.value.Fresh() || c.Column != "cluster" {
			t.Fatalf("cut at %g: fresh %v, idle %v", height, c.value.Fresh(), m.Values.Jobs.Idle())
		}
		if memory == nil {
			memory = &c.Numbers[0]
		} else if memory != &c.Numbers[0] {
			t.Errorf("cut at %g: another array for all points", height)
		}
		column, _, err := m.Column("cluster")
		if err != nil {
			t.Fatal(err)
		}
		counts := make([]int, len(c.Labels))
		for i, row := range m.Table().Order {
			x, want := c.Numbers[i], column.Values[row]
			if x != want && (x == x || want == want) {
				t.Fatalf("cut at %g: point %d is in %g, not %g", height, i, x, want)
			}
			if x == x {
				counts[int(x)]++
			}
		}
		for label, n := range counts {
			if c.Counts[label] != n {
				t.Fatalf("cut at %g: cluster %d has %d points, not %d", height, label+1, n, c.Counts[label])
			}
		}
	}
	c.value.Drop()
}
