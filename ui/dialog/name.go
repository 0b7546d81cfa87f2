package dialog

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// Name asks for the name of landmarks, by their indices: one for all of them, as they stand for the same cells.
var Name = Register(Kind[[]int]{ID: "name-landmarks", Title: "Name landmark", Width: 340,
	New: func(w Window, ids []int) Dialog {
		n := &Naming{w: w, d: w.Desk(), ids: slices.Clone(ids), fresh: true}
		n.Text = n.common()
		return n
	}})

// NameSelected asks for a name for the selected landmarks. Without any it says so, in a dialog: a user who goes on to
// type the name must not fire shortcuts with it.
func NameSelected(s *Stack) {
	ids := s.window.Desk().Stage.Hand().Landmarks.Selected
	if len(ids) == 0 {
		s.window.Fail(problem.New("",
			"click a landmark, or drag around several with the Landmarks tool, then name them",
			"no landmark is selected"))
		return
	}
	Name.Show(s, ids)
}

// Naming is the dialog of a name.
type Naming struct {
	w     Window
	d     *desk.Desk
	ids   []int
	fresh bool
	Text  string
}

// common is the name that all of the landmarks have, or "".
func (n *Naming) common() string {
	l := parts.Landmarks.Of(n.d.Doc.State())
	if l.Names == nil {
		return ""
	}
	name := l.Names[n.ids[0]]
	if slices.ContainsFunc(n.ids, func(id int) bool { return l.Names[id] != name }) {
		return ""
	}
	return name
}

func (n *Naming) Face() (f Face, ok bool) {
	if n.w.Desk() != n.d || slices.Max(n.ids) >= parts.Landmarks.Of(n.d.Doc.State()).Len() {
		return f, false
	}
	verb := "Name it"
	if len(n.ids) > 1 {
		verb, f.Title = "Name them", fmt.Sprintf("Name %d landmarks", len(n.ids))
	}
	f.Buttons = []Button{{Label: "Cancel"}, {Label: verb, Kind: widget.Primary, Do: n.give}}
	return f, true
}

func (n *Naming) Draw() func() {
	u := n.w.UI()
	e := u.TextField("##name", &n.Text, widget.FieldOpts{Hint: "B cells", Focus: n.fresh})
	n.fresh = false
	if len(n.ids) > 1 {
		u.Space(6)
		u.Wrapped(widget.Small, u.Theme().Muted, "All of them get this name; empty takes their names away.")
	}
	if e.Entered {
		return n.give
	}
	return nil
}

func (n *Naming) give() {
	if err := NameLandmarks(n.d, n.ids, strings.TrimSpace(n.Text)); err != nil {
		n.w.Fail(err)
	}
}

// NameLandmarks gives landmarks a name, as one entry of the history, and shows names from then on.
func NameLandmarks(d *desk.Desk, ids []int, name string) error {
	l := parts.Landmarks.Of(d.Doc.State())
	for _, id := range ids {
		var err error
		if l, err = l.Rename(id, name); err != nil {
			return err
		}
	}
	entry := "Name landmark"
	if len(ids) > 1 {
		entry = "Name landmarks"
	}
	d.Doc.Do(entry, func(s *state.State) { parts.Landmarks.Put(s, l) })
	if name != "" {
		d.Show(func(v *parts.View) { v.Names = true })
	}
	return nil
}

// Moment asks for the name of a moment of the history.
var Moment = Register(Kind[state.EntryID]{ID: "name-moment", Title: "Name this moment", Width: 340,
	New: func(w Window, id state.EntryID) Dialog {
		m := &moment{w: w, d: w.Desk(), id: id, fresh: true}
		if e, ok := m.entry(); ok && e.Bookmark != e.Name {
			m.text = e.Bookmark
		}
		return m
	}})

type moment struct {
	w     Window
	d     *desk.Desk
	id    state.EntryID
	fresh bool
	text  string
}

func (m *moment) entry() (state.Entry, bool) { return m.d.Doc.History().Entry(m.id) }

func (m *moment) Face() (f Face, ok bool) {
	if m.w.Desk() != m.d {
		return f, false
	}
	_, ok = m.entry()
	f.Buttons = []Button{{Label: "Cancel"}, {Label: "Name it##moment", Kind: widget.Primary, Do: m.give}}
	return f, ok
}

func (m *moment) Draw() func() {
	u := m.w.UI()
	about, _ := m.entry()
	e := u.TextField("##moment-name", &m.text, widget.FieldOpts{Hint: about.Name, Focus: m.fresh})
	m.fresh = false
	u.Space(6)
	u.Wrapped(widget.Small, u.Theme().Muted, "It becomes a bookmark of this name.")
	if e.Entered {
		return m.give
	}
	return nil
}

func (m *moment) give() {
	name := strings.TrimSpace(m.text)
	if name == "" {
		e, _ := m.entry()
		name = e.Name
	}
	m.d.Bookmark(m.id, name)
}
