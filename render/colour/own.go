package colour

import (
	"slices"

	"blossom/model/data/dataset"
	"blossom/render/palette"
)

// ownColours are the colours of labels that no palette gives: those that somebody has chosen for them, and those that
// the file has, where nobody has chosen a palette instead.
func (v *Values) ownColours(s Settings) string {
	given := v.given
	if s.Palette != "" {
		given = ""
	}
	chosen := s.Inks.Of()
	if len(chosen) == 0 {
		return given
	}
	labels := v.Labels[:min(len(v.Labels), palette.Entries)]
	out := make([]byte, 4*len(labels))
	copy(out, given)
	for name, ink := range chosen {
		if i := slices.Index(labels, name); i >= 0 {
			c := palette.Ink(ink)
			copy(out[4*i:], []byte{c.R, c.G, c.B, 255})
		}
	}
	return string(out)
}

// OfLabels is the colour of each label of a column, as dataset.Column.Own has them, where somebody has chosen a palette
// of labels for it, or colours for some of them; "" where nobody has, or it has no labels.
func OfLabels(c *dataset.Column, name string, inks dataset.LabelInks) string {
	if p := palette.ByName(name); p == nil || p.Kind != palette.Categorical {
		name = ""
	}
	if len(c.Categories) == 0 || name == "" && len(inks.Of()) == 0 {
		return ""
	}
	v := &Values{Labels: c.Categories, inks: c.Inks, given: c.Own}
	shown := palette.OfLabels(name, len(v.Labels), v.inks)
	shown.Own = v.ownColours(Settings{Palette: name, Inks: inks})
	out := make([]byte, 0, 4*len(v.Labels))
	for i := range v.Labels {
		ink := shown.LabelColour(i)
		out = append(out, ink.R, ink.G, ink.B, 255)
	}
	return string(out)
}
