package cpu

import "blossom/model/maps/tsne"

// lay takes a lattice; its tables are made anew where its size or spacing changed.
func (b *tsneBody) lay(l tsne.Lattice) (err error) {
	was := b.grid.Lattice
	b.grid.Lattice = l
	b.grid.x0, b.grid.y0 = float32(float64(l.Origin[0])*l.H), float32(float64(l.Origin[1])*l.H)
	b.grid.over = float32(1 / l.H)
	if was.N != l.N {
		b.grid.value = nil
	}
	if was.N != l.N || was.H != l.H || was.Spline != l.Spline {
		if err = b.k.grid(&b.grid, b.pool.threads); err != nil {
			return err
		}
	}
	b.k.place(&b.grid)
	tiles := (l.N + tileRows - 1) / tileRows
	if len(b.tiles) != tiles+1 {
		b.tiles, b.counts = make([]int32, tiles+1), make([]int32, tiles*len(b.parts))
	}
	return nil
}

// charge makes the potential on the lattice, and returns Z.
func (b *tsneBody) charge() float64 {
	l := &b.grid
	b.sort()
	b.run(l.N*tileRows, len(l.value), func(_, from, to int) { clear(l.value[from:to]) })
	// Splines reach over less than a tile: every other tile at a time, none writes where another does.
	tiles := len(b.tiles) - 1
	for odd := range 2 {
		b.run(1, (tiles+1-odd)/2, func(_, from, _ int) {
			t := 2*from + odd
			b.k.spread(l, int(b.tiles[t]), int(b.tiles[t+1]))
		})
	}
	b.lap("spread")
	z := float64(b.n) * (float64(b.n)*l.Far() - 1)
	for step, blocks := range l.steps {
		b.run(1, blocks, func(worker, from, _ int) { b.sums[from] = b.k.convolve(l, step, from, worker) })
		if step == 1 {
			z += pairwise(b.sums[:blocks])
		}
	}
	b.lap("convolve")
	return max(z, 0)
}

// tile is that of the lattice row in which the lowest node of a point's spline may be.
func (b *tsneBody) tile(i int) int {
	row := int((b.y[2*i+1] - b.grid.y0) * b.grid.over)
	return min(len(b.tiles)-2, max(0, row/tileRows))
}

// sort puts points by tiles of lattice rows, in order of slots.
func (b *tsneBody) sort() {
	tiles, blocks := len(b.tiles)-1, len(b.parts)
	b.run(slotBlock, b.n, func(_, from, to int) {
		count := b.counts[from/slotBlock*tiles:][:tiles]
		clear(count)
		for i := from; i < to; i++ {
			count[b.tile(i)]++
		}
	})
	at := int32(0)
	for t := range tiles {
		b.tiles[t] = at
		for k := range blocks {
			c := &b.counts[k*tiles+t]
			*c, at = at, at+*c
		}
	}
	b.tiles[tiles] = at
	b.run(slotBlock, b.n, func(_, from, to int) {
		at := b.counts[from/slotBlock*tiles:][:tiles]
		for i := from; i < to; i++ {
			t := b.tile(i)
			b.bin[at[t]] = int32(i)
			at[t]++
		}
	})
}
