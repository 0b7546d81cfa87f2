package colour

import (
	"slices"

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
