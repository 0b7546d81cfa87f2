package density

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// islands are n points of two Gaussians, one three times as wide as the other and slanting.
func islands(n int) (pos []float32) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		x, y := r.NormFloat64(), r.NormFloat64()
		if i%2 == 0 {
			x, y = 12+3*x, -4+3*y+2*x
		}
		pos = append(pos, float32(x), float32(y))
	}
	return pos
}

var wide = [2][2]float64{{-40, -40}, {40, 40}}

func contours(t rapid.TB, pos []float32, shares ...float64) *Lines {
	t.Helper()
	l, err := Contours(context.Background(), pos, wide[0], wide[1], shares)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// encloses says whether the lines of a level go round a place: a ray from it crosses them an odd number of times.
func (l *Lines) encloses(level int, x, y float32) (in bool) {
	for _, p := range l.Pieces {
		a, b := l.Places.Row(int(p.A)), l.Places.Row(int(p.B))
		if p.Level == level && (a[1] > y) != (b[1] > y) && x < a[0]+(b[0]-a[0])*(y-a[1])/(b[1]-a[1]) {
			in = !in
		}
	}
	return in
}

// Each line encloses its share of the points, and those of larger shares.
func TestContoursEncloseTheirShares(t *testing.T) {
	pos := islands(4000)
	l := contours(t, pos, Tenths...)
	for level, share := range Tenths {
		n := 0
		for i := 0; i < len(pos); i += 2 {
			in := l.encloses(level, pos[i], pos[i+1])
			if in {
				n++
			}
			if in && level+1 < len(Tenths) && !l.encloses(level+1, pos[i], pos[i+1]) {
				t.Errorf("point %d is within %g and not within %g", i/2, share, Tenths[level+1])
			}
		}
		if got := float64(n) / 4000; math.Abs(got-share) > 0.01 {
			t.Errorf("%g of the points lie within the line of %g", got, share)
		}
	}
}

// The line that encloses a share s of a normal cloud is the circle of radius sqrt(-2 ln(1-s)) deviations.
func TestContoursOfANormalCloudAreCircles(t *testing.T) {
	const n = 100_000
	r := rand.New(rand.NewPCG(5, 6))
	var pos []float32
	for range 2 * n {
		pos = append(pos, float32(5+r.NormFloat64()))
	}
	l, err := Contours(t.Context(), pos, [2]float64{0, 0}, [2]float64{10, 10}, Tenths)
	if err != nil {
		t.Fatal(err)
	}
	sum, count := make([]float64, len(Tenths)), make([]float64, len(Tenths))
	for _, p := range l.Pieces {
		at := l.Places.Row(int(p.A))
		sum[p.Level] += math.Hypot(float64(at[0])-5, float64(at[1])-5)
		count[p.Level]++
	}
	for i, s := range Tenths {
		want := math.Sqrt(-2 * math.Log(1-s))
		if got := sum[i] / count[i]; math.Abs(got-want) > 0.05*want {
			t.Errorf("%g of the points lie within %.3f deviations, want %.3f", s, got, want)
		}
	}
}

// Lines are closed, whatever the points: two sides meet in each corner.
func TestContoursAreClosed(t *testing.T) {
	inf := float32(math.Inf(1))
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]float32{-40, -39.5, -3, 0, 0.001, 1, 2, 2, 17, 40, 41, 1e30, nan, inf, -inf})
		pos := rapid.SliceOfN(value, 0, 80).Draw(t, "positions")
		l := contours(t, pos[:len(pos)/2*2], Tenths...)
		meet := make([]int, l.Places.Rows)
		for _, p := range l.Pieces {
			meet[p.A]++
			meet[p.B]++
		}
		if slices.ContainsFunc(meet, func(n int) bool { return n != 2 }) || len(l.Places.Data) != 2*l.Places.Rows {
			t.Fatalf("%d corners, in which meet %v", l.Places.Rows, meet)
		}
		if slices.ContainsFunc(l.Places.Data, func(x float32) bool { return x-x != 0 }) {
			t.Fatal("a line leads to nowhere")
		}
	})
}

// Where there are no points, or they all lie on one straight line, are no contours; a cancelled computation says so.
func TestContoursOfNothing(t *testing.T) {
	for _, pos := range [][]float32{nil, {nan, 1, 1, nan}, {50, 50, -50, 0}} {
		if l := contours(t, pos, Tenths...); len(l.Pieces) > 0 {
			t.Errorf("%v: %d pieces", pos, len(l.Pieces))
		}
	}
	l, err := Contours(t.Context(), []float32{1, 2, 1, 3}, [2]float64{1, 2}, [2]float64{1, 3}, Tenths)
	if err != nil || len(l.Pieces) > 0 {
		t.Errorf("a straight line: %v, %v", l, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Contours(ctx, islands(100), wide[0], wide[1], Tenths); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestContoursAreTheSameOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	pos := islands(20_000)
	runtime.GOMAXPROCS(1)
	one := contours(t, pos, Tenths...)
	runtime.GOMAXPROCS(3)
	if three := contours(t, pos, Tenths...); !slices.Equal(one.Pieces, three.Pieces) ||
		!slices.Equal(one.Places.Data, three.Places.Data) {
		t.Error("other lines on three cores")
	}
}

func BenchmarkContours(b *testing.B) {
	pos := islands(100_000)
	for b.Loop() {
		if _, err := Contours(b.Context(), pos, wide[0], wide[1], Tenths); err != nil {
			b.Fatal(err)
		}
	}
}
