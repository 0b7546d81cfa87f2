// Package explain says what sets of rows are, in words of columns: Describe finds the limits that describe a set best,
// Apart the columns that set two sets apart, Alike the sets most alike to one, Signs the marker signs of a set.
//
// Everything is deterministic: the same columns and sets give the same bits, on any number of cores. Large sets are
// judged by rows that are drawn from them, from each stretch of equal length one at random with a fixed seed. Missing
// values (NaN) count nowhere. Errors are Problems, or those of a cancelled context.
package explain

import (
	"math/rand/v2"

	"blossom/model/maps/selection"
)

// Column is a named list of values.
type Column struct {
	Name string
	At   func(row int) float64 // NaN where missing; called by several goroutines at once
}

// draw returns the rows of a set, ascending; of more than most, one of each of most stretches of equal length.
func draw(s *selection.Set, most int) []int {
	n := s.Count()
	rows := make([]int, 0, min(n, most))
	if n <= most {
		s.Each(0, s.Len(), func(row int) { rows = append(rows, row) })
		return rows
	}
	r := rand.New(rand.NewPCG(uint64(n), 0xe8b1a19))
	want := func() int {
		i := len(rows)
		from, to := i*n/most, (i+1)*n/most
		return from + r.IntN(to-from)
	}
	at, next := 0, want()
	s.Each(0, s.Len(), func(row int) {
		if at == next {
			rows = append(rows, row)
			if len(rows) < most {
				next = want()
			}
		}
		at++
	})
	return rows
}

// read returns the values of rows.
func read(c Column, rows []int) []float64 {
	v := make([]float64, len(rows))
	for i, row := range rows {
		v[i] = c.At(row)
	}
	return v
}
