package format

import "hash/maphash"

// textIndex numbers different texts in the order in which they first come. Of the names of a million cells nearly each
// look-up misses the caches, so a slot is 8 bytes, where a map of Go has a text and its number: a fourth of the time.
type textIndex struct {
	seed  maphash.Seed
	slots []uint64 // half of a text's hash, and 1 more than its number; a power of two, at least twice as many as names
	names []string
}

// newTextIndex returns an index with room for so many texts.
func newTextIndex(room int) *textIndex {
	n := 64
	for n < 2*room {
		n *= 2
	}
	return &textIndex{seed: maphash.MakeSeed(), slots: make([]uint64, n), names: make([]string, 0, room)}
}

// number returns the number of a text, a new one where there are fewer than most, or else -1.
func (x *textIndex) number(text string, most int) int {
	half := maphash.String(x.seed, text) >> 32
	mask := uint64(len(x.slots) - 1)
	at := half & mask
	for ; x.slots[at] != 0; at = (at + 1) & mask {
		if s := x.slots[at]; s>>32 == half && x.names[uint32(s)-1] == text {
			return int(uint32(s)) - 1
		}
	}
	if len(x.names) >= most {
		return -1
	}
	x.names = append(x.names, text)
	x.slots[at] = half<<32 | uint64(len(x.names))
	if 2*len(x.names) > len(x.slots) {
		x.grow()
	}
	return len(x.names) - 1
}

// grow doubles the slots.
func (x *textIndex) grow() {
	old := x.slots
	x.slots = make([]uint64, 2*len(old))
	mask := uint64(len(x.slots) - 1)
	for _, s := range old {
		if s == 0 {
			continue
		}
		at := s >> 32 & mask
		for x.slots[at] != 0 {
			at = (at + 1) & mask
		}
		x.slots[at] = s
	}
}
