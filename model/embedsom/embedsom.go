// Package embedsom defines the EmbedSOM projection: its parameters, its exact meaning as a float64
// reference, what it asks of a device, and the buffer of positions that a device writes and drawing reads.
//
// Source of the formulas: Kratochvíl, Koladiya, Vondrášek, "Generalized EmbedSOM on
// quadtree-structured self-organizing maps", F1000Research 8:2120 (2019).
package embedsom

// Params are the parameters of the projection. Boost > 0; Adjust >= 0.
type Params struct {
	K             int
	Boost, Adjust float32
}

// MaxBoost is the highest boost that is offered. Scores fall as exp(-boost (D_r - D_1) / sd), and across the line of
// the two nearest landmarks a point is held by the third alone, whose weight is exp(-boost (D_3 - D_2) / sd) of
// theirs. The reference, and the kernels with it, take the mean of the positions instead where that is below 1e-14 =
// exp(-32.2), which is a jump on the map. It is reached where the third is 32.2/boost deviations further away than
// the second. With d_1 = d_2 and all others equal that gap is 1/sqrt(p (1-p)), where p = 1 - 1.5/H is their share of
// the weights 1/r, at most 2.24 (four distances): a boost of 14.4 never jumps. At 20 the gap must be 1.6, which
// none of 7,200 points had in measurements; at 30 it is 1.07 (3 % of points), at 40 it is 0.8 (10 %).
const MaxBoost = 20

// Defaults are the values that users of BlosSOM know.
func Defaults() Params { return Params{K: 10, Boost: 2, Adjust: 0.2} }

// Neighbours returns the number k of landmarks that take part for g landmarks (K raised to 3 where
// g allows, and no more than g), and the number of neighbours to find: one more where there is one,
// for the cut-off.
func (p Params) Neighbours(g int) (k, find int) {
	k = min(max(p.K, 3), g)
	return k, min(k+1, g)
}
