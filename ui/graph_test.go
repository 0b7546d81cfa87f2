package ui

import (
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

// Edges are taken by the hand: the mouse finds one, its menu cuts and locks it, two landmarks are joined, and each is
// one entry of the history.
func TestEdgesByHand(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:3000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { a.desk.Stage.Hand().Tool = view.ToolByID("landmarks") })
	rest(t, a, d)
	hand := a.desk.Stage.Hand()
	now := func() (g graph.Graph) {
		uitest.Do(func() { g, _, _ = a.desk.Graph() })
		return g
	}
	before := now()
	// The longest edge on the screen: its middle is clear of landmarks.
	longest, most := graph.Edge{}, float32(0)
	for _, e := range before.Edges {
		ax, ay := stand.MarkAt(a.desk, int(e.A))
		bx, by := stand.MarkAt(a.desk, int(e.B))
		if l := (ax-bx)*(ax-bx) + (ay-by)*(ay-by); l > most {
			longest, most = e, l
		}
	}
	middle := func() (float32, float32) {
		ax, ay := stand.MarkAt(a.desk, int(longest.A))
		bx, by := stand.MarkAt(a.desk, int(longest.B))
		return (ax + bx) / 2, (ay + by) / 2
	}
	x, y := middle()
	d.Move(x, y)
	d.Frames(2)
	if hand.HoverEdge != (view.Pair{A: longest.A, B: longest.B}) {
		t.Fatalf("over the edge of %d and %d the mouse finds %v", longest.A, longest.B, hand.HoverEdge)
	}
	d.Shoot("edge-hover")
	choose := func(item string) {
		d.ClickWith(shell.Right, x, y)
		d.Frames(3)
		if item == "Lock edge" {
			d.Shoot("edge-menu")
		}
		d.ClickOn(item)
		d.Frames(2)
	}
	last := func() string {
		return a.desk.Doc.History().CanUndo()
	}
	choose("Lock edge")
	if g := now(); !g.Edges[g.Find(int(longest.A), int(longest.B))].Locked || last() != "Lock edge" {
		t.Fatalf("not locked; %q", last())
	}
	d.Shoot("edge-locked")
	choose("Unlock edge")
	choose("Cut edge")
	if g := now(); g.Find(int(longest.A), int(longest.B)) >= 0 || len(g.Edges) != len(before.Edges)-1 ||
		last() != "Cut edge" {
		t.Fatalf("%d edges of %d; %q", len(g.Edges), len(before.Edges), last())
	}
	d.Move(x, y)
	if hand.HoverEdge.Some() && hand.HoverEdge == (view.Pair{A: longest.A, B: longest.B}) {
		t.Fatal("the edge that was cut is under the mouse")
	}
	uitest.Do(func() { hand.Landmarks.Selected = []int{int(longest.A), int(longest.B)} })
	d.Frames(2)
	px, py := stand.MarkAt(a.desk, int(longest.A))
	d.ClickWith(shell.Right, px, py)
	d.Frames(3)
	d.ClickOn("Join")
	if g := now(); !slices.Equal(g.Edges, before.Edges) || last() != "Join landmarks" {
		t.Fatalf("joined again: %d edges of %d; %q", len(g.Edges), len(before.Edges), last())
	}
	for range 4 {
		d.Keys("Ctrl+Z")
	}
	if g := now(); !slices.Equal(g.Edges, before.Edges) {
		t.Fatal("undo does not bring the edges back")
	}
	var l *landmark.Set
	uitest.Do(func() { l = parts.Landmarks.Of(a.desk.Doc.State()) })
	if len(l.Edits) != 0 {
		t.Fatalf("after undo: %v", l.Edits)
	}
}
