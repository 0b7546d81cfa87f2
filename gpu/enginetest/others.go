package enginetest

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/space/knn"
)

// nearestOthers is the suite of knn.Finder: what a sort of all distances says, to the bit.
func nearestOthers(s *suite) {
	sizes := [][3]int{{0, 3, 5}, {1, 2, 5}, {2, 1, 1}, {3, 4, 9}, {31, 3, 30}, {33, 5, 7}, {64, 9, 10}, {65, 17, 70},
		{300, 2, 90}, {700, 30, 90}, {few(1500), 6, 15}, {129, 65, 20}, {40, 1000, 3}}
	for _, size := range sizes {
		n, d, k := size[0], size[1], size[2]
		s.others(s.clustered(n, d), knn.Query{K: k})
	}
	s.otherEdges()
	s.otherRows()
	s.otherCells()
	s.otherContract()
}

// clustered is points around a few centres, with duplicates, some invalid.
func (s *suite) clustered(n, d int) matrix.Matrix32 {
	x := matrix.New(n, d)
	for i := range n {
		for c := range d {
			x.Row(i)[c] = float32(s.rng.NormFloat64()) + float32(5*(i%4)*(c%3))
		}
	}
	for i := 6; i < n; i += 9 {
		copy(x.Row(i), x.Row(s.rng.IntN(i)))
	}
	for i, v := range []float32{nan, inf, -inf} {
		if at := 9 + 11*i; at < n {
			x.Row(at)[s.rng.IntN(d)] = v
		}
	}
	return x
}

func (s *suite) ask(x matrix.Matrix32, q knn.Query) *knn.Lists {
	s.Helper()
	res, err := s.engine.Load(context.Background(), x)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Free()
	out := knn.NewLists(x, q)
	if err := res.Caps().Neighbours.Others(context.Background(), q, out); err != nil {
		s.Fatal(err)
	}
	return out
}

// checked is about how many rows of an answer are checked where it has more.
const checked = 60

// others compares an answer with all distances, sorted.
func (s *suite) others(x matrix.Matrix32, q knn.Query) {
	s.Helper()
	got := s.ask(x, q)
	var all []knn.Found
	for r := range got.N {
		if got.N > checked && s.rng.IntN(got.N) >= checked {
			continue
		}
		me, self := q.Row(x, r)
		index, beyond := got.Row(r)
		if !knn.Finite(me) {
			if got.Near[r] == got.Near[r] || len(index) > 0 && slices.Max(index) != -1 {
				s.Fatalf("row %d is of an invalid point and has the neighbours %v", r, index)
			}
			continue
		}
		all = all[:0]
		add := func(p int) {
			if row := x.Row(p); p != self && knn.Finite(row) {
				all = append(all, knn.Found{Index: int32(p), Squared: squared(me, row)})
			}
		}
		if q.Cells == nil {
			for p := range x.Rows {
				add(p)
			}
		} else {
			for _, c := range q.Cells.Probe[q.Cells.Of(self)] {
				for _, p := range q.Cells.In(int(c)) {
					add(int(p))
				}
			}
		}
		slices.SortFunc(all, func(a, b knn.Found) int {
			return cmp.Or(cmp.Compare(a.Squared, b.Squared), cmp.Compare(a.Index, b.Index))
		})
		if want := min(q.K, len(all)); got.K != want && q.Cells == nil {
			s.Fatalf("%d neighbours, want %d", got.K, want)
		}
		for j := range got.K {
			want := float32(min((all[j].Squared-all[0].Squared)/got.Unit, math.MaxFloat32))
			if index[j] != all[j].Index || got.Near[r] != all[0].Squared || beyond[j] != want {
				s.Fatalf("n %d, d %d, k %d: neighbour %d of row %d is %d at %g + %g, want %d at %g + %g", x.Rows,
					x.Cols, q.K, j, r, index[j], got.Near[r], beyond[j], all[j].Index, all[0].Squared, want)
			}
		}
	}
}

// squared is the definition of a distance, spelt out.
func squared(a, b []float32) (sum float64) {
	for c := range a {
		d := float64(a[c]) - float64(b[c])
		d *= d
		sum += d
	}
	return sum
}

// otherEdges are points that float32 cannot tell apart, ties, and numbers at the ends of float32.
func (s *suite) otherEdges() {
	equal, lattice, line := matrix.New(150, 3), matrix.New(400, 4), matrix.New(200, 5)
	for i := range lattice.Data {
		lattice.Data[i] = float32(s.rng.IntN(3))
	}
	for i := range line.Data {
		line.Data[i] = float32(i / 5 % 7)
	}
	far, clumps := s.clustered(200, 4), s.clustered(300, 4)
	offset := s.clustered(300, 8)
	copy(far.Row(17), []float32{1e5, -1e5, 3e4, 0})
	huge, tiny, mixed := s.clustered(80, 3), s.clustered(80, 3), s.clustered(90, 2)
	copy(mixed.Row(3), []float32{3e38, -3e38})
	for i := range offset.Data {
		offset.Data[i] += 1e5
	}
	for i := range clumps.Rows {
		for c := range clumps.Cols {
			clumps.Row(i)[c] = clumps.Row(i)[c]*1e-3 + float32(i%2)*1e4
		}
	}
	for i := range huge.Data {
		huge.Data[i] *= 1e36
		tiny.Data[i] *= 1e-41
	}
	for _, x := range []matrix.Matrix32{equal, lattice, line, far, offset, clumps, huge, tiny, mixed} {
		for _, k := range []int{1, 12, 90} {
			s.others(x, knn.Query{K: k})
		}
	}
	// More than a list has room for lies where float32 cannot tell it apart, near and far.
	crowd := s.clustered(1500, 3)
	for i := range crowd.Data {
		crowd.Data[i] = 1e4 + 1e-2*float32(int(crowd.Data[i]))
	}
	copy(crowd.Row(1), []float32{-9e5, 2e5, 0})
	for _, k := range []int{1, 90, 300} {
		s.others(crowd, knn.Query{K: k, Points: []int32{0, 1, 2, 700, 1499}})
	}
}

// otherRows asks for some points, and for new ones.
func (s *suite) otherRows() {
	x := s.clustered(260, 7)
	some := []int32{259, 3, 3, 20, 31, 0}
	s.others(x, knn.Query{K: 25, Points: some})
	s.others(x, knn.Query{K: 5, Points: []int32{}})
	fresh := s.clustered(70, 7)
	copy(fresh.Row(5), x.Row(8)) // on a point of the set, which is not left out
	copy(fresh.Row(6), []float32{1e38, 2, 3, 4, 5, 6, -1e38})
	s.others(x, knn.Query{K: 15, New: fresh})
	s.others(matrix.New(0, 7), knn.Query{K: 15, New: fresh})
	wide, far := s.clustered(260, 20), s.clustered(70, 20)
	for r := range far.Rows { // some lie so far from all points that halves do not hold them
		far.Row(r)[r%20] *= float32(math.Ldexp(1, r%40))
	}
	s.others(wide, knn.Query{K: 15, New: far})
	// A point has the same neighbours whatever else is asked for.
	all, part := s.ask(x, knn.Query{K: 25}), s.ask(x, knn.Query{K: 25, Points: some})
	for r, p := range some {
		a, _ := all.Row(int(p))
		b, _ := part.Row(r)
		if !slices.Equal(a, b) {
			s.Errorf("point %d has other neighbours when it is asked for alone", p)
		}
	}
}

// otherCells looks through cells.
func (s *suite) otherCells() {
	x := s.clustered(900, 6)
	cells, err := knn.MakeCells(context.Background(), x, 12, 3, nil)
	if err != nil {
		s.Fatal(err)
	}
	for _, probe := range []int{1, 3, 12} {
		cells.Look(probe, 20)
		s.others(x, knn.Query{K: 20, Cells: cells})
	}
}

func (s *suite) otherContract() {
	ctx := context.Background()
	x := s.clustered(50, 4)
	res, err := s.engine.Load(ctx, x)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Free()
	find := res.Caps().Neighbours
	out := knn.NewLists(x, knn.Query{K: 5})
	allRefused(s, map[string]error{
		"a negative number":  find.Others(ctx, knn.Query{K: -1}, out),
		"a point beyond":     find.Others(ctx, knn.Query{K: 5, Points: []int32{50}}, out),
		"a negative point":   find.Others(ctx, knn.Query{K: 5, Points: []int32{-1}}, out),
		"points of other d":  find.Others(ctx, knn.Query{K: 5, New: matrix.New(3, 5)}, out),
		"new ones and cells": find.Others(ctx, knn.Query{K: 5, New: matrix.New(3, 4), Cells: &knn.Cells{}}, out),
	})
	done, cancel := context.WithCancel(ctx)
	cancel()
	if err := find.Others(done, knn.Query{K: 5}, out); !errors.Is(err, context.Canceled) {
		s.Errorf("a cancelled search returns %v", err)
	}
	// Cancelled on the way it soon returns; told how far it is it never says more than there is.
	big := s.clustered(few(6000), 40)
	one, err := s.engine.Load(ctx, big)
	if err != nil {
		s.Fatal(err)
	}
	defer one.Free()
	running, stop := context.WithCancel(ctx)
	var at time.Time
	q := knn.Query{K: 20, Progress: func(n, total int64) {
		if n > total || total != int64(big.Rows) {
			s.Errorf("%d of %d rows", n, total)
		}
		if running.Err() == nil {
			at = time.Now()
			stop()
		}
	}}
	err = one.Caps().Neighbours.Others(running, q, knn.NewLists(big, q))
	if took := time.Since(at); !errors.Is(err, context.Canceled) || took > time.Second {
		s.Errorf("cancelled on the way it returns %v after %v", err, took)
	}
}
