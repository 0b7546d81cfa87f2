package cpu

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/umap"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
)

// graphless is an engine that makes no maps by UMAP.
type graphless struct{ engine.Engine }

func (e graphless) Load(ctx context.Context, x matrix.Source) (engine.Resident, error) {
	r, err := e.Engine.Load(ctx, x)
	return graphlessResident{r}, err
}

type graphlessResident struct{ engine.Resident }

func (r graphlessResident) Caps() engine.Caps {
	c := r.Resident.Caps()
	c.UMAP = nil
	return c
}

// counted is a context that is cancelled when it has been asked so often.
type counted struct {
	context.Context
	asks atomic.Int64
}

func (c *counted) Err() error {
	if c.asks.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// An epoch of many points is called back within it, not when it is over.
func TestAnEpochOfUMAPIsCalledBack(t *testing.T) {
	const n = 64 * umapBlock
	g := &umap.Graph{N: n, Neighbours: 2, Start: make([]int64, n+1)}
	for i := range n {
		g.Start[i] = int64(i)
		g.Column, g.Weight = append(g.Column, int32((i+1)%n)), append(g.Weight, 1)
	}
	g.Start[n] = n
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, err := e.Load(t.Context(), matrix.New(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	for name, d := range map[string]umap.Device{"engine": r.Caps().UMAP, "plain": umap.Plain{}} {
		b, err := d.Open(t.Context(), g, 2)
		if err != nil {
			t.Fatal(err)
		}
		start := umap.RandomStart(n, 2, 1)
		if err := b.Load(t.Context(), &umap.State{Dims: 2, Y: start}); err != nil {
			t.Fatal(err)
		}
		stop := &counted{Context: t.Context()}
		stop.asks.Store(100) // an epoch has 4 sub-steps of 64 blocks
		done, err := b.Advance(stop, umap.Batch{Epoch: 1, Alpha: []float64{1}, Kernel: umap.Fit(0.1, 1), Negatives: 5})
		out := embedsom.NewHostTarget(n, 2)
		if !errors.Is(err, context.Canceled) || done != 0 || b.Positions(t.Context(), out) != nil ||
			!slices.Equal(out.Data, start) {
			t.Errorf("%s: %d epochs, %v, or points have moved", name, done, err)
		}
		b.Close()
	}
}

// Where the engine of the window makes no maps by UMAP, a run takes the best that does.
func TestRunsTakeAnEngineThatServesThem(t *testing.T) {
	const n = 400
	x := matrix.New(n, 3)
	for i := range x.Data {
		x.Data[i] = float32(i * i % 101)
	}
	data, err := dataset.FromMatrix(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	spec := transform.Spec{Columns: make([]transform.Column, 3)}
	for i := range spec.Columns {
		spec.Columns[i] = transform.Column{Weight: 1}
	}
	table, err := transform.Build(t.Context(), data, spec, transform.Shuffle(n, 1), nil)
	if err != nil {
		t.Fatal(err)
	}
	in := embedding.Inputs{Data: data, Table: table, Engine: func() (engine.Engine, error) {
		e, err := New(engine.Options{})
		return graphless{e}, err
	}}
	stages := embedding.ByID("umap").Run
	basis, err := stages.Basis(t.Context(), in, embedding.UMAP(2), nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := stages.Start(t.Context(), in, embedding.UMAP(2), embedding.Beginning{Basis: basis})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if by := r.Engine(); by != "cpu" {
		t.Errorf("it is laid out by %q", by)
	}
	in.Engine = nil
	plain, err := stages.Start(t.Context(), in, embedding.UMAP(2), embedding.Beginning{Basis: basis})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if faster := best().umap != nil; faster != (r.Guess() < plain.Guess()) {
		t.Errorf("kernels in C %v: an epoch may take %v, without an engine %v", faster, r.Guess(), plain.Guess())
	}
	if p, err := r.Step(t.Context(), 5); err != nil || p.Done != 5 {
		t.Errorf("%+v, %v", p, err)
	}
}
