// Package graph holds graphs over the landmarks: what joins which, and how far apart they are in the space of the
// data. Each kind of graph (nearest neighbours, spanning tree, the map's own net) is a file that registers it.
package graph

import (
	"blossom/model/base/matrix"
	"blossom/model/base/registry"
	"blossom/model/base/step"
)

// Edge joins landmarks A < B.
type Edge struct {
	A, B   int32
	Length float32 // Euclidean distance of their codebook vectors
	// Locked: the edge stays whatever kind of graph is chosen, and layouts keep its length on the map.
	Locked bool
}

// Graph is edges over N landmarks, sorted by A, then B, without duplicates. It is immutable.
type Graph struct {
	N     int
	Edges []Edge
}

// Input is what a graph is made of.
type Input struct {
	Codebook matrix.Matrix32 // g x d
	Pos      matrix.Matrix32 // g x 2|3
	Net      [][2]int32      // the map's own edges (landmark.Set.Edges), or nil
}

// Kind is a registered kind of graph.
type Kind struct {
	ID     string // "nearest"
	Title  string // "k-nearest"
	Help   string
	Params []step.Param
	// Build returns the pairs A < B that are joined, in any order, without duplicates. It must give the same result
	// for the same input; ties go to the lower index.
	Build func(Input, step.Values) [][2]int32
	// Places: Build looks at Pos, so that it is called anew when landmarks move.
	Places bool

	Order int // place in lists, rising
}

var kinds = registry.New("graph", func(k Kind) string { return k.ID },
	func(a, b Kind) int { return a.Order - b.Order })

// Register adds a kind of graph, from the init of its file. It panics if the ID is taken.
func Register(k Kind) { kinds.Add(k) }

// Kinds returns the kinds in the order in which they are offered.
func Kinds() []Kind { return kinds.All() }

// ByID returns the kind with this ID.
func ByID(id string) (Kind, bool) { return kinds.Find(id) }
