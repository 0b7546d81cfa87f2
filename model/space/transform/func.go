package transform

import (
	"math"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
)

// Func is the transform of one column with everything resolved, for blocks of values and for single ones: ticks
// of axes and legends. Shared freely.
type Func struct {
	Params Params // with what was taken from the data
	curve  Curve
}

// Function returns the transform of column col, before scaling and weight. It reads the column once
// where the op takes numbers from the data.
func Function(ds *dataset.Dataset, s Spec, col int) Func {
	c := &ds.Columns[col]
	if o := ByID(s.Columns[col].Op); o != nil && o.Needs(s.Columns[col].Params) {
		c = Mixed(ds, s, col)
	}
	return FunctionOf(c, s.Columns[col])
}

// FunctionOf returns what the setting t makes of a column, whether a table holds it or not. c may be nil if t takes
// nothing from it.
func FunctionOf(c *dataset.Column, t Column) Func {
	o := ByID(t.Op)
	if o == nil {
		return Func{Params: t.Params}
	}
	p := t.Params
	if o.Needs(p) {
		p = o.Resolve(p, c)
	}
	return Func{Params: p, curve: o.Curve(p)}
}

// Chosen says which numbers the setting t takes from a column, "" if none: "logicle with T 262144, W 0.63868, M 4.5".
func Chosen(c *dataset.Column, t Column) string {
	o := ByID(t.Op)
	if o == nil || !o.Needs(t.Params) {
		return ""
	}
	p := FunctionOf(c, t).Params
	var numbers []Number
	if o.Standard != nil {
		numbers = o.Standard(p).Numbers
	}
	if len(numbers) != len(o.Params) { // the standard has others
		numbers = nil
		for i := range o.Params {
			numbers = append(numbers, Number{o.Params[i].ID, p[i]})
		}
	}
	var words []string
	for _, n := range numbers {
		x := n.Value
		if math.Abs(x) >= 1e-2 {
			x = math.Round(x*1e5) / 1e5
		}
		words = append(words, n.Name+" "+strconv.FormatFloat(x, 'g', -1, 64))
	}
	return o.ID.String() + " with " + strings.Join(words, ", ")
}

// Needs says whether a number has to come from the data.
func (o *Op) Needs(p Params) bool {
	if o.Resolve == nil {
		return false
	}
	for i := range o.Params {
		if o.Params[i].auto(p[i]) {
			return true
		}
	}
	return false
}

// Forward returns the transformed value of x. NaN stays NaN and infinite values stay infinite.
func (f Func) Forward(x float64) float64 {
	if f.curve.Forward == nil {
		return x
	}
	return f.curve.Forward(x)
}

// Inverse returns the raw value whose transformed value is y.
func (f Func) Inverse(y float64) float64 {
	if f.curve.Inverse == nil {
		return y
	}
	return f.curve.Inverse(y)
}

// block replaces values by the transformed ones.
func (f Func) block(v []float32) {
	switch {
	case f.curve.Block != nil:
		f.curve.Block(v)
	case f.curve.Forward != nil:
		for i, x := range v {
			v[i] = float32(f.curve.Forward(float64(x)))
		}
	}
}

// slice transforms the values of c of the points order[from], order[from+1] and so on (from, from+1 for no order)
// into dst.
func (f Func) slice(dst []float32, c *dataset.Column, from int, order []int32) {
	if order != nil {
		order = order[from : from+len(dst)]
	}
	switch {
	case c.Exact != nil:
		v := make([]float64, len(dst))
		c.Gather(v, from, order)
		f.narrow(dst, v)
		return
	case order == nil:
		copy(dst, c.Values[from:])
	default:
		for i, r := range order {
			dst[i] = c.Values[r]
		}
	}
	f.block(dst)
}

// narrow transforms values and rounds then.
func (f Func) narrow(dst []float32, values []float64) {
	for i, x := range values {
		dst[i] = float32(f.Forward(x))
	}
}
