package format

import (
	"bufio"
	"context"
	"io"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

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
		decoder := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder()
		t.Reader = transform.NewReader(&pairs{of: b}, decoder)
	}
	return t, nil
}

// withinText is text in UTF-8 that begins within a file.
func withinText(r io.Reader) *textStream {
	b := bufio.NewReaderSize(r, 32<<10)
	return &textStream{Reader: b, below: b}
}

// pairs reads a text in UTF-16, whose bytes come in pairs: one that ends within a pair is cut.
type pairs struct {
	of  io.Reader
	odd bool
}

func (p *pairs) Read(b []byte) (int, error) {
	n, err := p.of.Read(b)
	p.odd = p.odd != (n%2 == 1)
	if err == io.EOF && p.odd {
		err = io.ErrUnexpectedEOF
	}
	return n, err
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
