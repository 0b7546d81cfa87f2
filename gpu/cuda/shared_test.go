//go:build linux && (amd64 || arm64)

package cuda

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ebitengine/purego"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/driver/fake"
	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// lender is the buffer of a window, without OpenGL.
type lender struct {
	*embedsom.HostTarget
	buffer   uint32
	storage  uint64
	lent     []func()
	borrowed []func()
}

func (l *lender) GLBuffer() (uint32, uint64) { l.draw(); return l.buffer, l.storage }
func (l *lender) Wrote(from, to int)         {}
func (l *lender) Lend(release func())        { l.lent = append(l.lent, release) }
func (l *lender) Borrow(back func())         { l.borrowed = append(l.borrowed, back) }

// draw is what OpenGL does at the end of a frame.
func (l *lender) draw() {
	for _, back := range l.borrowed {
		back()
	}
	l.borrowed = nil
}

// resize gives the buffer new memory.
func (l *lender) resize() {
	l.draw()
	for _, release := range l.lent {
		release()
	}
	l.lent = nil
	l.storage++
}

// Its buffers have 4096 bytes.
const sharedPoints = 500

// sharing is a resident on the fake driver whose positions go into buffers of a window, and how often that
// maps and unmaps them. Neighbours are found.
type sharing struct {
	*resident
	t      *testing.T
	l      *landmark.Set
	p      embedsom.Params
	counts func(on int) int
}

func share(t *testing.T) *sharing {
	t.Helper()
	path := os.Getenv(driver.Environment)
	if os.Getenv(fake.Environment) == "" {
		t.Skip("TestShared runs this on a fake driver")
	}
	lib, err := purego.Dlopen(path, purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	s := &sharing{t: t, p: embedsom.Params{K: 5, Boost: 1, Adjust: 1}}
	purego.RegisterLibFunc(&s.counts, lib, "fake_mappings")
	var x matrix.Matrix32
	x, s.l = random(sharedPoints, 3, 20, 2)
	e, err := New(engine.Options{Window: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Load(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	s.resident = r.(*resident)
	s.mustFind(t, s.l, s.p, 0, sharedPoints)
	return s
}

func newLender(buffer uint32) *lender {
	return &lender{HostTarget: embedsom.NewHostTarget(sharedPoints, 2), buffer: buffer, storage: uint64(10 * buffer)}
}

// mapped fails unless buffers were mapped and unmapped so often.
func (s *sharing) mapped(when string, on, off int) {
	s.t.Helper()
	if a, b := s.counts(1), s.counts(0); a != on || b != off {
		s.t.Errorf("%s: mapped %d times and unmapped %d times instead of %d and %d", when, a, b, on, off)
	}
}

// drag is a frame in which a landmark moves and all points follow, in two parts.
func (s *sharing) drag(to *lender, cut int) {
	s.t.Helper()
	s.l = &landmark.Set{Codebook: s.l.Codebook, Pos: s.l.Pos.Clone(), CodeRev: s.l.CodeRev, PosRev: revision.Next()}
	s.l.Pos.Data[8] += 0.25
	if cut > 0 {
		s.mustPlace(s.t, s.l, s.p, to, 0, cut)
	}
	s.mustPlace(s.t, s.l, s.p, to, cut, sharedPoints)
	if !s.shared.direct {
		s.t.Fatal("positions went elsewhere: ", s.shared.path())
	}
}

// The buffer is mapped once in a frame, whatever is written to it, and unmapped before its owner touches it.
func TestSharedOnFake(t *testing.T) {
	s := share(t)
	a, b := newLender(1), newLender(2)
	s.drag(a, 100)
	s.drag(a, 300)
	s.mapped("a frame of four parts", 1, 0)
	a.draw()
	a.draw()
	s.mapped("drawn", 1, 1)
	for i := range 3 {
		s.drag(a, 0)
		if i > 0 && !s.resident.drag.listed {
			t.Error("all points were placed again, for one landmark")
		}
		a.draw()
	}
	s.mapped("three frames more", 4, 4)
	if n := len(a.lent); n != 1 {
		t.Errorf("registered %d times", n)
	}
	s.drag(a, 0)
	a.resize()
	s.mapped("resized", 5, 5)
	s.drag(a, 0)
	s.mapped("with new memory", 6, 5)
	s.drag(b, 0)
	s.mapped("into another buffer", 7, 6)
	a.resize()
	s.mapped("the first is of no account any more", 7, 6)
	s.drag(b, 0)
	if err := s.Wait(); err != nil {
		t.Fatal(err)
	}
	s.Free()
	s.mapped("freed", 7, 7)
	b.resize()
	s.mapped("the owner comes late", 7, 7)
	if err := s.e.Close(); err != nil {
		t.Fatal(err)
	}
}

// A buffer that cannot be given back is a failure of the engine, which its next call tells.
func TestSharedIsNotGivenBackOnFake(t *testing.T) {
	s := share(t)
	a := newLender(1)
	s.drag(a, 0)
	a.draw()
	if err := s.Wait(); err == nil || !strings.Contains(err.Error(), "Unmap") {
		t.Errorf("Wait says %v", err)
	}
	if err := s.Project(context.Background(), s.l, s.p, a, engine.Range{To: 1}); err == nil {
		t.Error("the engine goes on")
	}
	s.Free()
}

// The tests above need a driver of their own.
func TestShared(t *testing.T) {
	path := fake.Library(t)
	for name, words := range map[string]string{"TestSharedOnFake": "gl=0",
		"TestSharedIsNotGivenBackOnFake": "gl=0 fail=cuGraphicsUnmapResources:400"} {
		again := exec.Command(os.Args[0], "-test.run=^"+name+"$", "-test.v")
		again.Env = append(os.Environ(), driver.Environment+"="+path, fake.Environment+"="+words)
		if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+name+" ") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
