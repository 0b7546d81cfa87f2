package pyramid

const (
	tiles     = Side / TileSide // number of tiles along a side
	tileCells = TileSide * TileSide
)

// Counts are how many points lie in each cell of the finest level of a frame. They take at most 64 MiB, whatever the
// number of points, and 4 bytes a cell where there are none.
type Counts struct {
	Frame   Frame
	Outside int64 // points beyond the frame
	Nowhere int64 // points without a place

	tiles [tiles * tiles][]uint32 // nil: there are no points in it
	over  map[int]uint32          // how often the number of a cell has gone beyond 32 bits
}

// NewCounts are those of a frame without points.
func NewCounts(f Frame) *Counts { return &Counts{Frame: f} }

// at is the tile of a cell, and its place there.
func at(cell int) (tile, place int) {
	x, y := cell%Side, cell/Side
	return y/TileSide*tiles + x/TileSide, y%TileSide*TileSide + x%TileSide
}

// Add counts points by their coordinates, x and y.
func (c *Counts) Add(x, y []float32) {
	for i := range min(len(x), len(y)) {
		px, py := float64(x[i]), float64(y[i])
		if px-px != 0 || py-py != 0 {
			c.Nowhere++
		} else if cell := c.Frame.cell(px, py); cell < 0 {
			c.Outside++
		} else {
			c.add(cell, 1)
		}
	}
}

// add adds n points to a cell.
func (c *Counts) add(cell int, n uint32) {
	tile, place := at(cell)
	if c.tiles[tile] == nil {
		c.tiles[tile] = make([]uint32, tileCells)
	}
	was := c.tiles[tile][place]
	c.tiles[tile][place] = was + n
	if was+n < was {
		if c.over == nil {
			c.over = map[int]uint32{}
		}
		c.over[cell]++
	}
}

// Of is how many points lie in a cell.
func (c *Counts) Of(x, y int) uint64 {
	cell := y*Side + x
	tile, place := at(cell)
	if c.tiles[tile] == nil {
		return 0
	}
	return uint64(c.over[cell])<<32 + uint64(c.tiles[tile][place])
}

// Inside is how many points lie in the frame.
func (c *Counts) Inside() (n int64) {
	for _, tile := range c.tiles {
		for _, k := range tile {
			n += int64(k)
		}
	}
	for _, k := range c.over {
		n += int64(k) << 32
	}
	return n
}

// Points is how many points have been counted, wherever they are.
func (c *Counts) Points() int64 { return c.Inside() + c.Outside + c.Nowhere }
