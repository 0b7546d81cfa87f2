package panel

import (
	"fmt"
	"maps"
	"strings"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// GraphRows draws the choice of the graph over the landmarks: its kind, its values, what of it is shown, and what was
// done to its edges by hand.
func GraphRows(d *desk.Desk) {
	u, now := d.UI, parts.Graph.Of(d.Doc.State())
	kinds := graph.Kinds()
	chosen := -1
	var names []string
	for i, k := range kinds {
		names = append(names, k.Title)
		if k.ID == now.Kind {
			chosen = i
		}
	}
	tip := "What joins which of the landmarks. Layouts pull along its edges"
	if chosen >= 0 {
		tip = kinds[chosen].Help
	}
	if u.Combo("Graph##kind", widget.Items(names...), &chosen, widget.ComboOpts{Tip: tip}) {
		editGraph(d, "Graph: "+kinds[chosen].Title, func(g *parts.GraphChoice) { g.Kind = kinds[chosen].ID })
	}
	if chosen >= 0 {
		for _, x := range kinds[chosen].Params {
			graphParam(d, x, now.Values)
		}
	}
	ways := []string{parts.EdgesWithTools, parts.EdgesAlways, parts.EdgesNever}
	shown := 0
	for i, w := range ways {
		if w == now.Edges {
			shown = i
		}
	}
	u.Muted("Draw edges")
	if u.Segmented("##edges shown", []string{"At work", "Always", "Never"}, &shown,
		"When edges are drawn over the map.\nAt work: while landmarks are worked on.\nWide and strong are those "+
			"between landmarks that are near in the space of the data; a click with the right button on one cuts or "+
			"locks it.") {
		lookGraph(d, func(g *parts.GraphChoice) { g.Edges = ways[shown] })
	}
	shade := now.Shade
	if u.Switch("Shade cells (U-matrix)", &shade,
		"Darkens the map behind landmarks that are far, in the space of the data, from those that they are joined to: "+
			"dark walls part what differs. Flat maps only; in 3D edges say the same.") {
		lookGraph(d, func(g *parts.GraphChoice) { g.Shade = shade })
	}
	editsByHand(d)
}

func graphParam(d *desk.Desk, x step.Param, values step.Values) {
	v := values.Get(x)
	e := d.UI.Slider(x.Title+"##graph", &v, widget.Param{Min: x.Min, Max: x.Max, Default: x.Default, Log: x.Log,
		Integer: x.Integer}, x.Help)
	d.Change("Graph "+strings.ToLower(x.Title), e, func(s *state.State) {
		next := step.Values{}
		maps.Copy(next, parts.Graph.Of(*s).Values)
		next[x.ID] = v
		parts.Graph.Edit(s, func(g *parts.GraphChoice) { g.Values = next })
	})
}

func editGraph(d *desk.Desk, name string, change func(*parts.GraphChoice)) {
	d.Doc.Do(name, func(s *state.State) { parts.Graph.Edit(s, change) })
}

// lookGraph changes what of the graph is shown: how things are looked at is no history.
func lookGraph(d *desk.Desk, change func(*parts.GraphChoice)) {
	d.Doc.Always(func(s *state.State) { parts.Graph.Edit(s, change) })
}

// editsByHand says what was done to edges by hand, and offers to take it back.
func editsByHand(d *desk.Desk) {
	text := handText(parts.Landmarks.Of(d.Doc.State()))
	if text == "" {
		return
	}
	u := d.UI
	u.Space(2)
	u.Note(text)
	u.Space(2)
	if u.Button("Take back##edges", widget.ButtonOpts{Tip: "Forget which edges were cut, joined and locked by hand"}) {
		d.Doc.Do("Take back changed edges", func(s *state.State) {
			parts.Landmarks.Put(s, parts.Landmarks.Of(*s).WithoutEdits())
		})
	}
}

// handText says what was done to edges by hand; "" is nothing.
func handText(l *landmark.Set) string {
	counts := map[landmark.EdgeMark]int{}
	for _, e := range l.Edits {
		m := e.Mark
		if m&landmark.EdgeLocked != 0 {
			m = landmark.EdgeLocked
		}
		counts[m]++
	}
	var out []string
	for _, x := range []struct {
		mark landmark.EdgeMark
		word string
	}{{landmark.EdgeCut, "cut"}, {landmark.EdgeJoined, "joined"}, {landmark.EdgeLocked, "locked"}} {
		if n := counts[x.mark]; n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, x.word))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "By hand: " + strings.Join(out, ", ")
}
