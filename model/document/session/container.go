package session

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"strings"
)

// A container is a ZIP archive. Its entries stand in the order of their worth, each with its size and sum before it, so
// that of a file that was cut short all that comes before the cut can be read.

const (
	headName    = "session.json"
	historyName = "history.json"
	partFolder  = "parts/"
	arrayFolder = "arrays/"
	localHead   = "PK\x03\x04"
	// mostJSON and mostArray bound what is read of one entry, whatever it says of its size; mostJSON of all parts too.
	mostJSON  = 1 << 28
	mostArray = 1<<30 + 1<<10
	// mostPack bounds a file of arrays beside a session.
	mostPack = 16 << 30
	// mostFiles bounds the files that a session names: of data, and of arrays beside it.
	mostFiles = 10_000
	// mostBeside bounds all entries together that this program does not know, and carries along.
	mostBeside = 1 << 26
)

var (
	errMissing = errors.New("is missing")
	errSum     = errors.New("is damaged")
	errLarge   = errors.New("is too large")
)

// writer writes a container.
type writer struct {
	z   *zip.Writer
	err error
}

func newWriter(w io.Writer) *writer { return &writer{z: zip.NewWriter(w)} }

// add adds an entry, compressed if that is wanted and makes it smaller.
func (w *writer) add(name string, content []byte, compress bool) {
	if w.err != nil {
		return
	}
	h := &zip.FileHeader{Name: name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(content),
		UncompressedSize64: uint64(len(content)), CompressedSize64: uint64(len(content))}
	if compress {
		var b bytes.Buffer
		f, _ := flate.NewWriter(&b, flate.BestSpeed) // the level is one that there is
		_, _ = f.Write(content)                      // to memory: it does not fail
		_ = f.Close()
		if b.Len() < len(content) {
			h.Method, h.CompressedSize64, content = zip.Deflate, uint64(b.Len()), b.Bytes()
		}
	}
	w.raw(h, bytes.NewReader(content))
}

// raw adds an entry as it stands in a container.
func (w *writer) raw(h *zip.FileHeader, content io.Reader) {
	to, err := w.z.CreateRaw(h)
	if err == nil {
		_, err = io.Copy(to, content)
	}
	if w.err == nil {
		w.err = err
	}
}

func (w *writer) close() error {
	if w.err != nil {
		return w.err
	}
	return w.z.Close()
}

// container is one that is read.
type container struct {
	files map[string]*entry
	cut   bool // its end is missing
}

// entry is a file in a container. Its content starts at from.
type entry struct {
	at         io.ReaderAt
	from, size int64 // as it stands there
	method     uint16
	crc        uint32
	full       int64
}

// openContainer finds the entries of a container. The error is of what is none at all.
func openContainer(r io.ReaderAt, size int64) (*container, error) {
	c := &container{files: map[string]*entry{}}
	z, err := zip.NewReader(r, size)
	if err != nil {
		c.cut = true
		c.scan(r, size)
		if len(c.files) == 0 {
			return nil, err
		}
		return c, nil
	}
	for _, f := range z.File {
		from, err := f.DataOffset()
		if err != nil {
			continue // it is missing then
		}
		c.files[f.Name] = &entry{r, from, int64(min(f.CompressedSize64, math.MaxInt64)), f.Method, f.CRC32,
			int64(min(f.UncompressedSize64, math.MaxInt64))}
	}
	return c, nil
}

// scan finds entries by what stands before each of them.
func (c *container) scan(r io.ReaderAt, size int64) {
	for at := int64(0); ; {
		var head [30]byte
		if n, _ := r.ReadAt(head[:], at); n < len(head) || string(head[:4]) != localHead {
			return
		}
		u16 := func(i int) int64 { return int64(binary.LittleEndian.Uint16(head[i:])) }
		u32 := func(i int) int64 { return int64(binary.LittleEndian.Uint32(head[i:])) }
		name := make([]byte, u16(26))
		if n, _ := r.ReadAt(name, at+30); n < len(name) {
			return
		}
		e := &entry{r, at + 30 + u16(26) + u16(28), u32(18), uint16(u16(8)), uint32(u32(14)), u32(22)}
		if u16(6)&8 != 0 || e.from+e.size > size {
			return // its size is not known, or it is cut
		}
		c.files[string(name)] = e
		at = e.from + e.size
	}
}

// read returns the content of an entry.
func (c *container) read(name string, most int64) ([]byte, error) {
	e, ok := c.files[name]
	if !ok {
		return nil, errMissing
	}
	if e.full > most {
		return nil, errLarge
	}
	if e.method == zip.Store && e.size == e.full {
		if n, _ := e.at.ReadAt(make([]byte, 1), e.from+max(0, e.size-1)); n < 1 && e.size > 0 {
			return nil, errSum // it is not that long
		}
		b := make([]byte, e.full)
		if n, _ := e.at.ReadAt(b, e.from); int64(n) != e.full || crc32.ChecksumIEEE(b) != e.crc {
			return nil, errSum
		}
		return b, nil
	}
	if e.method != zip.Deflate {
		return nil, errSum
	}
	r := flate.NewReader(io.NewSectionReader(e.at, e.from, e.size))
	var b bytes.Buffer
	b.Grow(int(min(e.full, 8*min(e.size, mostArray)+64)) + bytes.MinRead)
	if n, err := io.Copy(&b, io.LimitReader(r, e.full+1)); err != nil || n != e.full ||
		crc32.ChecksumIEEE(b.Bytes()) != e.crc {
		return nil, errSum
	}
	return b.Bytes(), nil
}

// arrayFile is the name of the file of an array.
func arrayFile(name string) string { return arrayFolder + name + ".npy" }

// arrayOf is the name of the array of a file, or "".
func arrayOf(file string) string {
	name, inside := strings.CutPrefix(file, arrayFolder)
	name, array := strings.CutSuffix(name, ".npy")
	if !inside || !array {
		return ""
	}
	return name
}
