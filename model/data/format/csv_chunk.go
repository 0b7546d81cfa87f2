package format

import (
	"bytes"
	"io"
)

const (
	chunkSize = 1 << 20
	// maxRecord is how long one record may be; a quote that is never closed swallows the rest of the file.
	maxRecord = 64 << 20
)

// chunk is a piece of a text table that holds whole records.
type chunk struct {
	seq    int
	data   []byte
	line   int // number of its first line, from 1
	ends   int // how many ends of line it has
	quotes bool
}

// chunker cuts a text table into chunks. The same table always gives the same chunks.
type chunker struct {
	r    io.Reader
	d    *dialect
	in   *input
	rest []byte // the beginning of a record whose end has not been read
	line int
	seq  int
	eof  bool
}

// newChunker starts after the header.
func newChunker(r io.Reader, d *dialect, in *input) (*chunker, error) {
	if _, err := io.CopyN(io.Discard, r, d.start); err != nil && err != io.EOF {
		return nil, err
	}
	return &chunker{r: r, d: d, in: in, line: d.line}, nil
}

// next returns the next chunk, using buf if it has room; io.EOF after the last.
func (c *chunker) next(buf []byte) (chunk, error) {
	if want := max(int(min(chunkSize, 4*c.in.size+512)), len(c.rest)); cap(buf) < want { // small for a small file
		buf = make([]byte, want)
	}
	buf = buf[:cap(buf)]
	n := copy(buf, c.rest)
	c.rest = c.rest[:0]
	end, quotes := 0, false
	for !c.eof {
		if n == len(buf) {
			if n >= maxRecord {
				return chunk{}, c.in.problem("check the quotes there: perhaps one is never closed",
					"line %d is longer than %s", c.line, size(maxRecord))
			}
			buf = append(buf, make([]byte, len(buf))...)
		}
		for n < len(buf) && !c.eof {
			k, err := c.r.Read(buf[n:])
			n += k
			if err == io.EOF {
				c.eof = true
			} else if err != nil {
				return chunk{}, err
			}
		}
		quotes = quotes || bytes.IndexByte(buf[:n], '"') >= 0
		if end = c.lastEnd(buf[:n], end, quotes); end > 0 {
			break
		}
	}
	if c.eof {
		if end < n && quotes {
			if at, open := c.openQuote(buf[:n], end); open {
				return chunk{}, c.in.problem("close it, or remove it where it is not meant as one",
					"a quote is opened on line %d and never closed", c.line+bytes.Count(buf[:at], []byte{c.d.eol}))
			}
		}
		end = n
	}
	if end == 0 {
		return chunk{}, io.EOF
	}
	c.rest = append(c.rest, buf[end:n]...)
	out := chunk{seq: c.seq, data: buf[:end], line: c.line, quotes: quotes}
	out.ends = bytes.Count(out.data, []byte{c.d.eol})
	c.seq++
	c.line += out.ends
	return out, nil
}

// lastEnd returns the end of the last whole record in b; records up to from are known to be whole.
func (c *chunker) lastEnd(b []byte, from int, quotes bool) int {
	if !quotes {
		return bytes.LastIndexByte(b, c.d.eol) + 1
	}
	for {
		end, complete := recordEnd(b, from, c.d.sep, c.d.eol, true)
		if !complete {
			return from
		}
		from = end
	}
}

// openQuote says whether the last record, which starts at from, has a quote that is not closed.
func (c *chunker) openQuote(b []byte, from int) (at int, open bool) {
	for i := from; i < len(b); {
		end, _, open := cellEnd(b, i, c.d.sep, c.d.eol)
		if open {
			return i, true
		}
		i = end + 1
	}
	return 0, false
}
