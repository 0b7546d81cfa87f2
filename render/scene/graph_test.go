package scene

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/render"
)

// Every corner of a patch, and its middle, are nearer to its landmark than to any other, and no farther than its disc.
func TestPatchesAreWhereTheirLandmarkIsNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pos := matrix.New(rapid.IntRange(0, 60).Draw(t, "landmarks"), 2)
		whole := rapid.Bool().Draw(t, "on whole numbers")
		for i := range pos.Data {
			x := rapid.Float32Range(-4, 4).Draw(t, "x")
			if whole {
				x = float32(math.Round(float64(x)))
			}
			pos.Data[i] = x
		}
		for i, o := range voronoi(pos) {
			if len(o) == 0 {
				continue
			}
			for c := 0; c < len(o); c += 2 {
				own := math.Hypot(float64(o[c]-pos.Row(i)[0]), float64(o[c+1]-pos.Row(i)[1]))
				for j := range pos.Rows {
					if d := math.Hypot(float64(o[c]-pos.Row(j)[0]), float64(o[c+1]-pos.Row(j)[1])); d < own-1e-4 {
						t.Fatalf("a corner of the patch of %v is %g from it and %g from %v", pos.Row(i), own, d,
							pos.Row(j))
					}
				}
			}
		}
	})
}

// The patches of a grid are its squares.
func TestPatchesOfAGrid(t *testing.T) {
	pos, _ := landmark.Grid(landmark.Shape{Cols: 5, Rows: 5}, landmark.Rect)
	o := voronoi(pos)[12]
	area := 0.0
	for c, n := 0, len(o); c < n; c += 2 {
		area += float64(o[c]*o[(c+3)%n]-o[(c+2)%n]*o[c+1]) / 2
	}
	if math.Abs(area-1) > 0.01 {
		t.Fatalf("the patch in the middle of a grid has an area of %g", area)
	}
	for _, m := range []matrix.Matrix32{matrix.New(0, 2), matrix.New(1, 2), matrix.New(7, 2)} {
		for _, o := range voronoi(m) {
			if len(o) != 0 {
				t.Fatalf("a patch where all are on one spot: %v", o)
			}
		}
	}
}

func TestEdgesSayHowFarLandmarksAre(t *testing.T) {
	code := matrix.New(5, 1)
	copy(code.Data, []float32{0, 1, 3, 6, 10})
	set, err := landmark.New(code, matrix.New(5, 2))
	if err != nil {
		t.Fatal(err)
	}
	if set, err = set.EditEdge(3, 4, landmark.EdgeLocked); err != nil {
		t.Fatal(err)
	}
	g := graph.Of(graph.Choice{Kind: "tree"}, set)
	e := EdgesOf(g, render.Light())
	lines := e.Append(nil, g)
	if len(lines) != len(g.Edges)+2 {
		t.Fatalf("%d lines for %d edges of which one is locked", len(lines), len(g.Edges))
	}
	last := render.Edge{}
	for i, x := range lines[:4] {
		if x.Width < 0.6-1e-6 || x.Width > 2.2+1e-6 || i > 0 && (x.Width < last.Width || x.Colour.A < last.Colour.A) {
			t.Fatalf("%+v after %+v", x, last)
		}
		last = x
	}
	if lines[0].A != 3 || lines[3].A != 0 || lines[3].Width != 2.2 {
		t.Fatalf("the shortest is not widest and on top: %+v", lines)
	}
	key, ok := e.Key()
	if !ok || key.Title != "edge: distance of landmarks" || len(key.Lines) != 4 || key.Lines[0].Text != "1.0" ||
		key.Lines[3].Text != "4.0" {
		t.Fatalf("%+v", key)
	}
	if _, ok := EdgesOf(graph.Graph{N: 3}, render.Light()).Key(); ok {
		t.Fatal("a key of no edges")
	}
}

func TestPicturesHaveTheGraph(t *testing.T) {
	pos, net := landmark.Grid(landmark.Shape{Cols: 4, Rows: 4}, landmark.Hex)
	code := matrix.New(16, 2)
	for i := range code.Data {
		code.Data[i] = float32((i * i) % 7)
	}
	set, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	set.Edges = net
	g := graph.Of(graph.Choice{Kind: "net"}, set)
	o := Options{Width: 400, Height: 400, Scale: 1, Legend: LegendOptions{Shown: true}, Landmarks: true, Edges: true,
		Shade: true}
	s := Scene{Landmarks: set, Graph: &g}
	p, err := s.Picture(o)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Edges) != len(g.Edges) || len(p.Cells) != 16 || len(p.Keys) != 2 {
		t.Fatalf("%d edges of %d, %d patches, %d keys", len(p.Edges), len(g.Edges), len(p.Cells), len(p.Keys))
	}
	o.Shade, o.Edges = false, false
	if p, _ = s.Picture(o); p.Edges != nil || p.Cells != nil || p.Keys != nil {
		t.Fatalf("what is not to be shown: %+v", p)
	}
}
