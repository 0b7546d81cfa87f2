// Package embedsom defines the EmbedSOM projection: its parameters, its exact meaning as a float64
// reference, what it asks of a device, and the buffer of positions that a device writes and drawing reads.
//
// Source of the formulas: Kratochvíl, Koladiya, Vondrášek, "Generalized EmbedSOM on
// quadtree-structured self-organizing maps", F1000Research 8:2120 (2019).
package embedsom

import (
	"fmt"
	"math"

	"blossom/model/base/problem"
)

// Params are the parameters of the projection. Boost > 0; Adjust >= 0.
type Params struct {
	K             int
	Boost, Adjust float32
}

// MaxBoost is the highest boost that is offered. Scores fall as exp(-boost (D_r - D_1) / sd), and across the line of
// the two nearest landmarks a point is held by the third and by gravity alone, whose weights may be many orders of
// magnitude below theirs. Where that is below 1e-22 = exp(-50.7) the reference, and the kernels with it, take the mean
// of the positions instead, which is a jump on the map.
//
// The third weighs exp(-boost (D_3 - D_2) / sd). With d_1 = d_2 and all others equal that gap is 1/sqrt(p (1-p)), where
// p = 1 - 1.5/H is their share of the weights 1/r and H the sum of these: 2.0 to 2.3 for 10 to 128 neighbours, so that
// 1e-22 is reached at a boost of 22 to 25. Solving by rotations loses digits as the root of such a weight only, as long
// as the heavy equations agree (two landmarks make one): at 20 it is above 1e-20, whose root is 1e-10, and six of the
// sixteen digits of float64 are left across the line. Where several heavy ones contradict each other less is allowed.
const MaxBoost = 20

// Defaults are the values that users of BlosSOM know.
func Defaults() Params { return Params{K: 10, Boost: 2, Adjust: 0.2} }

// Check says what is wrong with the parameters. The error is a Problem that begins with the name of one.
func (p Params) Check() error {
	switch {
	case p.K < 1:
		return problem.New("", "use 3 or more; 10 is the default", "k %d is too small", p.K)
	case !(p.Boost > 0 && p.Boost <= MaxBoost):
		return problem.New("",
			fmt.Sprintf("use a number above 0 and up to %d, beyond which points jump; 2 is the default",
				MaxBoost), "boost %g is not possible", p.Boost)
	case !(p.Adjust >= 0) || math.IsInf(float64(p.Adjust), 1):
		return problem.New("", "use 0 or more; 0.2 is the default", "adjust %g is not possible", p.Adjust)
	}
	return nil
}

// Neighbours returns the number k of landmarks that take part for g landmarks (K raised to 3 where
// g allows, and no more than g), and the number of neighbours to find: one more where there is one,
// for the cut-off.
func (p Params) Neighbours(g int) (k, find int) {
	k = min(max(p.K, 3), g)
	return k, min(k+1, g)
}
