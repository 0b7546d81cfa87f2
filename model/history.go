package model

// historyBytes bounds the memory of the history; beyond it the oldest entries are forgotten. At 400
// landmarks of 30 columns that is some 5,000 training runs.
const historyBytes = 256 << 20

// History is the list of what was done, and of what was undone and can be done again.
type History struct {
	open       *open
	undo, redo []entry
	bytes      int
}

type open struct {
	name   string
	before State
}

// entry is one step: the parts it changed, and the State that holds them on the other side of it
// (before it in the undo list, after it in the redo list).
type entry struct {
	name  string
	parts part
	other State
}

func (e *entry) bytes() int {
	if e.parts&(partCode|partPos) == 0 || e.other.Landmarks == nil {
		return 256
	}
	return 256 + 4*(len(e.other.Landmarks.Codebook.Data)+len(e.other.Landmarks.Pos.Data))
}

func (h *History) record(name string, parts part, before State) {
	h.redo = nil
	h.undo = append(h.undo, entry{name, parts, before})
	h.bytes += h.undo[len(h.undo)-1].bytes()
	forget := 0
	for h.bytes > historyBytes && forget < len(h.undo)-1 {
		h.bytes -= h.undo[forget].bytes()
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
	h.bytes -= e.bytes()
	h.open = &open{name: e.name, before: e.other}
	return true
}

// follow adds the part what to the last entry that changed the part of, if that entry's landmarks are
// as many as now: a consequence that came later than its cause.
func (h *History) follow(of, what part, g int) {
	for i := len(h.undo) - 1; i >= 0; i-- {
		if e := &h.undo[i]; e.parts&of != 0 {
			if e.other.Landmarks.Len() == g {
				h.bytes -= e.bytes()
				e.parts |= what
				h.bytes += e.bytes()
			}
			return
		}
	}
}

// move pops an entry of from, exchanges its parts with the present, and pushes it on to.
func (h *History) move(present *State, from, to *[]entry) string {
	if len(*from) == 0 {
		return ""
	}
	e := (*from)[len(*from)-1]
	*from = (*from)[:len(*from)-1]
	now := *present
	restore(present, &e.other, e.parts)
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
