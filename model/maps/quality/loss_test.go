package quality

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"blossom/model/base/matrix"
)

// The loss of each point is that of brute force: by ranks among the sample.
func TestLossAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for _, n := range []int{3, 20, 65, 200} {
		x, y := cloud(rng, n, 11, true), cloud(rng, n, 2, true)
		for i := range n {
			copy(y.Row(i), x.Row(i)[:1])
		}
		got, err := Loss(t.Context(), x, y.Data, 2, LossWork, Work{})
		if err != nil || got.Sample != n || got.Of != n || got.K != K(n) {
			t.Fatalf("%+v, %v", got, err)
		}
		r, s := ranks(wide(x)), ranks(wide(y))
		mean := 0.0
		for i := range n {
			lost := 0
			for j := range n {
				if i != j && r[i][j] <= got.K && s[i][j] > got.K {
					lost++
				}
			}
			if want := float32(lost) / float32(got.K); got.Share[i] != want {
				t.Fatalf("n %d: point %d lost %g, want %g", n, i, got.Share[i], want)
			}
			mean += float64(got.Share[i]) / float64(n)
		}
		if v := rnx(1-mean, n, got.K); math.Abs(v-measured(t, x, y, Work{}).Value()) > 1e-6 {
			t.Errorf("n %d: the mean loss says R_NX %g", n, v)
		}
	}
}

// folded is a sheet that is folded over itself on the map: its last part lies on the one before. fold says which points
// share their place with others.
func folded(rng *rand.Rand, n int) (x, y matrix.Matrix32, fold []bool) {
	x, y, fold = matrix.New(n, 3), matrix.New(n, 2), make([]bool, n)
	for i := range n {
		along, across := 3*rng.Float64(), rng.Float64()
		x.Row(i)[0], x.Row(i)[1], x.Row(i)[2] = float32(along), float32(across), float32(0.01*rng.NormFloat64())
		on := along
		if fold[i] = along > 0.5; along > 1.75 { // doubled back at 1.75
			on = 3.5 - along
		}
		y.Row(i)[0], y.Row(i)[1] = float32(on), float32(across)
	}
	return x, y, fold
}

// A planted fold is flagged, by all points and by a sample, and what is flat is not.
func TestLossFlagsAFold(t *testing.T) {
	x, y, fold := folded(rand.New(rand.NewPCG(4, 5)), 3000)
	for _, work := range []float64{LossWork, 0} {
		got, err := Loss(t.Context(), x, y.Data, 2, work, Work{})
		if err != nil || work == 0 && got.Sample != leastSample || work > 0 && got.Sample != 3000 {
			t.Fatalf("%+v, %v", got.Sample, err)
		}
		hit, found, flagged := 0, 0, 0
		for i, v := range got.Share {
			if fold[i] {
				found++
			}
			if v > 0.3 {
				flagged++
				if fold[i] {
					hit++
				}
			}
		}
		if float64(hit) < 0.85*float64(found) || float64(hit) < 0.9*float64(flagged) {
			t.Errorf("among %d: %d of %d folded points flagged, %d flagged in all", got.Sample, hit, found, flagged)
		}
	}
}

func TestLossOfOddPoints(t *testing.T) {
	x, y, _ := folded(rand.New(rand.NewPCG(6, 7)), 100)
	x.Row(3)[1], y.Row(5)[0] = float32(math.NaN()), float32(math.Inf(-1))
	got, err := Loss(t.Context(), x, y.Data, 2, LossWork, Work{})
	if err != nil || got.Of != 98 || got.Share[3] == got.Share[3] || got.Share[5] == got.Share[5] ||
		got.Share[4] != got.Share[4] {
		t.Errorf("%+v, %v", got, err)
	}
	for _, n := range []int{0, 1, 2} {
		got, err := Loss(t.Context(), matrix.New(n, 3), make([]float32, 2*n), 2, LossWork, Work{})
		if err != nil || got.K != 0 || len(got.Share) != n || n > 0 && got.Share[0] == got.Share[0] {
			t.Errorf("%d points: %+v, %v", n, got, err)
		}
	}
	if _, err := Loss(t.Context(), x, y.Data, 3, LossWork, Work{}); err == nil {
		t.Error("positions of other points are taken")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Loss(ctx, x, y.Data, 2, LossWork, Work{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
