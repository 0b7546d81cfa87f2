package train

import (
	"math/rand/v2"

	"blossom/model/base/matrix"
)

// Even returns the rows of a table of about as many valid points as x, in which each of some samples has equally many:
// of points of a smaller sample each is there several times, of a larger one some are drawn by the seed, each at most
// once more than the others. of is the sample of a point, below 0 for none. ok is false where fewer than two samples
// have valid points: then there is nothing to even out.
func Even(x matrix.Matrix32, samples int, of func(point int) int, seed uint64) (rows []int32, ok bool) {
	by := make([][]int32, samples)
	all := 0
	for i := range x.Rows {
		if s := of(i); s >= 0 && s < samples && finite(x.Row(i)) {
			by[s] = append(by[s], int32(i))
			all++
		}
	}
	there := 0
	for _, points := range by {
		if len(points) > 0 {
			there++
		}
	}
	if there < 2 {
		return nil, false
	}
	r := rand.New(rand.NewPCG(seed, 0x65766e))
	rows = make([]int32, 0, all)
	at := 0
	for _, points := range by {
		n := len(points)
		if n == 0 {
			continue
		}
		share := all*(at+1)/there - all*at/there
		at++
		for ; share >= n; share -= n {
			rows = append(rows, points...)
		}
		for k := range share { // some of the rest, each once
			j := k + r.IntN(n-k)
			points[k], points[j] = points[j], points[k]
			rows = append(rows, points[k])
		}
	}
	return rows, true
}

// Gather returns rows of a table as a table.
func Gather(x matrix.Matrix32, rows []int32) matrix.Matrix32 {
	out := matrix.New(len(rows), x.Cols)
	for i, row := range rows {
		copy(out.Row(i), x.Row(int(row)))
	}
	return out
}
