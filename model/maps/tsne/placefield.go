package tsne

import (
	"math"
	"sync"
)

// frozenField is phi and the repulsion of a frozen map in 2D, interpolated: many new points go over the same places,
// and a map that stays has the same forces there. Both are known at the nodes of a lattice that is fixed in space, tile
// by tile as points come there, by the mean tree; between nodes polynomials of degree 5 go through the 6 x 6 nearest.
// A tile depends on the map alone, so that a point goes the same way among any others.
type frozenField struct {
	tree  *meanTree
	tiles sync.Map // tileAt -> *fieldTile
}

const (
	fieldStep  = 1.0 / 4 // between nodes; the kernel's own length is 1
	fieldCells = 16      // cells of a tile, each way
	fieldTaps  = 6
	fieldNodes = fieldCells + fieldTaps - 1
	fieldTheta = 0.2
	fieldFar   = 1 << 24 // units; beyond it, which no map comes to, the tree is asked
)

type tileAt struct{ x, y int32 }

// fieldTile is phi and both coordinates of the repulsion at nodes: of its cells, and of two beside them.
type fieldTile struct {
	once  sync.Once
	value [fieldNodes * fieldNodes][3]float64
}

// at returns the repulsion at y and phi; ok is false where the lattice does not reach. seen is the tile that was used
// last, of one goroutine.
func (f *frozenField) at(y [3]float64, seen *seenTile) (r [3]float64, phi float64, ok bool) {
	if !(math.Abs(y[0]) < fieldFar && math.Abs(y[1]) < fieldFar) {
		return r, 0, false
	}
	u, v := y[0]/fieldStep, y[1]/fieldStep
	cx, cy := math.Floor(u), math.Floor(v)
	at := tileAt{int32(math.Floor(cx / fieldCells)), int32(math.Floor(cy / fieldCells))}
	if seen.tile == nil || seen.at != at {
		seen.at, seen.tile = at, f.tile(at)
	}
	ix, iy := int(cx)-int(at.x)*fieldCells, int(cy)-int(at.y)*fieldCells
	wx, wy := taps(u-cx), taps(v-cy)
	var sum [3]float64
	for b, w := range wy {
		row := seen.tile.value[(iy+b)*fieldNodes+ix:]
		row = row[:fieldTaps]
		var line [3]float64
		for a := range row {
			n := &row[a]
			line[0] += wx[a] * n[0]
			line[1] += wx[a] * n[1]
			line[2] += wx[a] * n[2]
		}
		sum[0] += w * line[0]
		sum[1] += w * line[1]
		sum[2] += w * line[2]
	}
	return [3]float64{sum[1], sum[2]}, sum[0], true
}

// seenTile is a tile and where it is.
type seenTile struct {
	at   tileAt
	tile *fieldTile
}

// taps are the values at t, between 0 and 1, of the polynomials of degree 5 that are 1 at one of the places -2 to 3
// and 0 at the others (Lagrange).
func taps(t float64) [fieldTaps]float64 {
	a, b, c, d, e := t+2, t+1, t-1, t-2, t-3
	return [fieldTaps]float64{
		-b * t * c * d * e / 120,
		a * t * c * d * e / 24,
		-a * b * c * d * e / 12,
		a * b * t * d * e / 12,
		-a * b * t * c * e / 24,
		a * b * t * c * d / 120,
	}
}

// tile returns a tile, made by whoever comes first.
func (f *frozenField) tile(at tileAt) *fieldTile {
	found, ok := f.tiles.Load(at)
	if !ok {
		found, _ = f.tiles.LoadOrStore(at, new(fieldTile))
	}
	t := found.(*fieldTile)
	t.once.Do(func() { f.fill(at, t) })
	return t
}

// fill sums what the map does at the nodes of a tile: they share one list of nodes and points of the tree.
func (f *frozenField) fill(at tileAt, t *fieldTile) {
	first := [2]float64{float64(int(at.x)*fieldCells - 2), float64(int(at.y)*fieldCells - 2)}
	lo := [2]float64{first[0] * fieldStep, first[1] * fieldStep}
	side := float64(fieldNodes-1) * fieldStep
	for _, s := range f.tree.seen(lo, [2]float64{lo[0] + side, lo[1] + side}, fieldTheta) {
		for b := range fieldNodes {
			dy := (first[1]+float64(b))*fieldStep - s.y
			for a := range fieldNodes {
				dx := (first[0]+float64(a))*fieldStep - s.x
				w := 1 / (1 + dx*dx + dy*dy)
				v := &t.value[b*fieldNodes+a]
				v[0] += s.mass * w
				w *= w * s.mass
				v[1] += w * dx
				v[2] += w * dy
			}
		}
	}
}

// sight is a node of the tree, or a point, as it is seen from somewhere.
type sight struct{ x, y, mass float64 }

// seen returns what acts on places of a box in 2D: nodes that are small from all of it, by the rule of field, and
// points.
func (t *meanTree) seen(lo, hi [2]float64, theta float64) (list []sight) {
	theta2 := theta * theta
	stack := []int32{int32(len(t.levels) - 1), 0}
	for len(stack) > 0 {
		at, j := int(stack[len(stack)-2]), int(stack[len(stack)-1])
		stack = stack[:len(stack)-2]
		l := &t.levels[at]
		mean := [2]float64(l.mean[2*j : 2*j+2])
		d := 1.0
		for c, m := range mean {
			e := max(lo[c]-m, m-hi[c], 0)
			d += e * e
		}
		switch {
		case l.side[j] < theta2*d:
			list = append(list, sight{mean[0], mean[1], l.mass[j]})
		case at == 0:
			for i := j * leafPoints; i < min(t.n, (j+1)*leafPoints); i++ {
				list = append(list, sight{t.y[2*i], t.y[2*i+1], 1})
			}
		default:
			for child := min((j+1)*treeFan, len(t.levels[at-1].mass)) - 1; child >= j*treeFan; child-- {
				stack = append(stack, int32(at-1), int32(child))
			}
		}
	}
	return list
}
