package filmtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/draw"
	"image/png"
)

const signature = "\x89PNG\r\n\x1a\n"

// apng is an animated PNG that is being read.
type apng struct {
	Film
	head, control, data []byte
	canvas              *image.RGBA
	said                int    // frames
	sequence            uint32 // the next number
}

// APNG reads an animated PNG: frames are composed as the specification says of frames that take the place of what was
// there.
func APNG(file []byte) (*Film, error) {
	if !bytes.HasPrefix(file, []byte(signature)) {
		return nil, fmt.Errorf("it does not begin as a PNG")
	}
	a := &apng{Film: Film{Text: map[string]string{}}, said: -1}
	for rest := file[len(signature):]; len(rest) > 0; {
		n := int(binary.BigEndian.Uint32(rest))
		if crc32.ChecksumIEEE(rest[4:8+n]) != binary.BigEndian.Uint32(rest[8+n:]) {
			return nil, fmt.Errorf("the sum of a chunk %s is wrong", rest[4:8])
		}
		if err := a.chunk(string(rest[4:8]), rest[8:8+n]); err != nil {
			return nil, err
		}
		rest = rest[12+n:]
	}
	if a.said != len(a.Frames) {
		return nil, fmt.Errorf("it says %d frames, and has %d", a.said, len(a.Frames))
	}
	return &a.Film, nil
}

func (a *apng) chunk(kind string, body []byte) error {
	if kind == "fcTL" || kind == "fdAT" {
		if binary.BigEndian.Uint32(body) != a.sequence {
			return fmt.Errorf("chunk %d has number %d", a.sequence, binary.BigEndian.Uint32(body))
		}
		a.sequence++
	}
	switch kind {
	case "IHDR":
		a.head = body
	case "acTL":
		a.said, a.Loops = int(binary.BigEndian.Uint32(body)), int(binary.BigEndian.Uint32(body[4:]))
	case "tEXt":
		key, value, _ := bytes.Cut(body, []byte{0})
		a.Text[string(key)] = string(value)
	case "fcTL":
		if err := a.show(); err != nil {
			return err
		}
		a.control, a.data = body, nil
	case "IDAT":
		a.data = append(a.data, body...)
	case "fdAT":
		a.data = append(a.data, body[4:]...)
	case "IEND":
		return a.show()
	}
	return nil
}

// show adds the frame that has been read.
func (a *apng) show() error {
	if a.control == nil {
		return nil
	}
	at := func(i int) int { return int(binary.BigEndian.Uint32(a.control[4*i:])) }
	size := append(bytes.Clone(a.control[4:12]), a.head[8:]...)
	img, err := png.Decode(bytes.NewReader(bytes.Join([][]byte{[]byte(signature), pngChunk("IHDR", size),
		pngChunk("IDAT", a.data), pngChunk("IEND", nil)}, nil)))
	if err != nil {
		return err
	}
	if a.canvas == nil {
		a.canvas = image.NewRGBA(image.Rect(0, 0, int(binary.BigEndian.Uint32(a.head)),
			int(binary.BigEndian.Uint32(a.head[4:]))))
		if img.Bounds() != a.canvas.Rect {
			return fmt.Errorf("the first frame is %v of %v", img.Bounds(), a.canvas.Rect)
		}
	}
	place := img.Bounds().Add(image.Pt(at(3), at(4)))
	if !place.In(a.canvas.Rect) || a.control[24] != 0 || a.control[25] != 0 {
		return fmt.Errorf("a frame at %v of %v, disposed of and blended as %v", place, a.canvas.Rect, a.control[24:])
	}
	draw.Draw(a.canvas, place, img, image.Point{}, draw.Src)
	next := image.NewRGBA(a.canvas.Rect)
	copy(next.Pix, a.canvas.Pix)
	a.Frames = append(a.Frames, next)
	a.Rate = float64(binary.BigEndian.Uint16(a.control[22:])) / float64(binary.BigEndian.Uint16(a.control[20:]))
	return nil
}

// pngChunk is a chunk of a PNG file.
func pngChunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}
