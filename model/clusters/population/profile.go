package population

import (
	"context"

	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// Profile is what populations are like in some columns: the medians of their points.
type Profile struct {
	Places  []int // places in the tree of the populations that have points
	Columns []int
	// Raw are medians as the data have them, compensated where the map is, [population][column]; Shown are transformed.
	Raw, Shown [][]float64
	// Spans are where the 1st and the 99th percentile of all points lie, transformed: columns of mere noise are not
	// stretched. They are NaN where a column has no values.
	Spans [][2]float64
}

// ProfileOf makes the profile of the first most populations that have points, of which sets are by place. The error is
// that of a cancelled context.
func ProfileOf(ctx context.Context, data *dataset.Dataset, spec transform.Spec, columns []int, sets []*selection.Set,
	most int) (*Profile, error) {
	out := &Profile{Columns: columns}
	var filled []*selection.Set
	for place, s := range sets {
		if !s.Empty() && len(filled) < most {
			out.Places, filled = append(out.Places, place), append(filled, s)
		}
	}
	mixed := transform.AllMixed(data, spec, columns)
	var at []func(row int) float64
	for _, c := range columns {
		at = append(at, mixed[c].At)
	}
	var err error
	if out.Raw, err = Medians(ctx, filled, at); err != nil {
		return nil, err
	}
	out.Shown = make([][]float64, len(filled))
	for i := range out.Shown {
		out.Shown[i] = make([]float64, len(columns))
	}
	for col, c := range columns {
		f := transform.FunctionOf(mixed[c], spec.Columns[c])
		ends := mixed[c].Quantiles(0.01, 0.99)
		out.Spans = append(out.Spans, [2]float64{f.Forward(ends[0]), f.Forward(ends[1])})
		for i := range out.Shown {
			out.Shown[i][col] = f.Forward(out.Raw[i][col])
		}
	}
	return out, nil
}

// Share is where a median lies between the ends of its column: 0 at the lower, 1 at the upper, and outside beyond them;
// NaN where there is none.
func (p *Profile) Share(row, col int) float64 {
	span := p.Spans[col]
	return (p.Shown[row][col] - span[0]) / (span[1] - span[0])
}
