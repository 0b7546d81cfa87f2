package ui

import (
	"fmt"

	"blossom/assets"
	"blossom/model/work/embedding"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// axesForm asks for the columns that a view shows as its axes.
type axesForm struct {
	open   bool
	view   *view.View
	chosen [3]int // of the columns; the third may be none
}

func (f *axesForm) ask(v *view.View) {
	data := v.Data()
	*f = axesForm{open: true, view: v, chosen: [3]int{0, min(1, len(data.Columns)-1), -1}}
	now := v.State().Recipe
	if now.Kind != embedding.Columns("", "").Kind {
		in := v.MapColumns()
		for i := range min(2, len(in)) {
			f.chosen[i] = in[i]
		}
		return
	}
	for i, name := range now.Columns {
		for c := range data.Columns {
			if data.Columns[c].Name == name {
				f.chosen[i] = c
			}
		}
	}
}

func (a *App) axesDialog() {
	f := &a.axes
	if f.open && (a.desk == nil || f.view.Data() != a.desk.Doc.Data) {
		f.open = false
	}
	chosen := a.ui.Modal("Columns as axes", &f.open, widget.ModalOpts{Width: 380,
		Buttons: []widget.ModalButton{{Label: "Cancel"}, {Label: "Show", Kind: widget.Primary}}}, func() {
		data := a.desk.Doc.Data
		items := make([]widget.ComboItem, len(data.Columns))
		for i := range data.Columns {
			c := &data.Columns[i]
			items[i].Name = c.Short()
			if c.Short() != c.Name {
				items[i].Secondary = c.Name
			}
		}
		a.ui.Wrapped(widget.Small, a.ui.Theme().Muted,
			"Two columns make a flat view, three a view in 3D. Values are transformed as in the map.")
		a.ui.Space(6)
		a.ui.Heading("Across")
		a.ui.Combo("Across", items, &f.chosen[0], widget.ComboOpts{Tip: "The column from left to right"})
		a.ui.Heading("Up")
		a.ui.Combo("Up", items, &f.chosen[1], widget.ComboOpts{Tip: "The column from bottom to top"})
		third := f.chosen[2] + 1
		a.ui.Heading("Deep")
		a.ui.Combo("Deep", append([]widget.ComboItem{{Name: "None: a flat view"}}, items...), &third,
			widget.ComboOpts{Tip: "The third column, for a view in 3D"})
		f.chosen[2] = third - 1
	})
	if chosen != 1 {
		return
	}
	f.open = false
	var names []string
	for _, c := range f.chosen {
		if c >= 0 && c < len(a.desk.Doc.Data.Columns) {
			names = append(names, a.desk.Doc.Data.Columns[c].Name)
		}
	}
	a.desk.Stage.SetEmbedding(f.view, embedding.Columns(names...))
}

// embeddingItems are the embeddings that the active view can show, for the palette.
func (a *App) embeddingItems() []paletteItem {
	if a.desk == nil {
		return nil
	}
	var out []paletteItem
	add := func(title, help string, r embedding.Recipe) {
		out = append(out, paletteItem{"View: " + title, help, "", assets.IconPanelRight, true,
			func() { a.desk.Stage.Choose(a.active(), r) }, ""})
	}
	for _, k := range embedding.Kinds() {
		switch {
		case k.Columns: // a command of its own asks for them
		case k.Way == embedding.ByRange:
			add(k.Title, k.Help, embedding.Recipe{Kind: k.ID, Dims: 2})
		default:
			for _, dims := range []int{2, 3} {
				add(fmt.Sprintf("%s %dD", k.Title, dims), k.Help, embedding.Recipe{Kind: k.ID, Dims: dims})
			}
		}
	}
	return out
}
