package driver

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"pgregory.net/rapid"

	"blossom/gpu/cuda/driver/fake"
)

const kernels = "fake\nscale 8\naxpy 8 8 4 8\nall 8 4 4 8 8 4 8\n"

// bench is a context with a stream and the kernels of the fake driver.
type bench struct {
	*Context
	s *Stream
	m *Module
}

func newBench(t testing.TB, l *library) bench {
	t.Helper()
	c := entered(t, l, 0)
	s, err := c.NewStream()
	try(t, err)
	m, err := c.LoadModule([]byte(kernels))
	try(t, err)
	t.Cleanup(func() {
		for _, err := range []error{s.Destroy(), m.Unload()} {
			if err != nil && !lost(err) {
				t.Error(err)
			}
		}
	})
	return bench{c, s, m}
}

func (b bench) function(t testing.TB, name string) *Function {
	t.Helper()
	f, err := b.m.Function(name)
	try(t, err)
	return f
}

func TestMemory(t *testing.T) {
	f := newFake(t)
	t.Run("", func(t *testing.T) {
		b := newBench(t, f.configure(t, "memory=1000000"))
		none, err := b.Alloc(0)
		if err != nil || none == 0 {
			t.Fatalf("nothing is at %d, %v", none, err)
		}
		_, err = b.Alloc(999_985)
		if e := fails(t, err, 2); !e.OutOfMemory() || e.Lost() ||
			e.Error() != "CUDA: out of memory (CUDA_ERROR_OUT_OF_MEMORY in cuMemAlloc)" {
			t.Errorf("%v", e)
		}
		if p := Problem(fmt.Errorf("points: %w", err)); !strings.Contains(p.Remedy, "--max-points") {
			t.Errorf("%v", p)
		}
		for _, bytes := range []int64{-1, math.MinInt64} { // a size that ran over
			_, err := b.Alloc(bytes)
			fails(t, err, 2)
			_, err = b.AllocHost(bytes)
			fails(t, err, 2)
		}
		p, err := b.Alloc(999_984)
		try(t, err)
		try(t, b.Free(p))
		fails(t, b.Free(p), 1)
		try(t, b.Free(none))
		try(t, b.Free(0))
		h, err := b.AllocHost(0)
		try(t, err)
		try(t, b.FreeHost(h))
		try(t, b.FreeHost(nil))
		fails(t, b.FreeHost(h), 1)
	})
	if n := f.live(); n != 0 {
		t.Errorf("%d things are left", n)
	}
}

func TestCopies(t *testing.T) {
	b := newBench(t, newFake(t).configure(t, ""))
	const n = 1000
	p, err := b.Alloc(4 * n)
	try(t, err)
	q, err := b.Alloc(4 * n)
	try(t, err)
	h, err := b.AllocHost(4 * n)
	try(t, err)
	defer func() { try(t, errors.Join(b.Free(p), b.Free(q), b.FreeHost(h))) }()
	pinned := unsafe.Slice((*float32)(h), n)
	for i := range pinned {
		pinned[i] = float32(i) - 3
	}
	try(t, b.s.ToDevice(p, h, 4*n))
	try(t, b.s.Copy(q+4, p, 4*(n-1)))
	try(t, b.s.Set32(q, math.Float32bits(7), 1))
	try(t, b.s.Set8(p, 0x3f, 8))
	back := make([]float32, 2*n)
	try(t, b.s.ToHost(unsafe.Pointer(&back[0]), q, 4*n))
	try(t, b.s.ToHost(unsafe.Pointer(&back[n]), p, 4*n))
	try(t, b.s.Wait())
	want := slices.Concat([]float32{7}, pinned[:n-1], []float32{math.Float32frombits(0x3f3f3f3f),
		math.Float32frombits(0x3f3f3f3f)}, pinned[2:])
	if !slices.Equal(back, want) {
		t.Error("what comes back is not what went")
	}
	// Nothing to do needs no address.
	for _, err := range []error{b.s.ToDevice(0, nil, 0), b.s.ToHost(nil, 0, 0), b.s.Copy(0, 0, 0), b.s.Set8(0, 1, 0),
		b.s.Set32(0, 1, 0)} {
		try(t, err)
	}
	fails(t, b.s.ToDevice(p+4, h, 4*n), 1) // past the end
}

func TestLaunch(t *testing.T) {
	f := newFake(t)
	b := newBench(t, f.configure(t, ""))
	const n = 300
	p, err := b.Alloc(4 * n)
	try(t, err)
	q, err := b.Alloc(4 * n)
	try(t, err)
	defer func() { try(t, errors.Join(b.Free(p), b.Free(q))) }()
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i), float32(-i*i)
	}
	try(t, b.s.ToDevice(p, unsafe.Pointer(&x[0]), 4*n))
	try(t, b.s.ToDevice(q, unsafe.Pointer(&y[0]), 4*n))
	axpy := b.function(t, "axpy")
	var a Args
	for range 2 { // the packer is used again
		a.Reset()
		a.Ptr(p)
		a.Ptr(q)
		a.F32(0.5)
		a.I64(n - 1)
		try(t, b.s.Launch(axpy, Dim{X: 3}, Dim{128, 1, 1}, 1024, &a))
	}
	got := make([]float32, n)
	try(t, b.s.ToHost(unsafe.Pointer(&got[0]), q, 4*n))
	try(t, b.s.Wait())
	for i := range got {
		want := y[i] + x[i]
		if i == n-1 {
			want = y[i]
		}
		if got[i] != want {
			t.Fatalf("element %d is %g, want %g", i, got[i], want)
		}
	}
	want := fmt.Sprintf("axpy grid 3 1 1 block 128 1 1 shared 1024: %016x %016x 3f000000 %016x", uint64(p), uint64(q),
		n-1)
	if text := f.launched(); text != want {
		t.Errorf("launched %q, want %q", text, want)
	}
	try(t, b.s.Launch(axpy, Dim{}, Dim{X: 128}, 0, &a))
	fails(t, b.s.Launch(axpy, Dim{X: -1}, Dim{X: 128}, 0, &a), 1)
	fails(t, b.s.Launch(axpy, Dim{X: 1, Y: 1 << 20}, Dim{X: 128}, 0, &a), 1)
	if e := fails(t, b.s.Launch(axpy, Dim{X: 1}, Dim{X: 2000}, 0, &a), 1); !strings.Contains(e.Text, "kernel axpy") {
		t.Errorf("the kernel is not named: %v", e)
	}
	for range maxArgs {
		a.I32(1)
	}
	if e := fails(t, b.s.Launch(axpy, Dim{X: 1}, Dim{X: 1}, 0, &a), 1); !strings.Contains(e.Text,
		"too many arguments") {
		t.Errorf("%v", e)
	}
	// More than 48 KiB of shared memory must be asked for.
	a.Reset()
	a.Ptr(p)
	scale := b.function(t, "scale")
	fails(t, b.s.Launch(scale, Dim{X: 1}, Dim{X: 1}, 100<<10, &a), 1)
	try(t, scale.MaxDynamicShared(100<<10))
	try(t, b.s.Launch(scale, Dim{X: 1}, Dim{X: 1}, 100<<10, &a))
	fails(t, scale.MaxDynamicShared(1<<20), 1)
}

// Arguments of any values arrive as they were given.
func TestArguments(t *testing.T) {
	f := newFake(t)
	b := newBench(t, f.configure(t, ""))
	all := b.function(t, "all")
	var a Args
	rapid.Check(t, func(t *rapid.T) {
		p, i, u := Ptr(rapid.Uint64().Draw(t, "p")), rapid.Int32().Draw(t, "i"), rapid.Uint32().Draw(t, "u")
		l, m := rapid.Int64().Draw(t, "l"), rapid.Uint64().Draw(t, "m")
		x, y := rapid.Float32().Draw(t, "x"), rapid.Float64().Draw(t, "y")
		a.Reset()
		a.Ptr(p)
		a.I32(i)
		a.U32(u)
		a.I64(l)
		a.U64(m)
		a.F32(x)
		a.F64(y)
		if err := b.s.Launch(all, Dim{1, 2, 3}, Dim{4, 5, 6}, 7, &a); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("all grid 1 2 3 block 4 5 6 shared 7: %016x %08x %08x %016x %016x %08x %016x",
			uint64(p), uint32(i), u, uint64(l), m, math.Float32bits(x), math.Float64bits(y))
		if got := f.launched(); got != want {
			t.Fatalf("launched %q, want %q", got, want)
		}
	})
}

func TestModules(t *testing.T) {
	f := newFake(t)
	b := newBench(t, f.configure(t, ""))
	k := b.function(t, "axpy")
	if got, want := k.Attributes(), (Attributes{Registers: 40, SharedBytes: 512, MaxThreads: 1024}); got != want ||
		k.Name() != "axpy" {
		t.Errorf("%s has %+v", k.Name(), got)
	}
	if n := k.Occupancy(256, 0); n != 8 {
		t.Errorf("%d blocks of 256 threads", n)
	}
	if n := k.Occupancy(256, 80<<10); n != 2 {
		t.Errorf("%d blocks of 80 KiB", n)
	}
	if n := k.Occupancy(-1, 0); n != 0 {
		t.Errorf("%d blocks of -1 threads", n)
	}
	_, err := b.m.Function("missing")
	if e := fails(t, err, 500); !strings.Contains(e.Text, "kernel missing") {
		t.Errorf("the kernel is not named: %v", e)
	}
	_, err = b.LoadModule(nil)
	fails(t, err, 200)
	_, err = b.LoadModule([]byte("what is this"))
	fails(t, err, 200)
	// PTX arrives with a zero at its end wherever it lay, and the translator's complaint is told.
	text := []byte("?.version 9.9 and more")
	_, err = b.LoadModule(text[1:13])
	if e := fails(t, err, 218); !strings.HasSuffix(e.Text, ": ptxas fatal: no PTX here (12 characters)") {
		t.Errorf("%v", e)
	}
	fatbin, err := b.LoadModule([]byte{0x50, 0xed, 0x55, 0xba, 0, 0, 0, 0})
	try(t, err)
	try(t, fatbin.Unload())
	fails(t, fatbin.Unload(), 400)
	// A driver older than the PTX.
	old := newBenchFails(t, f.configure(t, "version=11020 fail=cuModuleLoadDataEx:222"))
	if e := fails(t, old, 222); !e.TooOld() || e.Lost() || !strings.Contains(Problem(e).Remedy,
		"update the NVIDIA driver to 520.61") {
		t.Errorf("%v", Problem(e))
	}
	older := newBenchFails(t, f.configure(t, "fail=cuModuleLoadDataEx:209"))
	if p := Problem(older); !strings.Contains(p.Remedy, "compute capability 5.2") {
		t.Errorf("%v", p)
	}
}

// newBenchFails returns the error of loading kernels.
func newBenchFails(t *testing.T, l *library) error {
	t.Helper()
	_, err := entered(t, l, 0).LoadModule([]byte(kernels))
	return err
}

func TestEvents(t *testing.T) {
	b := newBench(t, newFake(t).configure(t, "slow=2"))
	other, err := b.NewStream()
	try(t, err)
	var marks [3]*Event
	for i := range marks {
		marks[i], err = b.NewEvent()
		try(t, err)
		if i < 2 {
			try(t, b.s.Record(marks[i]))
		}
	}
	for _, want := range []bool{false, false, true, true} {
		if done, err := marks[1].Done(); err != nil || done != want {
			t.Errorf("done %v, %v, want %v", done, err, want)
		}
	}
	try(t, marks[0].Wait())
	if done, err := marks[0].Done(); err != nil || !done {
		t.Errorf("waited for, and done is %v, %v", done, err)
	}
	if d, err := Elapsed(marks[0], marks[1]); err != nil || d != time.Millisecond {
		t.Errorf("%v passed, %v", d, err)
	}
	_, err = Elapsed(marks[0], marks[2])
	fails(t, err, 400)
	try(t, other.After(marks[1]))
	for _, e := range marks {
		try(t, e.Destroy())
	}
	_, err = marks[0].Done()
	fails(t, err, 400)
	try(t, other.Destroy())
	fails(t, other.Wait(), 400)
}

func TestGL(t *testing.T) {
	f := newFake(t)
	b := newBench(t, f.configure(t, "cards=2 gl=0"))
	if draws, err := b.DrawsGL(); err != nil || !draws {
		t.Errorf("draws %v, %v", draws, err)
	}
	_, err := b.RegisterGL(0)
	fails(t, err, 1)
	x, err := b.RegisterGL(5)
	try(t, err)
	p, bytes, err := b.s.Map(x)
	if err != nil || p == 0 || bytes != 4096 {
		t.Fatalf("%d bytes at %d, %v", bytes, p, err)
	}
	try(t, b.s.Set8(p, 1, bytes))
	_, _, err = b.s.Map(x)
	fails(t, err, 208)
	fails(t, x.Unregister(), 208)
	try(t, b.s.Unmap(x))
	fails(t, b.s.Set8(p, 1, bytes), 1) // it is OpenGL's again
	fails(t, b.s.Unmap(x), 211)
	try(t, x.Unregister())
	// A failure between the two steps of Map leaves the buffer with OpenGL.
	b = newBench(t, f.configure(t, "gl=0 fail=cuGraphicsResourceGetMappedPointer_v2:999"))
	x, err = b.RegisterGL(5)
	try(t, err)
	_, _, err = b.s.Map(x)
	fails(t, err, 999)
}

// Where OpenGL is drawn by another card, by another maker's, or the driver knows none, the rest works.
func TestNoGL(t *testing.T) {
	f := newFake(t)
	b := newBench(t, f.configure(t, "cards=2 gl=1"))
	if draws, err := b.DrawsGL(); err != nil || draws {
		t.Errorf("draws %v, %v", draws, err)
	}
	_, err := b.RegisterGL(5)
	fails(t, err, 219)
	b = newBench(t, f.configure(t, ""))
	_, err = b.DrawsGL()
	fails(t, err, 219)
	b = newBench(t, newFake(t, fake.WithoutGL).configure(t, ""))
	_, err = b.DrawsGL()
	fails(t, err, 801)
	_, err = b.RegisterGL(5)
	if e := fails(t, err, 801); e.Error() != "CUDA: this driver does not have the function "+
		"(CUDA_ERROR_NOT_SUPPORTED in cuGraphicsGLRegisterBuffer)" {
		t.Errorf("%v", e)
	}
}

// A card that breaks in the middle of work: the call says so, and so do all that follow.
func TestLost(t *testing.T) {
	f := newFake(t)
	for _, code := range []int{700, 719, 999} {
		b := newBench(t, f.configure(t, fmt.Sprintf("fail=cuLaunchKernel:%d@3", code)))
		k := b.function(t, "scale")
		var a Args
		a.Ptr(0)
		try(t, b.s.Launch(k, Dim{X: 1}, Dim{X: 1}, 0, &a))
		try(t, b.s.Launch(k, Dim{X: 1}, Dim{X: 1}, 0, &a))
		if e := fails(t, b.s.Launch(k, Dim{X: 1}, Dim{X: 1}, 0, &a), code); !e.Lost() || e.OutOfMemory() || e.TooOld() {
			t.Errorf("%v is not known for what it is", e)
		}
		err := b.s.Wait()
		fails(t, err, code)
		if p := Problem(err); !strings.Contains(p.Remedy, "start blossom again") {
			t.Errorf("%v", p)
		}
	}
	for code, want := range map[int]bool{1: false, 2: false, 4: true, 46: true, 201: false, 214: true, 220: true,
		222: false, 400: false,
		600: false, 700: true, 701: false, 702: true, 704: false, 709: true, 710: true, 713: false, 714: true,
		716: true, 719: true, 720: false, 801: false, 999: true} {
		if (&Error{Code: code}).Lost() != want {
			t.Errorf("lost by code %d: %v", code, !want)
		}
	}
	if text := (&Error{Call: "cuX_v2", Code: 12345}).Error(); text != "CUDA: error 12345 in cuX" {
		t.Errorf("an unknown code is %q", text)
	}
	if p := Problem(errors.New("something else")); p.What != "something else" {
		t.Errorf("%v", p)
	}
}

// A frame takes no memory from Go.
func TestNoAllocation(t *testing.T) {
	b := newBench(t, newFake(t).configure(t, "gl=0"))
	k := b.function(t, "all")
	x, err := b.RegisterGL(1)
	try(t, err)
	p, err := b.Alloc(64)
	try(t, err)
	h, err := b.AllocHost(64)
	try(t, err)
	from, err := b.NewEvent()
	try(t, err)
	to, err := b.NewEvent()
	try(t, err)
	a := new(Args)
	frame := func() {
		leave, err := b.Enter()
		try(t, err)
		_, _, err = b.s.Map(x)
		try(t, err)
		try(t, b.s.Record(from))
		try(t, b.s.ToDevice(p, h, 64))
		try(t, b.s.Set8(p, 1, 64))
		a.Reset()
		a.Ptr(p)
		a.I32(1)
		a.U32(2)
		a.I64(3)
		a.U64(4)
		a.F32(5)
		a.F64(6)
		try(t, b.s.Launch(k, Dim{X: 1}, Dim{X: 32}, 0, a))
		try(t, b.s.ToHost(h, p, 64))
		try(t, b.s.Record(to))
		try(t, b.s.Unmap(x))
		if done, err := to.Done(); !done || err != nil {
			t.Fatal(done, err)
		}
		_, err = Elapsed(from, to)
		try(t, err)
		leave()
	}
	if n := testing.AllocsPerRun(200, frame); n > 0.5 && !raceEnabled {
		t.Errorf("%g allocations", n)
	}
}

// Contexts are used from many goroutines, each with its own stream.
func TestGoroutines(t *testing.T) {
	f := newFake(t)
	l := f.configure(t, "cards=2")
	before := f.live()
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			c, err := l.open(i % 2)
			if err != nil {
				t.Error(err)
				return
			}
			defer c.Close()
			for range 50 {
				if err := round(c, byte(i)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	if n := f.live(); n != before {
		t.Errorf("%d things are left", n-before)
	}
}

// round sends something to the card and back.
func round(c *Context, value byte) error {
	leave, err := c.Enter()
	if err != nil {
		return err
	}
	defer leave()
	s, err := c.NewStream()
	if err != nil {
		return err
	}
	p, err := c.Alloc(100)
	if err != nil {
		return err
	}
	var back [100]byte
	err = errors.Join(s.Set8(p, value, 100), s.ToHost(unsafe.Pointer(&back[0]), p, 100), s.Wait(), c.Free(p),
		s.Destroy())
	for _, b := range back {
		if b != value && err == nil {
			err = fmt.Errorf("%d came back as %d", value, b)
		}
	}
	return err
}

func BenchmarkLaunch(b *testing.B) {
	w := newBench(b, newFake(b).configure(b, ""))
	k := w.function(b, "scale")
	a := new(Args)
	b.ReportAllocs()
	for b.Loop() {
		a.Reset()
		a.Ptr(0)
		try(b, w.s.Launch(k, Dim{X: 1}, Dim{X: 32}, 0, a))
	}
}
