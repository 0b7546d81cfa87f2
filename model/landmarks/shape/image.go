package shape

import (
	"image"
	_ "image/jpeg" // silhouettes are read from it
	_ "image/png"
	"io"

	"golang.org/x/image/draw"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
)

// Limits of pictures: how large one may be, how large the file, and what it is reduced to.
const (
	maxPixels = 100_000_000
	maxFile   = 256 << 20
	maskSide  = 256
)

const imageRemedy = "give a PNG or JPEG picture of something dark on light, or on transparent ground"

// Mask is the silhouette of a picture.
type Mask struct {
	W, H int
	In   []bool // row by row from the top
}

// At says whether a pixel is within.
func (m *Mask) At(x, y int) bool { return m.In[y*m.W+x] }

// OpenImage reads the silhouette of a PNG or JPEG file.
func OpenImage(path string) (*Mask, error) {
	f, err := plain.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil || !info.Mode().IsRegular():
		return nil, problem.New(path, imageRemedy, "not a regular file")
	case info.Size() == 0:
		return nil, problem.New(path, imageRemedy, "the file is empty")
	case info.Size() > maxFile:
		return nil, problem.New(path, "make it smaller", "the file has %d MB, more than a picture needs",
			info.Size()>>20)
	}
	return ReadImage(f, path)
}

// ReadImage reads the silhouette of a picture: what is opaque where some of it is transparent, else what stands out
// from its border (the two kinds of brightness told apart by Otsu's threshold). It is cut to what is within, and
// reduced to at most 256 pixels a side. The error is a Problem that names the file.
func ReadImage(r io.ReadSeeker, name string) (*Mask, error) {
	head, _, err := image.DecodeConfig(r)
	if err != nil {
		return nil, problem.Wrap(err, name, imageRemedy, "not a picture that this program reads")
	}
	if head.Width <= 0 || head.Height <= 0 {
		return nil, problem.New(name, imageRemedy, "the picture is empty")
	}
	if head.Width > maxPixels/head.Height {
		return nil, problem.New(name, "make it smaller", "a picture of %d x %d pixels is too large", head.Width,
			head.Height)
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, problem.Wrap(err, name, "check the disk and try again", "the picture cannot be read")
	}
	img, _, err := image.Decode(r)
	if err != nil {
		return nil, problem.Wrap(err, name, imageRemedy, "the picture is damaged or cut off")
	}
	return Silhouette(img, name)
}

// Silhouette is what ReadImage makes of a picture.
func Silhouette(img image.Image, name string) (*Mask, error) {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	if w == 0 || h == 0 {
		return nil, problem.New(name, imageRemedy, "the picture is empty")
	}
	if side := max(w, h); side > maskSide {
		w, h = max(1, w*maskSide/side), max(1, h*maskSide/side)
	}
	small := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(small, small.Bounds(), img, b, draw.Src, nil)
	m := &Mask{W: w, H: h, In: make([]bool, w*h)}
	opaque, light := make([]uint8, w*h), make([]uint8, w*h)
	clear := false
	for i := range opaque {
		p := small.Pix[4*i : 4*i+4]
		opaque[i] = p[3]
		light[i] = uint8((299*int(p[0]) + 587*int(p[1]) + 114*int(p[2])) / 1000)
		clear = clear || p[3] < 128
	}
	if clear {
		for i, a := range opaque {
			m.In[i] = a >= 128
		}
	} else {
		t := otsu(light)
		border := 0 // pixels of it that are light, less those that are dark
		for i, v := range light {
			m.In[i] = v <= t
			if x, y := i%w, i/w; x == 0 || y == 0 || x == w-1 || y == h-1 {
				if m.In[i] {
					border--
				} else {
					border++
				}
			}
		}
		if border < 0 { // light on dark
			for i := range m.In {
				m.In[i] = !m.In[i]
			}
		}
	}
	return m.cut(name)
}

// otsu is the brightness that parts the light from the dark: up to it, the variance between both is largest.
func otsu(light []uint8) uint8 {
	var count [256]float64
	sum := 0.0
	for _, v := range light {
		count[v]++
		sum += float64(v)
	}
	best, at := -1.0, uint8(0)
	n, below, total := 0.0, 0.0, float64(len(light))
	for v := range 255 {
		n += count[v]
		below += float64(v) * count[v]
		if n == 0 || n == total {
			continue
		}
		d := below/n - (sum-below)/(total-n)
		if between := n * (total - n) * d * d; between > best {
			best, at = between, uint8(v)
		}
	}
	return at
}

// cut leaves the empty sides out. A picture of one colour has no silhouette.
func (m *Mask) cut(name string) (*Mask, error) {
	x0, y0, x1, y1 := m.W, m.H, 0, 0
	n := 0
	for i, in := range m.In {
		if in {
			x, y := i%m.W, i/m.W
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x+1), max(y1, y+1)
			n++
		}
	}
	if n == 0 || n == len(m.In) && m.W*m.H > 1 {
		return nil, problem.New(name, imageRemedy, "the picture shows nothing that stands out from its ground")
	}
	out := &Mask{W: x1 - x0, H: y1 - y0}
	for y := y0; y < y1; y++ {
		out.In = append(out.In, m.In[y*m.W+x0:y*m.W+x1]...)
	}
	return out, nil
}
