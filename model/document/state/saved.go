package state

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// Saved is a history in a file.
type Saved struct {
	Now     EntryID              `json:"now"`
	Latest  EntryID              `json:"latest"` // the latest ID of all that ever were
	Entries []SavedEntry         `json:"entries"`
	Parts   map[string]SavedPart `json:"parts"` // values that entries hold, by the IDs of the kinds
}

// SavedEntry is a moment.
type SavedEntry struct {
	ID       EntryID     `json:"id"`
	Parent   EntryID     `json:"parent,omitempty"`
	Name     string      `json:"name"`
	When     time.Time   `json:"when"`
	Bookmark string      `json:"bookmark,omitempty"`
	Run      bool        `json:"run,omitempty"`
	Redo     EntryID     `json:"redo,omitempty"` // where that leads
	Held     []SavedHeld `json:"held,omitempty"`
	Moments  [][]uint64  `json:"moments,omitempty"` // runs only: revisions of what it holds, one for each of Held
	Every    int         `json:"every,omitempty"`   // changes between them
}

// SavedHeld is what an entry changed of one part: as it was before where the entry is done, and as it was after where
// it is not.
type SavedHeld struct {
	Part    string   `json:"part"`
	Aspects []string `json:"aspects,omitempty"` // none: the whole part
	Rev     uint64   `json:"rev"`               // revision of the value in Saved.Parts; 0 is the default
}

// SavedPart is values of one kind by their revisions.
type SavedPart struct {
	Version int                        `json:"version"`
	Values  map[uint64]json.RawMessage `json:"values"`
}

// Memo remembers how values of the history were encoded the last time, with the arrays that they named. Only what is
// new is encoded again. The zero value remembers nothing.
type Memo struct{ seen map[memoKey]memoValue }

type memoKey struct {
	at  int
	rev revision.Revision
}

type memoValue struct {
	raw    json.RawMessage
	arrays []string
}

// putting notes the names of the arrays that a value puts aside.
type putting struct {
	Arrays
	names []string
}

func (p *putting) Put(m matrix.Matrix32) string {
	name := Context{Arrays: p.Arrays}.Array(m)
	p.names = append(p.names, name)
	return name
}

// Snapshot returns the document in state s with a history of its own: for a job that saves it. s is the present state,
// or that of a moment ago.
func (d *Document) Snapshot(s State) *Document {
	c := *d
	c.state = s
	h := &d.history
	copies := make([]node, len(h.nodes))
	index := make(map[*node]*node, len(h.nodes))
	for i, n := range h.nodes {
		copies[i] = *n
		index[n] = &copies[i]
	}
	c.history = History{root: index[h.root], now: index[h.now], next: h.next, bytes: h.bytes, rev: h.rev,
		nodes: make([]*node, len(h.nodes))}
	for i := range copies {
		n := &copies[i]
		n.parent, n.last, n.kept = index[n.parent], index[n.last], slices.Clone(n.kept)
		n.children = slices.Clone(n.children)
		for k := range n.children {
			n.children[k] = index[n.children[k]]
		}
		c.history.nodes[i] = n
	}
	return &c
}

// EncodeHistory returns the history for a file; c.Arrays, which must not be nil, keeps its arrays. Of values that memo
// remembers, whose arrays need not be put again, it is told which they need.
func (d *Document) EncodeHistory(c Context, memo *Memo, needed func(arrays []string)) (*Saved, error) {
	c.Data, c.Seed, c.State, c.Full, c.Held = d.Data, d.Seed, d.state, true, true
	h := &d.history
	out := &Saved{Now: h.now.id, Latest: h.next, Parts: map[string]SavedPart{}}
	w := saving{c: c, memo: memo, needed: needed, out: out, next: map[memoKey]memoValue{}}
	for _, n := range h.nodes {
		e := SavedEntry{ID: n.id, Name: n.name, When: n.when.UTC(), Bookmark: n.bookmark, Run: n.run, Every: n.every}
		if n.parent != nil {
			e.Parent = n.parent.id
		}
		if n.last != nil {
			e.Redo = n.last.id
		}
		for i, t := range n.touches {
			if err := w.value(t.at, n.held[i]); err != nil {
				return nil, err
			}
			held := SavedHeld{Part: kinds[t.at].id, Rev: uint64(n.held[i].rev)}
			if t.aspects != kinds[t.at].all() {
				held.Aspects = kinds[t.at].names(t.aspects)
			}
			e.Held = append(e.Held, held)
		}
		for i := range n.kept {
			var revs []uint64
			for j, t := range n.touches {
				if err := w.value(t.at, n.kept[i][j]); err != nil {
					return nil, err
				}
				revs = append(revs, uint64(n.kept[i][j].rev))
			}
			e.Moments = append(e.Moments, revs)
		}
		out.Entries = append(out.Entries, e)
	}
	memo.seen = w.next
	return out, nil
}

// saving is a history on its way into a file.
type saving struct {
	c      Context
	memo   *Memo
	needed func(arrays []string)
	out    *Saved
	next   map[memoKey]memoValue // values that memo is to remember
}

// value saves the value of a kind, once; what memo remembers is not encoded again.
func (w *saving) value(at int, s slot) error {
	key := memoKey{at, s.rev}
	if _, ok := w.next[key]; ok || s.rev == 0 {
		return nil
	}
	v, ok := w.memo.seen[key]
	if ok {
		w.needed(v.arrays)
	} else {
		inner := w.c
		names := &putting{Arrays: w.c.Arrays}
		inner.Arrays = names
		k := kinds[at]
		value := s.value
		if value == nil {
			value = k.def()
		}
		var err error
		if v.raw, err = k.encode(value, inner); err != nil {
			return err
		}
		v.arrays = names.names
	}
	w.next[key] = v
	p, ok := w.out.Parts[kinds[at].id]
	if !ok {
		p = SavedPart{kinds[at].version, map[uint64]json.RawMessage{}}
		w.out.Parts[kinds[at].id] = p
	}
	if v.raw != nil {
		p.Values[uint64(s.rev)] = v.raw
	}
	return nil
}

// DecodeHistory gives a document, whose state is decoded, the history of a file. Entries that cannot be read are left
// out with those that need them, which is noted; the error is of a history that is none.
func (d *Document) DecodeHistory(saved *Saved, c Context) error {
	c.Data, c.Seed, c.State, c.Full, c.Held = d.Data, d.Seed, d.state, true, true
	r := reader{c: c, saved: saved, values: map[memoKey]slot{}, lost: map[string]string{}}
	h, err := r.history()
	if err != nil {
		return err
	}
	d.history = *h
	for _, id := range sortedKeys(r.lost) {
		if c.Note != nil {
			c.Note("the history has lost some changes of " + strings.ToLower(id) + ": " + r.lost[id])
		}
	}
	return nil
}

// reader makes a history of a saved one.
type reader struct {
	c      Context
	saved  *Saved
	values map[memoKey]slot
	lost   map[string]string // why, by what cannot be read
}

// value returns the value of a kind that had a revision.
func (r *reader) value(at int, was uint64) (slot, bool) {
	k := kinds[at]
	if was == 0 {
		return slot{}, true
	}
	key := memoKey{at, revision.Revision(was)}
	if s, ok := r.values[key]; ok {
		return s, s.rev != 0
	}
	part := r.saved.Parts[k.id]
	s := slot{rev: r.c.Revisions.Of(was)}
	raw, there := part.Values[was]
	switch {
	case part.Version < 0:
		r.lost[k.title] = "they are of a version that there never was"
		s = slot{}
	case part.Version > k.version:
		r.lost[k.title] = "they were saved by a newer program"
		s = slot{}
	case there && string(bytes.TrimSpace(raw)) != "null":
		v, err := k.decode(raw, part.Version, r.c)
		if err != nil {
			r.lost[k.title] = problem.As(err).What
			s = slot{}
		} else {
			s.value = v
		}
	default:
		s.value = k.def()
	}
	r.values[key] = s
	return s, s.rev != 0
}

// history makes the tree. Where an entry cannot be read, the present keeps those that come after it, and of what is not
// done that which follows is left out.
func (r *reader) history() (*History, error) {
	bad := func(format string, args ...any) error {
		return problem.New(r.c.File, remedy, "its history makes no sense: "+format, args...)
	}
	byID := map[EntryID]*node{}
	h := &History{next: r.saved.Latest, rev: revision.Next()}
	broken := map[*node]bool{} // nodes whose way from the root cannot be read
	for i := range r.saved.Entries {
		e := &r.saved.Entries[i]
		n := &node{id: e.ID, name: e.Name, when: e.When.Local(), bookmark: e.Bookmark, run: e.Run}
		n.every = e.Every
		parent := byID[e.Parent]
		switch {
		case e.ID <= 0 || len(h.nodes) > 0 && e.ID <= h.nodes[len(h.nodes)-1].id:
			return nil, bad("entry %d is not in order", e.ID)
		case parent == nil && len(h.nodes) > 0:
			return nil, bad("entry %d follows none", e.ID)
		case parent == nil:
			h.root = n
		default:
			n.parent, n.depth = parent, parent.depth+1
			parent.children = append(parent.children, n)
			broken[n] = !r.fill(n, e)
		}
		byID[e.ID] = n
		h.nodes = append(h.nodes, n)
		h.next = max(h.next, e.ID)
	}
	if h.now = byID[r.saved.Now]; h.now == nil {
		return nil, bad("there is no moment %d", r.saved.Now)
	}
	for _, e := range r.saved.Entries {
		if to := byID[e.Redo]; to != nil && to.parent == byID[e.ID] {
			byID[e.ID].last = to
		}
	}
	h.without(broken)
	for _, n := range h.nodes {
		h.weigh(n)
	}
	return h, nil
}

// fill reads what an entry holds.
func (r *reader) fill(n *node, e *SavedEntry) bool {
	for _, held := range e.Held {
		at := slices.IndexFunc(kinds, func(k *kind) bool { return k.id == held.Part })
		if at < 0 {
			r.lost[fmt.Sprintf("%q", held.Part)] = "this program does not know it"
			continue
		}
		t := Touch{at, kinds[at].all()}
		if len(held.Aspects) > 0 {
			t.aspects = kinds[at].aspectsOf(held.Aspects)
		}
		s, ok := r.value(at, held.Rev)
		if !ok {
			return false
		}
		if t.aspects != 0 {
			n.touches, n.held = append(n.touches, t), append(n.held, s)
		}
	}
	for _, revs := range e.Moments {
		held, ok := make([]slot, len(n.touches)), len(revs) == len(n.touches)
		for i := 0; ok && i < len(revs); i++ {
			held[i], ok = r.value(n.touches[i].at, revs[i])
		}
		if ok {
			n.kept = append(n.kept, held)
		}
	}
	return true
}

// without leaves out what cannot be reached from the present without a broken entry.
func (h *History) without(broken map[*node]bool) {
	reached := map[*node]bool{h.now: true}
	todo := []*node{h.now}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if p := n.parent; p != nil && !broken[n] && !reached[p] {
			reached[p] = true
			todo = append(todo, p)
		}
		for _, c := range n.children {
			if !broken[c] && !reached[c] {
				reached[c] = true
				todo = append(todo, c)
			}
		}
	}
	if len(reached) == len(h.nodes) {
		return
	}
	h.nodes = slices.DeleteFunc(h.nodes, func(n *node) bool { return !reached[n] })
	h.root = h.nodes[0]
	h.root.parent, h.root.touches, h.root.held, h.root.moments, h.root.run = nil, nil, nil, moments{}, false
	for _, n := range h.nodes {
		n.children = slices.DeleteFunc(n.children, func(c *node) bool { return !reached[c] })
		if n.last != nil && !reached[n.last] {
			if n.last = nil; len(n.children) > 0 {
				n.last = n.children[len(n.children)-1]
			}
		}
	}
}

// names are the IDs of aspects.
func (k *kind) names(aspects uint32) (out []string) {
	for i, id := range k.aspects {
		if aspects&(1<<i) != 0 {
			out = append(out, id)
		}
	}
	return out
}

// aspectsOf are the aspects of IDs; unknown ones are left out.
func (k *kind) aspectsOf(ids []string) (out uint32) {
	for i, id := range k.aspects {
		if slices.Contains(ids, id) {
			out |= 1 << i
		}
	}
	return out
}
