package density

import (
	"math"
	"math/rand/v2"
	"testing"
)

var nan = float32(math.NaN())

// points are some on the plane or in space.
type points struct {
	pos  []float32
	dims int
}

// cloud is n points: half of them in a Gaussian of deviation 0.05 around 0.5, the rest evenly in the unit cube.
func cloud(n, dims int) points {
	e := points{dims: dims, pos: make([]float32, n*dims)}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		for c := range dims {
			e.pos[i*dims+c] = rng.Float32()
			if i%2 == 0 {
				e.pos[i*dims+c] = float32(0.5 + 0.05*rng.NormFloat64())
			}
		}
	}
	return e
}

func densityOf(t *testing.T, e points, low, high [3]float64) (values []float64) {
	t.Helper()
	f, err := Of(t.Context(), e.pos, e.dims, low, high)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(e.pos); i += e.dims {
		values = append(values, f.At(e.pos[i:i+e.dims]))
	}
	return values
}

var one = [3]float64{1, 1, 1}

// The estimate comes near to the true density of a known cloud, in its middle and in the even part.
func TestDensity(t *testing.T) {
	for _, dims := range []int{2, 3} {
		e := cloud(200_000, dims)
		got := densityOf(t, e, [3]float64{}, one)
		peak := math.Pow(0.05*math.Sqrt(2*math.Pi), -float64(dims))
		checked, off, bias := 0, 0.0, 0.0
		for i, v := range got {
			q, far := 0.0, 1.0
			for c := range dims {
				d := (float64(e.pos[i*dims+c]) - 0.5) / 0.05
				q += d * d
				far = min(far, 0.5-math.Abs(float64(e.pos[i*dims+c])-0.5))
			}
			if q > 1 && q < 60 || far < 0.1 { // the flanks and the edge are smoothed
				continue
			}
			want := 0.5 + 0.5*peak*math.Exp(-q/2)
			off += math.Abs(math.Log(v / want))
			bias += math.Log(v / want)
			checked++
		}
		if checked < 10_000 || off/float64(checked) > 0.2 || math.Abs(bias)/float64(checked) > 0.15 {
			t.Errorf("%d dimensions, %d points: off by %.0f %%, biased by %.0f %%", dims, checked,
				100*off/float64(checked), 100*bias/float64(checked))
		}
	}
}

func TestDensityOfOddClouds(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	inf := float32(math.Inf(1))
	same := points{[]float32{3, 3, 3, 3, 3, 3}, 2}
	for _, v := range densityOf(t, same, [3]float64{3, 3}, [3]float64{3, 3}) {
		if !(v > 1) || math.IsInf(v, 0) {
			t.Errorf("three points at one place: %g", v)
		}
	}
	odd := points{[]float32{0, 0, 1, 1, nan, 0, 0, inf, 9, 9}, 2}
	v := densityOf(t, odd, [3]float64{}, one)
	if !(v[0] > 0 && v[1] > 0 && v[4] > 0) || v[2] == v[2] || v[3] == v[3] {
		t.Errorf("%v", v)
	}
	if got := densityOf(t, points{dims: 2}, [3]float64{}, one); len(got) != 0 {
		t.Errorf("%v", got)
	}
}
