package state

import "slices"

// mostMoments is how many moments of a run are kept.
const mostMoments = 24

// moments are what a run has passed through, evenly spread over its changes: when there are too many, every second one
// goes, and half as many are added from there on.
type moments struct {
	kept  [][]slot // the slots that it touches as they were then, never changed
	every int      // one is kept of so many changes
	since int      // changes since the last
	seen  Stamp    // stamp of the last change
	bytes int
}

// ran takes note of what runs have changed, for those that are in the history of the present.
func (h *History) ran(present *State) {
	for _, n := range h.runs {
		changed := false
		for _, t := range n.touches {
			if now := present.slots[t.at].rev; now != n.seen.revs[t.at] {
				n.seen.revs[t.at], changed = now, true
			}
		}
		if !changed {
			continue
		}
		if n.since++; n.since < max(1, n.every) {
			continue
		}
		n.since = 0
		if len(n.kept) == mostMoments {
			for i := range mostMoments / 2 {
				n.kept[i] = n.kept[2*i+1]
			}
			clear(n.kept[mostMoments/2:])
			n.kept, n.every = n.kept[:mostMoments/2], 2*max(1, n.every)
		}
		n.kept = append(n.kept, slotsOf(present, n.touches))
		h.changed()
		h.thin(n)
	}
}

// begin says that n is a run that goes on: it may change what it touches from here on.
func (h *History) begin(n *node, present *State) {
	n.seen = present.Stamp(true)
	h.runs = append(h.runs, n)
}

// end says that what is touched next is no more a run's.
func (h *History) end(t Touch) {
	h.runs = slices.DeleteFunc(h.runs, func(r *node) bool { return touches(r.touches, t) })
}

// thin lets go of the moments of the oldest runs where all take too much memory, n's last.
func (h *History) thin(n *node) {
	sum := func(n *node) (bytes int) {
		for i := range n.kept {
			for j, t := range n.touches {
				if v := n.kept[i][j].value; v != nil {
					bytes += kinds[t.at].weight(v, t.aspects)
				}
			}
		}
		return bytes
	}
	n.moments.bytes = sum(n)
	total := 0
	for _, x := range h.nodes {
		total += x.moments.bytes
	}
	for _, x := range h.nodes {
		if total <= momentBytes {
			return
		}
		if len(x.kept) > 0 {
			total -= x.moments.bytes
			x.kept, x.moments.bytes = nil, 0
		}
	}
}
