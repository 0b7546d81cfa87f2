package session

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/bounded/hostile"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/clusters/linkage"
	"blossom/model/clusters/population"
	"blossom/model/data/panel"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/graph"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
)

// everyPart is a document with something in each of its parts, and a history with a run and a branch.
func everyPart(t *testing.T) *state.Document {
	t.Helper()
	d := document(t, "demo:x")
	l, err := linkage.OfTree(4, 4, []linkage.Edge{{I: 0, J: 1, W: 1}, {I: 1, J: 2, W: 2}, {I: 2, J: 3, W: 4}})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parts.NewHierarchy(context.Background(), l, linkage.Euclidean, 0, 1, 7)
	if err != nil {
		t.Fatal(err)
	}
	tsne := embedding.Recipe{Kind: "tsne", Dims: 2}
	at := parts.NewSnapshot(tsne, []float32{1, 2, 3, 4, 5, 6, 7, 8}, []int{1}, nil, 4)
	at = at.Remember(&embedding.Memory{Facts: []byte(`{"a":[1,2]}`),
		Points: map[string][]float32{"speed": {1, 2, 3, 4, 5, 6, 7, 8}}, Orders: map[string][]int32{"o": {3, 1}}},
		nil, 5, 10, parts.Outcome{Total: 20, Warning: "w"}, []parts.CurvePoint{{Unit: 1, Value: 2}})
	named, within, _ := population.Tree{}.Add(population.Population{Name: "T", Rule: population.Join(
		population.Of(selection.FromBits(4, []uint64{6})), &population.Landmarks{Groups: []population.ID{1}})})
	named, _, _ = named.Add(population.Population{Name: "B", Parent: within, Rule: population.Join(
		&population.Limits{Of: []population.Limit{{Column: "a", Low: 1, High: 2}}},
		&population.Categories{Column: "kind", Names: []string{"x"}})})
	region := &population.Region{Of: population.Map{Kind: "pca", Dims: 2}, Strokes: []population.Stroke{
		{Does: population.Adds, Shape: population.Rectangle, Path: [][2]float64{{0, 0}, {1, 1}}},
		{Does: population.Takes, Shape: population.Polygon, Path: [][2]float64{{0, 0}, {1, 1}, {0, 1}}}}}
	named, _, _ = named.Add(population.Population{Name: "live", Rule: region})
	d.Always(func(s *state.State) {
		set := parts.Landmarks.Of(*s)
		b := parts.Blend{Layout: "force", Before: set.Pos, After: set.Pos, Share: 0.5}
		b.Show(s, set.PosRev)
		parts.Clusters.Put(s, parts.ClusterChoice{MinSamples: 3, Landmarks: true,
			ClusterCut: parts.ClusterCut{By: parts.CutAtDistance, Distance: 2, Least: 5}})
		parts.Graph.Put(s, parts.GraphChoice{Choice: graph.Choice{Kind: "nearest", Values: step.Values{"k": 3}},
			Edges: parts.EdgesAlways, Shade: true})
		parts.Tree.Put(s, tree)
		parts.Layout.Put(s, parts.LayoutChoice{Algorithm: "force", Values: step.Values{"pull": 2}, KeepPinned: true})
		parts.Measured.Put(s, parts.MeasuredTable{For: parts.Transform.Rev(*s),
			Columns: map[string]transform.Measured{"a": {Transform: "none", SD: 2}}})
		parts.Runs.Put(s, parts.RunTable{"tsne": {Values: step.Values{"perplexity": 9}, From: &tsne, Keep: true}})
		parts.SelectLive(s, &parts.LiveRegion{Rule: region, In: within}, selection.FromBits(4, []uint64{5}))
		parts.Populations.Put(s, named)
		known, _ := sheet.Sheet{}.Add("group")
		parts.Samples.Put(s, known.Set("x", 0, "case").Set("y", 0, "ctrl"))
		parts.Panel.Put(s, panel.Of(panel.Row{Column: "a", Label: "CD3", Class: panel.Type}))
		parts.Contrast.Put(s, parts.GroupPair{Column: "kind", A: "x", B: "y"})
		parts.Images.Put(s, "pictures")
		parts.Figure.Put(s, parts.FigureChoice{Ending: ".pdf", Size: parts.FigureOnPaper, Letters: true,
			Paper: parts.FigurePaper{Width: 85, Height: 60, DPI: 300, Font: 7}, Without: []string{"2"}})
		parts.Tables.Put(s, parts.TableChoice{Ending: ".csv", Labels: parts.LabelTable{All: true}})
		parts.SwitchedOff.Put(s, transform.Mix{Op: transform.Compensate, Cols: []int{0, 1},
			Values: []float64{1, 0.1, 0, 1}})
		look := parts.DefaultLook()
		look.Palette, look.From, look.To, look.Of, look.Spread = "magma", 1, 3, "a", transform.SpreadLog
		parts.Palettes.Put(s, parts.LookTable{"a": look})
		parts.Snapshots.Put(s, parts.SnapshotTable{}.With(at))
	})
	parts.StartTraining(d, "Train")
	for i := range 3 {
		set := *parts.Landmarks.Of(d.State())
		set.Codebook = set.Codebook.Clone()
		set.Codebook.Data[0] += float32(i)
		parts.Trained(d, &set)
	}
	for range 2 {
		d.Do("Choose", func(s *state.State) {
			parts.Layout.Edit(s, func(c *parts.LayoutChoice) { c.OnlySelected = true })
			parts.Clusters.Edit(s, func(c *parts.ClusterChoice) { c.MinSamples = 4 })
		})
		d.Undo()
		d.Do("Select", func(s *state.State) { parts.Selection.Put(s, selection.FromBits(4, []uint64{9})) })
		d.Undo()
	}
	return d
}

// A file may say of any part, of the history or of itself something deep, many, huge or of another kind: that costs
// what it is about, is said, and takes no more than so much memory.
func TestSessionsThatAreHostileByStructure(t *testing.T) {
	const most = 300 << 20
	s, err := Full(everyPart(t), "s.blossom", "test", now, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	there := func(id string) bool { return s.Parts[id].Value != nil }
	if missing := slices.DeleteFunc(state.IDs(), there); len(missing) > 0 {
		t.Fatalf("nothing to make hostile of the parts %q", missing)
	}
	number := hostile.Number(4)
	entries := []string{headName, historyName}
	for _, id := range slices.Sorted(maps.Keys(s.Parts)) {
		entries = append(entries, partFolder+id+".json")
	}
	for at, entry := range entries {
		from, r := hostile.Parse([]byte(content(t, b.Bytes(), entry))), rand.New(rand.NewPCG(1, uint64(at)))
		for i := range number {
			c := from.Case(at*number+i, r)
			text := replacedBy(t, b.Bytes(), entry, c.Text)
			n := hostile.Held(func() { openHostile(t, text, entry+": "+c.Name) })
			if n > most {
				t.Errorf("%s: %s: %d MB for %d kB of text", entry, c.Name, n>>20, len(c.Text)>>10)
			}
		}
	}
}

// replacedBy returns a container in which a file has another content.
func replacedBy(t *testing.T, text []byte, name string, content []byte) []byte {
	return edited(t, text, func(n string, old []byte) []byte {
		if n == name {
			return content
		}
		return old
	})
}

// openHostile opens a session. What comes of it is a document that can be saved, or a Problem.
func openHostile(t *testing.T, text []byte, name string) {
	t.Helper()
	s, err := Read(bytes.NewReader(text), "s.blossom")
	var d *state.Document
	if err == nil {
		d, _, err = s.Document(data(t, "demo:x"), "s.blossom")
	}
	if err != nil {
		p := problem.As(err)
		if p.What == "" || p.Remedy == "" || len(p.What) > 2000 || strings.Contains(p.What, "json:") {
			t.Errorf("%s: %.300q, %.300q", name, p.What, p.Remedy)
		}
		return
	}
	if _, err := Full(d, "s.blossom", "test", now, nil); err != nil && parts.Settled(d.State()) {
		t.Errorf("%s: cannot be saved: %v", name, err)
	}
}

var now = time.Unix(1e9, 0)
