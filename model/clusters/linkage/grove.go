package linkage

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// groveMark begins a file of a Grove.
const groveMark = "blossom grove 1\n"

// groveStep is how many numbers are written, or read, between two looks at the context.
const groveStep = 1 << 16

// Write writes the grove: three counts, the rows, those that are equal to earlier ones, and the edges with their
// heights, all little-endian.
func (g *Grove) Write(ctx context.Context, w io.Writer) error {
	b := bufio.NewWriterSize(w, 1<<20)
	put := binary.LittleEndian
	head := []byte(groveMark)
	for _, n := range []int{len(g.Rows), len(g.Again), len(g.Tree)} {
		head = put.AppendUint64(head, uint64(n))
	}
	if _, err := b.Write(head); err != nil {
		return err
	}
	var buf []byte
	for _, rows := range [][]int32{g.Rows, g.Again} {
		for i, row := range rows {
			if err := every(ctx, i); err != nil {
				return err
			}
			if _, err := b.Write(put.AppendUint32(buf[:0], uint32(row))); err != nil {
				return err
			}
		}
	}
	for i, e := range g.Tree {
		if err := every(ctx, i); err != nil {
			return err
		}
		buf = put.AppendUint32(put.AppendUint32(buf[:0], uint32(e.I)), uint32(e.J))
		if _, err := b.Write(put.AppendUint64(buf, math.Float64bits(e.W))); err != nil {
			return err
		}
	}
	return b.Flush()
}

// every is ctx's error, looked at now and then.
func every(ctx context.Context, i int) error {
	if i%groveStep != 0 {
		return nil
	}
	return ctx.Err()
}

// ReadGrove reads what Write has written, of size bytes. The error is ctx's, or says what is wrong.
func ReadGrove(ctx context.Context, r io.Reader, size int64) (*Grove, error) {
	b := bufio.NewReaderSize(r, 1<<20)
	head := make([]byte, len(groveMark)+24)
	if _, err := io.ReadFull(b, head); err != nil || string(head[:len(groveMark)]) != groveMark {
		return nil, fmt.Errorf("is no tree of rows")
	}
	get := binary.LittleEndian
	var n [3]uint64
	for k := range n {
		n[k] = get.Uint64(head[len(groveMark)+8*k:])
		if n[k] > uint64(size) {
			return nil, fmt.Errorf("is damaged: it is too short for what it says")
		}
	}
	if want := uint64(len(head)) + 4*(n[0]+n[1]) + 16*n[2]; want != uint64(size) {
		return nil, fmt.Errorf("is damaged: %d bytes where %d are due", size, want)
	}
	g := &Grove{Rows: make([]int32, n[0]), Again: make([]int32, n[1]), Tree: make([]Edge, n[2])}
	buf := make([]byte, 16)
	for _, rows := range [][]int32{g.Rows, g.Again} {
		for i := range rows {
			if err := every(ctx, i); err != nil {
				return nil, err
			}
			if _, err := io.ReadFull(b, buf[:4]); err != nil {
				return nil, err
			}
			rows[i] = int32(get.Uint32(buf))
		}
	}
	for i := range g.Tree {
		if err := every(ctx, i); err != nil {
			return nil, err
		}
		if _, err := io.ReadFull(b, buf); err != nil {
			return nil, err
		}
		g.Tree[i] = Edge{int32(get.Uint32(buf)), int32(get.Uint32(buf[4:])), math.Float64frombits(get.Uint64(buf[8:]))}
	}
	return g, nil
}

// Grove is what has been merged, as one tree of the table. The error is ctx's.
func (g *Groves) Grove(ctx context.Context) (*Grove, error) {
	if err := g.prune(ctx); err != nil {
		return nil, err
	}
	out := &Grove{Tree: g.edges}
	for i := range g.valid {
		if g.valid[i] {
			out.Rows = append(out.Rows, int32(i))
		}
		if g.again[i] {
			out.Again = append(out.Again, int32(i))
		}
	}
	return out, nil
}
