package shape

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/problem"
)

// disc draws a disc on a ground.
func disc(w, h int, ink, ground color.Color) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, ground)
			if dx, dy := x-w/2, y-h/2; dx*dx+dy*dy < w*w/9 {
				img.Set(x, y, ink)
			}
		}
	}
	return img
}

func TestSilhouettes(t *testing.T) {
	for name, img := range map[string]image.Image{
		"dark on light": disc(300, 300, color.Black, color.White),
		"light on dark": disc(300, 300, color.White, color.Gray{40}),
		"transparent":   disc(300, 300, color.NRGBA{200, 200, 200, 255}, color.NRGBA{}),
	} {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		m, err := ReadImage(bytes.NewReader(b.Bytes()), "it.png")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		in := 0
		for _, on := range m.In {
			if on {
				in++
			}
		}
		if share := float64(in) / float64(len(m.In)); share < 0.75 || share > 0.82 || m.W < 160 || m.W > 180 {
			t.Errorf("%s: %d x %d pixels, %.2f within: a disc takes 0.79 of its box", name, m.W, m.H, share)
		}
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, disc(90, 90, color.Black, color.White), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadImage(bytes.NewReader(b.Bytes()), "it.jpg"); err != nil {
		t.Error(err)
	}
}

func TestBadImages(t *testing.T) {
	var whole, blank, huge bytes.Buffer
	for b, img := range map[*bytes.Buffer]image.Image{&whole: disc(60, 60, color.Black, color.White),
		&blank: disc(60, 60, color.White, color.White)} {
		if err := png.Encode(b, img); err != nil {
			t.Fatal(err)
		}
	}
	huge.Write(whole.Bytes()) // a head that says 60,000 x 60,000
	copy(huge.Bytes()[16:], []byte{0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60})
	dir := t.TempDir()
	for want, text := range map[string][]byte{
		"is empty": nil, "not a picture": []byte("hello"), "damaged": whole.Bytes()[:60], "stands out": blank.Bytes(),
	} {
		path := filepath.Join(dir, want+".png")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := OpenImage(path)
		if err == nil || !strings.Contains(err.Error(), want) || problem.As(err).File != path {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := ReadImage(bytes.NewReader(huge.Bytes()), "huge.png"); err == nil {
		t.Error("a huge picture was read")
	}
	if _, err := OpenImage(dir); err == nil {
		t.Error("a folder was read")
	}
	if _, err := OpenImage(filepath.Join(dir, "gone.png")); err == nil {
		t.Error("what is gone was read")
	}
}
