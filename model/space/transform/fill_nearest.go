package transform

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"blossom/model/data/dataset"
)

// FillNearest takes a missing value for the median of those that the points nearest to it have, by the distance over
// the columns in which it has a value, scaled up by their share (as nearest-neighbour imputation has it: Troyanskaya
// et al., Bioinformatics 17, 2001). The share is the same for all that are compared, so that it cancels.
//
// Near points are looked for among a fixed sample of rows, its donors, which are part of the mix: a map that is kept
// fills the gaps of other tables alike. Its columns are those with gaps, then the others of the map; its numbers are
// the number of the former, then the raw values of the donors, row by row. A point without any value stays out.
const FillNearest ID = "fill-nearest"

// Donors are so many that their numbers stay some thousands, within these bounds; the value that most of a few nearest
// lie around is taken.
const (
	donorNumbers = 1 << 14
	donorsLeast  = 32
	donorsMost   = 512
	donorsNear   = 5
	donorsAmong  = 100_000 // rows that are looked at, so that a large table opens as fast
)

func init() {
	registerFill(filler{
		word: "nearest", does: "is taken from the points nearest to it by the values that are there", mix: donors,
		op: MatrixOp{
			ID: FillNearest, Way: "Nearest", Order: 10,
			Help: "Takes a missing value from the points that are nearest by the values that are there: the median " +
				"of five, out of some hundred points of the table. A point without any value is left out.",
			Says: func(columns int) string {
				return "missing values are those of the nearest points by the values that are there"
			},
			Changes: func(columns int, values []float64) int {
				if len(values) == 0 || !(values[0] >= 0 && values[0] <= float64(columns)) {
					return columns // Wrong says so
				}
				return int(values[0])
			},
			Wrong: func(columns int, values []float64) string {
				if columns == 0 || len(values) < 1+columns || (len(values)-1)%columns != 0 {
					return fmt.Sprintf("filling gaps from near points takes rows of %d numbers, it has %d", columns,
						len(values))
				}
				if g := values[0]; g != math.Trunc(g) || g < 1 || g > float64(columns) {
					return fmt.Sprintf("gaps are filled in %g of %d columns", g, columns)
				}
				return unlikely(values)
			},
			New: func(columns int, values []float64) (forward, back func(Block)) {
				return newDonation(columns, values).fill, func(Block) {}
			},
		},
	})
}

// donors is the mix whose donors are rows of the table: the ones with the fewest gaps in cols, evenly spread. A gap
// that a donor has itself is taken for the median of its column.
func donors(ds *dataset.Dataset, cols, gappy []int) Mix {
	m := Mix{Op: FillNearest, Cols: slices.Clone(gappy), Values: []float64{float64(len(gappy))}}
	filled := ds.Among(gappy)
	for _, c := range cols {
		if !filled[c] {
			m.Cols = append(m.Cols, c)
		}
	}
	var instead []float64
	for _, c := range m.Cols {
		_, median, _ := ds.Columns[c].Quartiles()
		instead = append(instead, median)
	}
	want := min(max(donorNumbers/len(m.Cols), donorsLeast), donorsMost)
	for _, row := range fullest(ds, m.Cols, want) {
		for j, c := range m.Cols {
			x := ds.Columns[c].At(row)
			if x-x != 0 {
				x = instead[j]
			}
			m.Values = append(m.Values, x)
		}
	}
	return m
}

// fullest returns at most n rows, rising, with the fewest values of cols that are not numbers, of an even sample of
// them; of those with as many as the last, evenly spread ones.
func fullest(ds *dataset.Dataset, cols []int, n int) []int {
	step := (ds.Points + donorsAmong - 1) / donorsAmong
	gaps := make([]int32, (ds.Points+step-1)/step)
	rows := make([]int, len(cols)) // how many rows have so many gaps; none without any value
	for i := range gaps {
		for _, c := range cols {
			if x := ds.Columns[c].Values[i*step]; x-x != 0 {
				gaps[i]++
			}
		}
		if int(gaps[i]) < len(rows) {
			rows[gaps[i]]++
		}
	}
	var out []int
	for level, count := range rows {
		take := min(count, n-len(out))
		seen := 0
		for i, g := range gaps {
			if int(g) == level {
				if seen*take/count != (seen+1)*take/count {
					out = append(out, i*step)
				}
				seen++
			}
		}
		if len(out) == n {
			break
		}
	}
	slices.Sort(out)
	return out
}

// donation fills gaps from donors. Columns are compared on scales of their own: each value as the asinh of how many
// quartile ranges it lies from the median, so that neither a wide column nor a far value decides alone.
type donation struct {
	gappy  int         // how many columns it fills: the first
	values [][]float64 // the donors, column by column
	scaled [][]float64 // the same on the scale of the column
	middle []float64   // median by column
	width  []float64   // quartile range by column; 0: all donors have the same value, which tells nothing
}

func newDonation(columns int, values []float64) *donation {
	rows := (len(values) - 1) / columns
	d := &donation{gappy: int(values[0]), middle: make([]float64, columns), width: make([]float64, columns)}
	for j := range columns {
		v := make([]float64, rows)
		for i := range v {
			v[i] = values[1+i*columns+j]
		}
		sorted := slices.Sorted(slices.Values(v))
		d.middle[j] = sorted[rows/2]
		if d.width[j] = sorted[rows*3/4] - sorted[rows/4]; d.width[j] == 0 {
			d.width[j] = (sorted[rows-1] - sorted[0]) / 4
		}
		s := make([]float64, rows)
		for i, x := range v {
			s[i] = d.onScale(j, x)
		}
		d.values, d.scaled = append(d.values, v), append(d.scaled, s)
	}
	return d
}

// onScale is a value of column j as it is compared.
func (d *donation) onScale(j int, x float64) float64 {
	if d.width[j] == 0 {
		return 0
	}
	return math.Asinh((x - d.middle[j]) / d.width[j])
}

// fill puts values in the place of the gaps of a block, row by row.
func (d *donation) fill(b Block) {
	far, order := make([]float64, len(d.values[0])), make([]int, len(d.values[0]))
	for i := range b[0] {
		if !d.lacks(b, i) {
			continue
		}
		clear(far)
		there := 0
		for j, strip := range b {
			if x := strip[i]; x-x == 0 {
				there++
				x = d.onScale(j, x)
				for k, y := range d.scaled[j] {
					far[k] += (x - y) * (x - y)
				}
			}
		}
		if there == 0 {
			continue
		}
		for k := range order {
			order[k] = k
		}
		slices.SortFunc(order, func(k, l int) int { return cmp.Or(cmp.Compare(far[k], far[l]), k-l) })
		near := order[:min(donorsNear, len(order))]
		for j, strip := range b[:d.gappy] {
			if strip[i] != strip[i] {
				strip[i] = d.middleOf(j, near)
			}
		}
	}
}

// lacks says whether row i of a block has a gap that is filled.
func (d *donation) lacks(b Block, i int) bool {
	return slices.ContainsFunc(b[:d.gappy], func(strip []float64) bool { return strip[i] != strip[i] })
}

// middleOf is the median of what some donors have in column j; the lower one of two.
func (d *donation) middleOf(j int, near []int) float64 {
	var v [donorsNear]float64
	for n, k := range near {
		v[n] = d.values[j][k]
	}
	some := v[:len(near)]
	slices.Sort(some)
	return some[(len(some)-1)/2]
}
