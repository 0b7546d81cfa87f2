// Package arrow reads tables in the IPC format of Apache Arrow, version 4 and 5, which is Feather too: files and
// streams, columns of numbers, texts, days and truth values, those within structs too, dictionaries, and lists of
// numbers that are all of one length; plain or packed with LZ4 or zstd. What a file says of itself is held against its
// length and the memory that may be taken before anything is believed.
package arrow

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"blossom/model/base/problem"
	"blossom/model/data/encoding/frame"
)

// Magic is what an Arrow file begins and ends with; a stream has none.
const Magic = "ARROW1"

// File is a file or stream of Arrow. It may be read from several goroutines.
type File struct {
	r       io.ReaderAt
	size    int64
	memory  int64
	stream  bool
	old     bool // written by version 4
	fields  []*field
	leaves  []leaf
	columns []frame.Column
	pieces  []int64
	batches []*batch
	mutex   sync.Mutex
	texts   map[dictionary]*values // dictionaries that have been read
	held    int64                  // bytes of them
}

// dictionary is that of a field, up to a part of it.
type dictionary struct {
	of   *field
	last *batch
}

// batch is rows of all columns, or those of a dictionary.
type batch struct {
	rows    int64
	body    int64 // place of the bytes
	size    int64
	codec   int // -1: none
	nodes   [][2]int64
	buffers [][2]int64
	views   []int64
	names   map[int64][]*batch // dictionaries at this place, of a batch of rows
}

const copyAgain = "copy it again from where it came from"

// damaged is the Problem of a file that contradicts itself.
func damaged(what string, args ...any) error {
	return problem.New("", copyAgain, "is a damaged Arrow file: %s", fmt.Sprintf(what, args...))
}

// mostDescribed is how much may be read of what describes the data, for each byte of memory.
const mostDescribed = 16

// Open reads what a file or stream of so many bytes says of itself. Reading takes no more than memory. Errors are
// Problems without the name of the file, or that of ctx.
func Open(ctx context.Context, r io.ReaderAt, size, memory int64) (*File, error) {
	f := &File{r: r, size: size, memory: memory, texts: map[dictionary]*values{}}
	var head, tail [8]byte
	if _, err := r.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return nil, err
	}
	end, at := size, int64(0)
	if string(head[:len(Magic)]) == Magic {
		if _, err := r.ReadAt(tail[:], max(0, size-8)); err != nil && err != io.EOF {
			return nil, err
		}
		if size < 24 || string(tail[2:]) != Magic {
			return nil, problem.New("", copyAgain, "is an Arrow file that is cut: its end is missing")
		}
		at, end = 8, size-10
	} else {
		f.stream = true
	}
	return f, f.messages(ctx, at, end)
}

// mostRows is as in package parquet: how many rows may stand in each byte of a file, and how many more it may have.
const (
	mostRows = 4096
	moreRows = 1 << 20
)

// scan goes through the messages of a file.
type scan struct {
	f         *File
	at, end   int64
	described int64              // bytes that described something
	rows      int64              // rows of all batches
	names     map[int64][]*batch // dictionaries so far
	shared    bool               // they belong to a batch, and may not be changed
}

// messages goes through the messages between two places.
func (f *File) messages(ctx context.Context, at, end int64) error {
	s := &scan{f: f, at: at, end: end, names: map[int64][]*batch{}}
	for s.end-s.at >= 4 {
		if err := ctx.Err(); err != nil {
			return err
		}
		meta, err := s.next()
		if err != nil {
			return err
		}
		if meta == nil {
			break
		}
		if err := s.message(root(meta)); err != nil {
			return err
		}
	}
	if f.fields == nil {
		return damaged("it has no schema")
	}
	if !f.stream { // whose dictionaries may stand behind what they are of
		for _, b := range f.batches {
			b.names = s.names
		}
	}
	return f.widths(ctx)
}

// next reads what describes the next message; nil: there is none.
func (s *scan) next() ([]byte, error) {
	var b [8]byte
	if _, err := s.f.r.ReadAt(b[:min(8, s.end-s.at)], s.at); err != nil && err != io.EOF {
		return nil, err
	}
	length := int64(int32(binary.LittleEndian.Uint32(b[:])))
	s.at += 4
	if length == -1 { // since version 0.15 of Arrow
		length = int64(int32(binary.LittleEndian.Uint32(b[4:])))
		s.at += 4
	}
	if length == 0 {
		return nil, nil
	}
	if s.described += length; length < 0 || length > s.end-s.at {
		return nil, damaged("a message lies beyond its end")
	} else if s.described > s.f.memory/mostDescribed {
		return nil, problem.New("", "write it with fewer columns, or in larger batches",
			"describes itself in %d MiB, more than the memory holds", s.described>>20)
	}
	meta := make([]byte, length)
	if _, err := s.f.r.ReadAt(meta, s.at); err != nil && err != io.EOF {
		return nil, err
	}
	s.at += length
	return meta, nil
}

// message takes a message.
func (s *scan) message(m table) error {
	f := s.f
	body := m.long(3)
	version, kind, header := m.short(0, 0), m.byte(1, 0), m.table(2)
	if m.f.bad || body < 0 || body > s.end-s.at {
		return damaged("a message cannot be read, or lies beyond its end")
	}
	if version < 3 || version > 4 {
		return problem.New("", "write it again with a newer program",
			"is an Arrow file of version %d, which is not read",
			version+1)
	}
	at := s.at
	s.at += body
	switch {
	case kind == 1 && f.fields == nil:
		f.old = version == 3
		return f.schema(header)
	case f.fields == nil:
		return damaged("it has no schema")
	case kind == 2:
		one, err := f.batch(header.table(1), at, body)
		if err != nil {
			return err
		}
		s.dictionary(header.long(0), header.byte(2, 0) != 0, one)
	case kind == 3:
		one, err := f.batch(header, at, body)
		if err != nil {
			return err
		}
		if s.rows += one.rows; one.rows > f.most() || s.rows > f.most() {
			return damaged("%d rows cannot lie in %d bytes", one.rows, f.size)
		}
		one.names, s.shared = s.names, true
		f.batches, f.pieces = append(f.batches, one), append(f.pieces, one.rows)
	default:
		return damaged("it holds another thing than a table")
	}
	return nil
}

// most is how many rows, or entries of lists, there may be.
func (f *File) most() int64 { return mostRows*min(f.size, 1<<50) + moreRows }

// dictionary takes a dictionary, or what is added to one.
func (s *scan) dictionary(id int64, more bool, one *batch) {
	if s.shared {
		copied := make(map[int64][]*batch, len(s.names))
		for id, list := range s.names {
			copied[id] = list[:len(list):len(list)]
		}
		s.names, s.shared = copied, false
	}
	if !more {
		s.names[id] = nil
	}
	s.names[id] = append(s.names[id], one)
}

func (f *File) schema(t table) error {
	if t.short(0, 0) != 0 {
		return problem.New("", "write it again on a usual computer", "is an Arrow file with the highest byte first "+
			"(big-endian), which is not read")
	}
	for _, c := range t.tables(1) {
		one, err := f.field(c, 0)
		if err != nil {
			return err
		}
		f.fields = append(f.fields, one)
	}
	pandas := ""
	for _, kv := range t.tables(2) {
		if kv.text(0) == frame.PandasKey {
			pandas = kv.text(1)
		}
	}
	if t.f.bad {
		return damaged("its schema cannot be read")
	}
	if f.fields == nil {
		f.fields = []*field{}
	}
	p := &places{}
	for _, one := range f.fields {
		f.walk(p, one, "", nil)
	}
	frame.Index(f.columns, pandas)
	return nil
}

func (f *File) batch(t table, body, size int64) (*batch, error) {
	b := &batch{rows: t.long(0), body: body, size: size, codec: -1, nodes: t.pairs(1), buffers: t.pairs(2)}
	if c := t.table(3); c.at != 0 {
		if b.codec = c.byte(0, 0); b.codec > 1 || c.byte(1, 0) != 0 {
			return nil, problem.New("", "write it again with LZ4 or zstd", "is packed in a way that is not read")
		}
	}
	at, n := t.vector(4, 8)
	for k := range n {
		b.views = append(b.views, t.f.i64(at+8*k))
	}
	if t.f.bad || t.at == 0 || b.rows < 0 {
		return nil, damaged("a batch cannot be read")
	}
	return b, nil
}

// Columns are all columns of the table, also those that cannot be read.
func (f *File) Columns() []frame.Column { return f.columns }

// Pieces are the rows of each batch.
func (f *File) Pieces() []int64 { return f.pieces }

// Bytes is how many bytes a column of a batch takes, about.
func (f *File) Bytes(piece, column int) int64 {
	return f.batches[piece].size / int64(max(1, len(f.columns)))
}
