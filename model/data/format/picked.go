package format

import "slices"

// picked are the rows of a table that are read: n of them from one on or, where there is a list, those.
type picked struct {
	from, n int64
	list    []int64 // ascending; nil: none
}

// pick says which of total rows of so many columns are read: those of the range that is asked for, or a sample of them,
// as if there were no others. total is how many that has, or the file.
func (in *input) pick(rows int64, columns int) (p picked, total int64, err error) {
	if p.from, total, err = in.taken(rows); err != nil {
		return p, 0, err
	}
	var n int
	if p.list, n, err = in.rows(total, columns); err != nil {
		return p, 0, err
	}
	p.n = int64(n)
	for i := range p.list {
		p.list[i] += p.from
	}
	return p, total, nil
}

// places says which of them are among n rows of the file from first on: those from number from up to to.
func (p picked) places(first int64, n int) (from, to int) {
	if p.list == nil {
		place := func(row int64) int { return int(min(max(row-p.from, 0), p.n)) }
		return place(first), place(first + int64(n))
	}
	from, _ = slices.BinarySearch(p.list, first)
	to, _ = slices.BinarySearch(p.list, first+int64(n))
	return from, to
}

// row is the row of the file that number i of them is.
func (p picked) row(i int) int64 {
	if p.list == nil {
		return p.from + int64(i)
	}
	return p.list[i]
}

// place is the number of a row of the file among them, -1 where it is none of them.
func (p picked) place(row int64) int {
	from, to := p.places(row, 1)
	if from == to {
		return -1
	}
	return from
}

// reach is from the first of them to behind the last.
func (p picked) reach() (from, to int64) {
	if p.n == 0 {
		return 0, 0
	}
	return p.row(0), p.row(int(p.n)-1) + 1
}
