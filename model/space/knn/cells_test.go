package knn

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

// drawn are points that often coincide, or tie, some of them with NaN or Inf.
func drawn(t *rapid.T, n int) (matrix.Matrix32, *rand.Rand) {
	d, values := rapid.IntRange(1, 9).Draw(t, "d"), rapid.IntRange(1, 40).Draw(t, "values")
	holes := rapid.SampledFrom([]int{0, 3, 100}).Draw(t, "holes")
	scale := rapid.SampledFrom([]float32{1, 0.1, 1e-30, 1e30}).Draw(t, "scale")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	x := matrix.New(n, d)
	for i := range x.Data {
		x.Data[i] = scale * float32(r.IntN(values)-values/2)
		if i%3 == 0 {
			x.Data[i] *= r.Float32()
		}
		if holes > 0 && r.IntN(holes*d) == 0 {
			x.Data[i] = []float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}[r.IntN(3)]
		}
	}
	return x, r
}

// plainFinite asks every number.
func plainFinite(row []float32) bool {
	return !slices.ContainsFunc(row, func(v float32) bool {
		return math.IsNaN(float64(v)) || math.IsInf(float64(v), 0)
	})
}

// plainOrder is what nearestCells finds, by a sort.
func plainOrder(centres matrix.Matrix32) (near [][]int32) {
	n := centres.Rows
	d := make([]float64, n)
	for i := range n {
		list := make([]int32, n)
		for j := range n {
			list[j], d[j] = int32(j), Squared(centres.Row(i), centres.Row(j))
		}
		d[i] = -1
		slices.SortFunc(list, func(a, b int32) int { return cmp.Or(cmp.Compare(d[a], d[b]), cmp.Compare(a, b)) })
		near = append(near, list)
	}
	return near
}

// plainMeans is means in one loop over the points, one after the other.
func plainMeans(x matrix.Matrix32, points, of []int32, centres matrix.Matrix32) {
	sums, counts := make([]float64, len(centres.Data)), make([]float64, centres.Rows)
	for _, p := range points {
		counts[of[p]]++
		for q, v := range x.Row(int(p)) {
			sums[int(of[p])*x.Cols+q] += float64(v)
		}
	}
	for i := range centres.Data {
		if n := counts[i/x.Cols]; n > 0 {
			centres.Data[i] = float32(sums[i] / n)
		}
	}
}

// plainCells is MakeCells, in one loop after the other.
func plainCells(x matrix.Matrix32, cells int, seed uint64) *Cells {
	valid := []int32{}
	for i := range x.Rows {
		if plainFinite(x.Row(i)) {
			valid = append(valid, int32(i))
		}
	}
	cells = max(1, min(cells, len(valid)))
	r := rand.New(rand.NewPCG(seed, 0x6b6e6e))
	sample := slices.Clone(valid)
	sample = sample[:min(len(sample), cellSample*cells)]
	for i, all := 0, slices.Clone(valid); i < len(sample); i++ {
		j := i + r.IntN(len(valid)-i)
		all[i], all[j] = all[j], all[i]
		sample[i] = all[i]
	}
	centres, of := matrix.New(cells, x.Cols), make([]int32, x.Rows)
	for i := range min(cells, len(sample)) {
		copy(centres.Row(i), x.Row(int(sample[i])))
	}
	assign := func() {
		for i := range of {
			of[i] = -1
			for c := 0; c < cells && plainFinite(x.Row(i)); c++ {
				if of[i] < 0 ||
					Squared(x.Row(i), centres.Row(c)) < Squared(x.Row(i), centres.Row(int(of[i]))) {
					of[i] = int32(c)
				}
			}
		}
	}
	for range cellRounds {
		assign()
		plainMeans(x, sample, of, centres)
	}
	assign()
	c := &Cells{Start: []int32{0}, Members: []int32{}, of: of, near: plainOrder(centres)}
	for i := range cells {
		for _, p := range valid {
			if of[p] == int32(i) {
				c.Members = append(c.Members, p)
			}
		}
		c.Start = append(c.Start, int32(len(c.Members)))
	}
	return c
}

// plainLook has each cell look through one more until it does.
func plainLook(c *Cells, probe, k int) (out [][]int32) {
	for _, near := range c.near {
		have, at := 0, 0
		for at < len(near) && (at < probe || have < k+1) {
			have += len(c.In(int(near[at])))
			at++
		}
		out = append(out, near[:at:at])
	}
	return out
}

// Cells are those of a plain loop, whoever assigns points to them, also where these coincide or are invalid.
func TestCellsAreThoseOfPlainLoops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, r := drawn(t, rapid.IntRange(0, 400).Draw(t, "n"))
		cells, seed := rapid.IntRange(1, 40).Draw(t, "cells"), r.Uint64()
		want := plainCells(x, cells, seed)
		for _, assign := range []Assign{nil, func(ctx context.Context, centres matrix.Matrix32, from, to int,
			out []int32) error {
			part := matrix.Matrix32{Rows: to - from, Cols: x.Cols, Data: x.Data[from*x.Cols : to*x.Cols]}
			return nearestOf(ctx, part, nil, centres, out)
		}} {
			got, err := MakeCells(t.Context(), x, cells, seed, assign)
			if err != nil {
				t.Fatal(err)
			}
			probe, k := r.IntN(45), r.IntN(100)
			if got.Look(probe, k); !reflect.DeepEqual(got.Probe, plainLook(want, probe, k)) {
				t.Fatalf("look %d, %d: %v of %v", probe, k, got.Probe, got.near)
			}
			got.Probe = nil
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%+v, want %+v", got, want)
			}
		}
	})
}

// Many points are those of plain loops, too: several ranges of them are put together.
func TestManyPointsAreGroupedInTheirOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 9))
	for _, every := range []int{0, 2, 5000} {
		const n, cells = 70_000, 37
		x, of := matrix.New(n, 2), make([]int32, n)
		want := []int32{}
		for i := range n {
			x.Row(i)[0], x.Row(i)[1], of[i] = r.Float32(), float32(r.NormFloat64()), int32(r.IntN(cells))
			if every > 0 && r.IntN(every) == 0 {
				x.Row(i)[1], of[i] = float32(math.NaN()), -1
			} else {
				want = append(want, int32(i))
			}
		}
		valid, err := validOf(t.Context(), x)
		if err != nil || !slices.Equal(valid, want) {
			t.Fatalf("%d valid points, want %d; %v", len(valid), len(want), err)
		}
		r.Shuffle(len(valid), func(i, j int) { valid[i], valid[j] = valid[j], valid[i] })
		start, members := grouped(valid, of, cells)
		sorted := slices.Clone(valid)
		slices.SortStableFunc(sorted, func(a, b int32) int { return cmp.Compare(of[a], of[b]) })
		if !slices.Equal(members, sorted) || int(start[cells]) != len(valid) {
			t.Fatal("members are not in the order of points")
		}
		for c := range cells {
			for _, p := range members[start[c]:start[c+1]] {
				if of[p] != int32(c) {
					t.Fatalf("point %d of cell %d is in %d", p, of[p], c)
				}
			}
		}
		got, wanted := matrix.New(cells+1, 2), matrix.New(cells+1, 2)
		got.Row(cells)[1], wanted.Row(cells)[1] = 7, 7 // no point is near it
		nearest := make([]int32, len(valid))
		for i, p := range valid {
			nearest[i] = of[p]
		}
		means(columnsOf(x, valid), nearest, got)
		plainMeans(x, valid, of, wanted)
		if !slices.Equal(got.Data, wanted.Data) {
			t.Fatal("means are not those of one loop")
		}
	}
}

// Cells are in the order of their distances, ties to the lower number, whatever the distances: of few values, of all
// magnitudes, in a few narrow bands, none at all.
func TestCellsAreInTheOrderOfDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for name, value := range map[string]func(i int) float32{
		"normal":     func(int) float32 { return float32(r.NormFloat64()) },
		"few values": func(int) float32 { return float32(r.IntN(3)) },
		"one value":  func(int) float32 { return 5 },
		"magnitudes": func(int) float32 { return float32(math.Ldexp(r.NormFloat64(), r.IntN(250)-125)) },
		"bands": func(i int) float32 {
			return []float32{1e-20, 1, 1.0001, 1e15}[i/3%4] * (1 + float32(r.IntN(100))*0x1p-23)
		},
	} {
		for _, n := range []int{1, 2, 3, 4, 5, 64, 333} {
			centres := matrix.New(n, 3)
			for i := range centres.Data {
				centres.Data[i] = value(i)
			}
			got, err := nearestCells(t.Context(), centres)
			if err != nil || !reflect.DeepEqual(got, plainOrder(centres)) {
				t.Fatalf("%s, %d cells: %v, %v", name, n, got, err)
			}
		}
	}
}

// A cancel while the last points are put in cells is heard.
func TestCellsStop(t *testing.T) {
	x, calls := cloud(500, 3, 2), 0
	ctx, cancel := context.WithCancel(t.Context())
	cells, err := MakeCells(ctx, x, 10, 1, func(ctx context.Context, centres matrix.Matrix32, _, _ int,
		out []int32) error {
		if calls++; calls > cellRounds {
			cancel()
			return ctx.Err()
		}
		return nearestOf(ctx, x, nil, centres, out)
	})
	if !errors.Is(err, context.Canceled) || cells != nil {
		t.Errorf("%v, %v", cells, err)
	}
}

// Blocks have every row once, with the others of its cell, in order.
func TestBlocksAreOfTheCellsOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, r := drawn(t, rapid.IntRange(1, 300).Draw(t, "n"))
		q := Query{K: 3}
		if rapid.Bool().Draw(t, "points") {
			q.Points = make([]int32, r.IntN(200))
			for i := range q.Points {
				q.Points[i] = int32(r.IntN(x.Rows))
			}
		}
		if rapid.Bool().Draw(t, "cells") {
			var err error
			if q.Cells, err = MakeCells(t.Context(), x, 1+r.IntN(12), 5, nil); err != nil {
				t.Fatal(err)
			}
		}
		size := 1 + r.IntN(40)
		n, parts := q.Rows(x.Rows), 1
		if q.Cells != nil {
			parts = q.Cells.Len() + 1
		}
		want := []Block{}
		for c := range parts {
			var rows []int32
			cell := c
			for row := range n {
				if _, self := q.Row(x, row); q.Cells == nil || (q.Cells.Of(self)+parts)%parts == c {
					rows = append(rows, int32(row))
				}
			}
			if q.Cells == nil {
				cell = -1
			}
			for part := range slices.Chunk(rows, size) {
				want = append(want, Block{part, cell})
			}
		}
		if got := Blocks(x, q, size); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

// A survey of points is one of the valid ones alone.
func TestSurveyIsOfValidPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, _ := drawn(t, rapid.IntRange(0, 200).Draw(t, "n"))
		var want Survey
		for c := range x.Cols {
			low, high := math.Inf(1), math.Inf(-1)
			want.Valid = 0
			for i := range x.Rows {
				if row := x.Row(i); plainFinite(row) {
					want.Valid++
					low, high = min(low, float64(row[c])), max(high, float64(row[c]))
				}
			}
			want.Spread = max(want.Spread, high-low)
		}
		if got := SurveyOf(x); got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
	for _, v := range []float64{0, math.Copysign(0, -1), 1, math.MaxFloat32, -math.MaxFloat32, 1e-45, math.Inf(1),
		math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1)} {
		for at := range 3 {
			row := []float32{1, -2, 3}
			row[at] = float32(v)
			if got := Finite(row); got != plainFinite(row) {
				t.Errorf("%v is finite: %v", row, got)
			}
		}
	}
}

// The centre is the running mean of valid points in their order, to the bit, of each second one where there are many.
func TestCentreIsTheRunningMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 30, 700, 10_007}).Draw(t, "n")
		x, _ := drawn(t, n)
		want, count := make([]float64, x.Cols), 0.0
		for i := 0; i < n; i += 1 + n/10000 {
			if !plainFinite(x.Row(i)) {
				continue
			}
			count++
			for c, v := range x.Row(i) {
				want[c] += (float64(v) - want[c]) / count
			}
		}
		if got := Centre(x); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
