package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
)

// Uniform draws points and landmarks from the unit cube: the papers' data and the worst case for a filter.
func Uniform(rng *rand.Rand, n, d, g, k, dims int) Case {
	c := Case{Name: "uniform", X: matrix.New(n, d), Codebook: matrix.New(g, d), Pos: grid(rng, g, dims),
		P: embedsom.Params{K: k, Boost: 2, Adjust: 0.2}}
	for _, m := range []matrix.Matrix32{c.X, c.Codebook} {
		for i := range m.Data {
			m.Data[i] = rng.Float32()
		}
	}
	return c
}

// Blobs draws points from anisotropic Gaussians, like cell populations, and landmarks from the same.
func Blobs(rng *rand.Rand, n, d, g, k, dims int) Case {
	const blobs = 24
	c := Case{Name: "blobs", X: matrix.New(n, d), Codebook: matrix.New(g, d), Pos: grid(rng, g, dims),
		P: embedsom.Params{K: k, Boost: 1, Adjust: 1}}
	centre, width := make([]float64, blobs*d), make([]float64, blobs*d)
	for i := range centre {
		centre[i] = 4 * rng.Float64()
		width[i] = math.Exp(rng.NormFloat64()-1.5) + 0.02
	}
	for _, m := range []matrix.Matrix32{c.X, c.Codebook} {
		for i := range m.Rows {
			b := rng.IntN(blobs) * d
			for q := range d {
				m.Data[i*d+q] = float32(centre[b+q] + width[b+q]*rng.NormFloat64())
			}
		}
	}
	return c
}

// CloseCalls draws points of which many lie halfway between two landmarks, or a rounding from there, or on one, and
// landmarks of which some are equal, or nearly; all about so large.
func CloseCalls(rng *rand.Rand, n, d, g int, size float64) Case {
	c := Case{Name: fmt.Sprintf("close calls of %g", size), X: matrix.New(n, d), Codebook: matrix.New(g, d),
		Pos: grid(rng, g, 2), P: embedsom.Params{K: min(g, 3), Boost: 1, Adjust: 1}}
	for i := range c.Codebook.Data {
		c.Codebook.Data[i] = float32(size * rng.NormFloat64())
	}
	for i := 3; i < g; i += 5 {
		row := c.Codebook.Row(i)
		copy(row, c.Codebook.Row(rng.IntN(i)))
		if i%2 == 0 {
			row[rng.IntN(d)] *= 1 + 0x1p-23
		}
	}
	for i := range n {
		a, b, row := c.Codebook.Row(rng.IntN(g)), c.Codebook.Row(rng.IntN(g)), c.X.Row(i)
		for q := range row {
			switch i % 4 {
			case 0, 1:
				row[q] = a[q]/2 + b[q]/2
			case 2:
				row[q] = a[q]
			default:
				row[q] = float32(size * rng.NormFloat64())
			}
		}
		if i%4 == 1 {
			row[rng.IntN(d)] *= 1 - 0x1p-24
		}
	}
	return c
}

// grid returns positions on a square or cubic grid, jittered so that nothing is collinear.
func grid(rng *rand.Rand, g, dims int) matrix.Matrix32 {
	pos := matrix.New(g, dims)
	side := int(math.Ceil(math.Pow(float64(g), 1/float64(dims))))
	for i := range g {
		v := i
		for q := range dims {
			pos.Data[i*dims+q] = float32(v%side) + 0.3*rng.Float32()
			v /= side
		}
	}
	return pos
}

// shift adds to every coordinate of points and landmarks.
func shift(c Case, by float32) Case {
	c.Name += fmt.Sprintf(" %+g", by)
	c.X, c.Codebook = c.X.Clone(), c.Codebook.Clone()
	for _, m := range []matrix.Matrix32{c.X, c.Codebook} {
		for i := range m.Data {
			m.Data[i] += by
		}
	}
	return c
}

// scaled multiplies every coordinate of points and landmarks.
func scaled(c Case, by float32) Case {
	c.Name += fmt.Sprintf(" x%g", by)
	c.X, c.Codebook = c.X.Clone(), c.Codebook.Clone()
	for _, m := range []matrix.Matrix32{c.X, c.Codebook} {
		for i := range m.Data {
			m.Data[i] *= by
		}
	}
	return c
}

// nearDuplicates moves a quarter of the landmarks to within size of another one.
func nearDuplicates(rng *rand.Rand, c Case, size float32) Case {
	c.Name += fmt.Sprintf(", twins at %g", size)
	c.Codebook = c.Codebook.Clone()
	for i := 0; i+1 < c.Codebook.Rows; i += 4 {
		for q, v := range c.Codebook.Row(i) {
			c.Codebook.Row(i + 1)[q] = v + size*(rng.Float32()-0.5)
		}
	}
	return c
}

// onLandmarks puts every third point exactly on a landmark.
func onLandmarks(rng *rand.Rand, c Case) Case {
	c.Name += ", on landmarks"
	c.X = c.X.Clone()
	for i := 0; i < c.X.Rows; i += 3 {
		copy(c.X.Row(i), c.Codebook.Row(rng.IntN(c.Codebook.Rows)))
	}
	return c
}

func with(c Case, boost, adjust float32) Case {
	c.Name += fmt.Sprintf(", boost %g, adjust %g", boost, adjust)
	c.P.Boost, c.P.Adjust = boost, adjust
	return c
}

// rows returns a copy of some rows.
func rows(m matrix.Matrix32, from, to int) matrix.Matrix32 {
	return matrix.Matrix32{Rows: to - from, Cols: m.Cols, Data: m.Data[from*m.Cols : to*m.Cols]}.Clone()
}

// Slow, set in the environment, says that a point takes milliseconds, as on an emulated card: cases of more than
// a thousand points, and stored ones, are made smaller; all others stay, and with them the edges of blocks.
const Slow = "BLOSSOM_SLOW_ENGINE"

// few returns n, or a fifth of it for a slow engine.
func few(n int) int {
	if os.Getenv(Slow) == "" {
		return n
	}
	return (n + 4) / 5
}
