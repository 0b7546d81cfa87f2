package demo

import (
	"fmt"
	"math"
	"math/rand/v2"

	"blossom/model/data/dataset"
)

// markers returns columns of the role Marker with the given names.
func markers(names ...string) []dataset.Column {
	cols := make([]dataset.Column, len(names))
	for i, n := range names {
		cols[i] = dataset.Column{Name: n, Role: dataset.Marker}
	}
	return cols
}

// along is a column that says how far along the shape a point lies: to colour by, not to map.
func along(name string) dataset.Column {
	return dataset.Column{Name: name, Role: dataset.Placed, Why: "how far along the shape a point lies"}
}

// label is a column of categories.
func label(name string, categories []string) dataset.Column {
	return dataset.Column{Name: name, Role: dataset.Label, Categories: categories}
}

// tesseract: the corners of the cube [-1, 1]^4, each a gaussian of deviation 0.2.
func tesseract() source {
	corners := make([]string, 16)
	for c := range corners {
		corners[c] = fmt.Sprintf("corner %04b", c) // a word: digits alone would be read back as a number
	}
	return source{
		columns: append(markers("x", "y", "z", "w"), label("corner", corners)),
		point: func(rng *rand.Rand, _ int, out []float32) {
			corner := rng.IntN(16)
			for axis := range 4 {
				side := float64(corner>>(3-axis)&1)*2 - 1
				out[axis] = float32(side + 0.2*rng.NormFloat64())
			}
			out[4] = float32(corner)
		},
	}
}

// sSheet: two three-quarter arcs of a unit circle, one above the other, drawn along z by 2 units.
func sSheet() source {
	return source{
		columns: append(markers("x", "y", "z"), along("arc")),
		point: func(rng *rand.Rand, _ int, out []float32) {
			t := 3 * math.Pi * (rng.Float64() - 0.5)
			out[0] = float32(math.Sin(t) + 0.02*rng.NormFloat64())
			out[1] = float32(math.Copysign(1, t)*(math.Cos(t)-1) + 0.02*rng.NormFloat64())
			out[2] = float32(2*rng.Float64() - 1)
			out[3] = float32(t)
		},
	}
}

// torusKnot: the curve that winds 3 times around the axis and 7 times through the hole of a torus
// with radii 2 and 0.8, as a tube of radius 0.16.
func torusKnot() source {
	const p, q, major, minor, tube = 3, 7, 2.0, 0.8, 0.16
	at := func(t float64) vec {
		r := major + minor*math.Cos(q*t)
		return vec{r * math.Cos(p*t), r * math.Sin(p*t), minor * math.Sin(q*t)}
	}
	return source{
		columns: append(markers("x", "y", "z"), along("arc")),
		point: func(rng *rand.Rand, _ int, out []float32) {
			t := 2 * math.Pi * rng.Float64()
			v := tubePoint(rng, at, t, 1e-4, tube)
			out[0], out[1], out[2] = float32(v[0]), float32(v[1]), float32(v[2])
			out[3] = float32(t)
		},
	}
}
