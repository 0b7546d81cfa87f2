package format

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"blossom/model/data/dataset"
)

// source gives bytes of a file: n of them at off. The result may be buf, which has room for n, or
// memory of the source's own; it is valid until the next call with the same buf.
type source interface {
	at(off int64, n int, buf []byte) ([]byte, error)
}

// fileSource reads blocks: safe when the file is cut meanwhile.
type fileSource struct{ r io.ReaderAt }

func (s fileSource) at(off int64, n int, buf []byte) ([]byte, error) {
	k, err := s.r.ReadAt(buf[:n], off)
	if k == n {
		return buf[:n], nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

// mapSource is a file mapped into memory.
type mapSource []byte

func (s mapSource) at(off int64, n int, _ []byte) ([]byte, error) {
	if off < 0 || off > int64(len(s)-n) {
		return nil, io.ErrUnexpectedEOF
	}
	return s[off : off+int64(n)], nil
}

// streamSource is something that can only be read forwards, such as a compressed part of an archive.
type streamSource struct {
	r     io.Reader
	pos   int64
	again func() (io.ReadCloser, error) // begins anew; nil where that cannot be
}

func (s *streamSource) at(off int64, n int, buf []byte) ([]byte, error) {
	if off < s.pos {
		if s.again == nil {
			return nil, fmt.Errorf("a stream cannot be read backwards")
		}
		r, err := s.again()
		if err != nil {
			return nil, err
		}
		s.r, s.pos = r, 0
	}
	k, err := io.CopyN(io.Discard, s.r, off-s.pos)
	s.pos += k
	if err == nil {
		k := 0
		k, err = io.ReadFull(s.r, buf[:n])
		s.pos += int64(k)
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return buf[:n], err
}

// table is fixed-width rows of binary values in a source.
type table struct {
	src    source
	base   int64 // place of row 0
	stride int   // bytes in a row
	values []value
}

const (
	blockSize = 1 << 20   // bytes that are read at once
	tileSize  = 32 << 10  // bytes that are decoded at once, column by column: they stay in the first cache
	joinGap   = 128 << 10 // chosen rows that are closer than this are read together
)

// span is rows that are read at once: rows first to first+count of the file; those among them that are
// wanted become rows dst and following of the result.
type span struct {
	first, dst int64
	count      int
	chosen     []int64 // the wanted ones, or nil: all
}

// spans cuts the wanted rows (nil: all n) into blocks.
func (t *table) spans(chosen []int64, n int) []span {
	perBlock := max(1, blockSize/t.stride)
	var out []span
	if chosen == nil {
		for first := 0; first < n; first += perBlock {
			out = append(out, span{first: int64(first), dst: int64(first), count: min(perBlock, n-first)})
		}
		return out
	}
	gap := int64(max(1, min(joinGap, blockSize)/t.stride))
	for i := 0; i < len(chosen); {
		j := i + 1
		for j < len(chosen) && chosen[j]-chosen[j-1] <= gap && chosen[j]-chosen[i] < int64(perBlock) {
			j++
		}
		out = append(out, span{first: chosen[i], dst: int64(i), count: int(chosen[j-1]-chosen[i]) + 1,
			chosen: chosen[i:j]})
		i = j
	}
	return out
}

// cost is how many bytes of the source are read for the wanted rows.
func (t *table) cost(chosen []int64, n int) (bytes int64) {
	for _, s := range t.spans(chosen, n) {
		bytes += int64(s.count) * int64(t.stride)
	}
	return bytes
}

// read decodes the wanted rows into columns, one per value, on all cores (a stream: on one). The
// tallies are per value. Progress is counted in bytes of the source that were read.
func (t *table) read(ctx context.Context, chosen []int64, columns [][]float32, m *meter) ([]tally, error) {
	if len(columns) == 0 {
		return nil, ctx.Err()
	}
	return t.tiles(ctx, chosen, len(columns[0]), m, func(w *blockWorker, i, from, to int, tile []byte) {
		t.values[i].decode(columns[i][from:to], tile, t.stride, w.scratch, &w.tallies[i])
	})
}

// readExact gives columns their values as float64, where tallies say that float32 does not do.
func (t *table) readExact(ctx context.Context, in *input, chosen []int64, columns []dataset.Column,
	tallies []tally) error {
	some := *t
	some.values = nil
	var which []int
	var values [][]float64
	for i := range columns {
		if tallies[i].coarse(columns[i].Values) {
			which, some.values = append(which, i), append(some.values, t.values[i])
			values = append(values, make([]float64, len(columns[i].Values)))
		}
	}
	if len(which) == 0 {
		return nil
	}
	n := len(values[0])
	if err := in.guardExact(n, len(columns), len(which)); err != nil {
		return err
	}
	_, err := some.tiles(ctx, chosen, n, newMeter(0, nil), func(w *blockWorker, i, from, to int, tile []byte) {
		some.values[i].decodeExact(values[i][from:to], tile, some.stride, w.scratch)
	})
	for k, i := range which {
		columns[i].SetExact(values[k])
	}
	return err
}

// tiles reads the wanted rows, n in all, on all cores (a stream: on one), and hands them to decode: rows from
// to to of the result, for each value i in turn.
func (t *table) tiles(ctx context.Context, chosen []int64, n int, m *meter,
	decode func(w *blockWorker, i, from, to int, tile []byte)) ([]tally, error) {
	tallies := make([]tally, len(t.values))
	if n == 0 {
		return tallies, ctx.Err()
	}
	spans := t.spans(chosen, n)
	workers := min(runtime.GOMAXPROCS(0), len(spans))
	if _, ok := t.src.(*streamSource); ok {
		workers = 1
	}
	var (
		next   atomic.Int64
		wg     sync.WaitGroup
		mu     sync.Mutex
		failed error
		stop   atomic.Bool
	)
	for range workers {
		wg.Go(func() {
			w := newBlockWorker(t, n)
			var err error
			for err == nil && !stop.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(spans) {
					break
				}
				if err = ctx.Err(); err == nil {
					err = w.read(&spans[i], decode)
					m.add(int64(spans[i].count) * int64(t.stride))
				}
			}
			mu.Lock()
			defer mu.Unlock()
			if err != nil && failed == nil {
				failed = err
				stop.Store(true)
			}
			for i := range tallies {
				tallies[i].add(w.tallies[i])
			}
		})
	}
	wg.Wait()
	return tallies, failed
}

// blockWorker is what one goroutine needs to decode blocks.
type blockWorker struct {
	t       *table
	buf     []byte
	picked  []byte
	scratch []uint64
	tallies []tally
	tile    int // rows
}

// newBlockWorker makes room for blocks of a result of n rows.
func newBlockWorker(t *table, n int) *blockWorker {
	w := &blockWorker{t: t, tile: min(n, max(1, tileSize/t.stride)), tallies: make([]tally, len(t.values))}
	w.scratch = make([]uint64, w.tile)
	return w
}

// room returns buf grown to n bytes.
func room(buf []byte, n int) []byte {
	if cap(buf) < n {
		return make([]byte, n)
	}
	return buf[:n]
}

func (w *blockWorker) read(s *span, decode func(w *blockWorker, i, from, to int, tile []byte)) (err error) {
	if _, ok := w.t.src.(mapSource); ok {
		// A mapped file that is cut while it is read ends in a fault, not in an error of a call.
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
		defer func() {
			if r := recover(); r != nil {
				if _, fault := r.(interface{ Addr() uintptr }); !fault {
					panic(r)
				}
				err = io.ErrUnexpectedEOF
			}
		}()
	}
	stride := w.t.stride
	if _, ok := w.t.src.(mapSource); !ok {
		w.buf = room(w.buf, s.count*stride)
	}
	src, err := w.t.src.at(w.t.base+s.first*int64(stride), s.count*stride, w.buf)
	if err != nil {
		return err
	}
	n := s.count
	if s.chosen != nil && len(s.chosen) < s.count {
		n = len(s.chosen)
		w.picked = room(w.picked, n*stride)
		for i, row := range s.chosen {
			copy(w.picked[i*stride:(i+1)*stride], src[int(row-s.first)*stride:])
		}
		src = w.picked[:n*stride]
	}
	for from := 0; from < n; from += w.tile {
		to := min(n, from+w.tile)
		tile := src[from*stride : to*stride]
		at := int(s.dst) + from
		for i := range w.t.values {
			decode(w, i, at, at+to-from, tile)
		}
	}
	return nil
}
