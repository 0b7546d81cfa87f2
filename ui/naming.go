package ui

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/widget"
)

// naming is the dialog that asks for the name of landmarks: one for all of them, as they stand for the same cells.
type naming struct {
	fresh bool
	open  bool
	ids   []int
	text  string
}

// askName asks for a name for the selected landmarks. Without any it says so, in a dialog: a user who goes on to type
// the name must not fire shortcuts with it.
func (a *App) askName() {
	l, ids := parts.Landmarks.Of(a.desk.Doc.State()), a.desk.Stage.Hand().Selected
	if len(ids) == 0 {
		a.fail(problem.New("", "click a landmark, or drag around several with the Landmarks tool, then name them",
			"no landmark is selected"))
		return
	}
	a.naming = naming{open: true, fresh: true, ids: slices.Clone(ids)}
	if l.Names == nil {
		return
	}
	a.naming.text = l.Names[ids[0]]
	for _, id := range ids {
		if l.Names[id] != a.naming.text {
			a.naming.text = ""
			break
		}
	}
}

func (a *App) nameDialog() {
	n := &a.naming
	if n.open && (a.desk == nil || slices.Max(n.ids) >= parts.Landmarks.Of(a.desk.Doc.State()).Len()) {
		n.open = false
	}
	accept := false
	title, verb := "Name landmark", "Name it"
	if len(n.ids) > 1 {
		verb = "Name them"
		title = fmt.Sprintf("Name %d landmarks", len(n.ids))
	}
	chosen := a.ui.Modal(title+"##Name landmark", &n.open, widget.ModalOpts{Width: 340,
		Buttons: []widget.ModalButton{{Label: "Cancel"}, {Label: verb, Kind: widget.Primary}}}, func() {
		e := a.ui.TextField("##name", &n.text, widget.FieldOpts{Hint: "B cells", Focus: n.fresh})
		n.fresh = false
		accept = e.Entered
		if len(n.ids) > 1 {
			a.ui.Space(6)
			a.ui.Wrapped(widget.Small, a.ui.Theme().Muted, "All of them get this name; empty takes their names away.")
		}
	})
	if chosen == 1 || accept {
		n.open = false
		a.nameAll(n.ids, strings.TrimSpace(n.text))
	}
}

// rename gives a landmark a name.
func (a *App) rename(id int, name string) { a.nameAll([]int{id}, name) }

// nameAll gives landmarks a name and shows names from then on.
func (a *App) nameAll(ids []int, name string) {
	l := parts.Landmarks.Of(a.desk.Doc.State())
	for _, id := range ids {
		var err error
		if l, err = l.Rename(id, name); err != nil {
			a.fail(err)
			return
		}
	}
	entry := "Name landmark"
	if len(ids) > 1 {
		entry = "Name landmarks"
	}
	a.desk.Doc.Do(entry, func(s *state.State) { parts.Landmarks.Put(s, l) })
	if name != "" {
		a.desk.Show(func(v *parts.View) { v.Names = true })
	}
}
