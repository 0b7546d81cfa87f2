//go:build linux

package hosted

import (
	"slices"
	"strings"
	"testing"
)

func TestSum(t *testing.T) {
	m := Open(t, "testdata/own.cu")
	x := make([]float32, 1000)
	for i := range x {
		x[i] = float32(i)
	}
	var out []float32
	m.Run(t, "ownSum", Dim{X: 3}, Dim{X: 128}, 0, func() []any {
		out = make([]float32, 3)
		return []any{x, int64(len(x)), out}
	}, func(order uint64) {
		if s := out[0] + out[1] + out[2]; s != 499500 {
			t.Errorf("order %d: the sum is %v", order, s)
		}
	})
}

func TestMissingBarrierShows(t *testing.T) {
	m := Open(t, "testdata/own.cu")
	run := func(careless int32, order uint64) bool {
		x := make([]int32, 128)
		for i := range x {
			x[i] = int32(i)
		}
		want := slices.Clone(x)
		slices.Reverse(want[:64])
		slices.Reverse(want[64:])
		if err := m.Launch("ownReverse", Dim{X: 2}, Dim{X: 64}, 64*4, order, x, careless); err != nil {
			t.Fatal(err)
		}
		return slices.Equal(x, want)
	}
	for order := range uint64(4) {
		if !run(0, order) {
			t.Errorf("order %d: wrong", order)
		}
		if run(1, order) {
			t.Errorf("order %d: the missing barrier does not show", order)
		}
	}
}

func TestMistakesAreReported(t *testing.T) {
	m := Open(t, "testdata/own.cu")
	for _, c := range []struct {
		kernel, want string
		shared       int
		args         []any
	}{
		{"ownStuck", "lane that has ended", 0, nil},
		{"ownSplit", "different barriers", 0, []any{nil}},
		{"ownBeyond", "beyond its dynamic shared memory", 40, []any{int32(11)}},
		{"ownMissing", "no kernel ownMissing", 0, nil},
	} {
		err := m.Launch(c.kernel, Dim{}, Dim{X: 32}, c.shared, 0, c.args...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.kernel, err)
		}
	}
	if err := m.Launch("ownBeyond", Dim{}, Dim{X: 32}, 40, 0, int32(10)); err != nil {
		t.Error(err)
	}
}

func TestAtomicsAndVotes(t *testing.T) {
	m := Open(t, "testdata/own.cu")
	bins := make([]uint32, 64)
	for i := range bins {
		bins[i] = uint32(i*i) % 8
	}
	var counts, rank []uint32
	var scaled []float32
	m.Run(t, "ownCount", Dim{}, Dim{X: 64}, 0, func() []any {
		counts, rank, scaled = make([]uint32, 9), make([]uint32, 64), make([]float32, 64)
		return []any{bins, counts, rank, float32(1.5), scaled}
	}, func(order uint64) {
		var want [9]uint32
		for i, b := range bins {
			if i%32 == 0 {
				want[8] = 0
			}
			if rank[i] != want[8] || scaled[i] != 1.5*float32(b) {
				t.Fatalf("order %d: thread %d: rank %d, %v", order, i, rank[i], scaled[i])
			}
			if want[b]++; b == 0 {
				want[8]++
			}
		}
		want[8] = want[0]
		if !slices.Equal(counts, want[:]) {
			t.Errorf("order %d: counts %v, not %v", order, counts, want)
		}
	})
}
