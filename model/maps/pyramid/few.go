package pyramid

import (
	"bufio"
	"encoding/binary"
	"io"
)

// fewMagic begins the cells of a part. After it come how many there are and, for each, twice the number of empty cells
// since the last one, and one more where the cell has several points; then how many more than two. All are numbers of
// 7 bits a byte (Unsigned LEB128), so that a cell mostly takes one byte. The sum that finds damage is the receipt's.
const fewMagic = "blossom cells 1\n"

// Few are the numbers of cells that have points, in the order of the cells.
type Few struct {
	Outside, Nowhere int64
	Cells            []Cell
}

// Cell is the number of a cell, of rows from the least coordinates on, and how many points lie there.
type Cell struct{ At, Points uint32 }

// Few returns the cells that have points, for counts of less than 2^32 points a cell.
func (c *Counts) Few() *Few {
	f := &Few{Outside: c.Outside, Nowhere: c.Nowhere}
	for y := range Side {
		for tx := range tiles {
			tile := c.tiles[y/TileSide*tiles+tx]
			if tile == nil {
				continue
			}
			for x, n := range tile[y%TileSide*TileSide:][:TileSide] {
				if n > 0 {
					f.Cells = append(f.Cells, Cell{uint32(y*Side + tx*TileSide + x), n})
				}
			}
		}
	}
	return f
}

// Merge adds the counts of a part.
func (c *Counts) Merge(f *Few) {
	c.Outside, c.Nowhere = c.Outside+f.Outside, c.Nowhere+f.Nowhere
	for _, cell := range f.Cells {
		c.add(int(cell.At), cell.Points)
	}
}

// Write writes the cells.
func (f *Few) Write(w io.Writer) error {
	b := append([]byte(fewMagic), binary.AppendUvarint(nil, uint64(len(f.Cells)))...)
	next := uint32(0)
	for _, c := range f.Cells {
		if gap := uint64(c.At-next) * 2; c.Points == 1 {
			b = binary.AppendUvarint(b, gap)
		} else {
			b = binary.AppendUvarint(binary.AppendUvarint(b, gap+1), uint64(c.Points-2))
		}
		if next = c.At + 1; len(b) > 1<<16 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	_, err := w.Write(b)
	return err
}

// MergeFrom adds the cells that Write has written, and returns how many points they have. Where they are damaged, it
// may have added some of them.
func (c *Counts) MergeFrom(r io.Reader) (inside int64, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	magic := make([]byte, len(fewMagic))
	if _, err := io.ReadFull(in, magic); err != nil || string(magic) != fewMagic {
		return 0, errDamaged
	}
	cells, err := binary.ReadUvarint(in)
	if err != nil || cells > Side*Side {
		return 0, errDamaged
	}
	next := uint64(0)
	for ; cells > 0; cells-- {
		gap, err := binary.ReadUvarint(in)
		if err != nil || gap/2 >= Side*Side-next {
			return 0, errDamaged
		}
		at, points := next+gap/2, uint64(1)
		if gap%2 == 1 {
			more, err := binary.ReadUvarint(in)
			if err != nil || more > 1<<32-3 {
				return 0, errDamaged
			}
			points = more + 2
		}
		c.add(int(at), uint32(points))
		next, inside = at+1, inside+int64(points)
	}
	return inside, ended(in)
}
