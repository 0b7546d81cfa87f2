package derived

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/maps/density"
)

// Contrast is two groups of points whose densities are compared. Its arrays are in the order of rows, and not written.
type Contrast struct {
	A, B string // names of the groups
	// Group is 0 for a row of A, 1 for one of B, below 0 for others; Sample the sample of a row, of Samples in all.
	Group   []int8
	Sample  []int32
	Samples int
	Rev     revision.Revision
}

// The difference of densities of two groups of points, with its noise: see density.Difference.
func init() {
	Register(Kind{
		ID: "difference", Title: "difference of groups", Order: 12, Needs: NeedPositions | NeedContrast,
		Help: "How many times denser the points of the second group lie at a place of the map than those of the " +
			"first, as log2: 1 is twice as dense, -1 half. All samples of a group weigh alike. It is missing, and " +
			"grey, where the difference is within the noise, as it would be in 95 of 100 places of groups that are " +
			"alike: the noise between the samples where both groups have three, else that of the counts of points.",
		Compute: func(ctx context.Context, in Inputs, progress func(done, total int64)) (dataset.Column, error) {
			p, x := in.Positions, in.Contrast
			c := dataset.Column{From: in.Positions.from() + ", " + x.B + " against " + x.A,
				Label: x.B + " against " + x.A + ", log2", Signed: true}
			low, high, _ := Core(p)
			n := len(p.Pos) / p.Dims
			at := density.Groups{Samples: x.Samples, Group: make([]int8, n), Sample: make([]int32, n)}
			order := in.order()
			for i := range n {
				row := i
				if order != nil {
					row = int(order[i])
				}
				at.Group[i], at.Sample[i] = x.Group[row], x.Sample[row]
			}
			diff, err := density.Difference(ctx, p.Pos, p.Dims, low, high, at)
			if err != nil {
				return c, err
			}
			progress(1, 2)
			values := make([]float32, n)
			err = par.Blocks(ctx, n, 1<<14, func(_, from, to int) {
				for i := from; i < to; i++ {
					log, noise := diff.At(p.Pos[i*p.Dims : (i+1)*p.Dims])
					if values[i] = float32(log); noise || math.IsInf(log, 0) {
						values[i] = nan
					}
				}
			})
			if err == nil {
				progress(2, 2)
				c.Values, err = in.Rows(ctx, values)
			}
			return c, err
		},
	})
}
