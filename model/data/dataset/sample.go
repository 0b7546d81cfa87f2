package dataset

import (
	"context"
	"math/rand/v2"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
)

// The ways of sampling.
const (
	SampleFirst  = "first"
	SampleRandom = "random"
)

// SampleOf is what is said wherever some of many things stand for all: "a sample of 3,000 of 18,000 rows".
func SampleOf(n, of int64, things string) string {
	return "a sample of " + problem.Grouped(n) + " of " + problem.Grouped(of) + " " + things
}

// SampleRows chooses want of total rows without repeats, in ascending order: the first ones, or
// random ones by seed ("" is "first"). It returns nil where all rows are wanted (want <= 0 or
// want >= total). The same arguments give the same rows on every machine.
func SampleRows(total int64, want int, how string, seed uint64) ([]int64, error) {
	if how != "" && how != SampleFirst && how != SampleRandom {
		return nil, problem.New("", "use first or random", "there is no way of sampling called %q", how)
	}
	if want <= 0 || int64(want) >= total {
		return nil, nil
	}
	rows := make([]int64, 0, want)
	if how != SampleRandom {
		for i := range int64(want) {
			rows = append(rows, i)
		}
		return rows, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	if int64(want) < total/8 {
		// Floyd's algorithm: Bentley and Floyd, "A sample of brilliance", CACM 30 (1987).
		seen := make(map[int64]struct{}, want)
		for j := total - int64(want); j < total; j++ {
			t := rng.Int64N(j + 1)
			if _, ok := seen[t]; ok {
				t = j
			}
			seen[t] = struct{}{}
			rows = append(rows, t)
		}
		slices.Sort(rows)
		return rows, nil
	}
	// Selection sampling: Knuth, TAOCP 2, 3.4.2, algorithm S.
	for i := int64(0); len(rows) < want; i++ {
		if rng.Int64N(total-i) < int64(want-len(rows)) {
			rows = append(rows, i)
		}
	}
	return rows, nil
}

// Sample returns n points of ds, see SampleRows, or ds itself where all are wanted.
func Sample(ctx context.Context, ds *Dataset, n int, how string, seed uint64) (*Dataset, error) {
	rows, err := SampleRows(int64(ds.Points), n, how, seed)
	if err != nil || rows == nil {
		return ds, err
	}
	short := make([]int32, len(rows))
	for i, r := range rows {
		short[i] = int32(r)
	}
	return Take(ctx, ds, short)
}

// Take returns the points rows of ds, in that order (a subset or a permutation; repeats allowed).
// Roles stay as they are in ds, statistics are those of the rows, Total stays.
func Take(ctx context.Context, ds *Dataset, rows []int32) (*Dataset, error) {
	out := *ds
	out.Points = len(rows)
	out.Columns = slices.Clone(ds.Columns)
	for j := range out.Columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		from := ds.Columns[j].Values
		to := make([]float32, len(rows))
		for i, r := range rows {
			to[i] = from[r]
		}
		out.Columns[j].Values, out.Columns[j].Exact = to, ds.Columns[j].exactOf(rows)
	}
	if err := summariseAll(ctx, out.Columns); err != nil {
		return nil, err
	}
	for j := range out.Columns {
		if len(rows) == 0 {
			out.Columns[j].Stats = Stats{}
		}
	}
	renew(out.Columns)
	out.Rev = revision.Next()
	return &out, nil
}
