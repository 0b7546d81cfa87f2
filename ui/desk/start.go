package desk

import (
	"context"

	"blossom/model/landmark"
	"blossom/model/matrix"
)

// Start is how new landmarks are made.
type Start struct {
	Way        int // index of Ways
	Cols, Rows int // of a grid
	Count      int // of landmarks that are no grid
}

// StartFor is the start for a number of points.
func StartFor(points int) Start {
	side := landmark.SideFor(points)
	return Start{Cols: side, Rows: side, Count: side * side}
}

// Way is a way in which new landmarks are made of the points in the map's space.
type Way struct {
	Title string
	Grid  bool // takes Cols and Rows, else Count
	Make  func(ctx context.Context, x matrix.Matrix32, s Start, seed uint64) (*landmark.Set, error)
}

// Ways are the ways of making landmarks.
var Ways = []Way{
	{"Rectangular grid", true, grid(landmark.Rect)},
	{"Hexagonal grid", true, grid(landmark.Hex)},
	{"k-means++", false,
		func(ctx context.Context, x matrix.Matrix32, s Start, seed uint64) (*landmark.Set, error) {
			return landmark.StartKMeans(ctx, x, s.Count, 2, seed)
		}},
	{"Random points", false,
		func(ctx context.Context, x matrix.Matrix32, s Start, seed uint64) (*landmark.Set, error) {
			return landmark.StartRandom(ctx, x, s.Count, 2, seed)
		}},
}

func grid(t landmark.Topology) func(context.Context, matrix.Matrix32, Start, uint64) (*landmark.Set, error) {
	return func(ctx context.Context, x matrix.Matrix32, s Start, seed uint64) (*landmark.Set, error) {
		return landmark.StartGrid(ctx, x, landmark.Shape{Cols: s.Cols, Rows: s.Rows}, t, seed)
	}
}

// Landmarks makes landmarks of the points as the start says.
func (s Start) Landmarks(ctx context.Context, x matrix.Matrix32, seed uint64) (*landmark.Set, error) {
	return Ways[s.Way].Make(ctx, x, s, seed)
}
