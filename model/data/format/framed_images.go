package format

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// imageHeads are what files of images begin with; "????" stands for any four bytes.
var imageHeads = []string{"\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "GIF87a", "GIF89a", "BM", "II*\x00", "MM\x00*",
	"RIFF????WEBP"}

// isImage says whether bytes begin as an image does.
func isImage(b []byte) bool {
	return slices.ContainsFunc(imageHeads, func(head string) bool {
		if len(b) < len(head) {
			return false
		}
		for i := range head {
			if head[i] != '?' && b[i] != head[i] {
				return false
			}
		}
		return true
	})
}

// errEnough ends the reading of a column when what is sought has been found.
var errEnough = errors.New("enough")

// mostImage is how many bytes an image in a table may have.
const mostImage = 64 << 20

// bytesOf reads the bytes of the first row of a piece from a given one, or of that one alone, that has some.
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
				if b := textOfRun(r, int(i)); len(b) > 0 {
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
		if b, err := bytesOf(ctx, f.table, 0, i, 0, false); err == nil && isImage(b) {
			return i
		}
	}
	return -1
}

// frameImages reads the bytes of images of a column of a file, which is opened anew for each.
func (in *input) frameImages(images *dataset.Images, open func(context.Context, *input) (frame.Table, error)) {
	path, size, name := in.path, in.size, images.Name
	images.Read = func(ctx context.Context, row int64) ([]byte, error) {
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
			if err == nil && len(b) > mostImage {
				return nil, again.problem("write smaller images", "has an image of %d MiB", len(b)>>20)
			}
			if err != nil {
				return nil, again.named(err)
			}
			return b, nil
		}
		return nil, again.problem("open it again", "has no such row of %s", name)
	}
}
