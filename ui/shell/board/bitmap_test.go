package board

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"testing"

	"golang.org/x/image/bmp"
)

// Another library reads the pixels of a bitmap with the head of a file before it.
func TestABitmapHasThePixels(t *testing.T) {
	img := image.NewNRGBA(image.Rect(5, 7, 8, 9))
	for i := range img.Pix {
		img.Pix[i] = byte(37 * i)
	}
	b := bitmap(img)
	head := append([]byte("BM"), make([]byte, 12)...)
	binary.LittleEndian.PutUint32(head[2:], uint32(14+len(b)))
	binary.LittleEndian.PutUint32(head[10:], 14+124)
	got, err := bmp.Decode(bytes.NewReader(append(head, b...)))
	if err != nil {
		t.Fatal(err)
	}
	for y := range 2 {
		for x := range 3 {
			want := img.NRGBAAt(5+x, 7+y)
			if c := color.NRGBAModel.Convert(got.At(x, y)).(color.NRGBA); c != want {
				t.Errorf("%d, %d is %v, not %v", x, y, c, want)
			}
		}
	}
}
