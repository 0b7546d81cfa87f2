package embedding

import (
	"math"
	"slices"
	"testing"

	"blossom/model/base/step"
	"blossom/model/maps/embedsom"
)

// runUMAP prepares and starts a run of these points.
func runUMAP(t *testing.T, in Inputs, v step.Values, b Beginning) Runner {
	t.Helper()
	stages := ByID("umap").Run
	basis, err := stages.Basis(t.Context(), in, UMAP(2), v, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Basis, b.Values = basis, v
	r, err := stages.Start(t.Context(), in, UMAP(2), b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func placed(t *testing.T, r Runner, n int) []float32 {
	t.Helper()
	out := embedsom.NewHostTarget(n, 2)
	if err := r.Place(out); err != nil {
		t.Fatal(err)
	}
	return out.Data
}

// A run that was put away goes on with the same bits; what is pinned meanwhile stays.
func TestUMAPGoesOnFromItsMemory(t *testing.T) {
	in := points(t, 300, 4)
	v := step.Values{"epochs": 40, "n-neighbors": 10}
	whole := runUMAP(t, in, v, Beginning{})
	if p, err := whole.Step(t.Context(), 100); err != nil || p.Done != 40 || !p.Rest {
		t.Fatalf("%+v, %v", p, err)
	}
	half := runUMAP(t, in, v, Beginning{})
	if _, err := half.Step(t.Context(), 15); err != nil {
		t.Fatal(err)
	}
	memory, err := half.Memory()
	if err != nil {
		t.Fatal(err)
	}
	from := &Result{Dims: 2, Pos: placed(t, half, 300)}
	again := runUMAP(t, in, v, Beginning{From: from, Memory: memory})
	if _, err := again.Step(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(placed(t, again, 300), placed(t, whole, 300)) {
		t.Error("a run that was put away goes on otherwise")
	}
	pinned := runUMAP(t, in, v, Beginning{From: from, Memory: memory, Pinned: []int{7}})
	if _, err := pinned.Step(t.Context(), 100); err != nil {
		t.Fatal(err)
	}
	if at := placed(t, pinned, 300); !slices.Equal(at[14:16], from.Pos[14:16]) || slices.Equal(at[:2], from.Pos[:2]) {
		t.Error("a pinned point moves, or the others do not")
	}
}

// A sample has places, the rest none; neighbours that are known serve for fewer; the hand wakes what is done.
func TestUMAPOfASample(t *testing.T) {
	in := points(t, 300, 4)
	in.Table.X.Row(5)[1] = float32(math.NaN())
	v := step.Values{"epochs": 10, "points": 120, "start": 1}
	r := runUMAP(t, in, v, Beginning{})
	if _, err := r.Step(t.Context(), 20); err != nil {
		t.Fatal(err)
	}
	at, some := placed(t, r, 300), 0
	for i := range 300 {
		if at[2*i] == at[2*i] {
			some++
		}
	}
	if some != 120 || at[10] == at[10] {
		t.Fatalf("%d of 120 points have places", some)
	}
	stages := ByID("umap").Run
	v["n-neighbors"] = 5
	basis, err := stages.Basis(t.Context(), in, UMAP(2), v, r.(*umapRunner).basis, nil)
	if err != nil {
		t.Fatal(err)
	}
	if basis.(*umapBasis).near != r.(*umapRunner).basis.near {
		t.Error("neighbours are looked for again")
	}
	if err := r.Rebase(basis); err != nil {
		t.Fatal(err)
	}
	if err := r.Grip(true); err != nil {
		t.Fatal(err)
	}
	if err := r.Hold([]int{0, 299}, []float32{9, 9, 1, 1}); err != nil { // the last is not of the sample
		t.Fatal(err)
	}
	p, err := r.Step(t.Context(), 3)
	now, moved := placed(t, r, 300), 0
	for i := 1; i < 300; i++ {
		if at[2*i] == at[2*i] && !slices.Equal(at[2*i:2*i+2], now[2*i:2*i+2]) {
			moved++
		}
	}
	if err != nil || p.Rest || p.Done != 13 || now[0] != 9 || moved == 0 || moved == 119 {
		t.Errorf("%+v, %v, the point is at %v, %d others have moved", p, err, now[:2], moved)
	}
	memory, err := r.Memory()
	if err != nil || len(memory.Orders["dragged"]) != 1 {
		t.Errorf("%+v, %v", memory, err)
	}
	memory.Orders["dragged"] = []int32{500} // a session that was tampered with
	b := Beginning{From: &Result{Dims: 2, Pos: now}, Memory: memory}
	if p, err := runUMAP(t, in, v, b).Step(t.Context(), 0); err != nil || p.Rest {
		t.Errorf("%+v, %v", p, err)
	}
}

// The number of epochs is suggested by the number of points, and parameters that do not fit it are refused.
func TestUMAPSuggestsEpochs(t *testing.T) {
	in := points(t, 50, 2)
	stages := ByID("umap").Run
	if v := stages.Suggest(in, UMAP(2)); v["epochs"] != 500 || v["points"] != 0 {
		t.Errorf("%v", v)
	}
	in.Table.X.Rows = 300_000
	if v := stages.Suggest(in, UMAP(2)); v["epochs"] != 200 || v["points"] != umapSample {
		t.Errorf("%v", v)
	}
	in.Memory = 1 << 20
	if stages.Check(in, UMAP(2), nil) == nil {
		t.Error("300,000 points fit into a megabyte")
	}
}
