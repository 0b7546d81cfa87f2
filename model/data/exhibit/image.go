package exhibit

import (
	"bytes"
	"image"
	"image/color"
	_ "image/gif" // formats of images
	_ "image/jpeg"
	_ "image/png"

	_ "golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
)

// Limits of images: what a file may have, and what it may unpack to.
const (
	maxFile   = 64 << 20
	maxPixels = 40_000_000
)

const imageRemedy = "give a PNG, JPEG, TIFF, GIF, BMP or WebP image of up to 40 million pixels"

// Thumbnail reads an image from a file, as ThumbnailOf does.
func Thumbnail(path string, side int) (*image.RGBA, error) {
	text, err := plain.ReadFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	return ThumbnailOf(text, path, side)
}

// ThumbnailOf decodes an image, of a file at path, and makes it fit into a square of so many pixels a side; smaller
// ones stay as they are. Grey images of 16 bits, as microscopes make them, are spread from their darkest to their
// brightest value. The error is a Problem.
func ThumbnailOf(text []byte, path string, side int) (_ *image.RGBA, err error) {
	defer func() { // decoders of damaged files
		if r := recover(); r != nil {
			err = problem.New(path, imageRemedy, "the image is damaged")
		}
	}()
	head, _, err := image.DecodeConfig(bytes.NewReader(text))
	switch {
	case err != nil:
		return nil, problem.Wrap(err, path, imageRemedy, "is no image that blossom reads")
	case head.Width <= 0 || head.Height <= 0 || head.Width > maxPixels/head.Height:
		return nil, problem.New(path, imageRemedy, "an image of %d x %d pixels is not shown", head.Width, head.Height)
	}
	img, _, err := image.Decode(bytes.NewReader(text))
	if err != nil {
		return nil, problem.Wrap(err, path, imageRemedy, "the image is damaged or cut off")
	}
	return fit(img, side), nil
}

// fit makes an image fit into a square.
func fit(img image.Image, side int) *image.RGBA {
	if deep, ok := img.(*image.Gray16); ok {
		img = spread(deep)
	}
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if most := max(w, h); most > side {
		w, h = max(1, w*side/most), max(1, h*side/most)
	}
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	scaler := draw.Scaler(draw.CatmullRom)
	if b.Dx()*b.Dy() > 16*w*h {
		scaler = draw.ApproxBiLinear // the other one would take long
	}
	scaler.Scale(out, out.Bounds(), img, b, draw.Src, nil)
	return out
}

// spread is an image of 16 bits in 8, from its darkest to its brightest value.
func spread(img *image.Gray16) *image.Gray {
	b := img.Bounds()
	lo, hi := uint16(0xffff), uint16(0)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			v := img.Gray16At(x, y).Y
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	out := image.NewGray(b)
	wide := max(int(hi)-int(lo), 1)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			out.SetGray(x, y, color.Gray{Y: uint8((int(img.Gray16At(x, y).Y) - int(lo)) * 255 / wide)})
		}
	}
	return out
}
