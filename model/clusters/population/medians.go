package population

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/par"
	"blossom/model/maps/selection"
)

// Medians returns the median of each column in each set of rows, [set][column]: of the finite values, the mean of the
// two in the middle where they are even; NaN where there are none. Columns are called by several goroutines at once.
// The error is that of a cancelled context.
func Medians(ctx context.Context, sets []*selection.Set, columns []func(row int) float64) ([][]float64, error) {
	out := make([][]float64, len(sets))
	for i := range out {
		out[i] = make([]float64, len(columns))
	}
	return out, par.Blocks(ctx, len(sets)*len(columns), 1, func(at, _, _ int) {
		set, col := at/len(columns), at%len(columns)
		values := make([]float64, 0, sets[set].Count())
		sets[set].Each(0, sets[set].Len(), func(row int) {
			if x := columns[col](row); x-x == 0 {
				values = append(values, x)
			}
		})
		out[set][col] = median(values)
	})
}

// median is that of finite values, which it puts into another order; NaN of none.
func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return math.NaN()
	}
	upper := nth(values, n/2)
	if n%2 == 1 {
		return upper
	}
	lower := slices.Max(values[:n/2])
	return lower + (upper-lower)/2
}

// nth returns the value that would be at a place if values were sorted, and puts it there, with none above it before it
// and none below it behind (Hoare's selection, by the median of three).
func nth(values []float64, k int) float64 {
	lo, hi := 0, len(values)-1
	for hi-lo > 16 {
		a, b, c := values[lo], values[(lo+hi)/2], values[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return values[k]
		}
	}
	slices.Sort(values[lo : hi+1])
	return values[k]
}
