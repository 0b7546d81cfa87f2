package exact

import "math"

// Table is g x d sums of the columns of rows, each row being added to one of g, for columns of which the largest value
// is known. It is as exact as g x d Sums, and nearly as quick as float64: a value whose last bit counts for at least
// 2^-37 or so of the largest one of its column is added to a float64, which stays exact for mostRows rows, and only
// smaller ones, and what the float64 hold then, are added to Sums.
type Table struct {
	cols   int
	open   []float64 // g x d: what is not in the sums yet
	sums   []Sum     // g x d
	limits []uint32  // by column, see limit
	rows   int       // rows since open was empty
}

// mostRows is for how many rows the float64 are exact.
const mostRows = 1 << 16

// NewTable returns the sums of g kinds of rows. largest is the largest magnitude in each column.
func NewTable(g int, largest []float32) *Table {
	t := &Table{cols: len(largest), open: make([]float64, g*len(largest)), sums: make([]Sum, g*len(largest)),
		limits: make([]uint32, len(largest))}
	for j, x := range largest {
		t.limits[j] = limit(x)
	}
	return t
}

// limit is what twice the bits of a value, less one, are at least where a float64 takes it. With the exponent field e
// of the largest value all are below 2^(e-126), and mostRows of them below 2^(e-110). Those with a field of e-13 at
// least are multiples of 2^(e-163), and so are their sums: of these 2^53 fit. 0 fits, and lies above every limit, less
// one.
func limit(largest float32) uint32 {
	e := math.Float32bits(largest) >> 23 & 0xff
	if e <= 14 { // multiples of the smallest number fit
		return 0
	}
	return (e-13)<<24 - 1
}

// Room returns how many rows can be added before Carry.
func (t *Table) Room() int { return mostRows - t.rows }

// Added says that rows have been added, at most Room of them.
func (t *Table) Added(rows int) { t.rows += rows }

// Add adds columns [from, from+len(x)) of a row to those of kind c. Calls for other columns may run at the same time.
func (t *Table) Add(c, from int, x []float32) {
	at := c*t.cols + from
	open, limits := t.open[at:at+len(x)], t.limits[from:from+len(x)]
	for j, v := range x {
		if math.Float32bits(v)<<1-1 >= limits[j] {
			open[j] += float64(v)
		} else {
			t.sums[at+j].Add(v)
		}
	}
}

// Carry brings what the float64 hold into the sums of kinds [from, to). Calls for other kinds may run at the same time;
// when all have been, Carried says so.
func (t *Table) Carry(from, to int) {
	for i := from * t.cols; i < to*t.cols; i++ {
		if t.open[i] != 0 {
			t.sums[i].AddFloat64(t.open[i])
			t.open[i] = 0
		}
	}
}

// Carried makes room for further rows.
func (t *Table) Carried() { t.rows = 0 }

// Sum returns a sum of kind c, when all has been carried.
func (t *Table) Sum(c, column int) *Sum { return &t.sums[c*t.cols+column] }

// Sums returns the sums of all kinds, g x d, which others may add to, too. What has not been carried is not in them.
func (t *Table) Sums() []Sum { return t.sums }

// Clear makes all sums 0.
func (t *Table) Clear() {
	clear(t.open)
	clear(t.sums)
	t.rows = 0
}
