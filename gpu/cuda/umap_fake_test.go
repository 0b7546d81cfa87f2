//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/ebitengine/purego"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/driver/fake"
	"blossom/model/base/problem"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/umap"
	"blossom/model/work/engine"
)

// unfolderOnFake is UMAP of a window on the fake driver, and what that says of itself.
func unfolderOnFake(t *testing.T) (d unfolder, mappings func(on int) int, live func() int) {
	t.Helper()
	if os.Getenv(fake.Environment) == "" {
		t.Skip("TestUnfoldingOnFakes runs this on a fake driver")
	}
	lib, err := purego.Dlopen(os.Getenv(driver.Environment), purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	purego.RegisterLibFunc(&mappings, lib, "fake_mappings")
	purego.RegisterLibFunc(&live, lib, "fake_live")
	e, err := New(engine.Options{Window: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() }) // a card that is lost has nothing to give back
	return unfolder{e.(*card)}, mappings, live
}

// startOnFake is a map at its beginning.
func startOnFake(t *testing.T, d unfolder, g *umap.Graph, dims int) *umapBody {
	t.Helper()
	b, err := d.Open(t.Context(), g, dims)
	if err != nil {
		t.Fatal(err)
	}
	s := &umap.State{Dims: dims, Y: umap.RandomStart(g.N, dims, 1)}
	if err := b.Load(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return b.(*umapBody)
}

// Positions go into the buffer that the window draws from, which is mapped once in a frame and given back.
func TestUnfoldingIntoABufferOnFake(t *testing.T) {
	d, mappings, _ := unfolderOnFake(t)
	frames := 0
	for dims := 2; dims <= 3; dims++ {
		b := startOnFake(t, d, ring(300, 2, 0), dims)
		to := &lender{HostTarget: embedsom.NewHostTarget(300, dims), buffer: uint32(dims), storage: uint64(dims)}
		for range 3 {
			_, err := b.Advance(t.Context(), unfoldBatch(1, 5, 1))
			if err = errors.Join(err, b.Positions(t.Context(), to), b.Positions(t.Context(), to)); err != nil {
				t.Fatal(err)
			}
			to.draw()
			if frames++; mappings(1) != frames || mappings(0) != frames {
				t.Errorf("%dD: mapped %d times and unmapped %d times in %d frames", dims, mappings(1), mappings(0),
					frames)
			}
		}
		b.Close()
		to.resize()
	}
}

// An epoch that fails leaves places as they were before it.
func TestUnfoldingIsAsBeforeOnFake(t *testing.T) {
	d, _, _ := unfolderOnFake(t)
	b := startOnFake(t, d, ring(30, 2, 0), 2)
	defer b.Close()
	if done, err := b.Advance(t.Context(), unfoldBatch(1, 5, 1)); done != 1 || err != nil {
		t.Fatal(done, err)
	}
	was := b.y
	if done, err := b.Advance(t.Context(), unfoldBatch(2, 5, 0.9, 0.8)); done != 0 || err == nil || b.y != was {
		t.Errorf("%d epochs, %v, places are where they were: %v", done, err, b.y == was)
	}
}

// After a card is lost nothing goes on, and the error stays that of the loss.
func TestUnfoldingIsLostOnFake(t *testing.T) {
	d, _, _ := unfolderOnFake(t)
	b := startOnFake(t, d, ring(30, 2, 0), 2)
	_, lost := b.Advance(t.Context(), unfoldBatch(1, 5, 1, 0.9))
	_, after := b.Advance(t.Context(), unfoldBatch(2, 5, 0.9))
	if lost == nil || after != lost || b.Positions(t.Context(), embedsom.NewHostTarget(30, 2)) != lost {
		t.Errorf("%v, and then %v", lost, after)
	}
	b.Close()
}

// Where memory runs out while it is taken, that is told with what helps, and all is given back.
func TestUnfoldingRunsOutOnFake(t *testing.T) {
	d, _, live := unfolderOnFake(t)
	before := live()
	var p *problem.Problem
	if _, err := d.Open(t.Context(), ring(30, 2, 0), 3); !errors.As(err, &p) || !strings.Contains(p.Remedy, "fewer") {
		t.Errorf("it says %v", err)
	}
	if after := live(); after != before {
		t.Errorf("%d things were there before, and %d are after", before, after)
	}
}

// The tests above need drivers of their own.
func TestUnfoldingOnFakes(t *testing.T) {
	path := fake.Library(t)
	for name, words := range map[string]string{"TestUnfoldingIntoABufferOnFake": "gl=0",
		"TestUnfoldingIsAsBeforeOnFake": "fail=cuLaunchKernel:1@7",
		"TestUnfoldingIsLostOnFake":     "fail=cuLaunchKernel:700@5",
		"TestUnfoldingRunsOutOnFake":    "fail=cuMemAlloc_v2:2@5"} {
		again := exec.Command(os.Args[0], "-test.run=^"+name+"$", "-test.v")
		again.Env = append(os.Environ(), driver.Environment+"="+path, fake.Environment+"="+words)
		if out, err := again.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS: "+name+" ") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}
