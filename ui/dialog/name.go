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

// Name asks for a name.
var Name = Register(Kind[desk.NameQuestion]{ID: "name", Title: "Name", Width: 360,
	New: func(w Window, q desk.NameQuestion) Dialog {
		return &Naming{w: w, d: w.Desk(), q: q, Text: q.Text, fresh: true}
	}})

// Naming is the dialog of a name.
type Naming struct {
	w     Window
	d     *desk.Desk
	q     desk.NameQuestion
	fresh bool
	Text  string
}

func (n *Naming) Face() (f Face, ok bool) {
	if n.w.Desk() != n.d || n.q.Gone != nil && n.q.Gone() {
		return f, false
	}
	f.Title = n.q.Title
	f.Buttons = []Button{{Label: "Cancel"}, {Label: n.q.Verb, Kind: widget.Primary, Do: n.give}}
	return f, true
}

func (n *Naming) Draw() func() {
	u := n.w.UI()
	e := u.TextField("##name", &n.Text, widget.FieldOpts{Hint: n.q.Hint, Focus: n.fresh})
	n.fresh = false
	if n.q.Note != "" {
		u.Space(6)
		u.Wrapped(widget.Small, u.Theme().Muted, n.q.Note)
	}
	if e.Entered {
		return n.give
	}
	return nil
}

func (n *Naming) give() {
	if err := n.q.Answer(strings.TrimSpace(n.Text)); err != nil {
		n.w.Fail(err)
	}
}

// NameSelected asks for a name for the selected landmarks: one for all of them, as they stand for the same cells.
// Without any it says so, in a dialog: a user who goes on to type the name must not fire shortcuts with it.
func NameSelected(s *Stack) {
	d := s.window.Desk()
	ids := slices.Clone(d.Stage.Hand().Landmarks.Selected)
	if len(ids) == 0 {
		s.window.Fail(problem.New("",
			"click a landmark, or drag around several with the Landmarks tool, then name them",
			"no landmark is selected"))
		return
	}
	landmarks := func() int { return parts.Landmarks.Of(d.Doc.State()).Len() }
	q := desk.NameQuestion{Title: "Name landmark", Text: commonName(d, ids), Hint: "B cells", Verb: "Name it",
		Gone:   func() bool { return slices.Max(ids) >= landmarks() },
		Answer: func(name string) error { return NameLandmarks(d, ids, name) }}
	if len(ids) > 1 {
		q.Title, q.Verb = fmt.Sprintf("Name %d landmarks", len(ids)), "Name them"
		q.Note = "All of them get this name; empty takes their names away."
	}
	Name.Show(s, q)
}

// commonName is the name that all of some landmarks have, or "".
func commonName(d *desk.Desk, ids []int) string {
	l := parts.Landmarks.Of(d.Doc.State())
	if l.Names == nil {
		return ""
	}
	name := l.Names[ids[0]]
	if slices.ContainsFunc(ids, func(id int) bool { return l.Names[id] != name }) {
		return ""
	}
	return name
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
