package state

// historyBytes bounds the memory of the history; beyond it the oldest entries are forgotten. At 400
// landmarks of 30 columns that is some 5,000 training runs.
const historyBytes = 256 << 20

// History is the list of what was done, and of what was undone and can be done again.
type History struct {
	open       *open
	undo, redo []entry
}

type open struct {
	name   string
	before State
}

// entry is one step: what it changed, and the State that holds that on the other side of it (before it
// in the undo list, after it in the redo list).
type entry struct {
	name    string
	touches []Touch
	other   State
}

func (e *entry) bytes() int {
	n := 256
	for _, t := range e.touches {
		n += kinds[t.at].bytes(e.other.value(t.at))
	}
	return n
}

func (h *History) record(name string, touches []Touch, before State) {
	h.redo = nil
	h.undo = append(h.undo, entry{name, touches, before})
	bytes := 0 // counted anew: what an entry holds changes as it is undone and done again
	for i := range h.undo {
		bytes += h.undo[i].bytes()
	}
	forget := 0
	for bytes > historyBytes && forget < len(h.undo)-1 {
		bytes -= h.undo[forget].bytes()
		forget++
	}
	if forget > 0 {
		h.undo = append([]entry(nil), h.undo[forget:]...)
	}
}

// reopen takes the last entry back as the open interaction, if it has that name and nothing is undone.
func (h *History) reopen(name string) bool {
	if len(h.undo) == 0 || len(h.redo) > 0 || h.undo[len(h.undo)-1].name != name {
		return false
	}
	e := h.undo[len(h.undo)-1]
	h.undo = h.undo[:len(h.undo)-1]
	h.open = &open{name: e.name, before: e.other}
	return true
}

// follow adds what to the last entry that changed cause, if fits says yes to the State it holds.
func (h *History) follow(cause, what Touch, fits func(State) bool) {
	for i := len(h.undo) - 1; i >= 0; i-- {
		e := &h.undo[i]
		if !touches(e.touches, cause) {
			continue
		}
		if fits(e.other) {
			e.touches = with(e.touches, what)
		}
		return
	}
}

func touches(list []Touch, t Touch) bool {
	for _, x := range list {
		if x.at == t.at && x.aspects&t.aspects != 0 {
			return true
		}
	}
	return false
}

// with returns list with t in it.
func with(list []Touch, t Touch) []Touch {
	out := append([]Touch(nil), list...)
	for i := range out {
		if out[i].at == t.at {
			out[i].aspects |= t.aspects
			return out
		}
	}
	return append(out, t)
}

// move pops an entry of from, exchanges its parts with the present, and pushes it on to.
func (h *History) move(present *State, from, to *[]entry) string {
	if len(*from) == 0 {
		return ""
	}
	e := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	now := *present
	restore(present, &e.other, e.touches)
	e.other = now
	*to = append(*to, e)
	return e.name
}

// Len returns the number of entries, Done how many of them are done.
func (h *History) Len() int  { return len(h.undo) + len(h.redo) }
func (h *History) Done() int { return len(h.undo) }

// Name returns the name of entry i, oldest first.
func (h *History) Name(i int) string {
	if i < len(h.undo) {
		return h.undo[i].name
	}
	return h.redo[len(h.redo)-1-(i-len(h.undo))].name
}

// CanUndo and CanRedo return the name of what would be undone or done again, or "".
func (h *History) CanUndo() string {
	if len(h.undo) == 0 {
		return ""
	}
	return h.undo[len(h.undo)-1].name
}

func (h *History) CanRedo() string {
	if len(h.redo) == 0 {
		return ""
	}
	return h.redo[len(h.redo)-1].name
}
