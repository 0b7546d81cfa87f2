package transform

import (
	"context"
	"slices"

	"blossom/model/base/matrix"
)

// Carry brings a codebook from the space of one table of a dataset into that of another. Dimensions are taken
// back to raw values, through mixes that are no longer the same, and through the new transform. A dimension
// that cannot be had so, as it was not in the map, takes what the landmark's points have there (fill, from
// Centroids), or the column's mean.
func Carry(old, now *Table, code, fill matrix.Matrix32) matrix.Matrix32 {
	out := matrix.New(code.Rows, len(now.Cols))
	raw := carried(old, now, code)
	for j, c := range now.Cols {
		mean := now.Mean[j] * now.Factor[j]
		before := slices.Index(old.Cols, c)
		for i := range code.Rows {
			var v float64
			switch {
			case before >= code.Cols || raw[c].how == lost:
				if v = mean; fill.Rows == code.Rows && fill.Cols == out.Cols {
					v = float64(fill.Row(i)[j])
				}
			case raw[c].how == kept:
				v = float64(code.Row(i)[before]) / old.Factor[before]
				if !old.Spec.Columns[c].sameTransform(now.Spec.Columns[c]) {
					v = now.Funcs[j].Forward(old.Funcs[before].Inverse(v))
				}
				v *= now.Factor[j]
			default:
				v = now.Funcs[j].Forward(raw[c].values[i]) * now.Factor[j]
			}
			if v-v != 0 {
				v = mean
			}
			out.Row(i)[j] = float32(v)
		}
	}
	return out
}

// way is how a column of a codebook comes into another space.
type way uint8

const (
	lost    way = iota // it cannot
	kept               // its mixes are the same: through its own transforms only
	unmixed            // through raw values
)

// strip is a column of a codebook before its own transform.
type strip struct {
	how    way
	values []float64 // values of unmixed, in the space of the new table's mixes
}

// carried returns how the columns of now come from a codebook of old.
func carried(old, now *Table, code matrix.Matrix32) map[int]strip {
	out := map[int]strip{}
	values := map[int][]float64{} // values of the columns where they are known
	mixesDiffer := !slices.EqualFunc(old.Spec.Mixes, now.Spec.Mixes, Mix.Equal)
	for j, c := range old.Cols {
		if old.Factor[j] == 0 { // a weight of 0 has wiped out what the codebook had there
			continue
		}
		if old.Spec.sameMixes(now.Spec, c) {
			out[c] = strip{how: kept}
		}
		if mixesDiffer && j < code.Cols {
			v := make([]float64, code.Rows)
			for i := range v {
				v[i] = old.Funcs[j].Inverse(float64(code.Row(i)[j]) / old.Factor[j])
			}
			values[c] = v
		}
	}
	if !mixesDiffer {
		return out
	}
	for _, m := range slices.Backward(old.Spec.Mixes) {
		m.through(values, true)
	}
	for _, m := range now.Spec.Mixes {
		m.through(values, false)
	}
	for c, v := range values {
		if out[c].how == lost {
			out[c] = strip{unmixed, v}
		}
	}
	return out
}

// through takes known columns through m, or back. Where one of its columns is not known, none is any more.
func (m Mix) through(values map[int][]float64, back bool) {
	var b Block
	for _, c := range m.Cols {
		if v, ok := values[c]; ok {
			b = append(b, v)
		}
	}
	o := MatrixByID(m.Op)
	if o == nil || len(b) < len(m.Cols) {
		for _, c := range m.Cols {
			delete(values, c)
		}
		return
	}
	forward, inverse := m.functions()
	if back {
		forward = inverse
	}
	forward(b)
}

// Centroids returns, for each landmark, the mean of its points in the space of the new table, from as
// many points as take a moment. It is empty if Carry can do without.
func Centroids(ctx context.Context, old, now *Table, code matrix.Matrix32) (matrix.Matrix32, error) {
	if code.Empty() || code.Cols != old.X.Cols {
		return matrix.Matrix32{}, nil
	}
	ways := carried(old, now, code)
	if !slices.ContainsFunc(now.Cols, func(c int) bool { return ways[c].how == lost }) {
		return matrix.Matrix32{}, nil
	}
	n := min(now.X.Rows, max(1000, int(2e9/float64(code.Rows*code.Cols+1))))
	sums, counts := make([]float64, code.Rows*now.X.Cols), make([]int, code.Rows)
	for p := range n {
		if p%1024 == 0 && ctx.Err() != nil {
			return matrix.Matrix32{}, ctx.Err()
		}
		b := code.NearestRow(old.X.Row(p))
		if b < 0 || !finite(now.X.Row(p)) {
			continue
		}
		counts[b]++
		for j, v := range now.X.Row(p) {
			sums[b*now.X.Cols+j] += float64(v)
		}
	}
	out := matrix.New(code.Rows, now.X.Cols)
	for i := range code.Rows {
		for j := range now.X.Cols {
			v := now.Mean[j] * now.Factor[j]
			if counts[i] > 0 {
				v = sums[i*now.X.Cols+j] / float64(counts[i])
			}
			out.Row(i)[j] = float32(v)
		}
	}
	return out, nil
}

func finite(v []float32) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return true
}
