// Package view holds what stands in the middle of the window: one to four views beside each other.
package view

import "math"

// ID names a view in a Split. It is given once and stays with the view wherever it moves; 0 is none.
type ID uint32

// Most is how many views stand beside each other at most.
const Most = 4

// Split says how one to four views share an area: a tree of cuts with views as its leaves. It is immutable:
// operations return another one. Make one with One or from JSON.
type Split struct {
	root *node
	max  ID // the one that is shown alone, 0: all are shown
	next ID // the next to be given
}

// node is a view, or two nodes beside each other or, with rows, one above the other. share is the first one's
// part of the length, in (0, 1).
type node struct {
	view  ID
	rows  bool
	share float64
	a, b  *node
}

// One returns a split of a single view, whose ID is 1.
func One() Split { return Split{root: &node{view: 1}, next: 2} }

// Views returns all views in the order of reading.
func (s Split) Views() []ID {
	var out []ID
	s.root.leaves(func(n *node) { out = append(out, n.view) })
	return out
}

// Count returns the number of views, 1 to Most.
func (s Split) Count() int { return s.root.count() }

// Has reports whether there is a view id.
func (s Split) Has(id ID) bool { return s.find(id) != nil }

// Maximised returns the view that is shown alone though there are others, or 0.
func (s Split) Maximised() ID { return s.max }

// Equal reports whether both are the same arrangement of the same views.
func (s Split) Equal(t Split) bool { return s.max == t.max && s.next == t.next && s.root.equal(t.root) }

// Divide puts a new view beside or below view id, whichever gives the squarer pieces in the area in that the split
// is drawn in, and returns its ID; 0 and s itself if there is no such view or no room for another. A maximised view
// is restored, so that both are seen.
func (s Split) Divide(id ID, in Box, z Sizes) (Split, ID) {
	if !s.Has(id) || s.Count() >= Most {
		return s, 0
	}
	s.max = 0
	var rows bool
	s.root.walk(in, z, func(n *node, b Box) {
		if n.view == id {
			rows = squarer(b, z)
		}
	})
	fresh := s.next
	s.next++
	s.root = s.root.replace(id, func(n *node) *node {
		return &node{rows: rows, share: 0.5, a: n, b: &node{view: fresh}}
	})
	return s, fresh
}

// squarer reports whether the halves of b are squarer one above the other. Halves below the least size are
// avoided where the other way has room.
func squarer(b Box, z Sizes) bool {
	beside, below := b.W() >= 2*z.MinW+z.Line, b.H() >= 2*z.MinH+z.Line
	if beside != below {
		return below
	}
	return ratio(b.W(), b.H()/2) < ratio(b.W()/2, b.H())
}

// ratio is that of the longer side of a rectangle to the shorter one.
func ratio(w, h float32) float32 {
	if w <= 0 || h <= 0 {
		return math.MaxFloat32
	}
	return max(w/h, h/w)
}

// Close takes a view out; what was cut off from it takes its room. It reports false, and changes nothing, if it is
// the last view or there is none of that ID.
func (s Split) Close(id ID) (Split, bool) {
	if !s.Has(id) || s.Count() == 1 {
		return s, false
	}
	s.root = s.root.without(id)
	if s.max == id || s.root.a == nil {
		s.max = 0
	}
	return s, true
}

// Maximise shows a view alone; the others wait. With a single view there is nothing to do.
func (s Split) Maximise(id ID) Split {
	if s.Has(id) && s.Count() > 1 {
		s.max = id
	}
	return s
}

// Restore shows all views again.
func (s Split) Restore() Split {
	s.max = 0
	return s
}

// Swap exchanges the places of two views.
func (s Split) Swap(a, b ID) Split {
	if !s.Has(a) || !s.Has(b) || a == b {
		return s
	}
	s.root = s.root.rename(func(id ID) ID {
		switch id {
		case a:
			return b
		case b:
			return a
		}
		return id
	})
	return s
}

// Drag moves bar i of an arrangement of s in an area so that its middle is at pos: x of a bar between views
// beside each other, y of one between views above each other. Both sides keep their least size, and a
// bar near another of its direction lines up with it.
func (s Split) Drag(i int, pos float32, in Box, z Sizes) Split {
	var at *node
	var box Box
	var others []float32
	k := 0
	s.root.walk(in, z, func(n *node, b Box) {
		if n.a == nil {
			return
		}
		if k == i {
			at, box = n, b
		}
		k++
	})
	if at == nil || math.IsNaN(float64(pos)) {
		return s
	}
	s.root.walk(in, z, func(n *node, b Box) {
		if n.a != nil && n != at && n.rows == at.rows {
			first, _ := n.cut(b, z)
			if n.rows {
				others = append(others, first.Y1+z.Line/2)
			} else {
				others = append(others, first.X1+z.Line/2)
			}
		}
	})
	for _, o := range others {
		if float32(math.Abs(float64(o-pos))) <= z.Snap {
			pos = o
			break
		}
	}
	from, length := box.X0, box.W()
	if at.rows {
		from, length = box.Y0, box.H()
	}
	length -= z.Line
	if length <= 0 {
		return s
	}
	share := at.within(float64((pos-z.Line/2-from)/length), length, z)
	s.root = s.root.reshare(at, min(max(share, leastShare), 1-leastShare))
	return s
}

// leastShare keeps shares inside (0, 1) whatever the sizes.
const leastShare = 1.0 / 1024

// Even moves bar i so that all views in a row of which it is part are of one length, if the other bars are so, too.
func (s Split) Even(i int) Split {
	k := 0
	var at *node
	s.root.inner(func(n *node) {
		if k == i {
			at = n
		}
		k++
	})
	if at == nil {
		return s
	}
	a, b := at.a.along(at.rows), at.b.along(at.rows)
	s.root = s.root.reshare(at, float64(a)/float64(a+b))
	return s
}

func (s Split) find(id ID) (found *node) {
	s.root.leaves(func(n *node) {
		if id != 0 && n.view == id {
			found = n
		}
	})
	return found
}

func (n *node) leaves(f func(*node)) {
	switch {
	case n == nil:
	case n.a == nil:
		f(n)
	default:
		n.a.leaves(f)
		n.b.leaves(f)
	}
}

// inner visits the cuts in the order in which Arrange numbers their bars.
func (n *node) inner(f func(*node)) {
	if n != nil && n.a != nil {
		f(n)
		n.a.inner(f)
		n.b.inner(f)
	}
}

func (n *node) count() (c int) {
	n.leaves(func(*node) { c++ })
	return c
}

// along is how many views stand behind each other in a direction.
func (n *node) along(rows bool) int {
	switch {
	case n.a == nil:
		return 1
	case n.rows == rows:
		return n.a.along(rows) + n.b.along(rows)
	}
	return max(n.a.along(rows), n.b.along(rows))
}

func (n *node) equal(m *node) bool {
	if n == nil || m == nil {
		return n == m
	}
	return n.view == m.view && n.rows == m.rows && n.share == m.share && n.a.equal(m.a) && n.b.equal(m.b)
}

// copied returns a cut like n with other sides.
func (n *node) copied(a, b *node) *node { return &node{rows: n.rows, share: n.share, a: a, b: b} }

func (n *node) replace(id ID, with func(*node) *node) *node {
	if n.a == nil {
		if n.view == id {
			return with(n)
		}
		return n
	}
	return n.copied(n.a.replace(id, with), n.b.replace(id, with))
}

func (n *node) without(id ID) *node {
	switch {
	case n.a == nil:
		return n
	case n.a.view == id:
		return n.b
	case n.b.view == id:
		return n.a
	}
	return n.copied(n.a.without(id), n.b.without(id))
}

func (n *node) rename(f func(ID) ID) *node {
	if n.a == nil {
		return &node{view: f(n.view)}
	}
	return n.copied(n.a.rename(f), n.b.rename(f))
}

func (n *node) reshare(at *node, share float64) *node {
	if n.a == nil {
		return n
	}
	c := n.copied(n.a.reshare(at, share), n.b.reshare(at, share))
	if n == at {
		c.share = share
	}
	return c
}
