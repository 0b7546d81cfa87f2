package filmtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
)

// avi is an AVI that is being read.
type avi struct {
	Film
	main, stream, index, movi []byte
}

// AVI reads an AVI of motion JPEG, and checks that its lengths, counts and index agree.
func AVI(file []byte) (*Film, error) {
	if len(file) < 12 || string(file[:4]) != "RIFF" || word(file, 1) != len(file)-8 || string(file[8:12]) != "AVI " {
		return nil, fmt.Errorf("it does not begin as an AVI, or is not as long as it says")
	}
	a := &avi{Film: Film{Text: map[string]string{}}}
	if err := a.walk(file[12:]); err != nil {
		return nil, err
	}
	n := len(a.Frames)
	if a.main == nil || a.stream == nil || word(a.main, 4) != n || word(a.stream, 8) != n || len(a.index) != 16*n {
		return nil, fmt.Errorf("%d frames, and the headers or the index say another number", n)
	}
	for i := range a.Frames {
		at := word(a.index, 4*i+2)
		if at+8 > len(a.movi) || string(a.movi[at:at+4]) != "00dc" ||
			word(a.movi[at:], 1) != word(a.index, 4*i+3) {
			return nil, fmt.Errorf("frame %d is not where the index says", i+1)
		}
		if b := a.Frames[i].Rect; b.Dx() != word(a.main, 8) || b.Dy() != word(a.main, 9) {
			return nil, fmt.Errorf("frame %d is %v", i+1, b)
		}
	}
	a.Rate = float64(word(a.stream, 6)) / float64(word(a.stream, 5))
	return &a.Film, nil
}

// word is number i of 32 bits.
func word(b []byte, i int) int { return int(binary.LittleEndian.Uint32(b[4*i:])) }

// walk reads chunks, and those in lists.
func (a *avi) walk(b []byte) error {
	for len(b) >= 8 {
		kind, n := string(b[:4]), word(b, 1)
		if 8+n > len(b) {
			return fmt.Errorf("a chunk %s of %d bytes in %d", kind, n, len(b))
		}
		body := b[8 : 8+n]
		switch kind {
		case "LIST":
			if string(body[:4]) == "movi" {
				a.movi = body
			}
			if err := a.walk(body[4:]); err != nil {
				return err
			}
		case "avih":
			a.main = body
		case "strh":
			a.stream = body
		case "idx1":
			a.index = body
		case "00dc":
			img, err := jpeg.Decode(bytes.NewReader(body))
			if err != nil {
				return err
			}
			frame := image.NewRGBA(img.Bounds())
			draw.Draw(frame, frame.Rect, img, image.Point{}, draw.Src)
			a.Frames = append(a.Frames, frame)
		default:
			a.Text[kind] = string(bytes.TrimRight(body, "\x00"))
		}
		b = b[8+n+n%2:]
	}
	return nil
}
