package uitest

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
)

// Thresholds of golden pictures. Text is rasterised by the program itself and is the same everywhere;
// the edges of shapes are the OpenGL driver's and differ a little between versions.
const (
	channelTolerance = 28    // of 255: a smaller difference of a channel does not count
	pixelTolerance   = 0.002 // share of pixels that may differ
)

// packageDir is the folder of the package under test, where go test starts; a test may leave it.
var packageDir, _ = os.Getwd() // on failure "": the folder the test is in then

// Golden compares the last frame with testdata/golden/NAME.png of the package under test. Where they
// differ, NAME.new.png and NAME.diff.png are left beside it. With -update it is written anew.
func (d *Driver) Golden(name string) {
	d.t.Helper()
	if err := compareGolden(filepath.Join(packageDir, "testdata", "golden", name), d.Screenshot(),
		*update); err != nil {
		d.t.Error(err)
	}
}

// compareGolden compares an image with base.png.
func compareGolden(base string, got *image.RGBA, update bool) error {
	want := base + ".png"
	fresh, diff := base+".new.png", base+".diff.png"
	os.Remove(fresh)
	os.Remove(diff)
	if update {
		return WritePNG(want, got)
	}
	ref, err := readPNG(want)
	if err != nil {
		if err := WritePNG(fresh, got); err != nil {
			return err
		}
		return fmt.Errorf("%w (the picture drawn now is %s; run with -update to accept it)", err, fresh)
	}
	if ref.Bounds() != got.Bounds() {
		if err := WritePNG(fresh, got); err != nil {
			return err
		}
		return fmt.Errorf("%s is %v, the picture drawn now (%s) %v", want, ref.Bounds().Size(), fresh,
			got.Bounds().Size())
	}
	n, marks := difference(ref, got)
	total := got.Bounds().Dx() * got.Bounds().Dy()
	if float64(n) <= pixelTolerance*float64(total) {
		return nil
	}
	if err := WritePNG(fresh, got); err != nil {
		return err
	}
	if err := WritePNG(diff, marks); err != nil {
		return err
	}
	return fmt.Errorf("%s: %d of %d pixels differ (%.2f %%, allowed %.2f %%): see %s and %s",
		want, n, total, 100*float64(n)/float64(total), 100*pixelTolerance, fresh, diff)
}

// difference counts the pixels that differ and marks them in red on a pale copy. Both have one size.
func difference(a, b *image.RGBA) (int, *image.RGBA) {
	out := image.NewRGBA(b.Bounds())
	n := 0
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			p, q := a.RGBAAt(x, y), b.RGBAAt(x, y)
			if far(p.R, q.R) || far(p.G, q.G) || far(p.B, q.B) {
				n++
				out.SetRGBA(x, y, color.RGBA{255, 0, 0, 255})
				continue
			}
			g := uint8((int(q.R) + int(q.G) + int(q.B)) / 6)
			out.SetRGBA(x, y, color.RGBA{g + 128, g + 128, g + 128, 255})
		}
	}
	return n, out
}

func far(a, b uint8) bool {
	d := int(a) - int(b)
	return d > channelTolerance || -d > channelTolerance
}

// WritePNG writes a picture, making its folder.
func WritePNG(path string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := png.Encode(f, img); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func readPNG(path string) (*image.RGBA, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b := src.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			out.Set(x, y, src.At(b.Min.X+x, b.Min.Y+y))
		}
	}
	return out, nil
}
