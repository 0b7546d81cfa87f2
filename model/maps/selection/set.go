// Package selection holds sets of points, and finds the points under the mouse: those within a rectangle or
// a lasso on the screen, and the nearest to the cursor.
//
// Three orders of numbers meet here. Rows are those of the data set; sets are of rows. Points are in the
// order of the map, which is shuffled; Points.Order leads from the one to the other. Screen coordinates are
// pixels of a view, x to the right and y down from its top left corner.
package selection

import (
	"iter"
	"math/bits"
)

// Set is an immutable set of rows 0 to Len-1 of a data set. nil is the empty set, of no length. An empty set
// and a full one take no memory.
type Set struct {
	n     int
	count int
	bits  []uint64 // row i is bit i%64 of word i/64; nil where none or all are in
}

// None returns the empty set of n rows, All the full one.
func None(n int) *Set { return &Set{n: max(n, 0)} }
func All(n int) *Set  { return &Set{n: max(n, 0), count: max(n, 0)} }

// FromRows returns the set of some of n points.
func FromRows(n int, rows []int32) *Set {
	words := make([]uint64, (n+63)/64)
	for _, row := range rows {
		words[row/64] |= 1 << (row % 64)
	}
	return FromBits(n, words)
}

// FromBits returns the set of those of n rows whose bits are set, row i being bit i%64 of word i/64. Words
// that are missing are zero, bits of later rows are ignored. The words belong to the set from now on.
func FromBits(n int, words []uint64) *Set {
	n = max(n, 0)
	w := wordsOf(n)
	if len(words) < w {
		words = append(words, make([]uint64, w-len(words))...)
	}
	words = words[:w]
	if w > 0 {
		words[w-1] &= lastMask(n)
	}
	s := &Set{n: n, bits: words}
	for _, x := range words {
		s.count += bits.OnesCount64(x)
	}
	if s.count == 0 || s.count == n {
		s.bits = nil
	}
	return s
}

func wordsOf(n int) int { return (n + 63) / 64 }

// lastMask is of the bits that the last word of n > 0 rows has.
func lastMask(n int) uint64 { return ^uint64(0) >> (uint(-n) % 64) }

// word returns word i of the set's bits, 0 beyond its end.
func (s *Set) word(i int) uint64 {
	switch {
	case s == nil || s.count == 0 || i >= wordsOf(s.n):
		return 0
	case s.bits != nil:
		return s.bits[i]
	case i == wordsOf(s.n)-1:
		return lastMask(s.n)
	}
	return ^uint64(0)
}

// Len is the number of rows that there are.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return s.n
}

// Count is the number of rows that are in.
func (s *Set) Count() int {
	if s == nil {
		return 0
	}
	return s.count
}

// Empty says whether no row is in.
func (s *Set) Empty() bool { return s.Count() == 0 }

// Contains says whether a row is in. Rows that there are not are not in.
func (s *Set) Contains(row int) bool {
	return row >= 0 && row < s.Len() && s.word(row/64)>>(row%64)&1 != 0
}

// Bytes is the memory that the set takes.
func (s *Set) Bytes() int {
	if s == nil {
		return 0
	}
	return 48 + 8*len(s.bits)
}

// Runs goes over the rows that are in, as the longest ranges [from, to), ascending.
func (s *Set) Runs() iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for to := 0; ; {
			from := s.next(to, true)
			if from >= s.Len() {
				return
			}
			to = s.next(from, false)
			if !yield(from, to) {
				return
			}
		}
	}
}

// Each calls do for the rows from from to before to that are in, ascending; from is a multiple of 64.
func (s *Set) Each(from, to int, do func(row int)) {
	for ; from < to; from += 64 {
		x := s.word(from / 64)
		if to-from < 64 {
			x &= lastMask(to - from)
		}
		for ; x != 0; x &= x - 1 {
			do(from + bits.TrailingZeros64(x))
		}
	}
}

// next returns the first row from at on that is in (or, with in false, that is not), Len if there is none.
func (s *Set) next(at int, in bool) int {
	for i, w := at/64, wordsOf(s.Len()); i < w; i++ {
		x := s.word(i)
		if !in {
			x = ^x
		}
		if i == at/64 {
			x &= ^uint64(0) << (at % 64)
		}
		if x != 0 {
			return min(i*64+bits.TrailingZeros64(x), s.n)
		}
	}
	return s.Len()
}

// setRange sets the bits [from, to).
func setRange(words []uint64, from, to int) {
	for from < to {
		end := min(to, from|63+1)
		words[from/64] |= lastMask(end-from) << (from % 64)
		from = end
	}
}
