package view

import (
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/render/palette"
	"blossom/ui/widget"
)

// colours lets a colour be chosen for a label of the legend.
func (q *legendOver) colours(v *Scatter) {
	u, label := v.View.scene.UI, q.asked
	if v.Colours.Values == nil || label >= len(v.Colours.Labels) {
		return
	}
	now := v.Colouring()
	shown, chosen := now.LabelColour(label), -1
	inks := make([]widget.Color, dataset.Colours)
	for i := range inks {
		c := palette.Ink(uint8(i))
		if inks[i] = Ink(c); c == shown {
			chosen = i
		}
	}
	u.Note(population.Brief(v.Colours.Labels[label]))
	u.Space(2)
	if i := u.Swatches("inks", inks, chosen); i >= 0 {
		v.View.Recolour(label, v.Colours.Labels[label], i)
	}
	if _, own := v.View.Look().Inks.Of()[v.Colours.Labels[label]]; !own {
		return
	}
	u.MenuSeparator()
	if u.MenuItem("As it was", widget.MenuOpts{}) {
		v.View.Recolour(label, v.Colours.Labels[label], -1)
	}
}

// Recolour gives the points of a label of the column that the view is coloured by another colour, of which it is the
// name; ink below 0 is the one that it had of itself. A population keeps its colour wherever it is.
func (v *View) Recolour(label int, name string, ink int) {
	m := v.scene.Map
	if look := v.Look(); look.Column == m.Populations().Column() {
		tree := m.Populations().Tree()
		if all := tree.All(); label < len(all) && ink >= 0 {
			m.Doc.Do("Colour of "+name, func(s *state.State) {
				parts.Populations.Put(s, parts.Populations.Of(*s).Recolour(all[label].ID, uint8(ink)))
			})
		}
		return
	}
	m.Doc.Do("Colour of "+name, func(now *state.State) {
		parts.EditLook(now, parts.Views.Of(*now).LookOf(v.ID.Key()), func(l *parts.Look) {
			l.Inks = l.Inks.With(name, ink)
		})
	})
}
