package state

import "slices"

const (
	// historyBytes bounds the memory of what entries hold. At 400 landmarks of 30 columns it is some 5,000 training
	// runs, or 80,000 drags. Beyond it branches are forgotten first, those without bookmarks and the oldest before
	// others, and then the oldest entries.
	historyBytes = 256 << 20
	// momentBytes bounds that of what is kept of runs between their beginnings and their ends. Beyond it the oldest
	// runs lose that, and no more.
	momentBytes = 32 << 20
)

// kindSet is a set of kinds of parts.
type kindSet uint32

func (s kindSet) has(at int) bool { return s&(1<<at) != 0 }

// weigh counts anew what n holds, which changes as it is undone and done again. What was not touched is shared with
// neighbours, unless it drifted.
func (h *History) weigh(n *node) {
	h.bytes -= n.size
	n.size = 256
	for i, t := range n.touches {
		k, v := kinds[t.at], n.held[i].value
		if v == nil {
			continue
		}
		if n.whole {
			n.size += k.bytes(v)
		} else {
			n.size += k.weight(v, t.aspects)
		}
	}
	h.bytes += n.size
}

// forget makes room.
func (h *History) forget() {
	for h.bytes > historyBytes {
		if n := h.leaf(); n != nil {
			h.drop(n)
			continue
		}
		if h.root == h.now || h.root == h.now.parent {
			return // the last entry can be undone, however large it is
		}
		h.cut()
	}
}

// leaf is the oldest end of a branch that the present is not on, one without a bookmark if there is one, or nil.
func (h *History) leaf() (found *node) {
	line := map[*node]bool{}
	for n := h.now; n != nil; n = n.last {
		line[n] = true
	}
	for n := h.now; n != nil; n = n.parent {
		line[n] = true
	}
	for _, n := range h.nodes {
		switch {
		case len(n.children) > 0 || line[n]:
		case n.bookmark == "":
			return n
		case found == nil:
			found = n
		}
	}
	return found
}

// cut forgets the first moment: the one after it, which all that is left comes from, is the first now.
func (h *History) cut() {
	first := h.now
	for first.parent != h.root {
		first = first.parent
	}
	h.root.children, h.root.last = []*node{first}, first
	h.nodes = slices.DeleteFunc(h.nodes, func(n *node) bool { return n == h.root })
	h.bytes -= first.size
	first.parent, first.touches, first.held, first.size, first.moments = nil, nil, nil, 0, moments{}
	first.run = false
	h.runs = slices.DeleteFunc(h.runs, func(r *node) bool { return r == first })
	h.root = first
	h.changed()
}
