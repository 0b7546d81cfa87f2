package tally

import (
	"context"
	"image/color"
	"math"
	"math/bits"

	"blossom/model/base/par"
	"blossom/model/maps/density"
	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/render/pen"
	"blossom/render/splat"
)

// Settings say how points are counted. They are comparable: equal ones give an equal picture.
type Settings struct {
	Mode  string // the ID of a mode; "": Points
	Size  float64
	Shown Shown
	Scale density.Scale
	// Smooth is the standard deviation in pixels of the Gaussian that counts and sums are smoothed by; 0: they are not.
	Smooth float64
	// Median has cells show medians in the place of means, Share the share of a label in the place of the commonest;
	// "": of none. Label is its number.
	Median bool
	Share  string
	Label  int
}

// Cells says whether points are counted in cells, rather than drawn one by one.
func (s Settings) Cells() bool { return s.mode().New != nil }

// mode is the mode, Points where there is none of that name.
func (s Settings) mode() Mode {
	m, _ := ByID(s.Mode)
	return m
}

// Unit names a cell.
func (s Settings) Unit() string {
	if m := s.mode(); m.Unit != nil {
		return m.Unit(s.Size)
	}
	return ""
}

// Pair is two quantities that points have at once, of which Points.Values are steps.
type Pair struct {
	Of [2][]float32
	By [2]palette.Lookup
}

// Style is how cells look.
type Style struct {
	Opacity       float32 // 0: the more points a cell has the more opaque it is, where colours say something else
	Table         *palette.Table
	Lookup        palette.Lookup
	Pair          *Pair // nil: points have no two quantities
	DimUnselected bool  // points that are not selected only say where there are some
	Only          int   // above 0: so do points of all labels but number Only-1
}

// Canvas is a picture of cells under construction. Its methods are for one goroutine; the work inside is spread over
// cores. Nothing of a caller's is kept but what a Style points to, until the next Begin.
type Canvas struct {
	threads int
	w, h    int
	proj    camera.Projection
	how     Settings
	grid    Grid
	style   Style

	count  []int32 // points of each cell that stand out
	behind []int32 // and those that stand back; nil: none do
	shown  shown   // nil: cells say nothing but how many there are
	done   bool    // all that there is of cells has been worked out
	chunks []chunk
	spare  chan *scratch
	bands  int
	band   int // cells of a band, which is what one worker has at a time: 1<<shift
	shift  uint
	inks   []Ink
	levels *density.Levels
	soft   []float64 // smoothed amounts of points of cells; empty: they are not smoothed
	front  []float64 // and of those that stand out
}

// MostCells is how many cells a picture has at most.
const MostCells = 1 << 26

const (
	chunkPoints = 4096
	round       = 64 // chunks that are placed before they are counted
	leastBand   = 2048
	mostBands   = 256
)

// New returns a canvas that works on so many threads; 0 means all cores.
func New(threads int) *Canvas {
	if threads <= 0 {
		threads = par.Cores()
	}
	c := &Canvas{threads: threads, spare: make(chan *scratch, threads)}
	for range threads {
		c.spare <- new(scratch)
	}
	return c
}

// Begin begins a picture of what a projection shows, with nothing in it. The settings are those of cells.
func (c *Canvas) Begin(p camera.Projection, s Settings) {
	if c.grid != nil && p == c.proj && s.Mode == c.how.Mode && s.Size == c.how.Size {
		c.grid.Again()
	} else {
		c.grid = s.mode().New(p, s.Size)
	}
	c.w, c.h, c.proj, c.how, c.levels, c.done = p.W, p.H, p, s, nil, false
	n := c.grid.Cells()
	c.count, c.behind = cleared(c.count, n), c.behind[:0]
	c.shown = s.new(n, c.shown)
	c.shift = uint(bits.Len(uint(max(leastBand, (n+mostBands-1)/mostBands) - 1)))
	c.band = 1 << c.shift
	c.bands = (n + c.band - 1) / c.band
	c.chunks = c.chunks[:0]
}

// cleared is a slice of n zeros, in the memory of another where that is large enough.
func cleared[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// each calls f for 0 to n-1, on all threads.
func (c *Canvas) each(n int, f func(i int)) {
	_ = par.On(context.Background(), c.threads, n, 1, func(i, _, _ int) { f(i) })
}

// Draw counts the points [from, to). All points of a picture have the last style.
func (c *Canvas) Draw(p splat.Points, s Style, from, to int) {
	if from >= to || c.grid == nil {
		return
	}
	c.style, c.levels, c.done = s, nil, false
	if (s.DimUnselected || s.Only > 0) && len(c.behind) == 0 {
		c.behind = cleared(c.behind, len(c.count))
	}
	keeps := c.shown != nil && c.shown.keeps(p)
	for from < to {
		end := min(to, from+round*chunkPoints)
		first := 0
		if keeps {
			first = len(c.chunks)
		}
		c.chunks = grown(c.chunks, first+(end-from+chunkPoints-1)/chunkPoints)
		now := c.chunks[first:]
		c.each(len(now), func(i int) {
			at := from + i*chunkPoints
			c.place(&now[i], p, at, min(at+chunkPoints, end))
		})
		c.each(c.bands, func(b int) {
			for i := range now {
				c.add(now[i].of(b), p, now[i].from)
			}
		})
		from = end
	}
}

// grown is a slice of n, whose members beyond those that there were keep their memory.
func grown[T any](s []T, n int) []T {
	for cap(s) < n {
		s = append(s[:cap(s)], *new(T))
	}
	return s[:n]
}

// add counts the records of a band, whose points count from one.
func (c *Canvas) add(records []record, p splat.Points, from int) {
	for _, r := range records {
		if r.back() {
			c.behind[r.cell()]++
		} else {
			c.count[r.cell()]++
		}
	}
	if c.shown != nil {
		c.shown.add(records, p, &c.style, from)
	}
}

// Levels are the places of the counts on their scale.
func (c *Canvas) Levels() *density.Levels {
	if c.levels == nil {
		counts := c.count
		if len(c.behind) > 0 {
			counts = make([]int32, len(c.count))
			for i := range counts {
				counts[i] = c.count[i] + c.behind[i]
			}
		}
		c.soften()
		if len(c.soft) > 0 {
			counts = make([]int32, len(c.soft))
			for i, x := range c.soft {
				counts[i] = int32(min(x+0.5, math.MaxInt32))
			}
		}
		c.levels = c.how.Scale.Levels(counts)
	}
	return c.levels
}

// Count is how many points lie in a cell.
func (c *Canvas) Count(cell int) int {
	n := int(c.count[cell])
	if len(c.behind) > 0 {
		n += int(c.behind[cell])
	}
	return n
}

// has says whether a cell has points that are painted.
func (c *Canvas) has(cell int) bool {
	if len(c.soft) > 0 {
		return c.soft[cell] >= leastSmooth
	}
	return c.Count(cell) > 0
}

// finish does what is left to be done of cells once all points are there.
func (c *Canvas) finish() {
	c.Levels()
	if c.shown == nil || c.done {
		return
	}
	c.done = true
	c.each(c.bands, func(b int) {
		from := b * c.band
		c.shown.finish(c, b, from, min(from+c.band, len(c.count)))
	})
}

// Resolve lays the cells on the ground colour and writes w*h RGBA pixels of 8 bits, premultiplied, the top row first.
func (c *Canvas) Resolve(dst []uint8, ground color.NRGBA) {
	c.finish()
	c.inks = grown(c.inks, len(c.count))
	on := float64s(ground)
	bare := inkOn(color.NRGBA{}, 0, on)
	few := c.inksOfCounts(bare, on)
	c.each(c.bands, func(b int) {
		for i := b * c.band; i < min((b+1)*c.band, len(c.count)); i++ {
			switch n := c.Count(i); {
			case n < len(few):
				c.inks[i] = few[n]
			case !c.has(i):
				c.inks[i] = bare
			default:
				c.inks[i] = c.ink(i, on)
			}
		}
	})
	const rows = 32
	c.each((c.h+rows-1)/rows, func(i int) {
		c.grid.Paint(dst, c.w, i*rows, min((i+1)*rows, c.h), c.inks)
	})
}

// Patch is a cell that has points, as a shape.
type Patch struct {
	Outline []pen.Spot
	Colour  color.NRGBA
}

// Patches are the cells that have points, as shapes; none where cells are pixels.
func (c *Canvas) Patches() (out []Patch) {
	c.finish()
	for i := range c.count {
		if !c.has(i) {
			continue
		}
		outline := c.grid.Outline(i)
		if outline == nil {
			return nil
		}
		out = append(out, Patch{outline, straight(c.ink(i, [4]float64{}))})
	}
	return out
}
