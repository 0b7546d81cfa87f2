// Package filmtest reads films back, for tests: by itself, not by what has written them.
package filmtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
)

const signature = "\x89PNG\r\n\x1a\n"

// Film is what was read.
type Film struct {
	Frames []*image.RGBA
	Rate   float64 // frames per second
	Loops  int     // 0: for ever
	Text   map[string]string
}

// pngChunk is a chunk of a PNG file.
func pngChunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	out = append(append(out, kind...), data...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// APNG reads an animated PNG: frames are composed as the specification says of frames that take the place of what was
// there.
func APNG(file []byte) (*Film, error) {
	if !bytes.HasPrefix(file, []byte(signature)) {
		return nil, fmt.Errorf("it does not begin as a PNG")
	}
	f := &Film{Text: map[string]string{}}
	var head, control, data []byte
	var canvas *image.RGBA
	said, sequence := -1, uint32(0)
	show := func() error {
		if control == nil {
			return nil
		}
		at := func(i int) int { return int(binary.BigEndian.Uint32(control[4*i:])) }
		size := append(bytes.Clone(control[4:12]), head[8:]...)
		one := bytes.Join([][]byte{[]byte(signature), pngChunk("IHDR", size), pngChunk("IDAT", data),
			pngChunk("IEND", nil)}, nil)
		img, err := png.Decode(bytes.NewReader(one))
		if err != nil {
			return err
		}
		if canvas == nil {
			canvas = image.NewRGBA(image.Rect(0, 0, int(binary.BigEndian.Uint32(head)),
				int(binary.BigEndian.Uint32(head[4:]))))
			if img.Bounds() != canvas.Rect {
				return fmt.Errorf("the first frame is %v of %v", img.Bounds(), canvas.Rect)
			}
		}
		place := img.Bounds().Add(image.Pt(at(3), at(4)))
		if !place.In(canvas.Rect) || control[24] != 0 || control[25] != 0 {
			return fmt.Errorf("a frame at %v of %v, disposed of and blended as %v", place, canvas.Rect, control[24:])
		}
		draw.Draw(canvas, place, img, image.Point{}, draw.Src)
		next := image.NewRGBA(canvas.Rect)
		copy(next.Pix, canvas.Pix)
		f.Frames = append(f.Frames, next)
		f.Rate = float64(binary.BigEndian.Uint16(control[22:])) / float64(binary.BigEndian.Uint16(control[20:]))
		return nil
	}
	for rest := file[len(signature):]; len(rest) > 0; {
		n := int(binary.BigEndian.Uint32(rest))
		kind, body := string(rest[4:8]), rest[8:8+n]
		if crc32.ChecksumIEEE(rest[4:8+n]) != binary.BigEndian.Uint32(rest[8+n:]) {
			return nil, fmt.Errorf("the sum of a chunk %s is wrong", kind)
		}
		if kind == "fcTL" || kind == "fdAT" {
			if binary.BigEndian.Uint32(body) != sequence {
				return nil, fmt.Errorf("chunk %d has number %d", sequence, binary.BigEndian.Uint32(body))
			}
			sequence++
		}
		switch kind {
		case "IHDR":
			head = body
		case "acTL":
			said, f.Loops = int(binary.BigEndian.Uint32(body)), int(binary.BigEndian.Uint32(body[4:]))
		case "tEXt":
			key, value, _ := bytes.Cut(body, []byte{0})
			f.Text[string(key)] = string(value)
		case "fcTL":
			if err := show(); err != nil {
				return nil, err
			}
			control, data = body, nil
		case "IDAT":
			data = append(data, body...)
		case "fdAT":
			data = append(data, body[4:]...)
		case "IEND":
			if err := show(); err != nil {
				return nil, err
			}
		}
		rest = rest[12+n:]
	}
	if said != len(f.Frames) {
		return nil, fmt.Errorf("it says %d frames, and has %d", said, len(f.Frames))
	}
	return f, nil
}

// AVI reads an AVI of motion JPEG, and checks that its lengths, counts and index agree.
func AVI(file []byte) (*Film, error) {
	f := &Film{Text: map[string]string{}}
	word := func(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }
	if len(file) < 12 || string(file[:4]) != "RIFF" || word(file, 1) != len(file)-8 || string(file[8:12]) != "AVI " {
		return nil, fmt.Errorf("it does not begin as an AVI, or is not as long as it says")
	}
	var main, stream, index []byte
	var movi []byte
	var walk func(b []byte) error
	walk = func(b []byte) error {
		for len(b) >= 8 {
			kind, n := string(b[:4]), word(b, 1)
			if 8+n > len(b) {
				return fmt.Errorf("a chunk %s of %d bytes in %d", kind, n, len(b))
			}
			body := b[8 : 8+n]
			switch kind {
			case "LIST":
				if string(body[:4]) == "movi" {
					movi = body
				}
				if err := walk(body[4:]); err != nil {
					return err
				}
			case "avih":
				main = body
			case "strh":
				stream = body
			case "idx1":
				index = body
			case "00dc":
				img, err := jpeg.Decode(bytes.NewReader(body))
				if err != nil {
					return err
				}
				frame := image.NewRGBA(img.Bounds())
				draw.Draw(frame, frame.Rect, img, image.Point{}, draw.Src)
				f.Frames = append(f.Frames, frame)
			default:
				f.Text[kind] = string(bytes.TrimRight(body, "\x00"))
			}
			b = b[8+n+n%2:]
		}
		return nil
	}
	if err := walk(file[12:]); err != nil {
		return nil, err
	}
	if main == nil || stream == nil || word(main, 4) != len(f.Frames) || word(stream, 8) != len(f.Frames) ||
		len(index) != 16*len(f.Frames) {
		return nil, fmt.Errorf("%d frames, and the headers or the index say another number", len(f.Frames))
	}
	for i := range f.Frames {
		at := word(index, 4*i+2)
		if at+8 > len(movi) || string(movi[at:at+4]) != "00dc" || word(movi[at:], 1) != word(index, 4*i+3) {
			return nil, fmt.Errorf("frame %d is not where the index says", i+1)
		}
		if b := f.Frames[i].Rect; b.Dx() != word(main, 8) || b.Dy() != word(main, 9) {
			return nil, fmt.Errorf("frame %d is %v", i+1, b)
		}
	}
	f.Rate = float64(word(stream, 6)) / float64(word(stream, 5))
	return f, nil
}
