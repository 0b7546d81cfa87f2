package enginetest

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
)

// Some points are placed by the last bits of what they are computed from: one between two landmarks that are almost the
// same, one whose neighbours lie on a line of the map. How far engine and direct formula are off there is luck, and the
// rms of a table with one such point is that luck. A table that is worse than the direct formula's is therefore
// measured once more, without those that are farthest off by no more than luck: one, or one in a thousand. Medians and
// percentiles of all points are judged whatever is left out.
const lucky = 0.001

// surely measures an embedding and that of the direct formula by the points that are no luck.
func surely(t testing.TB, c Case, got, want, direct matrix.Matrix32) (engine, formula Errors) {
	t.Helper()
	off := make([]float64, want.Rows)
	order := make([]int, want.Rows)
	for i := range off {
		off[i], order[i] = offBy(got.Row(i), want.Row(i)), i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(off[b], off[a]) })
	out := make([]bool, want.Rows)
	for _, i := range order[:max(1, int(lucky*float64(len(order))))] {
		out[i] = off[i] <= 2*luck(t, c, i)
	}
	kept := without(want, out)
	return Measure(without(got, out), kept, Extent(c.Pos)), Measure(without(direct, out), kept, Extent(c.Pos))
}

// luck is how far one bit of a coordinate moves the exact answer, or the direct formula is off at most for points that
// are one bit away.
func luck(t testing.TB, c Case, row int) (most float64) {
	t.Helper()
	x := c.X.Row(row)
	near := matrix.Matrix32{Rows: 2*len(x) + 1, Cols: len(x)}
	for range near.Rows {
		near.Data = append(near.Data, x...)
	}
	for q, v := range x {
		near.Row(2*q + 1)[q] = math.Nextafter32(v, float32(math.Inf(1)))
		near.Row(2*q + 2)[q] = math.Nextafter32(v, float32(math.Inf(-1)))
	}
	exact, err := embedsom.Embed(context.Background(), near, c.Codebook, c.Pos, c.P)
	if err != nil {
		t.Fatal(err)
	}
	direct := embedsom.Direct32(near, c.Codebook, c.Pos, c.P)
	for i := range near.Rows {
		most = max(most, offBy(exact.Row(i), exact.Row(0)), offBy(direct.Row(i), exact.Row(i)))
	}
	return most
}

// offBy is the largest difference of two points in one coordinate; of numbers alone.
func offBy(a, b []float32) (most float64) {
	for q := range a {
		if d := math.Abs(float64(a[q]) - float64(b[q])); d > most {
			most = d
		}
	}
	return most
}

// without leaves rows of a table out.
func without(m matrix.Matrix32, out []bool) matrix.Matrix32 {
	kept := matrix.Matrix32{Cols: m.Cols}
	for i := range m.Rows {
		if !out[i] {
			kept.Data = append(kept.Data, m.Row(i)...)
			kept.Rows++
		}
	}
	return kept
}
