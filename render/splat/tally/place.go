package tally

import (
	"math"

	"blossom/render/camera"
	"blossom/render/splat"
)

// record is a point in a cell, packed: the cell, whether it stands back, and which point of its chunk it is.
type record uint64

const back = record(1) << 31

func (r record) cell() int32 { return int32(r >> 32) }
func (r record) point() int  { return int(r & 0x7fffffff) }
func (r record) back() bool  { return r&back != 0 }

// chunk is the records of some thousand points by bands of cells, in the order of the points within each. Its size does
// not depend on how many cores there are, so that neither do sums.
type chunk struct {
	from   int
	sorted []record
	first  []int32 // records of band b are sorted[first[b]:first[b+1]]
}

// scratch is what a worker needs to fill a chunk.
type scratch struct {
	raw    [chunkPoints]record
	cells  [chunkPoints]int32
	places [2 * chunkPoints]float64
}

// of is the records of a band.
func (ch *chunk) of(band int) []record { return ch.sorted[ch.first[band]:ch.first[band+1]] }

// place fills a chunk with the points [from, to).
func (c *Canvas) place(ch *chunk, p splat.Points, from, to int) {
	n := to - from
	ch.from = from
	use := <-c.spare
	defer func() { c.spare <- use }()
	ch.sorted, ch.first = grown(ch.sorted, n), cleared(ch.first, c.bands+2)
	pixels(use.places[:], p.Pos[from*p.Dims:to*p.Dims], p.Dims, &c.proj)
	c.grid.Place(use.cells[:n], use.places[:2*n])
	raw := use.raw[:0]
	first := ch.first[1:] // band b counts at b+1, which becomes its end
	for i, cell := range use.cells[:n] {
		if cell < 0 {
			continue
		}
		state := uint8(0)
		if len(p.States) > 0 {
			state = p.States[from+i]
		}
		if state&splat.Hidden != 0 {
			continue
		}
		r := record(cell)<<32 | record(i)
		if c.style.DimUnselected && state&splat.Selected == 0 || c.style.Only > 0 && !c.only(p, from+i) {
			r |= back
		}
		raw = append(raw, r)
		first[uint(cell)>>c.shift+1]++
	}
	for b := 1; b < len(first); b++ {
		first[b] += first[b-1]
	}
	for _, r := range raw {
		b := uint(r.cell()) >> c.shift
		ch.sorted[first[b]] = r
		first[b]++
	}
	ch.sorted = ch.sorted[:len(raw)]
}

// only says whether a point has the label that stands out.
func (c *Canvas) only(p splat.Points, i int) bool {
	return i < len(p.Values) && p.Values[i] == float32(c.style.Only-1)
}

// pixels sets places to the pixels of positions; NaN: a point has none. It computes in float64 what the shaders do.
func pixels(places []float64, pos []float32, dims int, p *camera.Projection) {
	w2, h2 := float64(p.W)/2, float64(p.H)/2
	var m [16]float64
	for i, x := range p.M {
		m[i] = float64(x)
	}
	ox, oy, oz := float64(p.Origin[0]), float64(p.Origin[1]), float64(p.Origin[2])
	n := len(pos) / dims
	if p.Reference == 0 {
		for i := range n {
			x, y := float64(pos[i*dims])-ox, float64(pos[i*dims+1])-oy
			places[2*i], places[2*i+1] = (x*m[0]+m[12]+1)*w2, (y*m[5]+m[13]+1)*h2
		}
		return
	}
	least := float64(p.Reference) * 1e-3
	for i := range n {
		x, y, z := float64(pos[i*dims])-ox, float64(pos[i*dims+1])-oy, -oz
		if dims == 3 {
			z += float64(pos[i*dims+2])
		}
		w := m[3]*x + m[7]*y + m[11]*z + m[15]
		if !(w > least) { // behind the eye
			places[2*i], places[2*i+1] = math.NaN(), math.NaN()
			continue
		}
		places[2*i] = ((m[0]*x+m[4]*y+m[8]*z+m[12])/w + 1) * w2
		places[2*i+1] = ((m[1]*x+m[5]*y+m[9]*z+m[13])/w + 1) * h2
	}
}
