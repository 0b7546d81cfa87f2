// Package hdf5 reads HDF5 files, as the HDF5 File Format Specification 3.0 describes them: groups, attributes and
// datasets of numbers and texts, in every layout that HDF5 1.0 to 1.14 write. It opens no other file: external links,
// external storage and virtual datasets are refused. What a file says of itself is held against its length and the
// memory that may be taken before anything is believed.
package hdf5

import (
	"fmt"
	"io"

	"blossom/model/base/problem"
)

// File is an HDF5 file. It has one user at a time; the blocks of a dataset are read on all cores.
type File struct {
	// Writing says that a program has the file open for writing, or ended before it had closed it.
	Writing bool

	r       io.ReaderAt
	size    int64 // bytes of the file
	memory  int64 // bytes that one dataset may become
	base    int64 // where addresses count from
	root    int64 // header of the root group
	address int   // bytes of an address
	length  int   // bytes of a length
	budget  int64 // bytes that may still be read of what describes the data
	objects map[int64]*Object
	heaps   map[int64]*collection
	heap    *collection // the one that was asked last, and its place
	heapAt  int64
	lax     bool // checksums are not looked at, for fuzzing
}

// Signature is what an HDF5 file begins with, at 0, or at 512, 1024 and so on behind what other programs keep there.
const Signature = "\x89HDF\r\n\x1a\n"

const (
	undefined = -1 // address of what is nowhere
	depthMost = 32 // levels of trees and types, links that lead to links
)

// Open reads the beginning of a file of so many bytes. No dataset will take more than memory. Errors are Problems
// without the name of the file.
func Open(r io.ReaderAt, size, memory int64) (*File, error) {
	f := &File{r: r, size: size, memory: memory, budget: 16*size + 16<<20, objects: map[int64]*Object{},
		heaps: map[int64]*collection{}}
	if err := f.superblock(); err != nil {
		return nil, err
	}
	return f, nil
}

// Root is the group that holds everything.
func (f *File) Root() (*Object, error) { return f.object(f.root) }

const copyAgain = "copy it again from where it came from"

// damaged is the Problem of a file that contradicts itself.
func damaged(what string, args ...any) error {
	return problem.New("", copyAgain, "is a damaged HDF5 file: %s", fmt.Sprintf(what, args...))
}

// unsupported is the Problem of a file that uses what is not read here.
func unsupported(remedy, what string, args ...any) error {
	return problem.New("", remedy, what, args...)
}

// bytes reads n bytes of what describes the data, at an address. All that is read so is bounded, so that structures
// which lie one over the other cost no more than the file is long.
func (f *File) bytes(at, n int64) ([]byte, error) {
	if n < 0 || n > f.size {
		return nil, damaged("something in it is longer than the file")
	}
	if f.budget -= n + 64; f.budget < 0 {
		return nil, damaged("it describes the same things over and over")
	}
	if n > f.memory {
		return nil, f.tooLarge(float64(n))
	}
	b := make([]byte, n)
	return b, f.fill(b, at)
}

// fill reads bytes at an address. Any goroutine may call it.
func (f *File) fill(b []byte, at int64) error {
	n := int64(len(b))
	if at < 0 || at > f.size-f.base || at+f.base > f.size-n {
		return damaged("something lies beyond its end")
	}
	if k, err := f.r.ReadAt(b, at+f.base); int64(k) < n {
		if err == nil || err == io.EOF {
			return damaged("it ends too early")
		}
		return err
	}
	return nil
}

func (f *File) tooLarge(bytes float64) error {
	return problem.New("", "use a machine with more memory, or write a part of it",
		"needs %.1f GiB of memory for one dataset, %.1f GiB are free", bytes/(1<<30), float64(f.memory)/(1<<30))
}

// at reads n bytes and gives a cursor over them.
func (f *File) at(at, n int64) (*cursor, error) {
	b, err := f.bytes(at, n)
	if err != nil {
		return nil, err
	}
	return f.over(b), nil
}

// over gives a cursor over bytes.
func (f *File) over(b []byte) *cursor { return &cursor{b: b, f: f} }

// signed reads n bytes that begin with a signature and end with a checksum, and gives what is between.
func (f *File) signed(at, n int64, signature string) (*cursor, error) {
	b, err := f.bytes(at, n)
	if err != nil {
		return nil, err
	}
	return f.verified(b, signature)
}

// verified checks the signature at the beginning and the checksum at the end.
func (f *File) verified(b []byte, signature string) (*cursor, error) {
	end := len(b) - 4
	if end < 4 || string(b[:4]) != signature {
		return nil, damaged("%s is not where it should be", signature)
	}
	if c := f.over(b[end:]); !f.lax && uint32(c.u(4)) != lookup3(b[:end]) {
		return nil, damaged("the checksum of %s does not fit", signature)
	}
	return f.over(b[4:end]), nil
}

// cursor takes numbers from bytes, little end first. Beyond their end it gives zeros, and err says so.
type cursor struct {
	b     []byte
	f     *File
	short bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.short, c.b = true, nil
		return nil
	}
	b := c.b[:n:n]
	c.b = c.b[n:]
	return b
}

func (c *cursor) skip(n int) { c.take(n) }

// u takes a number of n bytes, up to 8.
func (c *cursor) u(n int) (v uint64) {
	for i, x := range c.take(n) {
		if i < 8 {
			v |= uint64(x) << (8 * i)
		}
	}
	return v
}

func (c *cursor) int(n int) int { return int(c.u(n) & (1<<62 - 1)) }

// long takes a length: of one beyond what files have -1.
func (c *cursor) long() int64 {
	v := c.u(c.f.length)
	if v > 1<<62 {
		return -1
	}
	return int64(v)
}

// addr takes an address: undefined where all bits are set, or where no file can be that long.
func (c *cursor) addr() int64 {
	v := c.u(c.f.address)
	if v == 1<<(8*c.f.address)-1 || v > 1<<62 {
		return undefined
	}
	return int64(v)
}

// text takes what is before the next 0.
func (c *cursor) text() string {
	for i, x := range c.b {
		if x == 0 {
			s := string(c.b[:i])
			c.b = c.b[i+1:]
			return s
		}
	}
	c.short, c.b = true, nil
	return ""
}

func (c *cursor) err(what string) error {
	if c.short {
		return damaged("%s ends too early", what)
	}
	return nil
}

// product multiplies sizes; ok is false where one is negative or the result is beyond 2^62.
func product(sizes ...int64) (n int64, ok bool) {
	n, ok = 1, true
	for _, s := range sizes {
		switch {
		case s == 0:
			return 0, ok
		case s < 0 || n > (1<<62)/s:
			ok = false
		default:
			n *= s
		}
	}
	return n, ok
}
