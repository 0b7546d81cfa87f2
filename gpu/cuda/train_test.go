package cuda

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/kernels"
	"blossom/gpu/enginetest"
	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/landmarks/train"
)

// trainRig is a trainer with its points on a card.
type trainRig struct {
	*trainer
	x  matrix.Matrix32
	at driver.Ptr
	// largest is the largest magnitude of each column.
	largest []float32
	runs    int64 // if not 0, points come in runs of at most so many, in a buffer that is written over
}

// newTrainRig puts x on the card, the real one or the emulated one that TestTrainerOnEmulatedCard offers.
func newTrainRig(t testing.TB, x matrix.Matrix32, runs int64) *trainRig {
	t.Helper()
	if _, err := driver.Devices(); err != nil {
		t.Skip("no NVIDIA card here: ", err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := driver.Open(0)
	must(err)
	leave, err := c.Enter()
	must(err)
	defer leave()
	m, err := c.LoadModule(kernelImage(t))
	must(err)
	s, err := c.NewStream()
	must(err)
	r := &trainRig{x: x, runs: runs, largest: enginetest.Largest(x)}
	room := int64(x.Rows)
	if runs > 0 {
		room = runs
	}
	r.at, err = c.Alloc(4 * room * int64(x.Cols))
	must(err)
	if runs == 0 && len(x.Data) > 0 {
		must(s.ToDevice(r.at, unsafe.Pointer(&x.Data[0]), 4*int64(len(x.Data))))
	}
	r.trainer, err = newTrainer(c, m, s, r.span, int64(x.Rows), x.Cols)
	must(err)
	t.Cleanup(func() {
		if leave, err := c.Enter(); err == nil {
			defer leave()
		}
		for _, err := range []error{r.free(), c.Free(r.at), s.Destroy(), m.Unload(), c.Close()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return r
}

func (r *trainRig) span(_ context.Context, from, to int64) (driver.Ptr, int64, error) {
	d := int64(r.x.Cols)
	if r.runs == 0 {
		return r.at + driver.Ptr(4*from*d), to, nil
	}
	to = min(to, from+r.runs)
	// Behind the work on the run before, as it is the same stream.
	return r.at, to, r.s.ToDevice(r.at, unsafe.Pointer(&r.x.Data[from*d]), 4*(to-from)*d)
}

// trainCases are points and landmarks with everything odd in them.
func trainCases(yield func(name string, x, code matrix.Matrix32) bool) {
	normal := (*rand.Rand).NormFloat64
	for _, c := range []struct {
		name    string
		n, g, d int
		draw    func(*rand.Rand) float64
		one     bool
	}{
		{"one of everything", 1, 1, 1, normal, false},
		{"one landmark", 700, 1, 3, normal, false},
		{"one column", 700, 65, 1, normal, false},
		{"usual", 1500, 100, 16, normal, false},
		{"odd sizes", 777, 130, 45, normal, false},
		{"many columns", 60, 5, 300, (*rand.Rand).ExpFloat64, false},
		{"one place", 700, 9, 4, normal, true},
		{"ties", 700, 40, 2, func(r *rand.Rand) float64 { return float64(r.IntN(3)) }, false},
		{"far", 500, 7, 3, func(r *rand.Rand) float64 { return 1e30 * r.NormFloat64() }, false},
		{"outliers", 500, 7, 3, func(r *rand.Rand) float64 { return math.Pow(10, 16*r.Float64()-8) }, false},
		{"most landmarks", 300, 4096, 2, normal, false},
		{"small beside large", 300, 20, 5, func(r *rand.Rand) float64 {
			return r.NormFloat64() * math.Pow(2, -float64(r.IntN(160)))
		}, false},
	} {
		r := rand.New(rand.NewPCG(uint64(c.n), uint64(c.g)))
		x, code := matrix.New(c.n, c.d), matrix.New(c.g, c.d)
		for i := range code.Data {
			code.Data[i] = float32(c.draw(r))
		}
		for i := range x.Data {
			if x.Data[i] = float32(c.draw(r)); c.one {
				x.Data[i] = code.Data[i%c.d]
			}
		}
		for i := 7; i < c.n; i += 41 {
			x.Row(i)[i%c.d] = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}[i%3]
		}
		if !yield(c.name, x, code) {
			return
		}
	}
}

// sumsOf are the sums on the computer.
func sumsOf(x matrix.Matrix32, g, from int, bmu []int32) (sums []exact.Sum, counts []int64) {
	sums, counts = make([]exact.Sum, g*x.Cols), make([]int64, g)
	enginetest.Summed(x, from, bmu, sums, counts)
	return sums, counts
}

// The nearest landmarks are the winners, and the sums exact, however the points come to the card.
func TestTrainer(t *testing.T) {
	for name, x := range trainPairs {
		t.Run(name, func(t *testing.T) { testTrainer(t, x[0], x[1]) })
	}
}

var trainPairs = func() map[string][2]matrix.Matrix32 {
	all := map[string][2]matrix.Matrix32{}
	trainCases(func(name string, x, code matrix.Matrix32) bool {
		all[name] = [2]matrix.Matrix32{x, code}
		return true
	})
	return all
}()

func testTrainer(t *testing.T, x, code matrix.Matrix32) {
	ctx, n, g, d := context.Background(), x.Rows, code.Rows, x.Cols
	r := newTrainRig(t, x, 0)
	bmu := make([]int32, n)
	if err := r.Nearest(ctx, code, 0, n, bmu); err != nil {
		t.Fatal(err)
	}
	for i, m := range bmu {
		if want := train.Winner(code, x.Row(i)); int(m) != want {
			t.Fatalf("point %d: landmark %d, want %d", i, m, want)
		}
	}
	want, number := sumsOf(x, g, 0, bmu)
	sums, counts, near := make([]exact.Sum, g*d), make([]int64, g), make([]int32, n)
	if err := r.Sum(ctx, code, 0, n, near, r.largest, sums, counts); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(near, bmu) || !slices.Equal(counts, number) {
		t.Fatal("sums with other landmarks than the nearest")
	}
	if !slices.Equal(sums, want) {
		t.Fatal("the sums are not exact")
	}
	// Again, without landmarks coming back, onto what is there; the codebook has been another meanwhile.
	other := code.Clone()
	other.Data[0]++
	if err := r.Nearest(ctx, other, 0, n, near); err != nil {
		t.Fatal(err)
	}
	twice, counts2 := slices.Clone(sums), slices.Clone(counts)
	if err := r.Sum(ctx, code, 0, n, nil, r.largest, twice, counts2); err != nil {
		t.Fatal(err)
	}
	for i := range sums {
		two := sums[i]
		two.Merge(&sums[i])
		if twice[i] != two || counts2[i/d] != 2*counts[i/d] {
			t.Fatalf("sum %d is %v, then together %v", i, sums[i], twice[i])
		}
	}
	// In runs and in parts.
	streamed := newTrainRig(t, x, 100)
	again, counts3 := make([]exact.Sum, g*d), make([]int64, g)
	if err := streamed.Sum(ctx, code, 0, n, near, streamed.largest, again, counts3); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again, sums) || !slices.Equal(counts3, counts) || !slices.Equal(near, bmu) {
		t.Fatal("points that are sent give other sums")
	}
	from, to := n/3, n-n/5
	want, number = sumsOf(x, g, from, bmu[from:to])
	defer func(was int64) { sumsMost = was }(sumsMost)
	sumsMost = 1 // a wait for each piece
	for _, rig := range []*trainRig{r, streamed} {
		rig.piece, rig.launch = 300, 1 // several pieces, several launches in each
		clear(again)
		clear(counts3)
		if err := rig.Sum(ctx, code, from, to, near[:to-from], rig.largest, again, counts3); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(near[:to-from], bmu[from:to]) || !slices.Equal(counts3, number) {
			t.Fatal("a part of the points has other landmarks")
		}
		if !slices.Equal(again, want) {
			t.Fatal("the sums of a part are not exact")
		}
	}
}

// realCard skips where there is none: for tests that an emulated one takes too long for.
func realCard(t testing.TB) {
	t.Helper()
	if os.Getenv(driver.Environment) != "" {
		t.Skip("too much for another driver than the system's")
	}
	if _, err := driver.Devices(); err != nil {
		t.Skip("no NVIDIA card here: ", err)
	}
}

// normalPoints returns n x d points around g places, and landmarks near those.
func normalPoints(n, g, d int) (x, code matrix.Matrix32) {
	r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
	x, code = matrix.New(n, d), matrix.New(g, d)
	for i := range code.Data {
		code.Data[i] = float32(3 * r.NormFloat64())
	}
	for i := range n {
		c := code.Row(r.IntN(g))
		for j, row := 0, x.Row(i); j < d; j++ {
			row[j] = c[j] + float32(r.NormFloat64())
		}
	}
	return x, code
}

// More than a piece of points, in a usual size.
func TestTrainerTakesMany(t *testing.T) {
	realCard(t)
	x, code := normalPoints(2_500_000, 64, 8)
	r := newTrainRig(t, x, 0)
	ctx, n, g, d := context.Background(), x.Rows, code.Rows, x.Cols
	bmu, sums, counts := make([]int32, n), make([]exact.Sum, g*d), make([]int64, g)
	if err := r.Sum(ctx, code, 0, n, bmu, r.largest, sums, counts); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < n; i += 997 {
		if want := train.Winner(code, x.Row(i)); int(bmu[i]) != want {
			t.Fatalf("point %d: landmark %d, want %d", i, bmu[i], want)
		}
	}
	want, number := sumsOf(x, g, 0, bmu)
	if !slices.Equal(counts, number) {
		t.Fatal("wrong counts")
	}
	if !slices.Equal(sums, want) {
		t.Fatal("the sums are not exact")
	}
	again, counts2 := make([]exact.Sum, g*d), make([]int64, g)
	if err := r.Sum(ctx, code, 0, n, nil, r.largest, again, counts2); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again, sums) || !slices.Equal(counts2, counts) {
		t.Fatal("other sums the second time")
	}
}

// A step of training over 2^20 points: run it with -bench Trainer where a card is.
func BenchmarkTrainer(b *testing.B) {
	realCard(b)
	for _, c := range []struct{ d, g int }{{16, 256}, {32, 400}, {64, 1024}} {
		x, code := normalPoints(1<<20, c.g, c.d)
		ctx, sums, counts := context.Background(), make([]exact.Sum, c.g*c.d), make([]int64, c.g)
		pos, totals := matrix.New(c.g, 2), make([]float64, c.g*c.d)
		out, weights := make([]float64, c.g*c.d), make([]float64, c.g)
		for i := range c.g {
			pos.Row(i)[0], pos.Row(i)[1] = float32(i%20), float32(i/20)
		}
		bmu := make([]int32, x.Rows)
		r := newTrainRig(b, x, 0)
		for name, f := range map[string]func() error{
			"sum":              func() error { return r.Sum(ctx, code, 0, x.Rows, nil, r.largest, sums, counts) },
			"sum+bmu":          func() error { return r.Sum(ctx, code, 0, x.Rows, bmu, r.largest, sums, counts) },
			"smooth":           func() error { return r.Smooth(ctx, pos, 5, totals, counts, out, weights) },
			"nearest, to host": func() error { return r.Nearest(ctx, code, 0, x.Rows, bmu) },
		} {
			b.Run(fmt.Sprintf("d=%d g=%d %s", c.d, c.g, name), func(b *testing.B) {
				for b.Loop() {
					if err := f(); err != nil {
						b.Fatal(err)
					}
				}
				if name != "smooth" {
					b.ReportMetric(float64(x.Rows)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gpoints/s")
				}
			})
		}
	}
}

// A call that is wrong, or no longer wanted, changes nothing.
func TestTrainerRefuses(t *testing.T) {
	x, code := trainPairs["usual"][0], trainPairs["usual"][1]
	r := newTrainRig(t, x, 0)
	ctx := context.Background()
	g, d := code.Rows, x.Cols
	sums, counts, out := make([]exact.Sum, g*d), make([]int64, g), make([]int32, x.Rows)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	r.piece = 256
	calls := 0
	inner := r.points
	r.points = func(ctx context.Context, from, to int64) (driver.Ptr, int64, error) {
		if calls++; calls > 5 {
			return 0, 0, errors.New("lost")
		}
		return inner(ctx, from, to)
	}
	if err := r.Sum(ctx, code, 0, x.Rows, nil, r.largest, sums, counts); err == nil || err.Error() != "lost" {
		t.Errorf("points are lost: %v", err)
	}
	r.points = inner
	if err := r.Sum(cancelled, code, 0, x.Rows, nil, r.largest, sums, counts); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if err := r.Nearest(cancelled, code, 0, x.Rows, out); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for name, err := range map[string]error{
		"beyond the points": r.Sum(ctx, code, 0, x.Rows+1, nil, r.largest, sums, counts),
		"no landmarks":      r.Sum(ctx, matrix.New(0, d), 0, 9, nil, r.largest, sums, counts),
		"other columns":     r.Nearest(ctx, matrix.New(3, d+1), 0, 9, out),
		"no room":           r.Nearest(ctx, code, 0, 9, out[:8]),
		"no room for sums":  r.Sum(ctx, code, 0, 9, nil, r.largest, sums[1:], counts),
	} {
		if err == nil || errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
	many := matrix.New(trainMarks+1, d)
	for _, err := range []error{
		r.Nearest(ctx, many, 0, 9, out),
		r.Sum(ctx, many, 0, 9, nil, r.largest, make([]exact.Sum, len(many.Data)), make([]int64, many.Rows)),
		r.Smooth(ctx, matrix.New(many.Rows, 2), 1, make([]float64, len(many.Data)), make([]int64, many.Rows),
			make([]float64, len(many.Data)), make([]float64, many.Rows)),
	} {
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("too many landmarks: %v", err)
		}
	}
	if !slices.Equal(sums, make([]exact.Sum, g*d)) || slices.Max(counts) != 0 {
		t.Error("failures left something behind")
	}
	if err := r.Sum(ctx, code, 5, 5, nil, r.largest, sums, counts); err != nil || slices.Max(counts) != 0 {
		t.Errorf("no points: %v", err)
	}
}

// Without memory the computer does it, and is not held up by trying again and again.
func TestTrainerWithoutMemory(t *testing.T) {
	x, code := trainPairs["usual"][0], trainPairs["usual"][1]
	r := newTrainRig(t, x, 0)
	if os.Getenv(driver.Environment) == "" {
		t.Skip("a real card's memory is not filled up")
	}
	free, _, err := r.c.MemInfo()
	if err != nil {
		t.Fatal(err)
	}
	hog, err := r.c.Alloc(free - 10_000)
	if err != nil {
		t.Fatal(err)
	}
	sums, counts := make([]exact.Sum, len(code.Data)), make([]int64, code.Rows)
	for range 2 {
		err := r.Sum(context.Background(), code, 0, 100, nil, r.largest, sums, counts)
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("without memory: %v", err)
		}
	}
	if err := r.c.Free(hog); err != nil {
		t.Fatal(err)
	}
	less := matrix.Matrix32{Rows: 50, Cols: code.Cols, Data: code.Data[:50*code.Cols]}
	if err := r.Sum(context.Background(), less, 0, 100, nil, r.largest, sums, counts); err != nil {
		t.Errorf("with memory: %v", err)
	}
}

// Whole trainings give the bits that they give on the computer.
func TestTrainerTrains(t *testing.T) {
	x := matrix.New(1000, 5)
	random := rand.New(rand.NewPCG(3, 3))
	for i := range x.Data {
		x.Data[i] = float32(random.NormFloat64()) + float32(8*(i/5%6)*(i%5%2))
	}
	x.Row(77)[2] = float32(math.NaN())
	pos, code := matrix.New(12, 2), matrix.New(12, 5)
	for i := range 12 {
		pos.Row(i)[0], pos.Row(i)[1] = float32(i%4), float32(i/4)
		copy(code.Row(i), x.Row(50*i))
	}
	pinned := make([]bool, 12)
	pinned[5] = true
	for _, id := range []string{"som-batch", "lloyd"} {
		a, ok := train.ByID(id)
		if !ok {
			t.Fatal(id)
		}
		run := func(r *trainRig) matrix.Matrix32 {
			in := train.Input{X: x, Codebook: code, Pos: pos, Pinned: pinned, Seed: 1}
			if r != nil {
				in.Searcher, in.Summer = r, r
			}
			tr, err := a.New(in, step.Values{"epochs": 3, "sigma_from": 2, "sigma_to": 1})
			if err != nil {
				t.Fatal(err)
			}
			for {
				p, err := tr.Step(context.Background(), 333)
				if err != nil {
					t.Fatal(err)
				}
				if p.Rest {
					return tr.Codebook().Clone()
				}
			}
		}
		r := newTrainRig(t, x, 0)
		want, got, again := run(nil), run(r), run(newTrainRig(t, x, 300))
		if !slices.Equal(got.Data, want.Data) || !slices.Equal(again.Data, want.Data) {
			t.Errorf("%s: %v, and in parts %v, on the computer %v", id, got.Data, again.Data, want.Data)
		}
	}
}

// kernelImage returns the kernels as they are compiled for cards; the emulated card has its own.
func kernelImage(t testing.TB) []byte {
	t.Helper()
	if os.Getenv("BLOSSOM_HOSTED_KERNELS") != "" {
		return []byte("emulated")
	}
	image := kernels.Image("train")
	if image == nil {
		t.Fatal("the kernels of training are not compiled: make kernels")
	}
	return image
}
