package selection

import (
	"context"
	"math"

	"blossom/model/base/par"
)

// Hit is a point that was found near a place of the screen.
type Hit struct {
	Point    int     // its number on the map
	Row      int     // its row of the data set
	X, Y     float64 // where it is on the screen
	Distance float64 // from the place, in pixels
	Depth    float64 // from the eye, in units of the world; 1 on a flat map
}

// found is the best point so far: the nearest to the eye, of those the nearest to the place, of those the
// first. point is -1 where there is none. On a flat map all depths are 1.
type found struct {
	point         int
	x, y          float64
	square, depth float64 // square of the distance
}

func (f *found) better(g *found) bool {
	switch {
	case g.point < 0 || f.point < 0:
		return f.point >= 0
	case f.depth != g.depth:
		return f.depth < g.depth
	case f.square != g.square:
		return f.square < g.square
	}
	return f.point < g.point
}

func (f *found) hit(p Points) (Hit, bool) {
	if f.point < 0 {
		return Hit{}, false
	}
	return Hit{f.point, p.Row(f.point), f.x, f.y, math.Sqrt(f.square), f.depth}, true
}

// Nearest returns the point within radius pixels of a place that is nearest to it; in space, of all within
// the radius, the nearest to the eye. ok is false if there is none. Equally near: the first.
func Nearest(ctx context.Context, v View, p Points, at Point, radius float64) (h Hit, ok bool, err error) {
	if err := p.check(); err != nil {
		return Hit{}, false, err
	}
	n := p.Len()
	if !(radius >= 0) {
		return Hit{}, false, ctx.Err()
	}
	proj := v.projector()
	best := make([]found, par.Count(n, block))
	err = par.Blocks(ctx, n, block, func(b, from, to int) {
		own := found{point: -1}
		p.each(&proj, from, to, func(c *chunk, first, n int) {
			proj.search(c, n, at, radius, &own, func(i int) int {
				if !p.has(first + i) {
					return -1
				}
				return first + i
			})
		})
		best[b] = own
	})
	if err != nil {
		return Hit{}, false, err
	}
	all := found{point: -1}
	for i := range best {
		if best[i].better(&all) {
			all = best[i]
		}
	}
	h, ok = all.hit(p)
	return h, ok, nil
}

// search looks for a better point among n projected ones; number gives the point of the i-th, -1: it is none.
func (v *projector) search(c *chunk, n int, at Point, radius float64, best *found, number func(i int) int) {
	limit := radius * radius
	for i := range n {
		dx, dy := c.x[i]-at.X, c.y[i]-at.Y
		d := float64(dx*dx) + float64(dy*dy)
		if !(d <= limit) {
			continue
		}
		f := found{number(i), c.x[i], c.y[i], d, 1}
		if !v.flat {
			f.depth = c.w[i]
		}
		if f.point >= 0 && f.better(best) {
			*best = f
			if v.flat {
				limit = d
			}
		}
	}
}
