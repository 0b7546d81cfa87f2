package cpu

import (
	"context"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
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
	in.Engine = nil
	plain, err := stages.Start(t.Context(), in, embedding.UMAP(2), embedding.Beginning{Basis: basis})
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if !(r.Guess() < plain.Guess()) {
		t.Errorf("an epoch may take %v, without an engine %v", r.Guess(), plain.Guess())
	}
	if p, err := r.Step(t.Context(), 5); err != nil || p.Done != 5 {
		t.Errorf("%+v, %v", p, err)
	}
}
