package pca

import (
	"context"
	"math"
	"math/rand/v2"

	"blossom/model/base/problem"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	lapack "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// fullSide is up to which size all eigenvectors are found, which costs many times what the first few do.
const fullSide = 256

// Eigen returns the eigenvectors (columns) and eigenvalues of a matrix of inner products, largest first
// and none below 0; nil if it fails.
func Eigen(scatter *mat.SymDense) (*mat.Dense, []float64) {
	d := scatter.SymmetricDim()
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

// largest returns all eigenvalues of a (n x n, symmetric, which is overwritten), falling, and up to Kept
// eigenvectors. It returns soon after ctx is cancelled, whatever its size.
func largest(ctx context.Context, a []float64, n int) (values []float64, vectors [][]float64, err error) {
	type answer struct {
		values  []float64
		vectors [][]float64
	}
	out := make(chan answer, 1)
	go func() {
		var r answer
		if n > fullSide {
			r.values, r.vectors = partial(a, n)
		} else if v, values := Eigen(mat.NewSymDense(n, a)); v != nil {
			r.values = values
			for i := range min(n, Kept) {
				r.vectors = append(r.vectors, mat.Col(nil, i, v))
			}
		}
		out <- r
	}()
	select {
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	case r := <-out:
		if r.values == nil {
			return nil, nil, problem.New("", "take other columns into the map",
				"the principal components of the data could not be found")
		}
		return r.values, r.vectors, nil
	}
}

// partial brings a to tridiagonal form T = Q'aQ by Householder's reflections, finds the eigenvalues of T, and
// the eigenvectors of the largest Kept by inverse iteration (G. H. Golub and C. F. Van Loan, "Matrix
// Computations" (2013), sections 8.3 and 8.2.2). nil if it fails.
func partial(a []float64, n int) (values []float64, vectors [][]float64) {
	var impl lapack.Implementation
	diagonal, beside, tau := make([]float64, n), make([]float64, n-1), make([]float64, n-1)
	work := make([]float64, 1)
	impl.Dsytrd(blas.Lower, n, a, n, diagonal, beside, tau, work, -1)
	work = make([]float64, int(work[0]))
	impl.Dsytrd(blas.Lower, n, a, n, diagonal, beside, tau, work, len(work))

	up := append([]float64(nil), diagonal...)
	if !impl.Dsterf(n, up, append([]float64(nil), beside...)) {
		return nil, nil
	}
	values = make([]float64, n)
	for i := range values {
		values[i] = math.Max(0, up[n-1-i])
	}
	var inT [][]float64
	for i := range Kept {
		z := inverse(diagonal, beside, up[n-1-i], math.Max(math.Abs(up[0]), math.Abs(up[n-1])), inT)
		inT = append(inT, z)
		vectors = append(vectors, reflect(a, tau, append([]float64(nil), z...)))
	}
	return values, vectors
}

// inverse returns the unit eigenvector of the tridiagonal matrix for its eigenvalue value, at right angles to
// those found before, from a start that is always the same. size is that of the largest eigenvalue.
func inverse(diagonal, beside []float64, value, size float64, before [][]float64) []float64 {
	n := len(diagonal)
	var impl lapack.Implementation
	r := rand.New(rand.NewPCG(uint64(n), uint64(len(before))))
	z := make([]float64, n)
	for i := range z {
		z[i] = r.NormFloat64()
	}
	low, mid, high := make([]float64, n-1), make([]float64, n), make([]float64, n-1)
	const rounds = 5 // two are enough, but for eigenvalues that nearly coincide
	for round := range rounds {
		orthonormal(z, before)
		// Off the eigenvalue by rounding, by more for each try, so that the system can be solved.
		shift := value + float64(1+round)*0x1p-52*size
		for y := append([]float64(nil), z...); ; shift += 0x1p-50 * size {
			copy(low, beside)
			copy(high, beside)
			for i, d := range diagonal {
				mid[i] = d - shift
			}
			if impl.Dgtsv(n, 1, low, mid, high, z, 1) || size == 0 {
				break
			}
			copy(z, y)
		}
	}
	orthonormal(z, before)
	return z
}

// orthonormal takes from z what lies along the others (Gram and Schmidt, twice), and brings it to length 1.
func orthonormal(z []float64, others [][]float64) {
	for range 2 {
		floats.Scale(1/floats.Norm(z, math.Inf(1)), z) // squares stay in range
		for _, o := range others {
			floats.AddScaled(z, -floats.Dot(o, z), o)
		}
		floats.Scale(1/floats.Norm(z, 2), z)
	}
}

// reflect returns Qz, where a and tau hold Q as Dsytrd leaves it: reflection i keeps its vector below the
// diagonal of column i, with an unwritten 1 at i+1.
func reflect(a, tau, z []float64) []float64 {
	n := len(z)
	for i := n - 2; i >= 0; i-- {
		along := z[i+1]
		for k := i + 2; k < n; k++ {
			along += a[k*n+i] * z[k]
		}
		along *= tau[i]
		z[i+1] -= along
		for k := i + 2; k < n; k++ {
			z[k] -= along * a[k*n+i]
		}
	}
	return z
}
