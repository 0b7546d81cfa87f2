package quality

import (
	"math"
	"sort"
)

// reference is the measures of the package's head by brute force: ranks by counting, sets by their definition.
type reference struct {
	rnx         []float64
	auc         float64
	trust, cont float64
}

// ranks returns r_ij by counting, ties to the lower index; r_ii is 0.
func ranks(x [][]float64) [][]int {
	n := len(x)
	out := make([][]int, n)
	for i := range x {
		d, others := make([]float64, n), []int{}
		for j := range x {
			for c := range x[i] {
				d[j] += (x[i][c] - x[j][c]) * (x[i][c] - x[j][c])
			}
			if j != i {
				others = append(others, j)
			}
		}
		sort.SliceStable(others, func(a, b int) bool { return d[others[a]] < d[others[b]] })
		out[i] = make([]int, n)
		for at, j := range others {
			out[i][j] = at + 1
		}
	}
	return out
}

func brute(x, y [][]float64) reference {
	n := len(x)
	r, s := ranks(x), ranks(y)
	out := reference{trust: math.NaN(), cont: math.NaN()}
	weights := 0.0
	for k := 1; k <= n-2; k++ {
		q := 0.0
		for i := range n {
			for j := range n {
				if i != j && r[i][j] <= k && s[i][j] <= k {
					q++
				}
			}
		}
		q /= float64(n * k)
		v := (float64(n-1)*q - float64(k)) / float64(n-1-k)
		out.rnx = append(out.rnx, v)
		out.auc += v / float64(k)
		weights += 1 / float64(k)
	}
	out.auc /= weights
	if n > 24 {
		const k = 12
		a, b := 0.0, 0.0
		for i := range n {
			for j := range n {
				if i == j {
					continue
				}
				if s[i][j] <= k && r[i][j] > k {
					a += float64(r[i][j] - k)
				}
				if r[i][j] <= k && s[i][j] > k {
					b += float64(s[i][j] - k)
				}
			}
		}
		f := 2 / float64(n*k*(2*n-3*k-1))
		out.trust, out.cont = 1-f*a, 1-f*b
	}
	return out
}
