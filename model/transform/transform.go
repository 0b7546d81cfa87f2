// Package transform turns the raw columns of a dataset into the points of the map: per column a
// transform, then optionally scaling to unit deviation, then a weight.
package transform

// Kind is the transform of a column.
type Kind uint8

const (
	None   Kind = iota // x
	Linear             // A*x + B
	Asinh              // asinh(x / Cofactor)
	Log                // log10(max(x, Floor)); Floor is the smallest positive value of the column by default
)

// Use says what a column does.
type Use uint8

const (
	InMap      Use = iota // a dimension of the map, and can be coloured by
	ColourOnly            // can be coloured by
	Off                   // left out everywhere
)

// Column is the setting of one column.
type Column struct {
	Kind     Kind
	Cofactor float64 // of Asinh, > 0
	A, B     float64 // of Linear
	Weight   float64 // multiplies the column after scaling; 1 by default
	Use      Use
}

// Spec is the setting of a whole table: one Column per dataset column, in order. A Spec is a value:
// copy it to change it.
type Spec struct {
	Columns []Column
	Scale   bool // divide by the deviation of the transformed column
}
