package linkage

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"blossom/model/base/matrix"
)

// A run holds at most 100 bytes a point beside the table and one copy of it, where a stage ends, after every step, and
// when there is a hierarchy.
func TestMemoryOfAPoint(t *testing.T) {
	const n, d, most = 40_000, 3, 100
	x, rng := matrix.New(n, d), rand.New(rand.NewPCG(1, 2))
	for i := range x.Data {
		x.Data[i] = float32(rng.NormFloat64())
	}
	held := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, peak, looks := held(), int64(0), 0
	look := func() { peak, looks = max(peak, held()), looks+1 }
	defer func(from int, was func()) { sweepFrom, swept = from, was }(sweepFrom, swept)
	sweepFrom, swept = 1, look
	r, err := New(t.Context(), x, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	for p := r.Progress(); !p.Rest; look() {
		if p, err = r.Step(t.Context(), 16); err != nil {
			t.Fatal(err)
		}
	}
	l := known(t, r)
	look()
	got := float64(peak-before)/n - 4*d
	t.Logf("%.1f bytes a point in %d looks", got, looks)
	if got > most || got < 40 || looks < 20 || l.Len() != n {
		t.Errorf("%.1f bytes a point beside the table and one copy of it in %d looks, more than %d", got, looks, most)
	}
	runtime.KeepAlive(r)
}
