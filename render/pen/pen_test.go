package pen

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"

	"blossom/render/text"
)

var ink = color.NRGBA{200, 0, 0, 255}

func canvas(scale float64, origin image.Point) (*Image, func(r image.Rectangle) int) {
	p := &Image{Dst: image.NewRGBA(image.Rect(0, 0, 200, 80)), Fonts: text.Builtin(), Points: scale, Origin: origin}
	return p, func(r image.Rectangle) (n int) {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				if p.Dst.RGBAAt(x, y).A > 0 {
					n++
				}
			}
		}
		return n
	}
}

// A mark is where it was asked for, from the origin; a line without width is a point wide, on whole pixels.
func TestImage(t *testing.T) {
	for _, scale := range []float64{1, 2} {
		p, inked := canvas(scale, image.Pt(20, 10))
		p.Fill(Box(10, 5, 10, 35), 0, ink)
		hair := int(scale)
		if all, line := inked(p.Dst.Rect), inked(image.Rect(30, 15, 30+hair, 45)); line != 30*hair || all != line {
			t.Errorf("at %g a line takes %d pixels, %d of them where it is", scale, all, line)
		}
		p, inked = canvas(scale, image.Pt(20, 10))
		p.Text(Strong, 30, 30, ink, "Hx")
		w := int(p.Width(Strong, "Hx")) + 2
		half := int(8 * scale)
		all, box := inked(p.Dst.Rect), inked(image.Rect(49, 40-half, 50+w, 40+half))
		if all < 20 || all != box {
			t.Errorf("at %g text takes %d pixels, %d of them around its place", scale, all, box)
		}
	}
}

// full is a disk without room.
type full struct{}

var errFull = errors.New("the disk is full")

func (full) Write([]byte) (int, error) { return 0, errFull }

// A file that cannot be written says why, as it is: that is no fault of what is painted.
func TestAFileThatCannotBeWrittenSaysWhy(t *testing.T) {
	paper := Paper{Width: 40, Height: 30}
	if err := NewPDF(paper).Encode(full{}, paper); err != errFull {
		t.Errorf("PDF: %v", err)
	}
}

// A text that is too wide ends in an ellipsis and fits; where nothing fits there is none.
func TestShorten(t *testing.T) {
	p, _ := canvas(1, image.Point{})
	const s = "CD4 effector memory – größer"
	full := p.Width(Body, s)
	for w := 0.0; w < full+5; w += 3 {
		got := Shorten(p, Body, s, w)
		if p.Width(Body, got) > w+0.5 || w >= full && got != s || w > 20 && got == "" {
			t.Errorf("in %g of %g: %q, %g wide", w, full, got, p.Width(Body, got))
		}
	}
}

// A file of text that its readers put into the order of its scripts has it as it is read, and its left end where it is
// put: a line that is read from the right ends there.
func TestTextFromTheRightIsKeptAsItIsReadInSVG(t *testing.T) {
	for line, from := range map[string]string{"CD4": "", "\u05d0\u05d1 12": ` direction="rtl" text-anchor="end"`} {
		paper := Paper{Width: 40, Height: 30, Pixels: [2]int{400, 300}, Points: 1, Fonts: text.Builtin()}
		s := NewSVG(paper)
		s.Text(Body, 30, 30, ink, line)
		var b strings.Builder
		if err := s.Encode(&b, paper); err != nil {
			t.Fatal(err)
		}
		_, words, _ := strings.Cut(b.String(), "<text ")
		read := ""
		for _, r := range s.fonts.Read(text.Line{Size: 13}, line) {
			read += r.Text
		}
		if !strings.Contains(words, read+"</text>") || from != "" && !strings.Contains(words, from) ||
			from == "" && strings.Contains(words, "rtl") {
			t.Errorf("%+q is %s", line, words)
		}
	}
}
