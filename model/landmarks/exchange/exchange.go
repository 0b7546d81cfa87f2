// Package exchange brings landmarks from and to files of other programs and people: tables with or without names, one
// file or a codebook and positions in two, and the landmark files of this program. What a file does not say is guessed,
// and what was guessed is said.
package exchange

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/registry"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// Values says what the numbers of a codebook are.
type Values int

const (
	AsInMap  Values = iota // as the map computes with them: transformed, scaled, weighted
	AsInData               // as in the columns of the data
	Centred                // as in the map, less the mean of each column: so BlosSOM writes them
)

// Map is the map that landmarks are of: its data, and the points as it has them.
type Map struct {
	Data  *dataset.Dataset
	Table *transform.Table
}

// Kind is a way of writing landmarks.
type Kind struct {
	ID     string
	Title  string // "NumPy, two files"
	Help   string // its use, in a line
	Ending string // ending of the name that the user gives
	Raw    bool   // values may be as in the data; else they are as in the map
	Order  int
	// Write writes f, whose values are as asked for, and returns the files that it has written. path ends in Ending.
	Write func(ctx context.Context, path string, f *File) (written []string, err error)
	// Files are what would be written; nil: path alone.
	Files func(path string) []string
}

// File is landmarks to be written.
type File struct {
	*landmark.File // with the columns of the map
	Values         Values
}

var kinds = registry.New("exchange", func(k Kind) string { return k.ID },
	func(a, b Kind) int { return a.Order - b.Order })

// Register adds a kind, from the init of its file. It panics if the ID is taken.
func Register(k Kind) { kinds.Add(k) }

// Kinds returns all kinds, in the order of menus.
func Kinds() []Kind { return kinds.All() }

// In returns a codebook of the map in other values. Values of the map that no value of the data stands for are NaN.
func (m Map) In(v Values, code matrix.Matrix32) matrix.Matrix32 {
	return m.convert(code, func(j int, x float64) float64 {
		t := m.Table
		switch v {
		case AsInData:
			if t.Factor[j] == 0 {
				return t.Funcs[j].Inverse(t.Mean[j])
			}
			return t.Funcs[j].Inverse(x / t.Factor[j])
		case Centred:
			return x - t.Mean[j]*t.Factor[j]
		}
		return x
	})
}

// From returns a codebook of other values as the map computes with it.
func (m Map) From(v Values, code matrix.Matrix32) matrix.Matrix32 {
	return m.convert(code, func(j int, x float64) float64 {
		t := m.Table
		switch v {
		case AsInData:
			return t.Funcs[j].Forward(x) * t.Factor[j]
		case Centred:
			return x + t.Mean[j]*t.Factor[j]
		}
		return x
	})
}

func (m Map) convert(code matrix.Matrix32, of func(j int, x float64) float64) matrix.Matrix32 {
	out := matrix.New(code.Rows, code.Cols)
	for i := range code.Rows {
		row := out.Row(i)
		for j, x := range code.Row(i) {
			row[j] = float32(of(j, float64(x)))
		}
	}
	return out
}
