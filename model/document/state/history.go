package state

import (
	"cmp"
	"slices"
	"time"

	"blossom/model/base/revision"
)

// EntryID names a moment of a history, for as long as the document lives and in its files. Later ones are greater; 0 is
// none.
type EntryID int64

// Entry is a moment of the history, for display: what was done, after which the document was as it is there.
type Entry struct {
	ID, Parent EntryID // Parent is 0 of the first moment
	Name       string  // name of the deed, in the user's words
	When       time.Time
	Bookmark   string // its name, or ""
	Run        bool   // it went on for a while: it is a span
	Moments    int    // moments that are kept of a run between its beginning and its end, see StateAlong
	Done       bool   // it is on the way from the first moment to the present
	Line       bool   // so it is, or Redo leads there
	Lane       int    // 0 is the branch that was worked on last; branches side by side have lanes of their own
}

// History is the tree of what was done. The present is one of its moments. What was undone can be done again; doing
// something else instead begins a branch, and leaves the other as it was.
type History struct {
	open  *open
	root  *node
	now   *node
	nodes []*node // all, by their IDs
	next  EntryID // ID of the latest
	bytes int     // size of the values that the nodes hold

	runs    []*node // runs that may still be changing what they touch, the latest last
	drifted kindSet // kinds that have changed outside of entries since the last entry

	rev     revision.Revision
	list    []Entry // for display, as of listRev
	listRev revision.Revision
}

// open is an interaction that goes on. again is the entry that it extends, or nil.
type open struct {
	name   string
	before State
	again  *node
}

// touches is what the interaction has changed so far.
func (o *open) touches(present *State) []Touch { return differing(&o.before, present) }

// node is a moment. held is what its entry changed, one value for each of its touches: as it was before, where the
// entry is done, and as it was after, where it is not. A slice that is held is never changed.
type node struct {
	id       EntryID
	parent   *node
	children []*node
	last     *node // the child that Redo leads to
	depth    int
	name     string
	when     time.Time
	bookmark string
	run      bool
	touches  []Touch
	held     []slot
	whole    bool // held is other values than those of neighbours also where it is not touched
	size     int  // bytes held
	moments
}

func newHistory(name string, when time.Time) History {
	n := &node{id: 1, name: name, when: when}
	return History{root: n, now: n, nodes: []*node{n}, next: 1, rev: revision.Next()}
}

// Rev is another number when Entries is another list.
func (h *History) Rev() revision.Revision { return h.rev }

// Now is the present moment.
func (h *History) Now() EntryID { return h.now.id }

// Since says whether the present is moment id, or came about from it: not where somebody has gone back meanwhile.
func (h *History) Since(id EntryID) bool {
	n := h.now
	for n != nil && n.id > id {
		n = n.parent
	}
	return n != nil && n.id == id || n == nil && id < h.root.id // it is forgotten
}

// Entries returns the moments in the order in which they came about. The slice is the history's own, for reading, until
// Rev changes.
func (h *History) Entries() []Entry {
	if h.listRev == h.rev {
		return h.list
	}
	h.list = h.list[:0]
	lanes := h.lanes()
	line := map[*node]bool{}
	for n := h.now; n != nil; n = n.last {
		line[n] = true
	}
	for n := h.now; n != nil; n = n.parent {
		line[n] = true
	}
	for i, n := range h.nodes {
		e := Entry{ID: n.id, Name: n.name, When: n.when, Bookmark: n.bookmark, Run: n.run, Moments: len(n.kept),
			Line: line[n], Done: line[n] && n.depth <= h.now.depth, Lane: lanes[i]}
		if n.parent != nil {
			e.Parent = n.parent.id
		}
		h.list = append(h.list, e)
	}
	h.listRev = h.rev
	return h.list
}

// Entry returns one moment of Entries.
func (h *History) Entry(id EntryID) (Entry, bool) {
	list := h.Entries()
	i, ok := slices.BinarySearchFunc(list, id, func(e Entry, id EntryID) int { return cmp.Compare(e.ID, id) })
	if !ok {
		return Entry{}, false
	}
	return list[i], true
}

// Len returns the number of entries on the line of the present: those done, and those that Redo would do again. Done is
// how many of them are done.
func (h *History) Len() int {
	n := h.Done()
	for at := h.now.last; at != nil; at = at.last {
		n++
	}
	return n
}
func (h *History) Done() int { return h.now.depth - h.root.depth }

// Name returns the name of entry i of that line, oldest first.
func (h *History) Name(i int) string {
	at := h.now
	for ; at.depth-h.root.depth > i+1; at = at.parent {
	}
	for ; at.depth-h.root.depth < i+1; at = at.last {
	}
	return at.name
}

// CanUndo and CanRedo return the name of what would be undone or done again, or "".
func (h *History) CanUndo() string {
	if h.now == h.root {
		return ""
	}
	return h.now.name
}
func (h *History) CanRedo() string {
	if h.now.last == nil {
		return ""
	}
	return h.now.last.name
}

// find returns the moment of an ID, or nil.
func (h *History) find(id EntryID) *node {
	i, ok := slices.BinarySearchFunc(h.nodes, id, func(n *node, id EntryID) int { return cmp.Compare(n.id, id) })
	if !ok {
		return nil
	}
	return h.nodes[i]
}

// record adds an entry after the present: what it touches was as before.
func (h *History) record(name string, touches []Touch, before *State, when time.Time, run bool) *node {
	h.next++
	n := &node{id: h.next, name: name, when: when, run: run}
	h.attach(n, touches, before)
	return n
}

// attach makes n the present. One that was taken off, to be extended, comes back with its ID.
func (h *History) attach(n *node, touches []Touch, before *State) {
	n.parent, n.depth = h.now, h.now.depth+1
	n.touches, n.held = touches, slotsOf(before, touches)
	for _, t := range touches {
		n.whole = n.whole || h.drifted.has(t.at)
		h.end(t)
	}
	h.drifted = 0
	h.now.children = append(h.now.children, n)
	h.now.last, h.now = n, n
	h.nodes = append(h.nodes, n)
	h.weigh(n)
	h.changed()
	h.forget()
}

// reopen takes the last entry back as the open interaction, if it has that name and nothing follows it.
func (h *History) reopen(name string, present *State) bool {
	n := h.now
	if n == h.root || n.name != name || len(n.children) > 0 || n.run || n.bookmark != "" || n.id != h.next {
		return false
	}
	before := *present
	restore(&before, n.held, n.touches)
	h.now = n.parent
	h.drop(n)
	h.open = &open{name: name, before: before, again: n}
	return true
}

// drop takes a moment without children out of the tree.
func (h *History) drop(n *node) {
	p := n.parent
	p.children = slices.DeleteFunc(p.children, func(c *node) bool { return c == n })
	if p.last == n {
		if p.last = nil; len(p.children) > 0 {
			p.last = p.children[len(p.children)-1]
		}
	}
	if i, ok := slices.BinarySearchFunc(h.nodes, n.id, func(n *node, id EntryID) int {
		return cmp.Compare(n.id, id)
	}); ok {
		h.nodes = slices.Delete(h.nodes, i, i+1)
	}
	h.bytes -= n.size
	h.runs = slices.DeleteFunc(h.runs, func(r *node) bool { return r == n })
	h.changed()
}

// follow adds what to the last entry done that changed cause, if fits says yes to the State before it.
func (h *History) follow(present State, cause, what Touch, fits func(State) bool) {
	for n := h.now; n != h.root; n = n.parent {
		restore(&present, n.held, n.touches)
		if !touches(n.touches, cause) {
			continue
		}
		if fits(present) && !covers(n.touches, what) {
			n.touches = withTouch(n.touches, what)
			n.held, n.kept = slotsOf(&present, n.touches), nil // a run is not followed, and would be other moments
			h.weigh(n)
			h.end(what)
		}
		return
	}
}

// undo and redo take the present a step back, or forth to a child.
func (h *History) undo(present *State) {
	n := h.now
	h.swap(n, present)
	n.parent.last, h.now = n, n.parent
	h.runs = slices.DeleteFunc(h.runs, func(r *node) bool { return r == n })
}

func (h *History) redo(present *State, n *node) {
	h.swap(n, present)
	h.now.last, h.now = n, n
}

// swap exchanges what n holds with the present.
func (h *History) swap(n *node, present *State) {
	held := slotsOf(present, n.touches)
	restore(present, n.held, n.touches)
	n.held = held
	h.weigh(n)
}

// goTo makes n the present, through the moment from which both ways part.
func (h *History) goTo(present *State, n *node) {
	up, down := h.way(n)
	for range up {
		h.undo(present)
	}
	for _, n := range down {
		h.redo(present, n)
	}
	h.changed()
}

// way is from the present to n: so many steps up, and then down to these.
func (h *History) way(n *node) (up int, down []*node) {
	from := h.now
	for from != n {
		if from.depth >= n.depth {
			from, up = from.parent, up+1
		} else {
			down, n = append(down, n), n.parent
		}
	}
	slices.Reverse(down)
	return up, down
}

// stateAt returns the state at a moment, without going there.
func (h *History) stateAt(present State, n *node) State {
	up, down := h.way(n)
	at := h.now
	for range up {
		restore(&present, at.held, at.touches)
		at = at.parent
	}
	for _, n := range down {
		restore(&present, n.held, n.touches)
	}
	return present
}

// always changes what is held as if the states at all moments had been changed so.
func (h *History) always(present State, change func(*State)) {
	type stop struct {
		n     *node // whose children, and whose parent where it is done, are still to come
		state State // at n
		from  *node
	}
	todo := []stop{{h.now, present, nil}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		visit := func(entry, to *node) {
			other := at.state
			restore(&other, entry.held, entry.touches)
			todo = append(todo, stop{to, other, at.n})
			changed := other
			change(&changed)
			held := slices.Clone(entry.held)
			for i, t := range entry.touches {
				if changed.slots[t.at].rev != other.slots[t.at].rev {
					held[i] = changed.slots[t.at]
				}
			}
			entry.held = held
		}
		if at.n.parent != nil && at.n.parent != at.from {
			visit(at.n, at.n.parent)
		}
		for _, c := range at.n.children {
			if c != at.from {
				visit(c, c)
			}
		}
	}
}

// Recast puts the values of a part, at all moments of d, into another form, in which they mean the same: their
// revisions stay.
func (k Key[T]) Recast(d *Document, form func(T) T) {
	recast := func(slots []slot, at int) []slot {
		if slots[at].value == nil {
			return slots
		}
		out := slices.Clone(slots) // snapshots hold the same
		out[at].value = form(slots[at].value.(T))
		return out
	}
	copy(d.state.slots[:], recast(d.state.slots[:], k.at))
	h := &d.history
	if h.open != nil {
		copy(h.open.before.slots[:], recast(h.open.before.slots[:], k.at))
	}
	for _, n := range h.nodes {
		for i, t := range n.touches {
			if t.at != k.at {
				continue
			}
			n.held = recast(n.held, i)
			n.kept = slices.Clone(n.kept)
			for m := range n.kept {
				n.kept[m] = recast(n.kept[m], i)
			}
		}
	}
}

// changed says that Entries is another list.
func (h *History) changed() { h.rev = revision.Next() }

// slotsOf returns what touches name of s.
func slotsOf(s *State, touches []Touch) []slot {
	out := make([]slot, len(touches))
	for i, t := range touches {
		out[i] = s.slots[t.at]
	}
	return out
}

func touches(list []Touch, t Touch) bool {
	for _, x := range list {
		if x.at == t.at && x.aspects&t.aspects != 0 {
			return true
		}
	}
	return false
}

// covers says whether all of t is in list.
func covers(list []Touch, t Touch) bool {
	for _, x := range list {
		if x.at == t.at && x.aspects&t.aspects == t.aspects {
			return true
		}
	}
	return false
}

// withTouch returns list with t in it.
func withTouch(list []Touch, t Touch) []Touch {
	out := append([]Touch(nil), list...)
	for i := range out {
		if out[i].at == t.at {
			out[i].aspects |= t.aspects
			return out
		}
	}
	return append(out, t)
}
