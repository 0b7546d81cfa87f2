package format

import (
	"fmt"
	"math"
	"strconv"

	"blossom/model/base/problem"
)

// Memory that a table needs: two float32 copies of its values (the raw ones and those of the map),
// 32 bytes a point (positions, colours, neighbours), and buffers.
const (
	bytesPerValue = 8
	bytesPerPoint = 32
	bytesOfSlack  = 48 << 20
)

// maxRows is the number of points that the program can count: rows are int32 in many places.
const maxRows = math.MaxInt32

// maxColumns is the number of columns that make sense; a few bytes of a text can promise millions.
const maxColumns = 1 << 20

// guard refuses a table that does not fit into o.Memory, before any is taken.
func (o Options) guard(path string, rows, columns int64) error {
	return Fits(path, rows, columns, o.Memory, func(n int64) string {
		return fmt.Sprintf("open a part of it with --max-points %d --sample random", n)
	})
}

// guardExact refuses a table of which some columns are kept as float64 too, if it does not fit into the memory:
// such a column takes as much again as a column does (see dataset.Column).
func (in *input) guardExact(rows, columns, exact int) error {
	if exact == 0 {
		return nil
	}
	return in.o.guard(in.path, int64(rows), int64(columns+exact))
}

// Fits returns a Problem of the table path if it needs more than free bytes of memory, with the remedy
// that fewer gives for the number of rows that do fit with room to spare.
func Fits(path string, rows, columns, free int64, fewer func(rows int64) string) error {
	if columns > maxColumns {
		return problem.New(path, "check that it is a table with one row per point",
			"has %s columns, more than the %s that blossom can hold", thousands(columns), thousands(maxColumns))
	}
	perRow := float64(columns)*bytesPerValue + bytesPerPoint
	need := float64(rows)*perRow + bytesOfSlack
	if rows <= maxRows && need <= float64(free) {
		return nil
	}
	fits := min((float64(free)-bytesOfSlack)/2/perRow, maxRows/2)
	if fits < 1 {
		return problem.New(path, moreMemory(),
			"needs about %s of memory for one row of %s columns, %s are free", size(perRow+bytesOfSlack),
			thousands(columns), size(float64(free)))
	}
	digit := math.Pow(10, math.Floor(math.Log10(fits)))
	n := int64(math.Floor(fits/digit) * digit)
	remedy := fewer(n)
	if rows > maxRows {
		return problem.New(path, remedy, "holds %s points, more than the %s that blossom can count", thousands(rows),
			thousands(maxRows))
	}
	return problem.New(path, remedy, "needs about %s of memory for %s points of %s columns, %s are free",
		size(need), thousands(rows), thousands(columns), size(float64(free)))
}

func size(bytes float64) string {
	if bytes < 1<<30 {
		return fmt.Sprintf("%.0f MiB", bytes/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", bytes/(1<<30))
}

// thousands writes n with commas: 1,048,576.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	start := 0
	if n < 0 {
		start = 1
	}
	for i := len(s) - 3; i > start; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// machineMemory is the remedy where it is the machine that has too little.
const machineMemory = "close other programs or use a machine with more memory"

// fallbackMemory is assumed to be free where the system does not say: any machine of today has it.
const fallbackMemory = 4 << 30
