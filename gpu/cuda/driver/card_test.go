package driver

import (
	_ "embed"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// This file tests on a real card, where there is one, the things that the fake driver cannot show.

//go:embed testdata/card.ptx
var cardPTX []byte

// card enters the first card, or skips the test.
func card(t testing.TB) *Context {
	t.Helper()
	if os.Getenv(Environment) != "" {
		t.Skip(Environment + " names a library in place of the NVIDIA driver")
	}
	l, err := system()
	if err == nil {
		_, err = l.devices()
	}
	if err != nil {
		t.Skip("no NVIDIA card here: ", err)
	}
	return entered(t, l, 0)
}

func cardStream(t testing.TB, c *Context) (*Stream, *Module) {
	t.Helper()
	s, err := c.NewStream()
	try(t, err)
	m, err := c.LoadModule(cardPTX)
	try(t, err)
	t.Cleanup(func() {
		for _, err := range []error{s.Destroy(), m.Unload()} {
			if err != nil {
				t.Error(err)
			}
		}
	})
	return s, m
}

func TestCard(t *testing.T) {
	c := card(t)
	t.Log(c.Info(), c.Info().PCI)
	d := c.Info()
	for what, v := range map[string]int{"SMs": d.SMs, "threads": d.ThreadsSM, "shared": d.SharedSM,
		"shared of a block": d.SharedBlock, "registers": d.RegistersSM, "L2": d.L2} {
		if v <= 0 {
			t.Errorf("%s: %d", what, v)
		}
	}
	s, m := cardStream(t, c)
	axpy, err := m.Function("axpy")
	try(t, err)
	if a := axpy.Attributes(); a.Registers < 4 || a.MaxThreads < 256 || a.LocalBytes != 0 ||
		axpy.Occupancy(256, 0) < 1 {
		t.Errorf("%+v, %d blocks", a, axpy.Occupancy(256, 0))
	}
	const n = 1<<20 + 3
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i%1000), float32(i%77)
	}
	p, err := c.Alloc(4 * n)
	try(t, err)
	q, err := c.Alloc(4 * n)
	try(t, err)
	h, err := c.AllocHost(4 * n)
	try(t, err)
	from, err := c.NewEvent()
	try(t, err)
	to, err := c.NewEvent()
	try(t, err)
	try(t, s.ToDevice(p, unsafe.Pointer(&x[0]), 4*n)) // from Go's memory
	copy(unsafe.Slice((*float32)(h), n), y)
	try(t, s.ToDevice(q, h, 4*n)) // from pinned memory
	a := new(Args)
	a.Ptr(p)
	a.Ptr(q)
	a.F32(0.5)
	a.I64(n - 1)
	run := func() {
		try(t, s.Record(from))
		try(t, s.Launch(axpy, Dim{X: (n + 255) / 256}, Dim{X: 256}, 0, a))
		try(t, s.Record(to))
	}
	run()
	got := make([]float32, n)
	try(t, s.ToHost(unsafe.Pointer(&got[0]), q, 4*n))
	try(t, s.ToHost(h, q, 4*n))
	try(t, s.Wait())
	pinned := unsafe.Slice((*float32)(h), n)
	for i := range got {
		want := y[i] + 0.5*x[i]
		if i == n-1 {
			want = y[i]
		}
		if got[i] != want || pinned[i] != want {
			t.Fatalf("element %d is %g and %g, want %g", i, got[i], pinned[i], want)
		}
	}
	if took, err := Elapsed(from, to); err != nil || took <= 0 || took > time.Second {
		t.Errorf("took %v, %v", took, err)
	}
	if n := testing.AllocsPerRun(50, run); n > 0 && !raceEnabled {
		t.Errorf("%g allocations for a launch", n)
	}
	try(t, s.Set32(q, 7, 2))
	try(t, s.Copy(q+8, q, 8))
	var words [4]uint32
	try(t, s.ToHost(unsafe.Pointer(&words[0]), q, 16))
	try(t, s.Wait())
	if words != [4]uint32{7, 7, 7, 7} {
		t.Errorf("set and copied: %v", words)
	}
	try(t, errors.Join(c.Free(p), c.Free(q), c.FreeHost(h), from.Destroy(), to.Destroy()))
}

// All the shared memory that a block may have can be used.
func TestCardShared(t *testing.T) {
	c := card(t)
	s, m := cardStream(t, c)
	f, err := m.Function("shared")
	try(t, err)
	p, err := c.Alloc(4)
	try(t, err)
	most := c.Info().SharedBlock
	try(t, f.MaxDynamicShared(most))
	if f.Occupancy(32, most) != 1 {
		t.Errorf("%d blocks with %d bytes", f.Occupancy(32, most), most)
	}
	a := new(Args)
	a.Ptr(p)
	try(t, s.Launch(f, Dim{X: 1}, Dim{X: 32}, most, a))
	var last int32
	try(t, s.ToHost(unsafe.Pointer(&last), p, 4))
	try(t, s.Wait())
	if int(last) != most-4 {
		t.Errorf("the last word is at %d of %d", last, most)
	}
	try(t, c.Free(p))
	fails(t, f.MaxDynamicShared(most+1), 1)
}

// Errors are told as what they are, and work goes on after them.
func TestCardErrors(t *testing.T) {
	c := card(t)
	_, m := cardStream(t, c)
	_, err := c.Alloc(1 << 50)
	if e := fails(t, err, 2); !e.OutOfMemory() {
		t.Errorf("%v", e)
	}
	_, err = m.Function("missing")
	fails(t, err, 500)
	_, err = c.LoadModule([]byte(strings.Replace(string(cardPTX), "fma.rn.f32", "fma.rn.f33", 1)))
	if e := fails(t, err, 218); !strings.Contains(e.Text, "ptxas") {
		t.Errorf("the translator's complaint is missing: %v", e)
	}
	_, err = c.LoadModule([]byte(strings.Replace(string(cardPTX), ".version 6.0", ".version 99.0", 1)))
	var e *Error
	if !errors.As(err, &e) || !e.TooOld() {
		t.Errorf("PTX of the far future: %v", err)
	}
	_, err = c.LoadModule([]byte("no kernels"))
	if err == nil {
		t.Error("loaded what are no kernels")
	}
	if draws, err := c.DrawsGL(); draws {
		t.Errorf("draws OpenGL, of which there is no context: %v", err)
	}
	if _, err := c.RegisterGL(1); err == nil {
		t.Error("registered a buffer without OpenGL")
	}
	p, err := c.Alloc(1)
	try(t, err)
	try(t, c.Free(p))
}

// A kernel that writes where nothing is breaks the context, which is known by the code; it happens in a
// process of its own.
func TestCardLost(t *testing.T) {
	const child = "BLOSSOM_TEST_LOSE_CARD"
	if os.Getenv(child) == "" {
		card(t)
		self, err := os.Executable()
		try(t, err)
		c := exec.Command(self, "-test.run", "^TestCardLost$", "-test.v")
		c.Env = append(os.Environ(), child+"=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	c := card(t)
	s, err := c.NewStream()
	try(t, err)
	m, err := c.LoadModule(cardPTX)
	try(t, err)
	f, err := m.Function("axpy")
	try(t, err)
	a := new(Args)
	a.Ptr(256)
	a.Ptr(512)
	a.F32(1)
	a.I64(1)
	try(t, s.Launch(f, Dim{X: 1}, Dim{X: 1}, 0, a))
	if err := s.Wait(); !lost(err) {
		t.Fatalf("a wild write gives %v", err)
	}
	if _, err := c.Alloc(16); !lost(err) {
		t.Errorf("after that: %v", err)
	}
	t.Log(Problem(s.Wait()))
	for _, err := range []error{s.Destroy(), m.Unload()} {
		if err != nil && !lost(err) {
			t.Errorf("cleaning up: %v", err)
		}
	}
}

func BenchmarkCardLaunch(b *testing.B) {
	c := card(b)
	s, m := cardStream(b, c)
	f, err := m.Function("axpy")
	try(b, err)
	a := new(Args)
	a.Ptr(0)
	a.Ptr(0)
	a.F32(1)
	a.I64(0) // nothing to do but to start and end
	b.ReportAllocs()
	for b.Loop() {
		try(b, s.Launch(f, Dim{X: 1}, Dim{X: 32}, 0, a))
	}
	try(b, s.Wait())
}
