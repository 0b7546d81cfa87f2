package uitest

import (
	"image"
	"image/color"
	"slices"
)

// small is a picture that takes less room as a PNG and looks the same: with 256 of its own colours, the frequent ones
// first, where each of the others is so near to one of them that a comparison takes them for the same.
func small(img *image.RGBA) image.Image {
	count := map[color.RGBA]int{}
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			count[img.RGBAAt(x, y)]++
		}
	}
	colours := make([]color.RGBA, 0, len(count))
	for c := range count {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.RGBA) int {
		if d := count[b] - count[a]; d != 0 {
			return d
		}
		return number(a) - number(b)
	})
	for most := 0; most <= channelTolerance/2; most += 2 {
		if palette, index := near(colours, most); palette != nil {
			out := image.NewPaletted(img.Rect, palette)
			for y := range img.Rect.Dy() {
				for x := range img.Rect.Dx() {
					out.SetColorIndex(x, y, index[img.RGBAAt(x, y)])
				}
			}
			return out
		}
	}
	return img
}

// kept is how many colours, the most frequent ones, stay as they are: grounds of controls are told apart by little.
const kept = 64

func number(c color.RGBA) int { return int(c.R)<<24 | int(c.G)<<16 | int(c.B)<<8 | int(c.A) }

// near chooses at most 256 colours, in their order, so that no channel of any colour is further than most from that of
// a chosen one, and says which one that is; nil if more would be needed.
func near(colours []color.RGBA, most int) (color.Palette, map[color.RGBA]uint8) {
	var palette color.Palette
	var chosen []color.RGBA
	index := map[color.RGBA]uint8{}
	for rank, c := range colours {
		i := -1
		if rank >= kept {
			i = slices.IndexFunc(chosen, func(p color.RGBA) bool {
				return max(apart(p.R, c.R), apart(p.G, c.G), apart(p.B, c.B), apart(p.A, c.A)) <= most
			})
		}
		if i < 0 {
			if i = len(chosen); i == 256 {
				return nil, nil
			}
			chosen, palette = append(chosen, c), append(palette, c)
		}
		index[c] = uint8(i)
	}
	return palette, index
}

func apart(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
