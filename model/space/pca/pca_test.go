package pca

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

var nan, inf = float32(math.NaN()), float32(math.Inf(1))

// cloud is n points of d columns whose deviations along random directions fall, around places far from 0.
func cloud(n, d int, seed uint64) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(seed, 1))
	turn := make([]float64, d*d)
	for i := range turn {
		turn[i] = r.NormFloat64() / math.Sqrt(float64(d))
	}
	x := matrix.New(n, d)
	g := make([]float64, d)
	for i := range n {
		for a := range g {
			g[a] = r.NormFloat64() * 8 / float64(a+1)
		}
		for j := range d {
			s := float64(10 * j)
			for a, v := range g {
				s += turn[a*d+j] * v
			}
			x.Data[i*d+j] = float32(s)
		}
	}
	return x
}

func fit(t testing.TB, x matrix.Matrix32) *Axes {
	t.Helper()
	a, err := Fit(t.Context(), x, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Axes and variances are those of gonum's own components, which are found by singular values.
func TestAgainstSingularValues(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	for _, size := range [][2]int{{1000, 5}, {333, 33}, {5000, 70}, {31, 30}, {20, 64}, {3, 2}, {300, 270},
		{270, 300}} {
		n, d := size[0], size[1]
		x := cloud(n, d, uint64(n))
		a := fit(t, x)
		dense := mat.NewDense(n, d, nil)
		for i, v := range x.Data {
			dense.Set(i/d, i%d, float64(v))
		}
		var pc stat.PC
		if !pc.PrincipalComponents(dense, nil) {
			t.Fatal("no reference")
		}
		var vectors mat.Dense
		pc.VectorsTo(&vectors)
		vars := pc.VarsTo(nil)
		total := 0.0
		for i, want := range vars {
			total += want
			if math.Abs(a.Variance[i]-want) > 1e-9*vars[0] {
				t.Errorf("%v: variance %d is %g, not %g", size, i, a.Variance[i], want)
			}
		}
		if math.Abs(a.Total/total-1) > 1e-9 {
			t.Errorf("%v: total %g, not %g", size, a.Total, total)
		}
		for c := range min(Kept, n-1, d) {
			want := mat.Col(nil, c, &vectors)
			Orient(want)
			for j := range want {
				if math.Abs(a.Axis[c][j]-want[j]) > 1e-6 {
					t.Fatalf("%v: axis %d column %d: %g, not %g", size, c, j, a.Axis[c][j], want[j])
				}
			}
		}
		checkProjection(t, x, a)
	}
}

// checkProjection compares Project with the formula, in ranges, and the variances of its result with the axes'.
func checkProjection(t *testing.T, x matrix.Matrix32, a *Axes) {
	t.Helper()
	for dims := 2; dims <= Kept; dims++ {
		out := make([]float32, x.Rows*dims)
		for from := 0; from < x.Rows; {
			to := min(x.Rows, from+1+x.Rows/3)
			if err := a.Project(x, dims, out, from, to); err != nil {
				t.Fatal(err)
			}
			from = to
		}
		for c := range dims {
			v := make([]float64, 0, x.Rows)
			for i := range x.Rows {
				want := 0.0
				for j, f := range x.Row(i) {
					want += (float64(f) - a.Mean[j]) * a.Axis[c][j]
				}
				got := float64(out[i*dims+c])
				if math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
					t.Fatalf("point %d axis %d: %g, not %g", i, c, got, want)
				}
				v = append(v, got)
			}
			if got := stat.Variance(v, nil); len(v) > 1 && math.Abs(got-a.Variance[c]) > 1e-5*a.Variance[0] {
				t.Errorf("variance along axis %d is %g, not %g", c, got, a.Variance[c])
			}
		}
	}
}

// The few vectors of a large matrix are those that finding all of them gives, also where values coincide.
func TestPartial(t *testing.T) {
	const n = 60
	r := rand.New(rand.NewPCG(5, 5))
	for name, lambda := range map[string]func(i int) float64{
		"falling": func(i int) float64 { return math.Pow(0.8, float64(i)) },
		"pairs":   func(i int) float64 { return float64(max(0, 10-i/2)) },
		"all":     func(int) float64 { return 2 },
		"line":    func(i int) float64 { return []float64{5, 0}[min(i, 1)] },
		"close":   func(i int) float64 { return 1 - 1e-13*float64(i) },
		"large":   func(i int) float64 { return 1e70 / float64(1+i) },
		"small":   func(i int) float64 { return 1e-70 / float64(1+i) },
	} {
		random := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				random.Set(i, j, r.NormFloat64())
			}
		}
		var qr mat.QR
		qr.Factorize(random)
		var q mat.Dense
		qr.QTo(&q)
		a := make([]float64, n*n)
		for i := range n {
			for j := range n {
				for k := range n {
					a[i*n+j] += lambda(k) * q.At(i, k) * q.At(j, k)
				}
			}
		}
		for i := range n {
			for j := range i {
				a[i*n+j] = a[j*n+i]
			}
		}
		values, vectors := partial(slices.Clone(a), n)
		for i, v := range values {
			if math.Abs(v-lambda(i)) > 1e-12*lambda(0) {
				t.Errorf("%s: value %d is %g, not %g", name, i, v, lambda(i))
			}
		}
		for c, v := range vectors {
			off := 0.0
			for i := range n {
				s := -values[c] * v[i]
				for j := range n {
					s += a[i*n+j] * v[j]
				}
				off = max(off, math.Abs(s))
			}
			if off > 1e-11*lambda(0) {
				t.Errorf("%s: vector %d is off by %g of %g", name, c, off, lambda(0))
			}
			for o := range c + 1 {
				dot := 0.0
				for i := range n {
					dot += v[i] * vectors[o][i]
				}
				if want := map[bool]float64{true: 1}[o == c]; math.Abs(dot-want) > 1e-12 {
					t.Errorf("%s: vectors %d and %d have product %g", name, o, c, dot)
				}
			}
		}
	}
}

func TestFewerDirectionsThanAxes(t *testing.T) {
	line, plane := matrix.New(50, 6), matrix.New(50, 6)
	for i := range 50 {
		for j := range 6 {
			u, v := float32(i-20), float32(i*i%17)
			line.Row(i)[j] = u * float32(j-2)
			plane.Row(i)[j] = u*float32(j-2) + v*float32(j%2)
		}
	}
	wide := make([]float32, 5*60)
	for i := range wide {
		wide[i] = float32((i/60 - 1) * (i%60 - 7))
	}
	constant := matrix.New(40, 3)
	for i := range constant.Rows {
		copy(constant.Row(i), []float32{0.1, -7.3, 1e30})
	}
	one := matrix.New(9, 1)
	for i := range one.Rows {
		one.Data[i] = float32(i)
	}
	mixed := cloud(100, 4, 3)
	for i := range mixed.Rows {
		mixed.Row(i)[1], mixed.Row(i)[3] = 0.3, mixed.Row(i)[0] // one constant, one twice
	}
	for name, c := range map[string]struct {
		x    matrix.Matrix32
		rank int
	}{
		"line": {line, 1}, "plane": {plane, 2}, "constant": {constant, 0}, "one column": {one, 1}, "mixed": {mixed, 2},
		"no point": {matrix.New(0, 4), 0}, "no column": {matrix.New(4, 0), 0}, "one point": {cloud(1, 4, 1), 0},
		"two points": {cloud(2, 4, 1), 1}, "two points, one column": {cloud(2, 1, 1), 1},
		"line of many columns": {matrix.Matrix32{Rows: 5, Cols: 60, Data: wide}, 1},
	} {
		a := fit(t, c.x)
		share := 0.0
		for i := range a.Axis {
			length := 0.0
			for _, v := range a.Axis[i] {
				length += v * v
			}
			has := i < c.rank
			if has != (a.Variance[i] > 0) || has != (math.Abs(length-1) < 1e-12) || !has && length != 0 {
				t.Errorf("%s: axis %d of length %g and variance %g", name, i, length, a.Variance[i])
			}
			share += a.Share(i)
		}
		if want := float64(min(1, c.rank)); math.Abs(share-want) > 1e-9 {
			t.Errorf("%s: the axes have %g of the variance", name, share)
		}
		checkProjection(t, c.x, a)
	}
	a := fit(t, one)
	if a.Axis[0][0] != 1 || a.Mean[0] != 4 || math.Abs(a.Variance[0]-7.5) > 1e-12 {
		t.Errorf("one column: %+v", a)
	}
}

// Points that are there twice weigh twice.
func TestDuplicates(t *testing.T) {
	x := cloud(64, 5, 9)
	twice := matrix.Matrix32{Rows: 128, Cols: 5, Data: append(slices.Clone(x.Data), x.Data...)}
	a, b := fit(t, x), fit(t, twice)
	for c := range Kept {
		if math.Abs(a.Variance[c]*63/64/(b.Variance[c]*127/128)-1) > 1e-12 ||
			math.Abs(a.Axis[c][2]-b.Axis[c][2]) > 1e-9 {
			t.Errorf("axis %d: %g and %g", c, a.Variance[c], b.Variance[c])
		}
	}
}

func TestRowsThatAreNotFinite(t *testing.T) {
	for _, size := range [][2]int{{700, 6}, {12, 20}} {
		x := cloud(size[0], size[1], 2)
		r := rand.New(rand.NewPCG(8, 8))
		var good []float32
		bad := make([]bool, x.Rows)
		for i := range x.Rows {
			if i == 0 || i%5 == 2 {
				bad[i] = true
				x.Row(i)[r.IntN(x.Cols)] = []float32{nan, inf, -inf}[i%3]
				continue
			}
			good = append(good, x.Row(i)...)
		}
		a := fit(t, x)
		b := fit(t, matrix.Matrix32{Rows: len(good) / x.Cols, Cols: x.Cols, Data: good})
		if a.Points != b.Points || !near(a.Axis[0], b.Axis[0]) || !near(a.Axis[2], b.Axis[2]) ||
			!near(a.Variance[:3], b.Variance[:3]) {
			t.Fatalf("%d points: %v, not %v", a.Points, a.Axis[0], b.Axis[0])
		}
		for dims := 2; dims <= 3; dims++ {
			out := make([]float32, x.Rows*dims)
			if err := a.Project(x, dims, out, 0, x.Rows); err != nil {
				t.Fatal(err)
			}
			for i, v := range out {
				if bad[i/dims] != (v != v) {
					t.Fatalf("point %d is at %g", i/dims, v)
				}
			}
		}
	}
	// Along an axis that has no part of the column, too.
	x := matrix.Matrix32{Rows: 4, Cols: 2, Data: []float32{1, 5, 2, 5, 3, 5, 4, inf}}
	out := make([]float32, 8)
	if err := fit(t, x).Project(x, 2, out, 0, 4); err != nil || out[6] == out[6] || out[7] == out[7] || out[0] != -1 {
		t.Fatalf("%v, %v", out, err)
	}
	none := matrix.Matrix32{Rows: 2, Cols: 1, Data: []float32{nan, inf}}
	if a := fit(t, none); a.Points != 0 || a.Variance[0] != 0 {
		t.Fatalf("%+v", a)
	}
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*(1+math.Abs(y)) })
}

func TestExtremeNumbers(t *testing.T) {
	for _, scale := range []float64{1e38, 1e-38} {
		x := matrix.New(100, 3)
		r := rand.New(rand.NewPCG(1, 1))
		for i := range x.Data {
			x.Data[i] = float32(scale * (r.Float64()*2 - 1) / float64(1+i%3))
		}
		a := fit(t, x)
		if a.Axis[0][0] < 0.9 || a.Share(0) < 0.6 {
			t.Errorf("%g: %v of %g", scale, a.Axis[0], a.Share(0))
		}
		out := make([]float32, 300)
		if err := a.Project(x, 3, out, 0, 100); err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(out, func(v float32) bool { return v-v != 0 }) ||
			max(out[0], -out[0]) < float32(scale)/1e6 {
			t.Errorf("%g: %v", scale, out[:3])
		}
	}
}

// Neither the number of cores nor the run changes a bit.
func TestSameBytesOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	sizes := [][2]int{{20_000, 7}, {3000, 290}, {280, 400}}
	if testing.Short() {
		sizes = [][2]int{{20_000, 7}, {300, 290}}
	}
	for _, size := range sizes {
		x := cloud(size[0], size[1], 4)
		x.Data[5] = nan
		var want *Axes
		var first []float32
		for _, procs := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(procs)
			a := fit(t, x)
			out := make([]float32, x.Rows*3)
			if err := a.Project(x, 3, out, 0, x.Rows); err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want, first = a, out
				continue
			}
			same := slices.Equal(a.Mean, want.Mean) && slices.Equal(a.Variance, want.Variance)
			for c := range Kept {
				same = same && slices.Equal(a.Axis[c], want.Axis[c])
			}
			for i := range out {
				same = same && math.Float32bits(out[i]) == math.Float32bits(first[i])
			}
			if !same {
				t.Fatalf("%v: other bits on %d cores", size, procs)
			}
		}
	}
}

func TestTooLargeCancelledAndMisfits(t *testing.T) {
	var p *problem.Problem
	if _, err := Fit(t.Context(), matrix.New(MaxSide+1, MaxSide+2), nil); !errors.As(err, &p) || p.Remedy == "" {
		t.Errorf("too large: %v", err)
	}
	few := matrix.New(5, 4096)
	few.Data[3], few.Data[4096] = 1, 2
	if a := fit(t, few); a.Variance[1] == 0 || a.Variance[2] != 0 {
		t.Errorf("few points of many columns: %v", a.Variance)
	}
	ctx, cancel := context.WithCancel(t.Context())
	x := cloud(3000, 300, 1)
	if _, err := Fit(ctx, x, func(done, total int64) {
		if done > 200 {
			cancel()
		}
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	a := fit(t, cloud(10, 4, 1))
	for _, err := range []error{
		a.Project(cloud(10, 3, 1), 2, make([]float32, 20), 0, 10),
		a.Project(cloud(10, 4, 1), 4, make([]float32, 40), 0, 10),
		a.Project(cloud(10, 4, 1), 2, make([]float32, 19), 0, 10),
		a.Project(cloud(10, 4, 1), 2, make([]float32, 40), 0, 11),
	} {
		if !errors.As(err, &p) {
			t.Errorf("a misfit gives %v", err)
		}
	}
}

func BenchmarkFit(b *testing.B) {
	x := cloud(1_000_000, 30, 1)
	for b.Loop() {
		fit(b, x)
	}
}

func BenchmarkProject(b *testing.B) {
	x := cloud(1_000_000, 30, 1)
	a := fit(b, x)
	out := make([]float32, 3*x.Rows)
	for b.Loop() {
		if err := a.Project(x, 3, out, 0, x.Rows); err != nil {
			b.Fatal(err)
		}
	}
}
