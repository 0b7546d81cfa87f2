package transform

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Limits of the condition number of a matrix of spillover, in the 1-norm: beyond the first, rounding of float32 values
// alone would reach into the digits that are seen; from the second on it is worth a word.
const (
	maxCondition      = 1e6
	doubtfulCondition = 100
)

// invert returns the inverse of a square matrix, row after row, and its condition number in the 1-norm. The inverse is
// nil if there is none. It is by LU with partial pivoting, in float64.
func invert(n int, values []float64) (inverse []float64, condition float64) {
	var lu mat.LU
	lu.Factorize(mat.NewDense(n, n, slices.Clone(values)))
	if c := lu.Cond(); !(c < 1/(4*epsilon)) {
		return nil, math.Inf(1)
	}
	one := mat.NewDiagDense(n, nil)
	for i := range n {
		one.SetDiag(i, 1)
	}
	var out mat.Dense
	if err := lu.SolveTo(&out, false, one); err != nil {
		return nil, math.Inf(1)
	}
	inverse = make([]float64, n*n)
	for i := range n {
		for j := range n {
			inverse[i*n+j] = out.At(i, j)
		}
	}
	return inverse, norm1(n, values) * norm1(n, inverse)
}

// epsilon is the distance of 1 from the next larger float64.
const epsilon = 0x1p-52

// norm1 is the largest sum of the sizes of a column.
func norm1(n int, values []float64) float64 {
	most := 0.0
	for j := range n {
		sum := 0.0
		for i := range n {
			sum += math.Abs(values[i*n+j])
		}
		most = max(most, sum)
	}
	return most
}

// times returns what multiplies the rows of a block with m from the right. An invalid value makes those of its row
// invalid that take something from it, and no others.
func times(n int, m []float64) func(Block) {
	return func(b Block) {
		if len(b) == 0 || len(m) < n*n {
			return
		}
		rows := len(b[0])
		all := make([]float64, rows*n)
		for j := range n {
			to := all[j*rows : j*rows+rows]
			for i, strip := range b[:n] {
				a := m[i*n+j]
				if a == 0 {
					continue
				}
				for k, x := range strip {
					to[k] += a * x
				}
			}
		}
		for j := range n {
			copy(b[j], all[j*rows:])
		}
	}
}

// Remarks are what there is to say of the matrices of a mix that compensates, and is applied all the same.
func (m Mix) Remarks() (out []string) {
	n, odd, worst := len(m.Changed()), 0.0, 0.0
	if !m.Compensates() || n == 0 {
		return nil
	}
	for at := 0; at+n*n <= len(m.Values); at += n * n {
		matrix := m.Values[at : at+n*n]
		for i := range n {
			if x := matrix[i*n+i]; x != 1 && odd == 0 {
				odd = x
			}
		}
		_, condition := invert(n, matrix)
		worst = max(worst, condition)
	}
	if odd != 0 {
		out = append(out, fmt.Sprintf("there is %.4g on the diagonal in the place of 1, which is taken as it is", odd))
	}
	if worst > doubtfulCondition {
		out = append(out, fmt.Sprintf("errors may grow by the condition number of the matrix, %.3g", worst))
	}
	return out
}
