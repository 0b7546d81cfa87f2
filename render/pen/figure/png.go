package figure

import (
	"image"
	"io"

	"blossom/model/base/carried"
	"blossom/render/pen"
	"blossom/render/pngfile"
)

func init() {
	Register(Format{Ending: ".png", Title: "PNG", Order: 10, Help: "Pixels, for slides and screens",
		New: func(p pen.Paper) File {
			return &PNG{pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, p.Pixels[0], p.Pixels[1])), Fonts: p.Fonts,
				Points: p.Points}}
		}})
}

// PNG is a picture of pixels.
type PNG struct{ pen.Image }

// Encode writes it with its resolution.
func (f *PNG) Encode(w io.Writer, p pen.Paper) error {
	meta := pngfile.MetaOf(p.Says)
	if p.Width > 0 {
		meta.DPI = float64(p.Pixels[0]) / p.Width * 25.4
	}
	if p.Recipe != "" {
		meta.Text = append(meta.Text, pngfile.Text{Key: carried.Key, Value: p.Recipe})
	}
	return pngfile.Encode(w, f.Dst, meta)
}
