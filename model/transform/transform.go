// Package transform turns the raw columns of a dataset into the points of the map: per column a
// transform, then optionally scaling to unit deviation, then a weight.
package transform

import (
	"fmt"
	"math"
	"slices"

	"blossom/model/dataset"
	"blossom/model/problem"
)

// Kind is the transform of a column.
type Kind uint8

const (
	None   Kind = iota // x
	Linear             // A*x + B
	Asinh              // asinh(x / Cofactor)
	Log                // log10(max(x, Floor)); Floor is the smallest positive value of the column by default
)

// Kinds are all transforms with the names that the command line and the window use.
var Kinds = [...]string{None: "none", Linear: "linear", Asinh: "asinh", Log: "log"}

func (k Kind) String() string {
	if int(k) < len(Kinds) {
		return Kinds[k]
	}
	return fmt.Sprintf("transform %d", uint8(k))
}

// Use says what a column does.
type Use uint8

const (
	InMap      Use = iota // a dimension of the map, and can be coloured by
	ColourOnly            // can be coloured by
	Off                   // left out everywhere
)

func (u Use) String() string { return [...]string{"in the map", "colour only", "off"}[min(u, Off)] }

// Column is the setting of one column.
type Column struct {
	Kind     Kind
	Cofactor float64 // of Asinh, > 0
	A, B     float64 // of Linear
	Floor    float64 // of Log; 0: the smallest positive finite value of the column
	Weight   float64 // multiplies the column after scaling, >= 0; 1 by default
	SD       float64 // what scaling divides by; 0: the deviation of the data at hand. Set to freeze a map
	Use      Use
}

// WithTransform returns c with the transform of t, and its own use, weight and deviation.
func (c Column) WithTransform(t Column) Column {
	c.Kind, c.Cofactor, c.A, c.B, c.Floor = t.Kind, t.Cofactor, t.A, t.B, t.Floor
	return c
}

// sameTransform says whether c and o turn a raw value into the same transformed one.
func (c Column) sameTransform(o Column) bool {
	if c.Kind != o.Kind {
		return false
	}
	switch c.Kind {
	case Linear:
		return c.A == o.A && c.B == o.B
	case Asinh:
		return c.Cofactor == o.Cofactor
	case Log:
		return c.Floor == o.Floor
	}
	return true
}

// Spec is the setting of a whole table: one Column per dataset column, in order. A Spec is a value:
// copy it (Clone) to change it.
type Spec struct {
	Columns []Column
	Scale   bool // divide by the deviation of the transformed column
}

// Clone returns a copy that shares nothing with s.
func (s Spec) Clone() Spec {
	s.Columns = slices.Clone(s.Columns)
	return s
}

// MapColumns returns the dataset columns that are dimensions of the map, ascending.
func (s Spec) MapColumns() []int {
	var cols []int
	for i, c := range s.Columns {
		if c.Use == InMap {
			cols = append(cols, i)
		}
	}
	return cols
}

// Validate returns a Problem for the first setting that makes no sense, nil if there is none. A map
// without any column is an error too.
func (s Spec) Validate(ds *dataset.Dataset) error {
	if len(s.Columns) != len(ds.Columns) {
		return problem.New(ds.Path, "set the columns of this file again",
			"the transform is for %d columns and the data has %d", len(s.Columns), len(ds.Columns))
	}
	for i, c := range s.Columns {
		if why := c.wrong(); why != "" {
			return problem.New(ds.Path, "change the transform of this column", "column %s: %s", ds.Columns[i].Title(),
				why)
		}
	}
	if len(s.MapColumns()) == 0 {
		return problem.New(ds.Path, "switch on at least one column", "no column is in the map")
	}
	return nil
}

// wrong says what is wrong with the numbers of c, "" if nothing.
func (c Column) wrong() string {
	finite := func(x float64) bool { return x-x == 0 }
	switch {
	case c.Kind > Log:
		return c.Kind.String() + " is not known"
	case c.Kind == Asinh && !(c.Cofactor >= 1e-30 && c.Cofactor <= 1e30):
		return fmt.Sprintf("the cofactor of asinh must be above 0, it is %g", c.Cofactor)
	case c.Kind == Linear && !(finite(c.A) && finite(c.B)):
		return fmt.Sprintf("linear needs finite numbers, it has %g and %g", c.A, c.B)
	case c.Kind == Linear && c.A == 0:
		return "linear with factor 0 makes the column constant"
	case c.Kind == Log && !(finite(c.Floor) && c.Floor >= 0):
		return fmt.Sprintf("the floor of log must be above 0, it is %g", c.Floor)
	case !(c.Weight >= 0 && c.Weight <= 1e9):
		return fmt.Sprintf("the weight must be between 0 and 1e9, it is %g", c.Weight)
	case !(finite(c.SD) && c.SD >= 0):
		return fmt.Sprintf("the deviation must be 0 or more, it is %g", c.SD)
	case c.Use > Off:
		return fmt.Sprintf("use %d is not known", c.Use)
	}
	return ""
}

// Func is the transform of one column with everything resolved, for single values: ticks of axes
// and legends. Shared freely.
type Func struct {
	kind Kind
	a, b float64 // Linear: a*x+b. Asinh: a = 1/cofactor. Log: a = floor
}

// Function returns the transform of column col, before scaling and weight. It reads the column once
// where Log needs its smallest positive value.
func Function(ds *dataset.Dataset, s Spec, col int) Func {
	return FunctionOf(&ds.Columns[col], s.Columns[col])
}

// FunctionOf returns what the setting t makes of a column, whether a table holds it or not.
func FunctionOf(c *dataset.Column, t Column) Func {
	f := Func{kind: t.Kind}
	switch t.Kind {
	case Linear:
		f.a, f.b = t.A, t.B
	case Asinh:
		f.a = 1 / t.Cofactor
	case Log:
		if f.a = t.Floor; f.a == 0 {
			f.a = smallestPositive(c.Values)
		}
	}
	return f
}

// smallestPositive returns the smallest positive finite value of v, 1 if there is none.
func smallestPositive(v []float32) float64 {
	low := float32(math.Inf(1))
	for _, x := range v {
		if x > 0 && x < low {
			low = x
		}
	}
	if low > math.MaxFloat32 {
		return 1
	}
	return float64(low)
}

// Forward returns the transformed value of x. NaN stays NaN; for Log, +Inf stays +Inf, and -Inf is
// not a small value but an invalid one and stays -Inf.
func (f Func) Forward(x float64) float64 {
	switch f.kind {
	case Linear:
		return f.a*x + f.b
	case Asinh:
		return asinh(x * f.a)
	case Log:
		if math.IsInf(x, -1) {
			return x
		}
		return math.Log10(math.Max(x, f.a)) // Max keeps NaN
	}
	return x
}

// Inverse returns the raw value whose transformed value is y. For Log it is never below the floor.
func (f Func) Inverse(y float64) float64 {
	switch f.kind {
	case Linear:
		return (y - f.b) / f.a
	case Asinh:
		return math.Sinh(y) / f.a
	case Log:
		return math.Max(math.Pow(10, y), f.a)
	}
	return y
}

// asinh is several times faster than math.Asinh, and good to 1e-13 relative.
func asinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0.02: // the series; the logarithm would lose digits
		q := x * x
		return x * (1 - q*(1.0/6-q*(3.0/40-q*(5.0/112-q*35.0/1152))))
	case a > 1e150: // a*a would overflow
		return math.Copysign(math.Log(a)+math.Ln2, x)
	}
	return math.Copysign(math.Log(a+math.Sqrt(a*a+1)), x)
}

// slice transforms the values src[order[i]] (src[i] for no order) into dst.
func (f Func) slice(dst []float32, src []float32, order []int32) {
	if order == nil {
		copy(dst, src)
	} else {
		for i, r := range order {
			dst[i] = src[r]
		}
	}
	switch f.kind {
	case None:
	case Asinh:
		for i, x := range dst {
			dst[i] = float32(asinh(float64(x) * f.a))
		}
	default:
		for i, x := range dst {
			dst[i] = float32(f.Forward(float64(x)))
		}
	}
}
