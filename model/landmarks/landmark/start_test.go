package landmark

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

var background = context.Background()

func gaussian(n, d int, seed uint64, sd func(j int) float64) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(seed, 1))
	x := matrix.New(n, d)
	for i := range n {
		for j := range d {
			x.Row(i)[j] = float32(r.NormFloat64() * sd(j))
		}
	}
	return x
}

func TestGridPositions(t *testing.T) {
	pos, edges := Grid(Shape{4, 3, 1}, Rect)
	if !slices.Equal(pos.Row(0), []float32{-1.5, -1}) || !slices.Equal(pos.Row(11), []float32{1.5, 1}) ||
		len(edges) != 3*3+4*2 {
		t.Errorf("%v %v", pos, edges)
	}
	pos, edges = Grid(Shape{5, 4, 1}, Hex)
	for _, e := range edges {
		if d := distance2(pos.Row(int(e[0])), pos.Row(int(e[1]))); math.Abs(d-1) > 1e-5 || e[0] >= e[1] {
			t.Errorf("edge %v has length^2 %g", e, d)
		}
	}
	near := 0
	for i := range pos.Rows {
		for j := range i {
			if distance2(pos.Row(i), pos.Row(j)) < 1.01 {
				near++
			}
		}
	}
	if near != len(edges) {
		t.Errorf("%d edges for %d neighbours", len(edges), near)
	}
	for _, top := range []Topology{Rect, Hex} {
		for _, s := range []Shape{{1, 1, 1}, {1, 7, 1}, {7, 1, 0}, {3, 4, 5}, {2, 5, 1}} {
			pos, edges := Grid(s, top)
			if pos.Rows != s.Len() || pos.Cols != s.Dims() {
				t.Fatalf("%v: %d x %d", s, pos.Rows, pos.Cols)
			}
			for c := range pos.Cols {
				v := column(pos, c)
				if math.Abs(float64(slices.Min(v)+slices.Max(v))) > 1e-5 {
					t.Errorf("%v %v is not centred along %d: %g to %g", s, top, c, slices.Min(v), slices.Max(v))
				}
			}
			if set, err := New(matrix.New(s.Len(), 1), pos); err != nil {
				t.Error(err)
			} else if _, err := set.WithEdges(edges); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestParseShape(t *testing.T) {
	for text, want := range map[string]Shape{"20x20": {20, 20, 1}, " 3X4 ": {3, 4, 1}, "8x8x6": {8, 8, 6}} {
		if got, err := ParseShape(text); err != nil || got != want {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	for _, text := range []string{"", "20", "0x5", "-1x5", "axb", "1x2x3x4", "9999x9999", "65536x65536x65536"} {
		if got, err := ParseShape(text); err == nil || problem.As(err).Remedy == "" {
			t.Errorf("%q: %v %v", text, got, err)
		}
	}
	if s := ShapeFor(400, 2); s != (Shape{20, 20, 1}) {
		t.Error(s)
	}
	if s := ShapeFor(400, 3); s.Dims() != 3 || s.Len() < 350 || s.Len() > 450 {
		t.Error(s)
	}
	for g := range 50 {
		if ShapeFor(g, 2).Len() < 1 || ShapeFor(g, 3).Len() < 1 {
			t.Error(g)
		}
	}
}

// The components of data with known axes, below and above the border between the two methods.
func TestPrincipal(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	for _, d := range []int{2, 3, 30, 600} {
		x := gaussian(3000, d, 5, func(j int) float64 {
			switch j {
			case 1:
				return 50
			case 0:
				return 20
			}
			return 1
		})
		for i := range x.Rows {
			x.Row(i)[1] = -x.Row(i)[1] + 1e4
		}
		x.Row(7)[0] = nan
		pc, err := principal(background, Pool{X: x}, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(pc.axis[0][1]) < 0.99 || math.Abs(pc.axis[1][0]) < 0.99 || pc.axis[0][1] < 0 {
			t.Errorf("d=%d: axes %v %v", d, pc.axis[0][:2], pc.axis[1][:2])
		}
		if math.Abs(pc.sd[0]-50) > 3 || math.Abs(pc.sd[1]-20) > 1.5 || math.Abs(pc.mean[1]-1e4) > 5 {
			t.Errorf("d=%d: sd %v mean %v", d, pc.sd, pc.mean[:2])
		}
	}
}

func TestStartGrid(t *testing.T) {
	x := gaussian(5000, 10, 2, func(j int) float64 { return 10 / float64(j+1) })
	s, err := StartGrid(background, x, Shape{20, 10, 1}, Hex, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Along x, the longer side, the first component: 2/sqrt(2) deviations to each side.
	first, last := s.Codebook.Row(0)[0], s.Codebook.Row(19)[0]
	if got := math.Abs(float64(last - first)); got < 24 || got > 30 {
		t.Errorf("the first side spans %g, want about 28", got)
	}
	again, _ := StartGrid(background, x, Shape{20, 10, 1}, Hex, 1)
	if !slices.Equal(s.Codebook.Data, again.Codebook.Data) {
		t.Error("the same start differs")
	}
}

// Every start gives finite landmarks for odd data, or says why not.
func TestStartsOfOddData(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	inf := float32(math.Inf(1))
	constant := matrix.New(50, 3)
	for i := range constant.Data {
		constant.Data[i] = 7
	}
	huge := gaussian(300, 4, 3, func(int) float64 { return 1e37 })
	huge.Row(0)[0], huge.Row(1)[0] = math.MaxFloat32, -math.MaxFloat32
	half := gaussian(100, 3, 4, func(int) float64 { return 1 })
	for i := 0; i < 100; i += 2 {
		half.Row(i)[i%3] = []float32{nan, inf, -inf}[i%3]
	}
	line := gaussian(100, 3, 4, func(j int) float64 { return map[int]float64{1: 1}[j] })
	for name, x := range map[string]matrix.Matrix32{
		"one column": gaussian(1000, 1, 1, func(int) float64 { return 3 }),
		"one row":    gaussian(1, 5, 1, func(int) float64 { return 1 }),
		"constant":   constant, "huge": huge, "tiny": gaussian(300, 4, 3, func(int) float64 { return 1e-36 }),
		"half invalid": half, "a line": line,
		"two rows, wide": gaussian(2, 700, 1, func(int) float64 { return 1 }), "wide constant": matrix.New(20, 600),
		"4096 columns": gaussian(60, 4096, 1, func(int) float64 { return 1 }),
	} {
		for _, dims := range []int{2, 3} {
			shape := ShapeFor(30, dims)
			starts := map[string]func() (*Set, error){
				"grid":   func() (*Set, error) { return StartGrid(background, x, shape, Rect, 1) },
				"kmeans": func() (*Set, error) { return StartKMeans(background, x, 30, dims, 1) },
				"random": func() (*Set, error) { return StartRandom(background, x, 30, dims, 1) },
			}
			for kind, start := range starts {
				s, err := start()
				if err != nil {
					t.Errorf("%s, %s: %v", name, kind, err)
					continue
				}
				again, _ := start()
				if s.Validate() != nil || s.Dims() != dims || !equal(s, again) {
					t.Errorf("%s, %s: not valid, or not the same again", name, kind)
				}
				seen := map[[3]float32]bool{}
				for i := range s.Len() {
					var k [3]float32
					copy(k[:], s.Pos.Row(i))
					seen[k] = true
				}
				if len(seen) != s.Len() {
					t.Errorf("%s, %s: %d of %d positions differ", name, kind, len(seen), s.Len())
				}
			}
		}
	}
	none := matrix.New(3, 2)
	for i := range none.Data {
		none.Data[i] = nan
	}
	for _, x := range []matrix.Matrix32{{Cols: 2}, none} {
		if _, err := StartGrid(background, x, Shape{3, 3, 1}, Rect, 1); problem.As(err).Remedy == "" {
			t.Error(err)
		}
		if _, err := StartKMeans(background, x, 4, 2, 1); problem.As(err).Remedy == "" {
			t.Error(err)
		}
		if _, err := StartRandom(background, x, 4, 2, 1); problem.As(err).Remedy == "" {
			t.Error(err)
		}
	}
}

func inertia(x, code matrix.Matrix32) float64 {
	sum := 0.0
	for i := range x.Rows {
		best := math.Inf(1)
		for c := range code.Rows {
			best = min(best, distance2(x.Row(i), code.Row(c)))
		}
		sum += best
	}
	return sum
}

func TestKMeansPlusPlusBeatsRandom(t *testing.T) {
	// Clusters of very different sizes: random points miss the small ones.
	r := rand.New(rand.NewPCG(1, 2))
	x := matrix.New(4000, 3)
	for i := range x.Rows {
		c := 0
		if i%20 == 0 {
			c = 1 + r.IntN(15)
		}
		for j := range 3 {
			x.Row(i)[j] = float32(r.NormFloat64() + 100*float64((c>>j)%4))
		}
	}
	wins := 0
	for seed := range uint64(10) {
		p, err := plusPlus(background, Pool{X: x}, 16, seed)
		if err != nil {
			t.Fatal(err)
		}
		q, err := StartRandom(background, x, 16, 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		if inertia(x, p) < inertia(x, q.Codebook) {
			wins++
		}
	}
	if wins < 9 {
		t.Errorf("k-means++ was better in %d of 10 runs", wins)
	}
}

// Leaving rows out by the triangle inequality changes nothing: chances are proportional to the true
// squared distances, which the blocks' sums add up to.
func TestPlusPlusChoosesFarPoints(t *testing.T) {
	x := matrix.New(5000, 2) // three places, the third one has a single point
	for i := range x.Rows {
		x.Row(i)[0] = float32(i % 2)
	}
	x.Row(4321)[1] = 1e6
	p, err := plusPlus(background, Pool{X: x}, 3, 9)
	if err != nil {
		t.Fatal(err)
	}
	if inertia(x, p) != 0 {
		t.Errorf("not all places were chosen: %v", p)
	}
}

func TestSampleRows(t *testing.T) {
	x := matrix.New(10_000, 1)
	for i := range x.Rows {
		if i%3 != 0 {
			x.Data[i] = nan
		}
	}
	for _, limit := range []int{10, 1000, 3000, 100_000} {
		rows, err := sampleRows(background, Pool{X: x}, limit, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != min(limit, 3334) || !slices.IsSorted(rows) ||
			len(slices.Compact(slices.Clone(rows))) != len(rows) {
			t.Errorf("limit %d: %d rows", limit, len(rows))
		}
		for _, r := range rows {
			if r%3 != 0 {
				t.Fatal("an invalid row")
			}
		}
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := StartKMeans(ctx, x, 4, 2, 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
