package cuda

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
	"blossom/model/work/engine"
)

// mapCards are t-SNE on one card and on two, which share maps of any size.
func mapCards(t *testing.T) []mapper {
	t.Helper()
	one := mapDevice(t)
	if cards, err := driver.Devices(); err != nil || len(cards) < 2 {
		t.Skip("there is one card")
	}
	least, nodes := abreastLeast, spreadNodes
	t.Cleanup(func() { abreastLeast, spreadNodes = least, nodes })
	abreastLeast, spreadNodes = 1, 1
	e, err := New(engine.Options{Beside: []int{1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return []mapper{one, {e.(*card)}}
}

// whatCame is all that can be asked of a map.
type whatCame struct {
	state             tsne.State
	measure           tsne.Measure
	forces            tsne.Evaluation
	shown, shownAfter []float32
}

// liveThrough has a map go through all that may happen to one.
func liveThrough(t *testing.T, d mapper, p, other *tsne.Sparse, dims int, plan tsne.Plan) (w whatCame, b tsne.Body) {
	t.Helper()
	ctx := context.Background()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	b, err := d.Open(ctx, p, dims)
	must(err)
	y, _ := scattered(p.N, dims, 3)
	must(b.Load(ctx, &tsne.State{Dims: dims, Y: y, V: make([]float32, len(y)),
		Gain: slices.Repeat([]float32{1}, len(y))}))
	advance := func(batch tsne.Batch) {
		t.Helper()
		batch.E, batch.Mu, batch.Eta, batch.Plan = 1, 0.8, float64(p.N)/8, plan
		done, err := b.Advance(ctx, batch)
		if must(err); done != batch.Units {
			t.Fatalf("%d of %d units", done, batch.Units)
		}
	}
	host := embedsom.NewHostTarget(p.N, dims)
	advance(tsne.Batch{Units: 3, Renew: true, LeastRadius: 5})
	must(b.Positions(ctx, host))
	w.shown = slices.Clone(host.Host())
	advance(tsne.Batch{Units: 2, Renew: true, Renumber: true, Centre: true})
	must(b.Hold(ctx, []int32{3, int32(p.N - 2)}, make([]float32, 2*dims)))
	advance(tsne.Batch{Units: 2})
	must(b.Swap(ctx, other))
	advance(tsne.Batch{Units: 1})
	w.measure, err = b.Measure(ctx)
	must(err)
	advance(tsne.Batch{Units: 2})
	must(b.Release(ctx, []int32{3}))
	advance(tsne.Batch{Units: 3, Centre: true})
	w.forces = tsne.Evaluation{Attraction: make([]float32, len(y)), Repulsion: make([]float32, len(y))}
	must(b.Evaluate(ctx, plan, &w.forces))
	must(b.Save(ctx, &w.state))
	must(b.Load(ctx, &w.state))
	advance(tsne.Batch{Units: 2})
	must(b.Positions(ctx, host))
	w.shownAfter = slices.Clone(host.Host())
	return w, b
}

// plansIn are the methods whose work cards share, and one whose work they do not.
func plansIn(dims int) []tsne.Plan {
	all := []tsne.Plan{{Method: tsne.Tree, Theta: 0.5}, {Method: tsne.Exact}}
	if dims == 2 {
		field := tsne.Plan{Method: tsne.Field, Lattice: tsne.PlanLattice([2]float64{-40, -40}, [2]float64{40, 40},
			tsne.Normal, 128)}
		all = append(all, field, field)
	}
	return all
}

// Whatever happens to a map on two cards, it is that of one, to the bit.
func TestMapAbreastIsThatOfOneCard(t *testing.T) {
	cards := mapCards(t)
	const n = 700 // three blocks of the walk
	for dims := 2; dims <= 3; dims++ {
		p, other := mapAffinities(t, n, 10).Sparse(), mapAffinities(t, n, 6).Sparse()
		for _, plan := range plansIn(dims) {
			one, b := liveThrough(t, cards[0], p, other, dims, plan)
			b.Close()
			spreadNodes = 1 - spreadNodes // once they share the spreading of the field, too
			two, b := liveThrough(t, cards[1], p, other, dims, plan)
			a, is := b.(*abreast)
			if !is || len(a.mates) != 2 || plan.Method != tsne.Exact && (a.phase != apiece ||
				a.mates[1].own.len() == 0 || a.mates[0].own.len() == 0) {
				t.Errorf("%dD, %s: cards do not share the map", dims, plan.Method)
			}
			b.Close()
			if got, want := fmt.Sprintf("%+v", two), fmt.Sprintf("%+v", one); got != want {
				t.Errorf("%dD, %s: another map on two cards", dims, plan.Method)
			}
		}
	}
}

// A card that has no memory left for its share leaves the map to the first, at the beginning or in the middle.
func TestMapGoesOnWithoutACardThatLacksMemory(t *testing.T) {
	cards := mapCards(t)
	ctx := context.Background()
	p := mapAffinities(t, 300, 10).Sparse()
	other := cards[1].e.beside[0]
	other.o.Memory = 1 << 20
	b, err := cards[1].Open(ctx, p, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, is := b.(*body); !is {
		t.Errorf("a card without memory takes part: %T", b)
	}
	b.Close()
	other.o.Memory = 0
	plan := plansIn(2)[0]
	want, b := liveThrough(t, cards[0], p, p, 2, plan)
	b.Close()
	got, b := liveThrough(t, cards[1], p, p, 2, plan)
	a := b.(*abreast)
	if err := a.dismiss(); err != nil || a.phase != alone || len(a.mates) != 1 {
		t.Fatal(err)
	}
	last := tsne.Batch{Units: 2, E: 1, Mu: 0.8, Eta: 40, Plan: plan}
	if _, err := b.Advance(ctx, last); err != nil {
		t.Fatal(err)
	}
	var now tsne.State
	if err := b.Save(ctx, &now); err != nil {
		t.Fatal(err)
	}
	b.Close()
	if !slices.Equal(got.shownAfter, want.shownAfter) || slices.Equal(now.Y, got.shownAfter) {
		t.Error("the map does not go on")
	}
}

// afterwards is a context that ends when it has been asked so often.
type afterwards struct {
	context.Context
	left int
}

func (a *afterwards) Err() error {
	if a.left--; a.left < 0 {
		return context.Canceled
	}
	return nil
}

// livesAlike has a map go through something on one card and on two, and compares where its points are then.
func livesAlike(t *testing.T, live func(b tsne.Body, load func(wide, shift float32), advance func(tsne.Batch))) {
	t.Helper()
	ctx := context.Background()
	p := mapAffinities(t, 700, 10).Sparse()
	var places [2][]float32
	for k, d := range mapCards(t) {
		b, err := d.Open(ctx, p, 2)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		load := func(wide, shift float32) {
			y, _ := scattered(p.N, 2, 3)
			for i := range y {
				if y[i] *= wide; i%2 == 0 {
					y[i] += shift
				}
			}
			if err := b.Load(ctx, &tsne.State{Dims: 2, Y: y, V: make([]float32, len(y)),
				Gain: slices.Repeat([]float32{1}, len(y))}); err != nil {
				t.Fatal(err)
			}
		}
		live(b, load, func(batch tsne.Batch) {
			batch.E, batch.Mu, batch.Eta = 1, 0.8, 80
			if _, err := b.Advance(ctx, batch); err != nil {
				t.Fatal(err)
			}
		})
		dst := embedsom.NewHostTarget(p.N, 2)
		if err := b.Positions(ctx, dst); err != nil {
			t.Fatal(err)
		}
		places[k] = dst.Data
	}
	if !slices.Equal(places[0], places[1]) {
		t.Error("another map on two cards")
	}
}

// A batch that was cancelled before its first unit leaves nothing of the former places on another card.
func TestMapAbreastIsRightAfterACancel(t *testing.T) {
	livesAlike(t, func(b tsne.Body, load func(wide, shift float32), advance func(tsne.Batch)) {
		batch := tsne.Batch{Units: 3, Renew: true, Plan: tsne.Plan{Method: tsne.Tree, Theta: 0.5}}
		load(1, 0)
		advance(batch)
		if done, err := b.Advance(&afterwards{context.Background(), 1}, batch); done != 0 || err == nil {
			t.Fatal(done, err)
		}
		load(10, 100)
		advance(batch)
	})
}

// Forces of a method that are asked for in between change nothing that is the same on two cards.
func TestMapAbreastIsRightAfterForcesWereAskedFor(t *testing.T) {
	livesAlike(t, func(b tsne.Body, load func(wide, shift float32), advance func(tsne.Batch)) {
		field, tree := plansIn(2)[2], tsne.Plan{Method: tsne.Tree, Theta: 0.5}
		load(1, 0)
		advance(tsne.Batch{Units: 4, Plan: field})
		var e tsne.Evaluation
		if err := b.Evaluate(context.Background(), tree, &e); err != nil {
			t.Fatal(err)
		}
		advance(tsne.Batch{Units: 4, Plan: field})
		advance(tsne.Batch{Units: 4, Plan: tree})
	})
}

// A card of another kind takes no part: kernels would be launched there in another way.
func TestMapAbreastIsOfCardsThatAreAlike(t *testing.T) {
	cards := mapCards(t)
	cards[1].e.beside[0].dev.SharedBlock /= 2
	b, err := cards[1].Open(context.Background(), mapAffinities(t, 300, 10).Sparse(), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, is := b.(*body); !is {
		t.Errorf("another kind of card takes part: %T", b)
	}
}
