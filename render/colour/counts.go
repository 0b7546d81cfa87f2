package colour

import "blossom/render/palette"

// Counts returns how numbers of points are painted, from 0 to 1 along their scale: by the palette of the settings, if
// that is one of numbers.
func Counts(s Settings) palette.Colouring {
	out := palette.Colouring{Palette: palette.ByName(s.Palette), Reversed: s.Reversed, Lo: 0, Hi: 1, Flat: s.Flat,
		Missing: s.Missing}
	if out.Palette == nil || out.Palette.Kind == palette.Categorical {
		out.Palette = palette.Default()
	}
	if s.Dark {
		out.Palette = palette.OnDark(out.Palette)
	}
	return out
}
