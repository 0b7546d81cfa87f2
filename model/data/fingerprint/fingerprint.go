// Package fingerprint knows a file again by its content: in a moment by its size and a sample of its blocks, and
// for certain by a hash of all of it. It knows no formats.
package fingerprint

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"

	"blossom/model/base/plain"
)

// The sample of a file: 64 KiB at each end and 64 blocks of 4 KiB evenly between them, 384 KiB in all. A file that is
// not larger is read as a whole.
const (
	endBytes   = 64 << 10
	blockBytes = 4 << 10
	blocks     = 64
)

// Print is what is known of the content of a file. The zero Print is of none: it is the same as any. Sampled or Whole
// may be missing, where others have said what the content is.
type Print struct {
	Size    int64     `json:"size"`
	Sampled string    `json:"sampled,omitempty"` // SHA-256 of the size and the sampled blocks, hexadecimal
	Whole   string    `json:"whole,omitempty"`   // SHA-256 of every byte, once somebody has read them
	Changed time.Time `json:"changed,omitzero"`  // when the file was last written, as of taking the print
}

// Zero says that nothing is known.
func (p Print) Zero() bool { return p.Sampled == "" && p.Whole == "" }

// Same says whether two prints can be of one content: as far as both know.
func (p Print) Same(q Print) bool {
	if p.Zero() || q.Zero() {
		return true
	}
	agree := func(a, b string) bool { return a == "" || b == "" || a == b }
	return p.Size == q.Size && agree(p.Sampled, q.Sampled) && agree(p.Whole, q.Whole)
}

// Of takes the print of a file without Whole, whatever its size in a moment. The print of a pipe, or another thing that
// is no plain file, is zero.
func Of(path string) (Print, error) {
	if plain.Check(path) != nil {
		return Print{}, nil // not even opened: that could wait for ever
	}
	f, err := os.Open(path)
	if err != nil {
		return Print{}, plain.Problem(err, path)
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil {
		var p Print
		if p, err = sample(f, info.Size()); err == nil {
			p.Changed = info.ModTime().UTC()
			return p, nil
		}
	}
	return Print{}, plain.Problem(err, path)
}

// sample takes the print of the size bytes of r.
func sample(r io.ReaderAt, size int64) (Print, error) {
	h := sha256.New()
	if err := binary.Write(h, binary.LittleEndian, size); err != nil {
		return Print{}, err
	}
	buf := make([]byte, endBytes)
	read := func(from, n int64) error {
		got, err := r.ReadAt(buf[:n], from)
		if errors.Is(err, io.EOF) { // it has become shorter meanwhile: then it is another file
			err = nil
		}
		h.Write(buf[:got])
		return err
	}
	add := func(from, n int64) error {
		for ; n > 0; from, n = from+endBytes, n-endBytes {
			if err := read(from, min(n, endBytes)); err != nil {
				return err
			}
		}
		return nil
	}
	if size <= 2*endBytes+blocks*blockBytes {
		if err := add(0, size); err != nil {
			return Print{}, err
		}
	} else {
		if err := add(0, endBytes); err != nil {
			return Print{}, err
		}
		between := size - 2*endBytes - blockBytes
		for i := range int64(blocks) {
			if err := add(endBytes+between/(blocks-1)*i, blockBytes); err != nil {
				return Print{}, err
			}
		}
		if err := add(size-endBytes, endBytes); err != nil {
			return Print{}, err
		}
	}
	return Print{Size: size, Sampled: hex.EncodeToString(h.Sum(nil))}, nil
}

// Whole takes the whole print of a file, reading all of it; report, which may be nil, is told of bytes. The error
// is a Problem, or ctx's.
func Whole(ctx context.Context, path string, report func(done, total int64)) (Print, error) {
	p, err := Of(path)
	if err != nil || p.Zero() {
		return p, err
	}
	f, err := os.Open(path)
	if err != nil {
		return Print{}, plain.Problem(err, path)
	}
	defer f.Close()
	h, buf := sha256.New(), make([]byte, 1<<20)
	for done := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return Print{}, err
		}
		n, err := f.Read(buf)
		h.Write(buf[:n])
		done += int64(n)
		if report != nil {
			report(done, p.Size)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return Print{}, plain.Problem(err, path)
		}
	}
	p.Whole = hex.EncodeToString(h.Sum(nil))
	return p, nil
}

// Now says what has become of a file since a print of it was taken, without reading it.
type Now int

const (
	There   Now = iota // as it was, as far as can be seen
	Gone               // there is no file
	Written            // it was written since, or has another size
)

// Look looks after the file at path.
func (p Print) Look(path string) Now {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Gone
	case err != nil || p.Zero():
		return There // nothing can be said
	case info.Size() != p.Size || !p.Changed.IsZero() && !info.ModTime().Equal(p.Changed):
		return Written
	}
	return There
}

// Set is the prints of files by their paths. It is never changed in place.
type Set map[string]Print

// With returns the set with another print.
func (s Set) With(path string, p Print) Set {
	out := make(Set, len(s)+1)
	for k, v := range s {
		out[k] = v
	}
	out[path] = p
	return out
}
