package format

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"blossom/model/data/encoding/hdf5"
)

// visitTurned decodes a block of a matrix whose rows are the columns of the table.
func (r *h5Dense) visitTurned(b hdf5.Block) error {
	size := len(r.value.order)
	first, _ := slices.BinarySearch(r.cols, int(b.At[0]))
	end, _ := slices.BinarySearch(r.cols, int(b.At[0]+b.Size[0]))
	tile := tileSize / size
	scratch := make([]uint64, tile)
	tallies := make([]tally, max(0, end-first))
	from, to := b.At[1], b.At[1]+b.Size[1]
	for k := first; k < end; k++ {
		line := b.Data[(int64(r.cols[k])-b.At[0])*b.Dims[1]*int64(size):]
		t := &tallies[k-first]
		place, last := r.rows.places(from, int(to-from))
		for place < last {
			runs := min(tile, last-place)
			if r.rows.list != nil {
				runs = 1
			}
			r.strip(k, place, place+runs, line[(r.rows.row(place)-from)*int64(size):], size, scratch, t)
			place += runs
		}
	}
	r.mutex.Lock()
	for k := range tallies {
		r.tallies[first+k].add(tallies[k])
	}
	r.mutex.Unlock()
	r.meter.add(b.Size[0] * b.Size[1] * int64(size))
	return nil
}

// variedLines are the rows of a matrix of the greatest variance, which are the columns of the table.
func (m *h5Matrix) variedLines(ctx context.Context, most int) ([]int, error) {
	var mutex sync.Mutex
	sum, squares := make([]float64, m.cols), make([]float64, m.cols)
	value := h5Value(m.dense.Type)
	size := int64(len(value.order))
	err := m.dense.Blocks(ctx, func(b hdf5.Block) error {
		numbers, scratch := make([]float64, b.Size[1]), make([]uint64, b.Size[1])
		for i := range b.Size[0] {
			value.decodeExact(numbers, b.Data[i*b.Dims[1]*size:], int(size), scratch)
			total, square := 0.0, 0.0
			for _, x := range numbers {
				total, square = total+x, square+x*x
			}
			mutex.Lock()
			sum[b.At[0]+i] += total
			squares[b.At[0]+i] += square
			mutex.Unlock()
		}
		return nil
	})
	if err != nil {
		return nil, h5At(err, m.name)
	}
	return greatest(sum, squares, m.rows, most), nil
}

// greatest are the columns of the greatest variance, in their order, of the sums of their values and of the squares.
func greatest(sum, squares []float64, rows int64, most int) []int {
	variance := make([]float64, len(sum))
	for k := range variance {
		mean := sum[k] / float64(max(1, rows))
		variance[k] = squares[k]/float64(max(1, rows)) - mean*mean
	}
	cols := upTo(int64(len(sum)))
	slices.SortStableFunc(cols, func(a, b int) int { return cmp.Compare(variance[b], variance[a]) })
	cols = cols[:min(most, len(cols))]
	slices.Sort(cols)
	return cols
}
