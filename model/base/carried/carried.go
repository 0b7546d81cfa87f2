// Package carried puts a message into a file of another kind as one line of plain letters: in the text of a picture, in
// the metadata of a drawing. Programs that keep such texts keep it whatever it says, and it is found again by its
// beginning, in a file of any kind.
package carried

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// beginning is what a message is found by; end ends it. Between them are letters of base64 for URLs, which no format of
// text has to escape.
const (
	beginning = "blossom-carries-1:"
	end       = ":so-far"
)

// Key is what a text that carries a job is called, where a format has keys for texts.
const Key = "Recipe"

// Most is how many bytes a message may have.
const Most = 16 << 20

// ErrNone says that a file carries no message, ErrDamaged that it is not as it was written, ErrLarge that it is larger
// than Most.
var (
	ErrNone    = errors.New("no message")
	ErrDamaged = errors.New("a damaged message")
	ErrLarge   = errors.New("a message that is too large")
)

// Text is a message as a line of text. Equal messages give equal texts. The error is ErrLarge: In would not read it.
func Text(message []byte) (string, error) {
	if len(message) > Most {
		return "", ErrLarge
	}
	var b bytes.Buffer
	b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(message)))
	z, _ := zlib.NewWriterLevel(&b, zlib.BestCompression) // the level is one of its own
	_, _ = z.Write(message)                               // a buffer takes all
	_ = z.Close()
	return beginning + base64.RawURLEncoding.EncodeToString(b.Bytes()) + end, nil
}

// In is the first message in a file. The error is one of those above, of r, or ctx's.
func In(ctx context.Context, r io.Reader) ([]byte, error) {
	text, err := cut(ctx, r)
	if err != nil {
		return nil, err
	}
	packed := make([]byte, base64.RawURLEncoding.DecodedLen(len(text)))
	if _, err := base64.RawURLEncoding.Decode(packed, text); err != nil || len(packed) < 4 {
		return nil, ErrDamaged
	}
	z, err := zlib.NewReader(bytes.NewReader(packed[4:]))
	if err != nil {
		return nil, ErrDamaged
	}
	message, err := io.ReadAll(io.LimitReader(z, Most+1))
	switch {
	case len(message) > Most:
		return nil, ErrLarge
	case err != nil || crc32.ChecksumIEEE(message) != binary.BigEndian.Uint32(packed):
		return nil, ErrDamaged
	}
	return message, nil
}

// cut is what stands between the beginning and the end in a file of any size.
func cut(ctx context.Context, r io.Reader) ([]byte, error) {
	var kept []byte // the last bytes, in which a beginning may have begun, or all from a beginning on
	found, block := false, make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := r.Read(block)
		looked := max(0, len(kept)-len(end)) // an end may have begun before
		kept = append(kept, block[:n]...)
		if !found {
			if at := bytes.Index(kept, []byte(beginning)); at >= 0 {
				found, kept, looked = true, kept[at+len(beginning):], 0
			} else {
				kept = kept[max(0, len(kept)-len(beginning)+1):]
			}
		}
		if found {
			if at := bytes.Index(kept[looked:], []byte(end)); at >= 0 {
				return kept[:looked+at], nil
			}
			if len(kept) > 2*Most {
				return nil, ErrLarge
			}
		}
		switch {
		case err == io.EOF && found:
			return nil, ErrDamaged
		case err == io.EOF:
			return nil, ErrNone
		case err != nil:
			return nil, err
		}
	}
}
