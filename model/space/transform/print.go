package transform

import "math"

// printed is how many values a Print looks at, at most.
const printed = 4 << 20

// Print is a number by which the points are known again, also in another run of the program: other values, columns or
// order give another one. Of very many points it looks at evenly spread ones.
func (t *Table) Print() uint64 {
	const prime = 0x100000001b3 // FNV-1a (Fowler, Noll, Vo), a word at a time
	h := uint64(0xcbf29ce484222325)
	add := func(v uint64) { h = (h ^ v) * prime }
	add(uint64(t.X.Rows))
	add(uint64(t.X.Cols))
	stride := 1 + t.X.Rows*max(1, t.X.Cols)/printed
	for i := 0; i < t.X.Rows; i += stride {
		for _, v := range t.X.Row(i) {
			add(uint64(math.Float32bits(v)))
		}
		h ^= h >> 29
	}
	return h
}
