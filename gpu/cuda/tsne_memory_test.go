package cuda

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/maps/tsne"
)

// A lack of memory is said before any is taken.
func TestMapWithoutMemory(t *testing.T) {
	d := mapDevice(t)
	d.e.o.Memory = 1 << 20
	var p *problem.Problem
	if _, err := d.Open(context.Background(), mapAffinities(t, 100, 8).Sparse(), 2); !errors.As(err, &p) ||
		!strings.Contains(err.Error(), "MB of the card's memory") {
		t.Errorf("too little memory: %v", err)
	}
}

// A map takes in the end the memory that it is said to need: by units, a new order, other affinities, forces that are
// asked for, a place in space.
func TestMapTakesWhatItSays(t *testing.T) {
	d := mapDevice(t)
	for dims := 2; dims <= 3; dims++ {
		p := mapAffinities(t, 500, 12).Sparse()
		raw, err := d.Open(context.Background(), p, dims)
		if err != nil {
			t.Fatal(err)
		}
		b := raw.(*body)
		y, _ := scattered(p.N, dims, 4)
		ctx := context.Background()
		s := &tsne.State{Dims: dims, Y: y, V: make([]float32, len(y)), Gain: slices.Repeat([]float32{1}, len(y))}
		now := tsne.Measure{Lo: [3]float64{-20, -20, -20}, Hi: [3]float64{20, 20, 20}}
		lattice := tsne.PlanLattice([2]float64{now.Lo[0], now.Lo[1]}, [2]float64{now.Hi[0], now.Hi[1]}, tsne.Normal,
			b.lattice())
		err = b.Load(ctx, s)
		plans := []tsne.Plan{{Method: tsne.Tree, Theta: 0.5}}
		if dims == 2 {
			plans = append(plans, tsne.Plan{Method: tsne.Field, Lattice: lattice})
		}
		for _, plan := range plans {
			_, failed := b.Advance(ctx, tsne.Batch{Units: 1, E: 1, Mu: 0.5, Eta: 1, Plan: plan, Renew: true,
				Renumber: true})
			out := tsne.Evaluation{Attraction: make([]float32, len(y)), Repulsion: make([]float32, len(y))}
			err = errors.Join(err, failed, b.Evaluate(ctx, plan, &out))
		}
		if err = errors.Join(err, b.Swap(ctx, p), b.Save(ctx, s)); err != nil {
			t.Fatal(err)
		}
		taken := 4*p.Edges() + 8*int64(p.N+1) // while affinities are put in order
		for _, r := range b.rooms() {
			taken += r.bytes
		}
		// A card of many processors has up to a megabyte for sums of theirs that few points do not fill.
		if says := b.needs(p.Edges()); taken > says || float64(says) > 1.1*float64(taken)+1<<20 {
			t.Errorf("%dD: it says %d bytes, and takes %d", dims, says, taken)
		}
		b.Close()
	}
}
