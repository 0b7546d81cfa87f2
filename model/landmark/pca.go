package landmark

import (
	"context"
	"math"
	"math/rand/v2"

	"blossom/model/matrix"
	"blossom/model/problem"

	"gonum.org/v1/gonum/mat"
)

// Limits of principal components. Above eigenDims columns the covariance is never formed.
const (
	eigenDims = 512
	pcaRows   = 100_000
)

// components are the first principal components of some points.
type components struct {
	mean []float64
	axis [][]float64 // unit vectors, as many as asked for; zero where the data has fewer
	sd   []float64   // deviation of the points along each
}

// principal returns the first p principal components of a seeded sample of the valid rows of x, in
// float64. Signs are such that the largest entry of an axis is positive, so that the same data gives
// the same map.
func principal(ctx context.Context, x matrix.Matrix32, p int, seed uint64) (*components, error) {
	d := x.Cols
	limit := pcaRows
	if d <= eigenDims {
		limit = min(limit, max(2000, 500_000_000/(d*d+1)))
	} else {
		limit = min(limit, max(200, 8_000_000/d))
	}
	rows, err := sampleRows(ctx, x, limit, seed)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errNoPoints()
	}
	n := len(rows)
	c := &components{mean: make([]float64, d), axis: make([][]float64, p), sd: make([]float64, p)}
	for _, r := range rows {
		for j, v := range x.Row(int(r)) {
			c.mean[j] += (float64(v)) / float64(n)
		}
	}
	// Deviations in units of the largest one: squares of 1e38 and of 1e-38 both stay in range.
	unit := 0.0
	for _, r := range rows {
		for j, v := range x.Row(int(r)) {
			unit = max(unit, math.Abs(float64(v)-c.mean[j]))
		}
	}
	if unit == 0 {
		unit = 1
	}
	points := mat.NewDense(n, d, nil)
	for i, r := range rows {
		to := points.RawRowView(i)
		for j, v := range x.Row(int(r)) {
			to[j] = (float64(v) - c.mean[j]) / unit
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var axes *mat.Dense // d x at least min(p, d), columns in falling order
	var values []float64
	if d <= eigenDims {
		axes, values = eigen(points)
	} else if axes, values, err = subspace(ctx, points, p, seed); err != nil {
		return nil, err
	}
	if axes == nil {
		return nil, problem.New("", "use random points as start", "the principal components of the data could not be found")
	}
	for a := range p {
		c.axis[a] = make([]float64, d)
		// What is not above rounding is no direction of the data.
		if a >= len(values) || !(values[a] > 1e-12*values[0]) {
			continue
		}
		mat.Col(c.axis[a], a, axes)
		orient(c.axis[a])
		c.sd[a] = math.Sqrt(values[a]/math.Max(1, float64(n-1))) * unit
	}
	return c, nil
}

// eigen returns eigenvectors (columns) and eigenvalues of points' * points, largest first; nil if it
// fails.
func eigen(points *mat.Dense) (*mat.Dense, []float64) {
	_, d := points.Dims()
	scatter := mat.NewSymDense(d, nil)
	scatter.SymOuterK(1, points.T())
	var e mat.EigenSym
	if !e.Factorize(scatter, true) {
		return nil, nil
	}
	var v mat.Dense
	e.VectorsTo(&v)
	up := e.Values(nil)
	axes, values := mat.NewDense(d, d, nil), make([]float64, d)
	for a := range d {
		axes.SetCol(a, mat.Col(nil, d-1-a, &v))
		values[a] = math.Max(0, up[d-1-a])
	}
	return axes, values
}

// subspace returns the same for the first p directions by orthogonal iteration with three spare
// directions (Halko, Martinsson and Tropp 2011), without forming the d x d matrix.
func subspace(ctx context.Context, points *mat.Dense, p int, seed uint64) (*mat.Dense, []float64, error) {
	n, d := points.Dims()
	q := min(p+3, n, d)
	r := rand.New(rand.NewPCG(seed, 0x5b5bace))
	v := mat.NewDense(d, q, nil)
	for i := range d {
		for j := range q {
			v.Set(i, j, r.NormFloat64())
		}
	}
	var last float64
	values := make([]float64, q)
	for round := range 60 {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		orthonormalise(v)
		var y, small mat.Dense
		y.Mul(points, v)
		// Rotate within the subspace, so that the columns are in order and their values known.
		small.Mul(y.T(), &y)
		var e mat.EigenSym
		if !e.Factorize(mat.NewSymDense(q, small.RawMatrix().Data), true) {
			return nil, nil, nil
		}
		var turn mat.Dense
		e.VectorsTo(&turn)
		up := e.Values(nil)
		order := mat.NewDense(q, q, nil)
		sum := 0.0
		for a := range q {
			order.SetCol(a, mat.Col(nil, q-1-a, &turn))
			values[a] = math.Max(0, up[q-1-a])
			if a < p {
				sum += values[a]
			}
		}
		var turned mat.Dense
		turned.Mul(v, order)
		if round > 4 && math.Abs(sum-last) <= 1e-9*sum || round == 59 || sum == 0 {
			return &turned, values, nil
		}
		last = sum
		var image mat.Dense
		image.Mul(&y, order)
		v.Mul(points.T(), &image)
	}
	return nil, nil, nil
}

// orthonormalise makes the columns of v orthonormal (Gram and Schmidt, twice); one that depends on
// those before becomes zero.
func orthonormalise(v *mat.Dense) {
	d, q := v.Dims()
	cols := make([][]float64, q)
	for a := range cols {
		cols[a] = mat.Col(nil, a, v)
		before := norm(cols[a])
		for range 2 {
			for _, b := range cols[:a] {
				dot := 0.0
				for i := range d {
					dot += b[i] * cols[a][i]
				}
				for i := range d {
					cols[a][i] -= dot * b[i]
				}
			}
		}
		length := norm(cols[a])
		for i := range cols[a] {
			if length > 1e-10*before {
				cols[a][i] /= length
			} else {
				cols[a][i] = 0
			}
		}
		v.SetCol(a, cols[a])
	}
}

func norm(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x * x
	}
	return math.Sqrt(s)
}

// orient turns v so that its largest entry is positive.
func orient(v []float64) {
	best := 0
	for i, x := range v {
		if math.Abs(x) > math.Abs(v[best])*(1+1e-9) {
			best = i
		}
	}
	if v[best] < 0 {
		for i := range v {
			v[i] = -v[i]
		}
	}
}
