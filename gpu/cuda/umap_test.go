package cuda

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/problem"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/quality"
	"blossom/model/maps/umap"
	"blossom/model/work/engine"
)

// unfolderHere is UMAP on the card that is here, the real one or the emulated one.
func unfolderHere(t *testing.T) unfolder {
	t.Helper()
	if _, err := driver.Devices(); err != nil {
		t.Skip("no NVIDIA card here: ", err)
	}
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return unfolder{e.(*card)}
}

// ring is a graph of n points, each joined with so many on either side; the first hubs of them with all.
func ring(n, reach, hubs int) *umap.Graph {
	g := &umap.Graph{N: n, Start: make([]int64, n+1), Most: 1, Neighbours: 2*reach + 1}
	for i := range n {
		for j := range n {
			away := min((i-j+n)%n, (j-i+n)%n)
			if away > 0 && (away <= reach || i < hubs || j < hubs) {
				g.Column = append(g.Column, int32(j))
				g.Weight = append(g.Weight, 1/float32(min(away, 9)))
			}
		}
		g.Start[i+1] = int64(len(g.Column))
	}
	return g
}

// strip is ring of a part of very many points, made in a time that grows with their number alone.
func strip(n int) *umap.Graph {
	g := &umap.Graph{N: n, Start: make([]int64, n+1), Most: 1, Neighbours: 7}
	for i := range n {
		for j := max(0, i-3); j < min(n, i+4); j++ {
			if j != i {
				g.Column = append(g.Column, int32(j))
				g.Weight = append(g.Weight, 1/float32(max(i-j, j-i)))
			}
		}
		g.Start[i+1] = int64(len(g.Column))
	}
	return g
}

// unfoldBatch is epochs from one on.
func unfoldBatch(epoch, negatives int, alpha ...float64) umap.Batch {
	return umap.Batch{Epoch: epoch, Alpha: alpha, Kernel: umap.Fit(0.1, 1), Negatives: negatives, Seed: 9}
}

// unfoldedBy is where points are after batches.
func unfoldedBy(t *testing.T, d umap.Device, g *umap.Graph, s *umap.State, batches ...umap.Batch) []float32 {
	t.Helper()
	ctx := context.Background()
	b, err := d.Open(ctx, g, s.Dims)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	err = b.Load(ctx, s)
	for _, batch := range batches {
		_, failed := b.Advance(ctx, batch)
		err = errors.Join(err, failed)
	}
	out := embedsom.NewHostTarget(g.N, s.Dims)
	if err = errors.Join(err, b.Positions(ctx, out)); err != nil {
		t.Fatal(err)
	}
	return out.Data
}

// Graphs of every size that blocks and warps may have, without edges, and with rows that are longer than what a point
// keeps of its edges, move as in float64.
func TestUnfoldingSizes(t *testing.T) {
	d := unfolderHere(t)
	graphs := map[string]*umap.Graph{"hubs": ring(700, 2, 3), "many for each": ring(100, 40, 0)}
	for _, n := range []int{0, 1, 2, 15, 16, 17, 31, 32, 33, 255, 257, 1000} {
		graphs[fmt.Sprintf("%d without edges", n)] = &umap.Graph{N: n, Start: make([]int64, n+1)}
		graphs[fmt.Sprintf("%d in a ring", n)] = ring(n, 4, 0)
	}
	if os.Getenv("BLOSSOM_LONG") != "" || !isHosted() {
		graphs["100,000 in a strip"] = strip(100_003)
	}
	for name, g := range graphs {
		for dims := 2; dims <= 3; dims++ {
			s := &umap.State{Dims: dims, Y: umap.RandomStart(g.N, dims, 3)}
			if g.N > 40 {
				s.Held = []int32{0, 33}
				copy(s.Y[2*dims:5*dims], s.Y[5*dims:8*dims]) // on one spot
			}
			b := unfoldBatch(3, 5, 0.05)
			got, want := unfoldedBy(t, d, g, s, b), unfoldedBy(t, umap.Plain{}, g, s, b)
			for c := range got {
				if !(math.Abs(float64(got[c]-want[c])) <= 1e-3) {
					t.Fatalf("%s in %dD: point %d is at %g and not at %g", name, dims, c/dims, got[c], want[c])
				}
			}
		}
	}
}

// The bits are those that are kept in testdata, on any card and on the host, however epochs are split and however often
// the card is waited for.
func TestUnfoldingBits(t *testing.T) {
	const file = "testdata/umap_bits.txt"
	d := unfolderHere(t)
	defer func(was int64) { umapStretch = was }(umapStretch)
	var got strings.Builder
	for dims := 2; dims <= 3; dims++ {
		for _, g := range []*umap.Graph{ring(300, 9, 1), strip(777)} {
			s := &umap.State{Dims: dims, Y: umap.RandomStart(g.N, dims, 4), Held: []int32{5}}
			copy(s.Y[2*dims:5*dims], s.Y[5*dims:8*dims])
			umapStretch = 1 << 25
			whole := unfoldedBy(t, d, g, s, unfoldBatch(1, 5, 1, 0.9, 0.8, 0.7))
			umapStretch = 1
			split := unfoldedBy(t, d, g, s, unfoldBatch(1, 5, 1), unfoldBatch(2, 5), unfoldBatch(2, 5, 0.9, 0.8),
				unfoldBatch(4, 5, 0.7))
			if !slices.Equal(whole, split) {
				t.Errorf("%d points in %dD: epochs depend on how they are split", g.N, dims)
			}
			h := sha256.New()
			if err := binary.Write(h, binary.LittleEndian, whole); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&got, "%d %d %x\n", g.N, dims, h.Sum(nil)[:8])
		}
	}
	if *updateBits {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOARCH == "amd64" && got.String() != string(want) { // the kernel is fitted by the processor
		t.Errorf("the bits are\n%s and on the host\n%s", &got, want)
	}
}

// A map takes the memory that it is said to need, and a lack of it is said before any is taken.
func TestUnfoldingMemory(t *testing.T) {
	d := unfolderHere(t)
	g := ring(400, 5, 0)
	for dims := 2; dims <= 3; dims++ {
		raw, err := d.Open(t.Context(), g, dims)
		if err != nil {
			t.Fatal(err)
		}
		b := raw.(*umapBody)
		taken := int64(0)
		for _, r := range b.w.rooms {
			taken += r.bytes
		}
		if says := b.needs(g.Edges()); taken != says {
			t.Errorf("%dD: it says %d bytes, and takes %d", dims, says, taken)
		}
		b.Close()
		if _, err := b.Advance(t.Context(), unfoldBatch(1, 5, 1)); err == nil {
			t.Error("a map goes on after it was given back")
		}
		b.Close()
	}
	d.e.o.Memory = 1 << 20
	var p *problem.Problem
	if _, err := d.Open(t.Context(), g, 2); !errors.As(err, &p) ||
		!strings.Contains(err.Error(), "MB of the card's memory") {
		t.Errorf("too little memory: %v", err)
	}
}

// A graph with more edges takes the place of one with fewer; one whose coming is called back leaves the one that was.
func TestUnfoldingSwaps(t *testing.T) {
	d := unfolderHere(t)
	few, many := ring(90, 1, 0), ring(90, 20, 0)
	s := &umap.State{Dims: 2, Y: umap.RandomStart(90, 2, 3)}
	for _, c := range []struct {
		stop bool
		by   *umap.Graph
	}{{false, many}, {true, few}} {
		b, err := d.Open(t.Context(), few, 2)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		if c.stop {
			cancel()
		}
		if err := b.Swap(ctx, many); errors.Is(err, context.Canceled) != c.stop {
			t.Error(err)
		}
		cancel()
		out := embedsom.NewHostTarget(90, 2)
		err = b.Load(t.Context(), s)
		_, failed := b.Advance(t.Context(), unfoldBatch(1, 3, 0.5))
		if err = errors.Join(err, failed, b.Positions(t.Context(), out)); err != nil {
			t.Fatal(err)
		}
		b.Close()
		if !slices.Equal(out.Data, unfoldedBy(t, d, c.by, s, unfoldBatch(1, 3, 0.5))) {
			t.Errorf("called back %v: it goes on with another graph", c.stop)
		}
	}
}

// A map of the card keeps as much of neighbours as one of the reference, of groups in which there is structure to keep.
func TestUnfoldingQuality(t *testing.T) {
	if isHosted() && os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("it takes half a minute on the host")
	}
	d := unfolderHere(t)
	x := blobs(600, 5)
	g, err := umap.Joined(t.Context(), x, 15)
	if err != nil {
		t.Fatal(err)
	}
	o := umap.Defaults()
	o.Epochs = 200
	kept := func(d umap.Device) (trustworthiness float64) {
		const seeds = 2
		for o.Seed = range uint64(seeds) {
			y, err := umap.PCAStart(t.Context(), x, 2, o.Seed)
			if err != nil {
				t.Fatal(err)
			}
			l, err := umap.Start(t.Context(), d, g, y, o)
			if err != nil {
				t.Fatal(err)
			}
			_, err = l.Step(t.Context(), o.Epochs)
			out := embedsom.NewHostTarget(x.Rows, 2)
			if err = errors.Join(err, l.Positions(t.Context(), out)); err != nil {
				t.Fatal(err)
			}
			l.Close()
			w, err := quality.Among(t.Context(), x, out.Data, 2, quality.Work{})
			if err != nil {
				t.Fatal(err)
			}
			trustworthiness += w.Trustworthiness / seeds
		}
		return trustworthiness
	}
	here, there := kept(d), kept(umap.Plain{})
	t.Logf("trustworthiness %.4f, of the reference %.4f", here, there)
	if !(here > there-0.01) || !(here > 0.85) {
		t.Errorf("trustworthiness is %.4f, and of the reference %.4f", here, there)
	}
}
