package uitest

import (
	"image"
	"image/color"
)

// small is a picture that takes less room as a PNG and looks the same: with 256 colours where shades that differ by
// less than half of channelTolerance may be one, else with channels in steps of four.
func small(img *image.RGBA) image.Image {
	for step := 1; step <= 8; step *= 2 {
		if out := paletted(img, step); out != nil {
			return out
		}
	}
	out := image.NewRGBA(img.Rect)
	for i, v := range img.Pix {
		out.Pix[i] = rounded(v, 4)
	}
	return out
}

// paletted is the picture with channels in steps, or nil if it has more than 256 colours then.
func paletted(img *image.RGBA, step int) image.Image {
	b := img.Bounds()
	known := map[color.RGBA]uint8{}
	out := image.NewPaletted(b, nil)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := img.RGBAAt(x, y)
			c = color.RGBA{rounded(c.R, step), rounded(c.G, step), rounded(c.B, step), rounded(c.A, step)}
			i, ok := known[c]
			if !ok {
				if len(out.Palette) == 256 {
					return nil
				}
				i = uint8(len(out.Palette))
				known[c] = i
				out.Palette = append(out.Palette, c)
			}
			out.Pix[out.PixOffset(x, y)] = i
		}
	}
	return out
}

// rounded is the nearest multiple of step; 255 stays.
func rounded(v uint8, step int) uint8 {
	if v == 255 {
		return v
	}
	return uint8(min((int(v)+step/2)/step*step, 255))
}
