package train

import (
	"context"
	"errors"
	"math"
	"testing"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/step"

	"pgregory.net/rapid"
)

// device is the CPU in the place of a device.
type device struct {
	x      matrix.Matrix32
	ranges [][2]int
}

func (f *device) Sum(ctx context.Context, code matrix.Matrix32, from, to int, bmu []int32, largest []float32,
	sums []exact.Sum, counts []int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.ranges = append(f.ranges, [2]int{from, to})
	for i := from; i < to; i++ {
		x := f.x.Row(i)
		near := Winner(code, x)
		if near >= 0 {
			counts[near]++
			for j, v := range x {
				if v > largest[j] || -v > largest[j] {
					return errors.New("larger than the largest")
				}
				sums[near*code.Cols+j].Add(v)
			}
		}
		if bmu != nil {
			bmu[i-from] = int32(near)
		}
	}
	return nil
}

func (f *device) Smooth(ctx context.Context, pos matrix.Matrix32, sigma float64, sums []float64, counts []int64, out,
	weights []float64) error {
	return Smooth(ctx, pos, sigma, sums, counts, out, weights)
}

func (f *device) offer(in Input) Input {
	in.Summer = f
	return in
}

// odd is a device whose sums are another's.
type odd struct {
	Summer
	sum func(context.Context, matrix.Matrix32, int, int, []int32, []float32, []exact.Sum, []int64) error
}

func (o odd) Sum(ctx context.Context, code matrix.Matrix32, from, to int, bmu []int32, largest []float32,
	sums []exact.Sum, counts []int64) error {
	return o.sum(ctx, code, from, to, bmu, largest, sums, counts)
}

// unable is a device that is not made for these sizes, whatever they are.
type unable struct{}

func (unable) Nearest(context.Context, matrix.Matrix32, int, int, []int32) error {
	return errors.ErrUnsupported
}
func (unable) Sum(context.Context, matrix.Matrix32, int, int, []int32, []float32, []exact.Sum, []int64) error {
	return errors.ErrUnsupported
}
func (unable) Smooth(context.Context, matrix.Matrix32, float64, []float64, []int64, []float64, []float64) error {
	return errors.ErrUnsupported
}

// inPieces makes a batch training ask for pieces of this size.
func inPieces(tr Trainer, size int) Trainer {
	tr.(*batch).sums.piece = size
	return tr
}

// With a device: steps of any size give the same bits, in the same pieces; and the result is that of the CPU to the
// last bit.
func TestDeviceSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]string{"som-batch", "lloyd"}).Draw(t, "algorithm")
		a, _ := ByID(id)
		in, v := input(t), values(t, a)
		if isWide(top(in.Codebook.Data)) {
			t.Skip("those stay with the CPU")
		}
		size := rapid.IntRange(1, 70).Draw(t, "piece")
		one, two := &device{x: in.X}, &device{x: in.X}
		whole := inPieces(open(t, id, one.offer(in), v), size)
		parts := inPieces(open(t, id, two.offer(in), v), size)
		cpu := open(t, id, in, v)
		var p step.Progress
		sum := 0
		for _, units := range rapid.SliceOfN(rapid.IntRange(0, 50), 1, 8).Draw(t, "steps") {
			var err error
			if p, err = parts.Step(background, units); err != nil {
				t.Fatal(err)
			}
			sum += units
		}
		q, err := whole.Step(background, sum)
		if err != nil {
			t.Fatal(err)
		}
		if p != q || !sameBits(parts.Codebook(), whole.Codebook()) {
			t.Fatalf("steps of another size give another codebook (%+v, %+v)", p, q)
		}
		for _, ranges := range [][][2]int{one.ranges, two.ranges} {
			at := 0
			for _, r := range ranges {
				if r[0] != at || r[1] <= at || (r[1]-at)%size != 0 && r[1] != in.X.Rows {
					t.Fatalf("%v are no whole pieces of %d", ranges, size)
				}
				if at = r[1]; at == in.X.Rows {
					at = 0
				}
			}
		}
		if _, err := cpu.Step(background, sum); err != nil {
			t.Fatal(err)
		}
		if !sameBits(cpu.Codebook(), whole.Codebook()) {
			t.Fatalf("%s: %v, on the CPU %v", id, whole.Codebook(), cpu.Codebook())
		}
	})
}

// The CPU does what a device cannot; failures change nothing; nonsense is not believed.
func TestDeviceFails(t *testing.T) {
	x := random(300, 3, 1, uniform)
	x.Row(200)[1] = float32(math.Inf(1))
	in := Input{X: x, Codebook: random(9, 3, 2, uniform), Pos: grid(3, 3)}
	for _, id := range []string{"som-batch", "lloyd"} {
		v := step.Values{"epochs": 4}
		cpu := open(t, id, in, v)
		run(t, cpu)
		none := in
		none.Searcher, none.Summer = unable{}, unable{}
		tr := open(t, id, none, v)
		run(t, tr)
		if !sameBits(tr.Codebook(), cpu.Codebook()) {
			t.Errorf("%s: another result beside a device that can do nothing", id)
		}

		good := &device{x: x}
		want := inPieces(open(t, id, good.offer(in), v), 64)
		run(t, want)
		for name, spoil := range map[string]func(bmu []int32, counts []int64) error{
			"fails":           func([]int32, []int64) error { return errors.New("no device") },
			"counts too many": func(_ []int32, counts []int64) error { counts[0]++; return nil },
			"wrong landmark": func(bmu []int32, counts []int64) error {
				if bmu == nil {
					return errors.New("not asked for")
				}
				bmu[3] = 9
				return nil
			},
		} {
			calls := 0
			bad := good.offer(in)
			bad.Summer = odd{good, func(ctx context.Context, code matrix.Matrix32, from, to int, bmu []int32,
				largest []float32, sums []exact.Sum, counts []int64) error {
				if calls++; calls != 3 {
					return good.Sum(ctx, code, from, to, bmu, largest, sums, counts)
				}
				if name == "fails" {
					return spoil(bmu, counts)
				}
				if err := good.Sum(ctx, code, from, to, bmu, largest, sums, counts); err != nil {
					return err
				}
				if err := spoil(bmu, counts); err != nil {
					clear(sums)
					return err
				}
				return nil
			}}
			if name == "wrong landmark" && id == "som-batch" {
				continue // it asks for none
			}
			tr := inPieces(open(t, id, bad, v), 64)
			failed := 0
			for {
				p, err := tr.Step(background, 50)
				if err != nil {
					failed++
				}
				if p.Rest {
					break
				}
			}
			if failed != 1 || !sameBits(tr.Codebook(), want.Codebook()) {
				t.Errorf("%s, %s: %d failures, %v, want %v", id, name, failed, tr.Codebook(), want.Codebook())
			}
		}
	}
}

// A device that is left to another engine in the middle of an epoch loses nothing.
func TestDeviceLeaves(t *testing.T) {
	x := random(300, 3, 1, uniform)
	in := Input{X: x, Codebook: random(9, 3, 2, uniform), Pos: grid(3, 3)}
	for _, id := range []string{"som-batch", "lloyd"} {
		cpu := open(t, id, in, step.Values{"epochs": 1})
		run(t, cpu)
		calls, good := 0, &device{x: x}
		leaving := good.offer(in)
		leaving.Summer = odd{good, func(ctx context.Context, code matrix.Matrix32, from, to int, bmu []int32,
			largest []float32, sums []exact.Sum, counts []int64) error {
			if calls++; calls > 2 {
				return errors.ErrUnsupported
			}
			return good.Sum(ctx, code, from, to, bmu, largest, sums, counts)
		}}
		tr := inPieces(open(t, id, leaving, step.Values{"epochs": 1}), 64)
		for {
			p, err := tr.Step(background, 10)
			if err != nil {
				t.Fatal(err)
			}
			if p.Rest {
				break
			}
		}
		if !sameBits(cpu.Codebook(), tr.Codebook()) {
			t.Fatalf("%s: %v, on the CPU %v", id, tr.Codebook(), cpu.Codebook())
		}
	}
}

// A result that was computed before it was asked for is known.
func TestAhead(t *testing.T) {
	x := random(300, 3, 1, uniform)
	in := Input{X: x, Codebook: random(9, 3, 2, uniform), Pos: grid(3, 3)}
	tr := inPieces(open(t, "som-batch", (&device{x: x}).offer(in), nil), 128)
	for _, c := range []struct{ units, ahead int }{{0, 0}, {10, 118}, {118, 0}, {1, 127}, {170, 1}, {1, 0}, {300, 0},
		{1, 127}} {
		if _, err := tr.Step(background, c.units); err != nil {
			t.Fatal(err)
		}
		if got := tr.Ahead(); got != c.ahead {
			t.Errorf("%d units further it is %d ahead, want %d", c.units, got, c.ahead)
		}
	}
	tr.SetLandmarks(random(4, 3, 2, uniform), grid(2, 2), nil)
	if got := tr.Ahead(); got != 0 {
		t.Errorf("%d ahead of other landmarks", got)
	}
}

func TestPieces(t *testing.T) {
	for _, c := range []struct{ g, d, want int }{{1, 1, 1 << 20}, {256, 16, 1 << 20}, {1024, 64, 1 << 18},
		{4096, 4096, 1 << 15}, {0, 0, 1 << 20}} {
		if got := pieceFor(c.g, c.d); got != c.want {
			t.Errorf("%d landmarks of %d columns: pieces of %d, want %d", c.g, c.d, got, c.want)
		}
	}
}
