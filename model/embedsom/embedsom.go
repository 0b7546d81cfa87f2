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

// Defaults are the values that users of BlosSOM know.
func Defaults() Params { return Params{K: 10, Boost: 2, Adjust: 0.2} }

// Neighbours returns the number k of landmarks that take part for g landmarks (K raised to 3 where
// g allows, and no more than g), and the number of neighbours to find: one more where there is one,
// for the cut-off.
func (p Params) Neighbours(g int) (k, find int) {
	k = min(max(p.K, 3), g)
	return k, min(k+1, g)
}
