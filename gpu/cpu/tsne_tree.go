package cpu

// flatten writes coordinates one after the other, along the curve or in order of slots.
func (b *tsneBody) flatten(curved bool) {
	b.run(slotBlock, b.n, func(_, from, to int) {
		for i := from; i < to; i++ {
			at := i * b.stride
			if curved {
				at = int(b.curve[i]) * b.stride
			}
			for c := range b.dims {
				b.flat[c][i] = b.y[at+c]
			}
		}
	})
}

// build makes the tree over the points along the curve: leaves of 16, nodes of 4.
func (b *tsneBody) build() {
	b.flatten(true)
	b.run(slotBlock/leafPoints, int(b.level[1]), func(_, from, to int) { b.k.leaves(from, to) })
	for l := 1; l+1 < len(b.level); l++ {
		below, end := int(b.level[l-1]), int(b.level[l])
		for j := end; j < int(b.level[l+1]); j++ {
			first := below + 4*(j-end)
			b.join(j, first, min(end, first+4))
		}
	}
}

// join makes node j of those from first on.
func (b *tsneBody) join(j, first, last int) {
	mass := 0.0
	for i := first; i < last; i++ {
		mass += float64(b.mass[i])
	}
	b.mass[j], b.side2[j] = float32(mass), 0
	for c := range b.dims {
		sum := 0.0
		lo, hi := b.lo[c][first], b.hi[c][first]
		for i := first; i < last; i++ {
			sum += float64(b.mass[i]) * float64(b.mean[c][i])
			lo, hi = min(lo, b.lo[c][i]), max(hi, b.hi[c][i])
		}
		b.mean[c][j], b.lo[c][j], b.hi[c][j] = float32(sum/mass), lo, hi
		b.side2[j] = max(b.side2[j], (hi-lo)*(hi-lo))
	}
}
