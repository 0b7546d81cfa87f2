package landmark

import (
	"context"
	"math"
	"math/rand/v2"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/space/pca"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Limits of principal components. Above eigenDims columns the covariance is never formed.
const (
	eigenDims = 128
	pcaRows   = 100_000
)

// components are the first principal components of some points, as far as a start needs them. Those that
// people look at are exact and of all points: see package pca. A start must come at once whatever the size of
// the data, and the same bytes as ever: so a sample, and a few directions to 1e-5.
type components struct {
	mean []float64
	axis [][]float64 // unit vectors, as many as asked for; zero where the data has fewer
	sd   []float64   // deviation of the points along each
}

// principal returns the first p principal components of a seeded sample of the valid points of a pool, in
// float64. Signs are such that the largest entry of an axis is positive, so that the same data gives
// the same map.
func principal(ctx context.Context, from Pool, p int, seed uint64) (*components, error) {
	x := from.X
	d := x.Cols
	limit := pcaRows
	if d <= eigenDims {
		limit = min(limit, max(2000, 500_000_000/(d*d+1)))
	} else {
		limit = min(limit, max(200, 4_000_000/d))
	}
	rows, err := sampleRows(ctx, from, limit, seed)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errNoPoints()
	}
	n := len(rows)
	c := &components{mean: make([]float64, d), axis: make([][]float64, p), sd: make([]float64, p)}
	points, unit := c.centre(x, rows)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var axes *mat.Dense // d x at least min(p, d), columns in falling order
	var values []float64
	if d <= eigenDims {
		scatter, err := scatterOf(ctx, points)
		if err != nil {
			return nil, err
		}
		axes, values = pca.Eigen(scatter)
	} else if axes, values, err = subspace(ctx, points, p, seed); err != nil {
		return nil, err
	}
	if axes == nil {
		return nil, problem.New("", "use random points as start",
			"the principal components of the data could not be found")
	}
	for a := range p {
		c.axis[a] = make([]float64, d)
		// A value within rounding is no direction of the data.
		if a >= len(values) || !(values[a] > 1e-12*values[0]) {
			continue
		}
		mat.Col(c.axis[a], a, axes)
		pca.Orient(c.axis[a])
		c.sd[a] = math.Sqrt(values[a]/math.Max(1, float64(n-1))) * unit
	}
	return c, nil
}

// centre sets the mean of the rows, and returns their deviations from it in units of the largest one: squares of 1e38
// and of 1e-38 both stay in range.
func (c *components) centre(x matrix.Matrix32, rows []int32) (points *mat.Dense, unit float64) {
	for _, r := range rows {
		for j, v := range x.Row(int(r)) {
			c.mean[j] += (float64(v)) / float64(len(rows))
		}
	}
	for _, r := range rows {
		for j, v := range x.Row(int(r)) {
			unit = max(unit, math.Abs(float64(v)-c.mean[j]))
		}
	}
	if unit == 0 {
		unit = 1
	}
	points = mat.NewDense(len(rows), x.Cols, nil)
	for i, r := range rows {
		to := points.RawRowView(i)
		for j, v := range x.Row(int(r)) {
			to[j] = (float64(v) - c.mean[j]) / unit
		}
	}
	return points, unit
}

// scatterOf is points' points. Cores share its rows, each of which is summed in the order of the points.
func scatterOf(ctx context.Context, points *mat.Dense) (*mat.SymDense, error) {
	n, d := points.Dims()
	sums := make([]float64, d*d)
	err := par.Blocks(ctx, d, 1, func(_, from, to int) {
		for i := 0; i < n; i++ {
			x := points.RawRowView(i)
			for j := from; j < to; j++ {
				if x[j] != 0 { // as gonum's Dsyrk, whose bits these are
					floats.AddScaled(sums[j*d+j:(j+1)*d], x[j], x[j:])
				}
			}
		}
	})
	return mat.NewSymDense(d, sums), err
}

// subspace returns the same for the first p directions by orthogonal iteration with three spare
// directions (Halko, Martinsson and Tropp 2011), without forming the d x d matrix. It ends when the
// variance found grows by less than 1e-5 of itself: a start needs no more.
func subspace(ctx context.Context, points *mat.Dense, p int, seed uint64) (*mat.Dense, []float64, error) {
	n, d := points.Dims()
	q := min(p+3, n, d)
	r := rand.New(rand.NewPCG(seed, 0x5b5bace))
	v := rowsOfSize(q, d)
	for _, row := range v {
		for i := range row {
			row[i] = r.NormFloat64()
		}
	}
	last := 0.0
	for round := 1; ; round++ {
		orthonormalise(v)
		inner, image, err := apply(ctx, points, v)
		if err != nil {
			return nil, nil, err
		}
		// Turn within the subspace, so that directions are in order and their values known.
		var e mat.EigenSym
		if !e.Factorize(inner, true) {
			return nil, nil, nil
		}
		var turn mat.Dense
		e.VectorsTo(&turn)
		up := e.Values(nil)
		values := make([]float64, q)
		sum := 0.0
		for a := range values {
			values[a] = math.Max(0, up[q-1-a])
			if a < p {
				sum += values[a]
			}
		}
		turned := func(rows [][]float64) [][]float64 {
			to := rowsOfSize(q, d)
			for a := range to {
				for b, row := range rows {
					floats.AddScaled(to[a], turn.At(b, q-1-a), row)
				}
			}
			return to
		}
		if sum-last <= 1e-5*sum || round == 25 {
			axes := mat.NewDense(d, q, nil)
			for a, row := range turned(v) {
				axes.SetCol(a, row)
			}
			return axes, values, nil
		}
		last = sum
		v = turned(image)
	}
}

// apply returns, for the directions v (q x d) and the points (n x d) with projections y = points v',
// the products y'y (q x q) and y'points (q x d), in one pass over the points. Blocks are summed in
// order, so that the number of cores changes nothing.
func apply(ctx context.Context, points *mat.Dense, v [][]float64) (*mat.SymDense, [][]float64, error) {
	n, d := points.Dims()
	q := len(v)
	size := max(256, (n+15)/16) // a few blocks only: each has its own sums
	type part struct {
		inner []float64
		image [][]float64
	}
	parts := make([]part, par.Count(n, size))
	err := par.Blocks(ctx, n, size, func(b, from, to int) {
		w := part{make([]float64, q*q), rowsOfSize(q, d)}
		y := make([]float64, q)
		for i := from; i < to; i++ {
			x := points.RawRowView(i)
			for a := range v {
				y[a] = floats.Dot(x, v[a])
			}
			for a := range v {
				floats.AddScaled(w.image[a], y[a], x)
				floats.AddScaled(w.inner[a*q:(a+1)*q], y[a], y)
			}
		}
		parts[b] = w
	})
	if err != nil {
		return nil, nil, err
	}
	inner, image := make([]float64, q*q), rowsOfSize(q, d)
	for _, w := range parts {
		floats.Add(inner, w.inner)
		for a := range image {
			floats.Add(image[a], w.image[a])
		}
	}
	return mat.NewSymDense(q, inner), image, nil
}

func rowsOfSize(n, d int) [][]float64 {
	data, rows := make([]float64, n*d), make([][]float64, n)
	for i := range rows {
		rows[i] = data[i*d : (i+1)*d]
	}
	return rows
}

// orthonormalise makes the rows of v orthonormal (Gram and Schmidt, twice); one that depends on those
// before becomes zero.
func orthonormalise(v [][]float64) {
	for a, row := range v {
		before := norm(row)
		for range 2 {
			for _, b := range v[:a] {
				floats.AddScaled(row, -floats.Dot(b, row), b)
			}
		}
		if length := norm(row); length > 1e-10*before {
			floats.Scale(1/length, row)
		} else {
			clear(row)
		}
	}
}

func norm(v []float64) float64 { return math.Sqrt(floats.Dot(v, v)) }
