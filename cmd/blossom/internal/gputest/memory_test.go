package gputest

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"

	"blossom/gpu/cuda/driver"
)

// taken is memory in use, in bytes.
type taken struct {
	process int64 // resident memory of this process
	heap    int64 // Go's part of it that is in use
	card    int64 // in use on the first NVIDIA card, by anybody; 0 where there is none
}

// meter measures memory.
type meter struct{ card *driver.Context }

func newMeter(t testing.TB) *meter {
	m := &meter{}
	if cards, err := driver.Devices(); err != nil || len(cards) == 0 {
		t.Logf("memory of a card is not measured: %v", err)
		return m
	}
	c, err := driver.Open(0)
	if err != nil {
		t.Fatal(err)
	}
	m.card = c
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// read collects garbage first, so that what is left is held.
func (m *meter) read(t testing.TB) taken {
	t.Helper()
	runtime.GC()
	debug.FreeOSMemory()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	s := taken{process: resident(t), heap: int64(stats.HeapAlloc)}
	if m.card != nil {
		leave, err := m.card.Enter()
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		free, total, err := m.card.MemInfo()
		if err != nil {
			t.Fatal(err)
		}
		s.card = total - free
	}
	return s
}

// resident is what the system counts for this process, with what drivers took in it.
func resident(t testing.TB) int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0 // not Linux
	}
	for line := range bytes.Lines(text) {
		if f := bytes.Fields(line); len(f) >= 2 && string(f[0]) == "VmRSS:" {
			kb, err := strconv.ParseInt(string(f[1]), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatal("/proc/self/status has no VmRSS")
	return 0
}

// growth compares the medians of the first and the last third of some readings.
func growth(readings []taken) (process, card, first, last int64) {
	third := len(readings) / 3
	median := func(list []taken, of func(taken) int64) int64 {
		var v []int64
		for _, r := range list {
			v = append(v, of(r))
		}
		slices.Sort(v)
		return v[len(v)/2]
	}
	head, tail := readings[:third], readings[len(readings)-third:]
	p := func(r taken) int64 { return r.process }
	c := func(r taken) int64 { return r.card }
	return median(tail, p) - median(head, p), median(tail, c) - median(head, c), median(head, c), median(tail, c)
}

func mb(b int64) string { return fmt.Sprintf("%.1f MB", float64(b)/1e6) }

func TestGrowthIsSeen(t *testing.T) {
	var list []taken
	for i := range 30 {
		list = append(list, taken{process: 1000, card: int64(1000 + 10*i)})
	}
	list[3].process = 5000 // one odd reading is none
	if p, c, first, last := growth(list); p != 0 || c != 200 || first != 1050 || last != 1250 {
		t.Errorf("process %d, card %d from %d to %d", p, c, first, last)
	}
	debug.FreeOSMemory() // garbage of other tests would be counted
	before := resident(t)
	if before == 0 {
		t.Skip("resident memory is not known on this system")
	}
	block := make([]byte, 64<<20)
	for i := range block {
		block[i] = byte(i)
	}
	if after := resident(t); after-before < 32<<20 {
		t.Errorf("64 MB more show as %s", mb(after-before))
	}
	runtime.KeepAlive(block)
}
