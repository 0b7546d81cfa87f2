package state

import "blossom/model/base/revision"

// MaxKinds is how many kinds of parts there can be. A State has a place for each in itself, so that changing
// one, as a drag does in every frame, allocates nothing.
const MaxKinds = 32

// State is the parts of a document. It is a value: a copy is cheap, and changing one leaves the other. The
// zero value holds the default of every part.
type State struct{ slots [MaxKinds]slot }

type slot struct {
	value any // nil: the default
	rev   revision.Revision
}

func (s *State) value(at int) any {
	if v := s.slots[at].value; v != nil {
		return v
	}
	return kinds[at].def()
}

func (s *State) put(at int, v any) {
	if kinds[at].equal(s.value(at), v) {
		return
	}
	s.slots[at] = slot{v, revision.Next()}
}

// differing returns what a and b differ in. How things are looked at does not count.
func differing(a, b *State) []Touch {
	var out []Touch
	for i, k := range kinds {
		if k.view || a.slots[i].rev == b.slots[i].rev {
			continue
		}
		if t := k.touched(a.value(i), b.value(i)); t != 0 {
			out = append(out, Touch{i, t})
		}
	}
	return out
}

// touched returns the aspects in which two values differ.
func (k *kind) touched(a, b any) uint32 {
	if len(k.same) == 0 {
		if k.equal(a, b) {
			return 0
		}
		return 1
	}
	var t uint32
	for i, same := range k.same {
		if !same(a, b) {
			t |= 1 << i
		}
	}
	return t
}

// restore puts the touched aspects of what is held, one value for each touch, into dst.
func restore(dst *State, held []slot, touches []Touch) {
	for j, t := range touches {
		k, src := kinds[t.at], held[j]
		if t.aspects == k.all() {
			dst.slots[t.at] = src
			continue
		}
		from := src.value
		if from == nil {
			from = k.def()
		}
		v := dst.value(t.at)
		for i, take := range k.take {
			if t.aspects&(1<<i) != 0 {
				v = take(v, from)
			}
		}
		if k.equal(v, from) {
			dst.slots[t.at] = src // with its revision: the very same part again
			continue
		}
		dst.put(t.at, v)
	}
}

// Stamp tells states apart: equal (==) stamps are equal parts.
type Stamp struct{ revs [MaxKinds]revision.Revision }

// Stamp returns the stamp of s, with how things are looked at or without.
func (s State) Stamp(views bool) Stamp {
	var out Stamp
	for i, k := range kinds {
		if views || !k.view {
			out.revs[i] = s.slots[i].rev
		}
	}
	return out
}
