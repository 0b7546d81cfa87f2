package board

import (
	"encoding/binary"
	"image"
	"image/color"
)

// bitmap is a picture as a BITMAPV5HEADER with its pixels: blue, green, red and opacity, not multiplied with it, the
// lowest row first (Windows App Development, BITMAPV5HEADER).
func bitmap(img image.Image) []byte {
	const header, bitFields, sRGB, images = 124, 3, 0x73524742, 4
	r := img.Bounds()
	w, h := r.Dx(), r.Dy()
	out := make([]byte, header, header+4*w*h)
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(out[at:], v) }
	put(0, header)
	put(4, uint32(w))
	put(8, uint32(h))
	put(12, 1|32<<16) // planes, bits of a pixel
	put(16, bitFields)
	put(20, uint32(4*w*h))
	for i, mask := range []uint32{0xff0000, 0xff00, 0xff, 0xff000000} {
		put(40+4*i, mask)
	}
	put(56, sRGB)
	put(108, images)
	for y := r.Max.Y - 1; y >= r.Min.Y; y-- {
		for x := r.Min.X; x < r.Max.X; x++ {
			c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)
			out = append(out, c.B, c.G, c.R, c.A)
		}
	}
	return out
}
