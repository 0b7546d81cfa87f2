package train

import (
	"context"
	"fmt"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

// points is the data of a training with what has to be known about it.
type points struct {
	matrix.Matrix32 // the points in memory: all of them, or, of a pass, some that follow each other
	span            span
	valid           []int32 // rows without NaN and Inf; nil if all are, or not all are in memory
	// largest is the largest magnitude of each column, or more.
	largest []float32
}

// span is which points are in memory, of how many.
type span struct {
	from  int // the first of them
	all   int
	valid int // how many of all have neither NaN nor Inf
}

// Outside of these, squared distances of float32 overflow or vanish.
const (
	largest  = 1e16
	smallest = 1e-15
)

// finite says whether v has neither NaN nor Inf.
func finite(v []float32) bool {
	for _, x := range v {
		if x-x != 0 {
			return false
		}
	}
	return true
}

const signBit = 1 << 31

// look reads x once.
func look(x matrix.Matrix32) points {
	const size = 8192
	p := points{Matrix32: x, span: span{all: x.Rows}}
	bad := make([][]int32, par.Count(x.Rows, size))
	high := make([]uint32, len(bad)*x.Cols) // the bits of magnitudes, which order as these do
	// Never cancelled: it runs at the speed of memory.
	_ = par.Blocks(context.Background(), x.Rows, size, func(b, from, to int) {
		high := high[b*x.Cols : (b+1)*x.Cols]
		for i := from; i < to; i++ {
			row := x.Row(i)
			if !finite(row) {
				bad[b] = append(bad[b], int32(i))
				continue
			}
			for j, v := range row {
				high[j] = max(high[j], math.Float32bits(v)&^signBit)
			}
		}
	})
	invalid := 0
	for b := range bad {
		invalid += len(bad[b])
	}
	p.largest = make([]float32, x.Cols)
	for i, bits := range high {
		j := i % x.Cols
		p.largest[j] = max(p.largest[j], math.Float32frombits(bits))
	}
	p.span.valid = x.Rows - invalid
	if x.Cols == 0 {
		p.span.valid = 0
	}
	if invalid > 0 {
		p.valid = make([]int32, 0, p.span.valid)
		next := 0
		for _, rows := range append(bad, []int32{int32(x.Rows)}) {
			for _, r := range rows {
				for ; next < int(r); next++ {
					p.valid = append(p.valid, int32(next))
				}
				next++
			}
		}
	}
	return p
}

// isWide says whether values of this magnitude need float64.
func isWide(top float32) bool { return top > largest || top > 0 && top < smallest }

// wideRange says whether squares of float32 leave their range: then it is computed in float64.
func (p *points) wideRange() bool { return isWide(top(p.largest)) }

// top returns the largest magnitude in v.
func top(v []float32) float32 {
	m := float32(0)
	for _, x := range v {
		m = max(m, x, -x)
	}
	return m
}

// landmarks is what both kinds of trainers keep of them.
type landmarks struct {
	code   matrix.Matrix32 // own copy
	pos    matrix.Matrix32
	pinned []bool // nil or one each
	net    *net   // the net of edges
}

// wideCode is wideRange of the codebook.
func (l *landmarks) wideCode() bool { return isWide(top(l.code.Data)) }

// SetEdges takes a new net from the next unit on.
func (l *landmarks) SetEdges(edges [][2]int32) { l.net.set(edges) }

// neighbourhood returns the net that distances are measured along, made for as many landmarks as there are, and how
// long an edge of it is on the map; nil where they are measured on the map: that is asked for, or there is no net.
func (l *landmarks) neighbourhood(v set) (n *net, edge float64) {
	if len(l.net.edges) == 0 || !v.along() {
		return nil, 0
	}
	return l.net, l.net.build(l.pos)
}

// pin says whether landmark i stays.
func (l *landmarks) pin(i int) bool { return l.pinned != nil && l.pinned[i] }

// set takes new landmarks; an empty codebook keeps the one there is, unless there are no positions
// either. It panics if numbers do not agree, as only a mistake in the program can do that.
func (l *landmarks) set(codebook, pos matrix.Matrix32, pinned []bool, cols int) (changed bool) {
	switch {
	case !codebook.Empty():
		l.code = codebook.Clone()
		changed = true
	case pos.Rows == 0 && l.code.Rows > 0:
		l.code = matrix.Matrix32{Cols: cols}
		changed = true
	}
	if len(pinned) == 0 {
		pinned = nil
	}
	l.pos, l.pinned = pos, pinned
	l.net.moved()
	if err := l.check(cols); err != nil {
		panic("train: " + err.Error())
	}
	return changed
}

func (l *landmarks) check(cols int) error {
	g := l.code.Rows
	switch {
	case g > 0 && l.code.Cols != cols:
		return fmt.Errorf("landmarks of %d dimensions for points of %d", l.code.Cols, cols)
	case l.pos.Rows != g:
		return fmt.Errorf("%d positions for %d landmarks", l.pos.Rows, g)
	case l.pinned != nil && len(l.pinned) != g:
		return fmt.Errorf("%d pins for %d landmarks", len(l.pinned), g)
	case !finite(l.code.Data) || !finite(l.pos.Data):
		return fmt.Errorf("a landmark has NaN or an infinite value")
	}
	return nil
}

// start makes both from an Input.
func start(in Input) (points, landmarks, error) {
	l := landmarks{code: in.Codebook.Clone(), pos: in.Pos, pinned: in.Pinned, net: &net{}}
	l.net.set(in.Edges)
	if len(l.pinned) == 0 {
		l.pinned = nil
	}
	if err := l.check(in.X.Cols); err != nil {
		return points{}, l, fmt.Errorf("training: %w", err)
	}
	if in.X.Rows > math.MaxInt32 {
		return points{}, l, fmt.Errorf("training: %d points are more than %d", in.X.Rows, math.MaxInt32)
	}
	return look(in.X), l, nil
}
