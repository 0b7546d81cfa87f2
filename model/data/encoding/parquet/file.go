// Package parquet reads and writes tables in Apache Parquet, as its format 2.11 describes them: columns of numbers,
// texts, days and truth values, those within structs too, and lists of numbers that are all of one length. It opens no
// other file. What a file says of itself is held against its length and the memory that may be taken before anything
// is believed, and values are decoded a few thousand at a time, so that a page takes no more than its own bytes.
package parquet

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"blossom/model/base/problem"
	"blossom/model/data/encoding/frame"
)

// Magic is what a Parquet file begins and ends with; MagicSecret, one whose footer is encrypted.
const (
	Magic       = "PAR1"
	MagicSecret = "PARE"
)

// File is a Parquet file. It may be read from several goroutines.
type File struct {
	r       io.ReaderAt
	size    int64
	memory  int64
	footer  *footer
	leaves  []leaf
	columns []frame.Column
	leafOf  []int // the leaf with the values of each column
	pieces  []int64
	scratch sync.Pool // holds *scratch
	lax     bool      // checksums are not looked at, for fuzzing
}

const copyAgain = "copy it again from where it came from"

// damaged is the Problem of a file that contradicts itself.
func damaged(what string, args ...any) error {
	return problem.New("", copyAgain, "is a damaged Parquet file: %s", fmt.Sprintf(what, args...))
}

// mostFooter is how long a footer may be for each byte of memory: what it describes takes several times as much.
const mostFooter = 16

// Open reads what a file of so many bytes says of itself. Reading takes no more than memory. Errors are Problems
// without the name of the file, or that of ctx.
func Open(ctx context.Context, r io.ReaderAt, size, memory int64) (*File, error) {
	f := &File{r: r, size: size, memory: memory}
	f.scratch.New = func() any { return new(scratch) }
	var tail [8]byte
	if size < 12 {
		return nil, damaged("it ends too early")
	}
	if _, err := r.ReadAt(tail[:], size-8); err != nil && err != io.EOF {
		return nil, err
	}
	switch string(tail[4:]) {
	case Magic:
	case MagicSecret:
		return nil, secret()
	default:
		return nil, problem.New("", copyAgain, "is a Parquet file that is cut: its end is missing")
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > size-12 {
		return nil, damaged("its footer should have %d bytes, the file has %d", length, size)
	}
	if length > memory/mostFooter {
		return nil, problem.New("", "write it with fewer columns, or in larger groups of rows",
			"describes itself in %d MiB, more than the memory holds", length>>20)
	}
	b := make([]byte, length)
	if _, err := r.ReadAt(b, size-8-length); err != nil && err != io.EOF {
		return nil, err
	}
	var err error
	if f.footer, err = f.parse(b); err != nil {
		return nil, err
	}
	if f.footer.encrypted && len(f.footer.groups) == 0 {
		return nil, secret()
	}
	if err := f.tree(); err != nil {
		return nil, err
	}
	frame.Index(f.columns, f.footer.notes[frame.PandasKey])
	return f, f.check(ctx)
}

// Note is what the file notes of itself under a key; "": nothing.
func (f *File) Note(key string) string { return f.footer.notes[key] }

func secret() error {
	return problem.New("", "save it without encryption", "is encrypted")
}

// mostRows is how many rows, or numbers of lists, may stand in each byte of a file, and how many more it may have: the
// tightest runs hold more, and a table of them alone says nothing.
const (
	mostRows = 4096
	moreRows = 1 << 20
)

// check holds what the groups of rows say against the schema and the length of the file.
func (f *File) check(ctx context.Context) error {
	total := int64(0)
	if f.footer.rows < 0 || f.footer.rows > f.most() {
		return damaged("%d rows cannot lie in %d bytes", f.footer.rows, f.size)
	}
	for i := range f.footer.groups {
		g := &f.footer.groups[i]
		if g.rows < 0 || g.rows > f.footer.rows-total {
			return damaged("its groups have more rows than the table")
		}
		total += g.rows
		if len(g.chunks) != len(f.leaves) {
			return damaged("group %d has %d columns, the schema has %d", i+1, len(g.chunks), len(f.leaves))
		}
		f.pieces = append(f.pieces, g.rows)
		for k := range g.chunks {
			c, l := &g.chunks[k], &f.leaves[k]
			if l.column < 0 || f.columns[l.column].Kind == frame.Left {
				continue
			}
			switch column := &f.columns[l.column]; {
			case c.encrypted:
				column.Kind, column.Why = frame.Left, "it is encrypted"
			case c.elsewhere != "":
				column.Kind, column.Why = frame.Left, "it is in another file"
			case unpacking[c.codec] == nil:
				column.Kind, column.Why = frame.Left, "it is compressed with "+codecName(c.codec)
			case c.kind != l.kind:
				return damaged("column %q has values of two types", column.Name)
			case c.start < 4 || c.size < 0 || c.start > f.size-8 || c.size > f.size-8-c.start:
				return damaged("column %q lies beyond its end", column.Name)
			case c.values < 0 || c.values > f.most() || l.repeats == 0 && c.values != g.rows:
				return damaged("column %q has %d values for %d rows", column.Name, c.values, g.rows)
			}
		}
	}
	if total != f.footer.rows {
		return damaged("its groups have %d rows, the table has %d", total, f.footer.rows)
	}
	return f.widths(ctx)
}

func (f *File) most() int64 { return mostRows*min(f.size, 1<<50) + moreRows }

// Columns are all columns of the table, also those that cannot be read.
func (f *File) Columns() []frame.Column { return f.columns }

// Pieces are the rows of each group.
func (f *File) Pieces() []int64 { return f.pieces }

// Bytes is how many bytes of the file a column of a group takes.
func (f *File) Bytes(piece, column int) int64 { return f.chunkOf(piece, column).size }

func (f *File) chunkOf(piece, column int) *chunk {
	return &f.footer.groups[piece].chunks[f.leafOf[column]]
}
