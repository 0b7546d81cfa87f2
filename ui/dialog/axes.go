package dialog

import (
	"blossom/model/work/embedding"
	"blossom/ui/desk"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Axes asks for the columns that a view shows as its axes.
var Axes = Register(Kind[*view.View]{ID: "columns-as-axes", Title: "Columns as axes", Width: 380, New: newAxes})

type axes struct {
	w      Window
	d      *desk.Desk
	view   *view.View
	chosen [3]int // indices of columns; the third may be none
}

func newAxes(w Window, v *view.View) Dialog {
	data := v.Data()
	x := &axes{w: w, d: w.Desk(), view: v, chosen: [3]int{0, min(1, len(data.Columns)-1), -1}}
	now := v.State().Recipe
	if now.Kind != embedding.Columns("", "").Kind {
		in := v.MapColumns()
		for i := range min(2, len(in)) {
			x.chosen[i] = in[i]
		}
		return x
	}
	for i, name := range now.Columns {
		for c := range data.Columns {
			if data.Columns[c].Name == name {
				x.chosen[i] = c
			}
		}
	}
	return x
}

func (x *axes) Face() (f Face, ok bool) {
	f.Buttons = []Button{{Label: "Cancel"}, {Label: "Show", Kind: widget.Primary, Do: x.show}}
	return f, x.w.Desk() != nil && x.view.Data() == x.w.Desk().Doc.Data
}

func (x *axes) Draw() func() {
	u, data := x.w.UI(), x.d.Doc.Data
	items := make([]widget.ComboItem, len(data.Columns))
	for i := range data.Columns {
		c := &data.Columns[i]
		items[i].Name = c.Short()
		if c.Short() != c.Name {
			items[i].Secondary = c.Name
		}
	}
	u.Wrapped(widget.Small, u.Theme().Muted,
		"Two columns make a flat view, three a view in 3D. Values are transformed as in the map.")
	u.Space(6)
	u.Heading("Across")
	u.Combo("Across", items, &x.chosen[0], widget.ComboOpts{Tip: "The column from left to right"})
	u.Heading("Up")
	u.Combo("Up", items, &x.chosen[1], widget.ComboOpts{Tip: "The column from bottom to top"})
	third := x.chosen[2] + 1
	u.Heading("Deep")
	u.Combo("Deep", append([]widget.ComboItem{{Name: "None: a flat view"}}, items...), &third,
		widget.ComboOpts{Tip: "The third column, for a view in 3D"})
	x.chosen[2] = third - 1
	return nil
}

func (x *axes) show() {
	var names []string
	for _, c := range x.chosen {
		if c >= 0 && c < len(x.d.Doc.Data.Columns) {
			names = append(names, x.d.Doc.Data.Columns[c].Name)
		}
	}
	x.d.Stage.SetEmbedding(x.view, embedding.Columns(names...))
}
