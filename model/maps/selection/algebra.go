package selection

// Sets of different lengths can be put together: rows that a set does not have are not in it, and the
// result is as long as the longer. Where the result has the rows of an operand, it is that operand: what a
// gesture did not change is not kept twice, and can be known by its pointer.

// Equal says whether the same rows are in.
func Equal(a, b *Set) bool {
	if a == b {
		return true
	}
	if a.Count() != b.Count() {
		return false
	}
	for i := range wordsOf(max(a.Len(), b.Len())) {
		if a.word(i) != b.word(i) {
			return false
		}
	}
	return true
}

// Covers says whether all rows of b are in a.
func Covers(a, b *Set) bool {
	for i := range wordsOf(b.Len()) {
		if b.word(i)&^a.word(i) != 0 {
			return false
		}
	}
	return true
}

// Replace returns next, or old if the same rows are in.
func Replace(old, next *Set) *Set {
	if Equal(old, next) {
		return old
	}
	return next
}

// Union returns the rows that are in a or b.
func Union(a, b *Set) *Set {
	return combine(a, b, func(x, y uint64) uint64 { return x | y })
}

// Subtract returns the rows that are in a and not in b.
func Subtract(a, b *Set) *Set {
	return combine(a, b, func(x, y uint64) uint64 { return x &^ y })
}

// Intersect returns the rows that are in both.
func Intersect(a, b *Set) *Set {
	return combine(a, b, func(x, y uint64) uint64 { return x & y })
}

// Invert returns those of n rows that are not in s.
func Invert(s *Set, n int) *Set { return Subtract(All(n), s) }

func combine(a, b *Set, op func(x, y uint64) uint64) *Set {
	n := max(a.Len(), b.Len())
	words := make([]uint64, wordsOf(n))
	for i := range words {
		words[i] = op(a.word(i), b.word(i))
	}
	return Replace(a, Replace(b, FromBits(n, words)))
}
