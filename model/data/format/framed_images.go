package format

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// imageHeads are what files of images begin with, where "????" stands for any four bytes, and how many bytes the
// smallest has: the headers that its format asks for.
var imageHeads = []struct {
	head  string
	least int
}{
	{"\x89PNG\r\n\x1a\n", 57}, {"\xff\xd8\xff", 100}, {"GIF87a", 14}, {"GIF89a", 14}, {"BM", 26}, {"II*\x00", 14},
	{"MM\x00*", 14}, {"RIFF????WEBP", 26},
}

// isImage says whether n bytes that begin with b begin as an image does, and are as many as one has. A label may begin
// as one.
func isImage(b []byte, n int) bool {
	for _, x := range imageHeads {
		if n < x.least || len(b) < x.least {
			continue
		}
		begins := true
		for i := range x.head {
			begins = begins && (x.head[i] == '?' || b[i] == x.head[i])
		}
		if begins {
			return x.head != "BM" || isBMP(b, n)
		}
	}
	return false
}

// isBMP says whether a file that begins as a bitmap has its own length in its header, or 0, which programs write, too.
func isBMP(b []byte, n int) bool {
	said := binary.LittleEndian.Uint32(b[2:])
	return said == 0 || uint64(said) == uint64(n)
}

// errEnough ends the reading of a column when what is sought has been found.
var errEnough = errors.New("enough")

// mostImage is how many bytes an image in a table may have.
const mostImage = 64 << 20

// largeError is about an image of more bytes than mostImage.
type largeError int

func (e largeError) Error() string { return fmt.Sprintf("has an image of %d MiB", int(e)>>20) }

// bytesOf reads the bytes of the first row of a piece from a given one, or of that one alone, that has some. Of more
// than an image may have it returns the beginning, and a largeError.
func bytesOf(ctx context.Context, t frame.Table, piece, column int, from int64, alone bool) (out []byte, err error) {
	last := from
	if !alone {
		last = t.Pieces()[piece] - 1
	}
	err = t.Read(ctx, piece, column, func(row int64, rows int) bool { return row <= last && from < row+int64(rows) },
		func(r *frame.Run) error {
			for i := max(0, from-r.Row); i < int64(r.Rows); i++ {
				if r.Row+i > last {
					return errEnough
				}
				switch b := textOfRun(r, int(i)); {
				case len(b) > mostImage: // only its beginning is copied
					out = bytes.Clone(b[:512])
					return largeError(len(b))
				case len(b) > 0:
					out = bytes.Clone(b)
					return errEnough
				}
			}
			return nil
		})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return out, err
}

// textOfRun is a text of a run; none where it is missing.
func textOfRun(r *frame.Run, i int) []byte {
	switch {
	case r.Missing != nil && r.Missing[i]:
	case r.Names != nil && i < len(r.Codes) && int(r.Codes[i]) < len(r.Names.Texts):
		return r.Names.Texts[r.Codes[i]]
	case i < len(r.Texts):
		return r.Texts[i]
	}
	return nil
}

// images takes the first column of bytes that are those of images, as its first value shows, out of those that become
// labels: their bytes stay in the file. Others are as they were.
func (f *framed) images(ctx context.Context) (column int) {
	if f.in.file == nil || len(f.pieces) == 0 {
		return -1
	}
	for i := range f.of {
		if c := &f.of[i]; c.Kind != frame.Text || !c.Bytes || c.Width > 0 {
			continue
		}
		b, err := bytesOf(ctx, f.table, 0, i, 0, false)
		n, large := len(b), largeError(0)
		if errors.As(err, &large) { // an image too, which is refused when it is asked for
			n, err = int(large), nil
		}
		if err == nil && isImage(b, n) {
			return i
		}
	}
	return -1
}

// frameImages reads the bytes of images of a column of a file, which is opened anew for each.
func (in *input) frameImages(images *dataset.Images, open func(context.Context, *input) (frame.Table, error)) {
	path, size, name, begin := in.path, in.size, images.Name, in.o.From
	images.Read = func(ctx context.Context, row int64) ([]byte, error) {
		row += begin
		again, err := openInput(path, Options{})
		if err != nil {
			return nil, err
		}
		defer again.close()
		if again.size != size {
			return nil, again.problem("open it again", "is another file now")
		}
		t, err := open(ctx, again)
		if err != nil {
			return nil, again.named(err)
		}
		column := slices.IndexFunc(t.Columns(), func(c frame.Column) bool { return c.Name == name })
		for piece, rows := range t.Pieces() {
			if column < 0 {
				break
			}
			if row >= rows {
				row -= rows
				continue
			}
			b, err := bytesOf(ctx, t, piece, column, row, true)
			if large := largeError(0); errors.As(err, &large) {
				return nil, again.problem("write smaller images", "%v", large)
			}
			if err != nil {
				return nil, again.named(err)
			}
			return b, nil
		}
		return nil, again.problem("open it again", "has no such row of %s", name)
	}
}
