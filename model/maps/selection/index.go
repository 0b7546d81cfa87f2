package selection

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/par"
)

// Index finds the nearest point without looking at all of them. Points are packed into tiles that lie
// together on the plane: columns of equally many, cut into tiles of tileSize (sort-tile-recursive packing,
// Leutenegger et al. 1997), so that neither outliers nor crowds make large ones. On a flat map the plane is
// that of the positions, and an index serves any view; in space it is the screen of the view it was made for.
type Index struct {
	points Points
	view   View
	flat   bool
	member []int32 // points, tile after tile
	tiles  []tile
}

// tileSize is the number of points of a tile.
const tileSize = 256

// tile is some points: the box around them on the plane, the least depth and the first of them.
type tile struct {
	x0, y0, x1, y1 float64
	depth          float64
	from, to       int32 // range of Index.member
	first          int32
}

// BuildIndex makes an index. The positions must not change until it is done, nor while it is in use: after
// a change it answers with points that are elsewhere now, so make another. It may run beside the main thread.
func BuildIndex(ctx context.Context, v View, p Points) (*Index, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	x := &Index{points: p, view: v}
	proj := v.projector()
	x.flat = proj.flat && p.Dims == 2
	if x.flat {
		proj = positions
	}
	columns, err := x.columns(ctx, &proj)
	if err != nil {
		return nil, err
	}
	// Each column is sorted by y and cut.
	tiles := make([][]tile, len(columns)-1)
	err = par.Blocks(ctx, len(tiles), 1, func(b, _, _ int) { tiles[b] = x.pack(&proj, columns[b], columns[b+1]) })
	if err != nil {
		return nil, err
	}
	x.tiles = slices.Concat(tiles...)
	return x, nil
}

// positions projects the positions of a flat map to themselves.
var positions = projector{x: [4]float64{1}, y: [4]float64{0, 1}, w: [4]float64{3: 1}, flat: true}

// columns sorts the points that are on the plane into columns of about equally many by x, and returns where
// each begins in x.member, and the end of the last.
func (x *Index) columns(ctx context.Context, proj *projector) ([]int, error) {
	p := x.points
	n := p.Len()
	var sample []float64 // the first points are a fair sample
	p.each(proj, 0, min(n, 1<<16), func(c *chunk, _, n int) {
		for i := range n {
			if seen(c.x[i], c.y[i]) {
				sample = append(sample, c.x[i])
			}
		}
	})
	slices.Sort(sample)
	count := max(1, int(math.Sqrt(float64(n)/tileSize)))
	var borders []float64
	for i := 1; i < count && len(sample) > 0; i++ {
		borders = append(borders, sample[i*len(sample)/count])
	}
	borders = slices.Compact(borders)
	count = len(borders) + 1

	of := make([]uint16, n) // the column of a point, count if it is not on the plane
	blocks := par.Count(n, block)
	at := make([][]int, blocks)
	err := par.Blocks(ctx, n, block, func(b, from, to int) {
		at[b] = make([]int, count+1)
		p.each(proj, from, to, func(c *chunk, first, n int) {
			for i := range n {
				col := count
				if seen(c.x[i], c.y[i]) {
					col = below(borders, c.x[i])
				}
				of[first+i] = uint16(col)
				at[b][col]++
			}
		})
	})
	if err != nil {
		return nil, err
	}
	starts := make([]int, count+1)
	sum := 0
	for col := range starts {
		starts[col] = sum
		for b := range at {
			at[b][col], sum = sum, sum+at[b][col]
		}
	}
	x.member = make([]int32, n)
	err = par.Blocks(ctx, n, block, func(b, from, to int) {
		for i := from; i < to; i++ {
			x.member[at[b][of[i]]] = int32(i)
			at[b][of[i]]++
		}
	})
	return starts, err
}

// below returns how many of the ascending borders are less than x.
func below(borders []float64, x float64) int {
	at := 0
	for n := len(borders); n > 0; {
		half := (n + 1) / 2
		if borders[at+half-1] < x {
			at += half
		}
		n -= half
	}
	return at
}

// pack sorts the points of a column by y and cuts it into tiles.
func (x *Index) pack(proj *projector, from, to int) (tiles []tile) {
	members := x.member[from:to]
	keys := make([]uint64, len(members))
	x.gather(proj, members, func(c *chunk, at, n int) {
		for i := range n {
			keys[at+i] = uint64(sortable(float32(c.y[i])))<<32 | uint64(members[at+i])
		}
	})
	slices.Sort(keys)
	for i, k := range keys {
		members[i] = int32(k & math.MaxUint32)
	}
	for at := 0; at < len(members); at += tileSize {
		end := min(at+tileSize, len(members))
		t := tile{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1), math.Inf(1), int32(from + at),
			int32(from + end), slices.Min(members[at:end])}
		x.gather(proj, members[at:end], func(c *chunk, _, n int) {
			for i := range n {
				t.x0, t.x1 = min(t.x0, c.x[i]), max(t.x1, c.x[i])
				t.y0, t.y1 = min(t.y0, c.y[i]), max(t.y1, c.y[i])
				if proj.flat {
					t.depth = 1
				} else {
					t.depth = min(t.depth, c.w[i])
				}
			}
		})
		tiles = append(tiles, t)
	}
	return tiles
}

// sortable returns a number that is ordered as f is; f is not NaN.
func sortable(f float32) uint32 {
	b := math.Float32bits(f)
	if b>>31 != 0 {
		return ^b
	}
	return b | 1<<31
}

// gather projects some points and calls fn for chunks of them.
func (x *Index) gather(proj *projector, members []int32, fn func(c *chunk, at, n int)) {
	var c chunk
	var pos [chunkSize * 3]float32
	d := x.points.Dims
	for at := 0; at < len(members); at += chunkSize {
		n := min(chunkSize, len(members)-at)
		for i, m := range members[at : at+n] {
			from, to := x.points.Pos[int(m)*d:(int(m)+1)*d], pos[i*d:(i+1)*d]
			for k := range to {
				to[k] = from[k]
			}
		}
		proj.fill(&c, pos[:n*d], d)
		fn(&c, at, n)
	}
}

// Serves says whether the index answers for a view.
func (x *Index) Serves(v View) bool {
	p := v.projector()
	return x != nil && (x.flat && p.flat || x.view == v)
}

// Len is the number of points that the index is of.
func (x *Index) Len() int { return x.points.Len() }

// Bytes is the memory that the index takes, beside the positions.
func (x *Index) Bytes() int { return 4*len(x.member) + 56*len(x.tiles) }

// Nearest is Nearest, of the points that the index is of, for a view that it serves; for others nothing is
// found.
func (x *Index) Nearest(v View, at Point, radius float64) (Hit, bool) {
	if !x.Serves(v) || !(radius >= 0) {
		return Hit{}, false
	}
	proj := v.projector()
	best := found{point: -1}
	search := func(t *tile) {
		members := x.member[t.from:t.to]
		x.gather(&proj, members, func(c *chunk, first, n int) {
			proj.search(c, n, at, radius, &best, func(i int) int { return int(members[first+i]) })
		})
	}
	// The most promising tile first: most others then cannot have a better point.
	first, least := -1, found{point: -1}
	around := x.around(&proj, at, radius)
	for i := range x.tiles {
		if t := &x.tiles[i]; around.meets(t) {
			if b := x.bound(&proj, t, at); b.square <= radius*radius && b.better(&least) {
				first, least = i, b
			}
		}
	}
	if first < 0 {
		return Hit{}, false
	}
	search(&x.tiles[first])
	if proj.flat && best.point >= 0 {
		radius = math.Sqrt(best.square) * (1 + 1e-12)
		around = x.around(&proj, at, radius)
	}
	for i := range x.tiles {
		if t := &x.tiles[i]; i != first && around.meets(t) {
			if b := x.bound(&proj, t, at); b.square <= radius*radius && b.better(&best) {
				search(t)
			}
		}
	}
	return best.hit(x.points)
}

// area is a box on the plane of an index.
type area struct{ x0, y0, x1, y1 float64 }

func (a *area) meets(t *tile) bool {
	return t.x0 <= a.x1 && t.x1 >= a.x0 && t.y0 <= a.y1 && t.y1 >= a.y0
}

// around returns a box that holds every point within radius pixels of a place; most tiles are not near it.
func (x *Index) around(proj *projector, at Point, radius float64) area {
	cx, cy, rx, ry := at.X, at.Y, radius, radius
	mx, my := 0.0, 0.0 // magnitudes of what cx and cy are differences of
	if x.flat {
		// The screen is (a b; c d) times the plane, and something.
		a, b, c, d := proj.x[0], proj.x[1], proj.y[0], proj.y[1]
		det := a*d - b*c
		u := at.X - proj.x[3] + proj.x[2]*proj.origin[2]
		v := at.Y - proj.y[3] + proj.y[2]*proj.origin[2]
		cx, cy = (d*u-b*v)/det+proj.origin[0], (a*v-c*u)/det+proj.origin[1]
		rx, ry = radius*math.Hypot(d, b)/math.Abs(det), radius*math.Hypot(a, c)/math.Abs(det)
		mu := math.Abs(at.X) + math.Abs(proj.x[3]) + math.Abs(proj.x[2]*proj.origin[2])
		mv := math.Abs(at.Y) + math.Abs(proj.y[3]) + math.Abs(proj.y[2]*proj.origin[2])
		mx, my = (math.Abs(d)*mu+math.Abs(b)*mv)/math.Abs(det), (math.Abs(a)*mv+math.Abs(c)*mu)/math.Abs(det)
		skew := (math.Abs(a*d) + math.Abs(b*c)) / math.Abs(det)
		if !(skew < 1e3) { // all points come to one line of the screen, or nearly
			return area{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}
		}
	}
	// Rounding amounts to less, by far.
	sx, sy := 1e-9*(math.Abs(cx)+math.Abs(proj.origin[0])+rx+mx), 1e-9*(math.Abs(cy)+math.Abs(proj.origin[1])+ry+my)
	return area{cx - rx - sx, cy - ry - sy, cx + rx + sx, cy + ry + sy}
}

// bound returns what no point of a tile is better than.
func (x *Index) bound(proj *projector, t *tile, at Point) found {
	return found{point: int(t.first), square: x.distance(proj, t, at), depth: t.depth}
}

// distance returns a square that no point of a tile is nearer to a place of the screen than.
func (x *Index) distance(proj *projector, t *tile, at Point) float64 {
	cx, cy, rx, ry := (t.x0+t.x1)/2, (t.y0+t.y1)/2, (t.x1-t.x0)/2, (t.y1-t.y0)/2
	if x.flat {
		px, py := cx-proj.origin[0], cy-proj.origin[1]
		z := -proj.origin[2]
		cx, cy = proj.x[0]*px+proj.x[1]*py+proj.x[2]*z+proj.x[3], proj.y[0]*px+proj.y[1]*py+proj.y[2]*z+proj.y[3]
		rx, ry = math.Abs(proj.x[0])*rx+math.Abs(proj.x[1])*ry, math.Abs(proj.y[0])*rx+math.Abs(proj.y[1])*ry
	}
	// Rounding of the numbers above amounts to less.
	slack := 1e-12 * (math.Abs(cx) + math.Abs(cy) + rx + ry + math.Abs(at.X) + math.Abs(at.Y))
	dx, dy := max(math.Abs(cx-at.X)-rx-slack, 0), max(math.Abs(cy-at.Y)-ry-slack, 0)
	return dx*dx + dy*dy
}
