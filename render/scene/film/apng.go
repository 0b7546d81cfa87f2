package film

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"io"

	"blossom/model/base/problem"
)

// The format is that of the third edition of the PNG specification (W3C, 2025), chapter "APNG": acTL before the first
// IDAT, and a fcTL before the data of each frame, which are IDAT of the first and fdAT of the others.
func init() {
	register(Format{Extension: ".png", Title: "animated PNG", Alpha: true, New: newAPNG})
}

// apng writes animated PNG. Of each frame but the first only the rectangle is written in which it differs from the one
// before.
type apng struct {
	ctx      context.Context
	w        io.Writer
	o        Options
	before   *image.RGBA // the last frame; nil: there was none
	sequence uint32
	frames   int
}

func newAPNG(ctx context.Context, w io.Writer, o Options) (Writer, error) {
	return &apng{ctx: ctx, w: w, o: o}, nil
}

// Frame adds a frame.
func (a *apng) Frame(img *image.RGBA) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	at := img.Rect
	if a.before != nil {
		at = differs(a.before, img)
	}
	var file bytes.Buffer
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := e.Encode(&file, a.typed(img.SubImage(at).(*image.RGBA))); err != nil {
		return err
	}
	var out bytes.Buffer
	err := eachChunk(file.Bytes(), func(kind string, data []byte) error {
		switch {
		case kind == "IHDR" && a.frames == 0:
			out.WriteString(signature)
			chunk(&out, kind, data)
			a.head(&out)
			a.control(&out, at)
		case kind == "IHDR":
			a.control(&out, at)
		case kind == "IDAT" && a.frames == 0:
			chunk(&out, kind, data)
		case kind == "IDAT":
			chunk(&out, "fdAT", append(a.next(), data...))
		case kind != "IEND":
			return problem.New(a.o.Path, "report it", "a frame has a chunk %s, which has no place in a film", kind)
		}
		return nil
	})
	if err != nil {
		return err
	}
	a.frames++
	a.keep(img)
	_, err = a.w.Write(out.Bytes())
	return err
}

// head writes what stands before the first frame.
func (a *apng) head(out *bytes.Buffer) {
	chunk(out, "acTL", binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(a.o.Frames)), 0))
	for _, t := range a.o.Text {
		if plain, ok := latin1(t[1]); ok {
			chunk(out, "tEXt", append(append([]byte(t[0]), 0), plain...))
			continue
		}
		chunk(out, "iTXt", append(append([]byte(t[0]), 0, 0, 0, 0, 0), t[1]...))
	}
}

// control writes where the next frame lies, and how long it is seen.
func (a *apng) control(out *bytes.Buffer, at image.Rectangle) {
	b := a.next()
	for _, x := range []int{at.Dx(), at.Dy(), at.Min.X, at.Min.Y} {
		b = binary.BigEndian.AppendUint32(b, uint32(x))
	}
	b = binary.BigEndian.AppendUint16(b, 1)
	b = binary.BigEndian.AppendUint16(b, uint16(a.o.Rate))
	chunk(out, "fcTL", append(b, 0, 0)) // it stays, and takes the place of what was there
}

func (a *apng) next() []byte {
	b := binary.BigEndian.AppendUint32(nil, a.sequence)
	a.sequence++
	return b
}

// keep remembers a frame, to compare the next one with it.
func (a *apng) keep(img *image.RGBA) {
	if a.before == nil {
		a.before = image.NewRGBA(img.Rect)
	}
	copy(a.before.Pix, img.Pix)
}

// End writes the end of the file.
func (a *apng) End() error {
	if a.frames != a.o.Frames {
		return problem.New(a.o.Path, "report it", "%d frames came in the place of %d", a.frames, a.o.Frames)
	}
	var out bytes.Buffer
	chunk(&out, "IEND", nil)
	_, err := a.w.Write(out.Bytes())
	return err
}

// Close lets go of the last frame.
func (a *apng) Close() { a.before = nil }

// typed has all frames of a film encoded with the same type of colour, which is in the header of the file: png looks at
// each whether it is opaque.
func (a *apng) typed(img *image.RGBA) image.Image {
	if img.Opaque() == !a.o.Transparent {
		return img
	}
	return typed{img, !a.o.Transparent}
}

type typed struct {
	*image.RGBA
	opaque bool
}

func (t typed) Opaque() bool { return t.opaque }

func (t typed) At(x, y int) color.Color { return t.RGBA.RGBAAt(x, y) }

// differs is the smallest rectangle in which two pictures differ; of equal ones a single pixel, as a frame must have
// one.
func differs(a, b *image.RGBA) image.Rectangle {
	out := image.Rectangle{}
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		p := a.Pix[a.PixOffset(b.Rect.Min.X, y):][:4*b.Rect.Dx()]
		q := b.Pix[b.PixOffset(b.Rect.Min.X, y):][:4*b.Rect.Dx()]
		if bytes.Equal(p, q) {
			continue
		}
		from, to := 0, len(p)
		for p[from] == q[from] {
			from++
		}
		for p[to-1] == q[to-1] {
			to--
		}
		out = out.Union(image.Rect(b.Rect.Min.X+from/4, y, b.Rect.Min.X+(to+3)/4, y+1))
	}
	if out.Empty() {
		return image.Rectangle{b.Rect.Min, b.Rect.Min.Add(image.Pt(1, 1))}
	}
	return out
}

const signature = "\x89PNG\r\n\x1a\n"

// eachChunk goes through the chunks of a PNG file in memory.
func eachChunk(file []byte, do func(kind string, data []byte) error) error {
	for file = file[len(signature):]; len(file) >= 12; {
		n := int(binary.BigEndian.Uint32(file))
		if err := do(string(file[4:8]), file[8:8+n]); err != nil {
			return err
		}
		file = file[12+n:]
	}
	return nil
}

func chunk(b *bytes.Buffer, kind string, data []byte) {
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	start := b.Len()
	b.WriteString(kind)
	b.Write(data)
	b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(b.Bytes()[start:])))
}

// latin1 is a text in the letters that tEXt has, if it has no others.
func latin1(s string) ([]byte, bool) {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 255 || r == 0 {
			return nil, false
		}
		out = append(out, byte(r))
	}
	return out, true
}
