package desk

import (
	"context"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/landmarks/landmark"
)

// Start is how new landmarks are made.
type Start struct {
	Way   int // index of Ways
	Count int // how many landmarks, where they are no grid
	// The sides of a grid. A map of more than one layer has three dimensions.
	Cols, Rows, Layers int
	Solid              bool // three dimensions
}

// dims is the number of coordinates of the map.
func (s Start) dims() int {
	if s.Solid {
		return 3
	}
	return 2
}

// StartFor is the start for a data set.
func StartFor(data *dataset.Dataset) Start {
	side := landmark.SideFor(data.Points)
	s := Start{Cols: side, Rows: side, Layers: 1, Count: side * side}
	if demo.StartOf(data.Path).Along {
		s.Way = slices.IndexFunc(Ways, func(w Way) bool { return w.Title == alongTitle })
	}
	return s
}

// Way is a way in which new landmarks are made of the points in the map's space.
type Way struct {
	Title string
	Grid  bool // takes Cols and Rows, else Count
	// Values are parameters of a training that suits it, where they are not those suggested. It may be nil.
	Values step.Values
	Stay   bool // landmarks that it makes are the map: no layout follows by itself
	Make   func(ctx context.Context, x matrix.Matrix32, s Start, seed uint64) (*landmark.Set, error)
}

const alongTitle = "Along the data"

// Ways are the ways of making landmarks.
var Ways = []Way{
	{Title: "Rectangular grid", Grid: true, Make: grid(landmark.Rect)},
	{Title: "Hexagonal grid", Grid: true, Make: grid(landmark.Hex)},
	{Title: "k-means++",
		Make: func(ctx context.Context, x matrix.Matrix32, s Start, seed uint64) (*landmark.Set, error) {
			return landmark.StartKMeans(ctx, x, s.Count, s.dims(), seed)
		}},
	{Title: alongTitle, Values: step.Values{"sigma_from": landmark.AlongSigma}, Stay: true,
		Make: func(ctx context.Context, x matrix.Matrix32, s Start, seed uint64) (*landmark.Set, error) {
			return landmark.StartAlong(ctx, x, s.Count, s.dims(), seed)
		}},
	{Title: "Random points",
		Make: func(ctx context.Context, x matrix.Matrix32, s Start, seed uint64) (*landmark.Set, error) {
			return landmark.StartRandom(ctx, x, s.Count, s.dims(), seed)
		}},
}

func grid(t landmark.Topology) func(context.Context, matrix.Matrix32, Start, uint64) (*landmark.Set, error) {
	return func(ctx context.Context, x matrix.Matrix32, s Start, seed uint64) (*landmark.Set, error) {
		shape := landmark.Shape{Cols: s.Cols, Rows: s.Rows, Layers: 1}
		if s.Solid {
			shape.Layers = max(2, s.Layers)
		}
		return landmark.StartGrid(ctx, x, shape, t, seed)
	}
}

// SetSolid changes between a flat map and one in three dimensions, of about as many landmarks.
func (s *Start) SetSolid(on bool) {
	if on == s.Solid {
		return
	}
	s.Solid = on
	shape := landmark.ShapeFor(max(8, s.Cols*s.Rows*max(1, s.Layers)), s.dims())
	s.Cols, s.Rows, s.Layers = shape.Cols, shape.Rows, max(1, shape.Layers)
}

// Landmarks makes landmarks of the points as the start says.
func (s Start) Landmarks(ctx context.Context, x matrix.Matrix32, seed uint64) (*landmark.Set, error) {
	return Ways[s.Way].Make(ctx, x, s, seed)
}
