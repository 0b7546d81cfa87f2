package format

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"slices"

	"blossom/model/data/dataset"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// Text tables: cells separated by comma, semicolon, tab, bar or spaces (found out from the content),
// quoted as RFC 4180 says, plain or compressed with gzip, in UTF-8, UTF-16 with a mark, or Latin-1.
func init() {
	read := reading(func(ctx context.Context, in *input) (*dataset.Dataset, error) {
		return readText(ctx, in, extension(in.path))
	})
	Register(Format{
		Name: "csv", Title: "Comma-separated values (CSV)", Extensions: []string{".csv", ".txt", ".dat", ".asc"},
		Sniff: func(head []byte, ext string) int { return sniffText(head, ext, false) },
		Read:  read, Write: writeCSV, Index: MayIndex,
	})
	Register(Format{
		Name: "tsv", Title: "Tab-separated values (TSV)", Extensions: []string{".tsv", ".tab"},
		Sniff: func(head []byte, ext string) int { return sniffText(head, ext, true) },
		Read:  read, Write: writeTSV, Index: MayIndex,
	})
}

var textExtensions = []string{".csv", ".txt", ".dat", ".asc", ".tsv", ".tab"}

// sniffText scores the head of a file as a text table, separated by tabs or by something else.
func sniffText(head []byte, ext string, tabs bool) int {
	whole := len(head) < headSize
	r, err := textReader(bytes.NewReader(head))
	if err != nil {
		return 0
	}
	text, _ := io.ReadAll(io.LimitReader(r, 4*headSize)) // a head that was cut ends in an error
	if !isText(text) || foreignText(text) != "" && !slices.Contains(textExtensions, ext) {
		return 0
	}
	d, quality, _ := sniffDialect(text, whole, ext, Reading{})
	score := 0
	switch {
	case slices.Contains(textExtensions, ext):
		score = 60
	case quality.columns > 1 && quality.rows > 1 && quality.consistent > 0.9:
		score = 50
	case quality.numeric > 0.5 && ext != ".fcs" && ext != ".lmd":
		score = 10
	}
	if score > 0 && (d.sep == '\t') == tabs {
		score++
	}
	return score
}

// isText says whether bytes are text: hardly any control characters, and no zero.
func isText(b []byte) bool {
	odd := 0
	for _, c := range b {
		if c == 0 {
			return false
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f {
			odd++
		}
	}
	return odd*100 <= len(b)
}

// textStream is what a file holds, without compression and byte order marks, in UTF-8.
type textStream struct {
	io.Reader
	packed bool
	below  *bufio.Reader // bytes of the file
}

// ahead is how many bytes have been read from the file and not yet unpacked.
func (t *textStream) ahead() int64 { return int64(t.below.Buffered()) }

// textReader takes off compression and byte order marks, and turns UTF-16 into UTF-8.
func textReader(r io.Reader) (*textStream, error) {
	b := bufio.NewReaderSize(r, 32<<10) // large reads go past it
	t := &textStream{Reader: b, below: b}
	if m, _ := b.Peek(2); string(m) == "\x1f\x8b" {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		b = bufio.NewReaderSize(z, 32<<10)
		t.Reader, t.packed = b, true
	}
	m, _ := b.Peek(3)
	switch {
	case string(m) == "\xef\xbb\xbf":
		_, err := b.Discard(3)
		return t, err
	case len(m) >= 2 && (string(m[:2]) == "\xff\xfe" || string(m[:2]) == "\xfe\xff"):
		t.Reader = transform.NewReader(b, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
	}
	return t, nil
}

// countedReader reads the file from its start and tells how far it is.
type countedReader struct {
	r    io.ReaderAt
	pos  int64
	size int64
	m    *meter
	ctx  context.Context
}

func (c *countedReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	if c.pos >= c.size {
		return 0, io.EOF
	}
	n, err := c.r.ReadAt(p[:min(int64(len(p)), c.size-c.pos)], c.pos)
	c.pos += int64(n)
	if c.m != nil {
		c.m.add(int64(n))
	}
	if err == io.EOF && n > 0 {
		err = nil
	}
	return n, err
}
