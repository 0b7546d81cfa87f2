package uitest

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
)

// Thresholds of golden pictures. Text is rasterised by the program itself and is the same everywhere;
// the edges of shapes are the OpenGL driver's and differ a little between versions.
const (
	channelTolerance = 28    // a smaller difference of a channel, of 255, does not count
	pixelTolerance   = 0.002 // share of a whole window's pixels that may differ
)

// limit is what of a picture may differ: pixels, so many, and what of a channel does not count.
type limit struct{ pixels, channel int }

// ofWindow is the limit of a whole window.
func ofWindow(img *image.RGBA) limit {
	return limit{int(pixelTolerance * float64(img.Rect.Dx()*img.Rect.Dy())), channelTolerance}
}

// packageDir is the folder of the package under test, where go test starts; a test may leave it.
var packageDir, _ = os.Getwd() // on failure "": the folder the test is in then

// Window compares the whole window with testdata/windows/NAME.png of the package under test. Such a picture is to be
// looked at: it shows that parts fit together. What a part shows is for Picture and for values.
func (d *Driver) Window(name string) {
	d.t.Helper()
	got := d.Screenshot()
	if err := compareGolden(filepath.Join(packageDir, "testdata", "windows", name), got, ofWindow(got),
		*update); err != nil {
		d.t.Error(err)
	}
}

// compareGolden compares an image with base.png, of which some may differ. Where more do, base.new.png and
// base.diff.png are left beside it. With update it is written anew, unless it is as it was: the tree grows by pictures
// that have changed alone.
func compareGolden(base string, got *image.RGBA, may limit, update bool) error {
	want := base + ".png"
	fresh, diff := base+".new.png", base+".diff.png"
	os.Remove(fresh)
	os.Remove(diff)
	ref, err := readPNG(want)
	if update {
		if err == nil && ref.Bounds() == got.Bounds() {
			if n, _ := difference(ref, got, may.channel); n == 0 {
				return nil
			}
		}
		return WritePNG(want, small(got))
	}
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
	n, marks := difference(ref, got, may.channel)
	if n <= may.pixels {
		return nil
	}
	if err := WritePNG(fresh, got); err != nil {
		return err
	}
	if err := WritePNG(diff, marks); err != nil {
		return err
	}
	return fmt.Errorf("%s: %d of %d pixels differ, %d are allowed: see %s and %s", want, n,
		got.Bounds().Dx()*got.Bounds().Dy(), may.pixels, fresh, diff)
}

// difference counts the pixels that differ and marks them in red on a pale copy. Both have one size.
func difference(a, b *image.RGBA, channel int) (int, *image.RGBA) {
	out := image.NewRGBA(b.Bounds())
	n := 0
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		for x := b.Rect.Min.X; x < b.Rect.Max.X; x++ {
			if !among(a, b, x, y, channel) || !among(b, a, x, y, channel) {
				n++
				out.SetRGBA(x, y, color.RGBA{255, 0, 0, 255})
				continue
			}
			q := b.RGBAAt(x, y)
			g := uint8((int(q.R) + int(q.G) + int(q.B)) / 6)
			out.SetRGBA(x, y, color.RGBA{g + 128, g + 128, g + 128, 255})
		}
	}
	return n, out
}

// among says whether the pixel of b at x, y lies between the darkest and the brightest of a there, to the left and to
// the right of it. So soft an edge of a letter is: how much of a column it covers depends on where the atlas of glyphs
// had room for the letter, which is not the same in each run.
func among(a, b *image.RGBA, x, y, channel int) bool {
	lo, hi := [3]int{255, 255, 255}, [3]int{}
	for i := max(x-1, a.Rect.Min.X); i <= min(x+1, a.Rect.Max.X-1); i++ {
		p := a.Pix[a.PixOffset(i, y):]
		for c := range 3 {
			lo[c], hi[c] = min(lo[c], int(p[c])), max(hi[c], int(p[c]))
		}
	}
	q := b.Pix[b.PixOffset(x, y):]
	for c := range 3 {
		if v := int(q[c]); v < lo[c]-channel || v > hi[c]+channel {
			return false
		}
	}
	return true
}

// Shoot writes the last frame as a picture to look at, into the folder that BLOSSOM_PICTURES names, if it does.
func (d *Driver) Shoot(name string) {
	d.t.Helper()
	dir := os.Getenv("BLOSSOM_PICTURES")
	if dir == "" {
		return
	}
	if err := WritePNG(filepath.Join(dir, name+".png"), d.Screenshot()); err != nil {
		d.t.Error(err)
	}
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
	e := png.Encoder{CompressionLevel: png.BestCompression}
	if err := e.Encode(f, img); err != nil {
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

// Differing counts the pixels in which two pictures differ; all there could be if they are of different sizes.
func Differing(a, b *image.RGBA) (n int) {
	if a.Bounds().Size() != b.Bounds().Size() {
		return math.MaxInt
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if a.RGBAAt(a.Rect.Min.X+x, a.Rect.Min.Y+y) != b.RGBAAt(b.Rect.Min.X+x, b.Rect.Min.Y+y) {
				n++
			}
		}
	}
	return n
}

// Apart counts the pixels of two pictures of which a channel differs by more than so many of 255.
func Apart(a, b *image.RGBA, by int) (n int) {
	if a.Bounds().Size() != b.Bounds().Size() {
		return math.MaxInt
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			p := a.Pix[a.PixOffset(a.Rect.Min.X+x, a.Rect.Min.Y+y):]
			q := b.Pix[b.PixOffset(b.Rect.Min.X+x, b.Rect.Min.Y+y):]
			for c := range 4 {
				if d := int(p[c]) - int(q[c]); d > by || d < -by {
					n++
					break
				}
			}
		}
	}
	return n
}
