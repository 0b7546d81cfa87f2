package picture

import (
	"math"
	"math/rand/v2"
	"testing"

	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/render/colour"
)

// cloud is n points: half of them in a Gaussian of deviation 0.05 around 0.5, the rest evenly in the unit cube.
func cloud(n, dims int) *embedsom.HostTarget {
	e := embedsom.NewHostTarget(n, dims)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		for c := range dims {
			e.Data[i*dims+c] = rng.Float32()
			if i%2 == 0 {
				e.Data[i*dims+c] = float32(0.5 + 0.05*rng.NormFloat64())
			}
		}
	}
	return e
}

var one = [3]float64{1, 1, 1}

// The estimate comes near to the true density of a known cloud, in its middle and in the even part.
func TestDensity(t *testing.T) {
	for _, dims := range []int{2, 3} {
		e := cloud(200_000, dims)
		got := density(e, [3]float64{}, one)
		peak := math.Pow(0.05*math.Sqrt(2*math.Pi), -float64(dims))
		checked, off, bias := 0, 0.0, 0.0
		for i, v := range got {
			q, far := 0.0, 1.0
			for c := range dims {
				d := (float64(e.Data[i*dims+c]) - 0.5) / 0.05
				q += d * d
				far = min(far, 0.5-math.Abs(float64(e.Data[i*dims+c])-0.5))
			}
			if q > 1 && q < 60 || far < 0.1 { // the flanks and the edge are smoothed
				continue
			}
			want := 0.5 + 0.5*peak*math.Exp(-q/2)
			off += math.Abs(math.Log(float64(v) / want))
			bias += math.Log(float64(v) / want)
			checked++
		}
		if checked < 10_000 || off/float64(checked) > 0.2 || math.Abs(bias)/float64(checked) > 0.15 {
			t.Errorf("%d dimensions, %d points: off by %.0f %%, biased by %.0f %%", dims, checked,
				100*off/float64(checked), 100*bias/float64(checked))
		}
	}
}

func TestDensityOfOddClouds(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	same := &embedsom.HostTarget{Data: []float32{3, 3, 3, 3, 3, 3}, N: 3, M: 2}
	for _, v := range density(same, [3]float64{3, 3}, [3]float64{3, 3}) {
		if !(v > 1) || math.IsInf(float64(v), 0) {
			t.Errorf("three points at one place: %g", v)
		}
	}
	odd := &embedsom.HostTarget{Data: []float32{0, 0, 1, 1, nan, 0, 0, inf, 9, 9}, N: 5, M: 2}
	v := density(odd, [3]float64{}, one)
	if !(v[0] > 0 && v[1] > 0 && v[4] > 0) || v[2] == v[2] || v[3] == v[3] {
		t.Errorf("%v", v)
	}
	if got := density(&embedsom.HostTarget{M: 2}, [3]float64{}, one); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// A table of nothing but coordinates is coloured by density; a column of that name comes first.
func TestChooseDensity(t *testing.T) {
	two := []dataset.Column{{Name: "embedsom1", Values: []float32{1, 2}}, {Name: "embedsom2", Values: []float32{1, 3}}}
	table := func(more ...dataset.Column) *dataset.Dataset {
		ds, err := dataset.FromColumns(t.Context(), "t", append(append([]dataset.Column{}, two...), more...))
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	named := dataset.Column{Name: "Density", Values: []float32{5, 6}}
	for _, c := range []struct {
		ds   *dataset.Dataset
		cols []int
		word string
		want int
	}{
		{table(), nil, "", byDensity}, {table(), nil, "none", flat}, {table(), nil, "density", byDensity},
		{table(), []int{1}, "", 1},
		{table(), []int{1}, "Density", byDensity}, {table(named), nil, "density", 2}, {table(), nil, "embedsom2", 1},
	} {
		if got, err := (Colour{Column: c.word}).choose(c.ds, c.cols); got != c.want || err != nil {
			t.Errorf("%q: column %d, not %d (%v)", c.word, got, c.want, err)
		}
	}
	e := cloud(5000, 2)
	v, err := densityOf(e, [3]float64{}, one)
	if err != nil {
		t.Fatal(err)
	}
	l := v.Legend(v.Colouring(colour.Settings{Low: 1, High: 99}))
	if l.Title != "density" || l.Subtitle != "log10" {
		t.Errorf("legend %q, %q", l.Title, l.Subtitle)
	}
	if lo, hi := v.Range(1, 99); lo >= 0 || hi < 1 || hi > 2 { // half of the points in 1 % of the map
		t.Errorf("range %g to %g", lo, hi)
	}
}
