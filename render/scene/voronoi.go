package scene

import (
	"cmp"
	"math"
	"slices"

	"blossom/model/base/matrix"
)

// corners is how many a patch has that no neighbour cuts.
const corners = 24

// voronoi returns the outline of the places that are nearer to each landmark than to any other, x and y of its corners
// in order, cut to a disc around it: landmarks at the rim have no end otherwise. One that lies with all others on one
// spot has none; those that share a spot have the same.
func voronoi(pos matrix.Matrix32) [][]float32 {
	g := pos.Rows
	out := make([][]float32, g)
	order := make([]int32, g) // by x, so that near ones stand near each other
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(pos.Row(int(a))[0], pos.Row(int(b))[0]), cmp.Compare(a, b))
	})
	reach := reaches(pos, order)
	var cell, next []float64
	for k, i := range order {
		r := reach[k]
		if !(r > 0) {
			continue
		}
		x, y := float64(pos.Row(int(i))[0]), float64(pos.Row(int(i))[1])
		cell = cell[:0]
		for c := range corners {
			s, co := math.Sincos(2 * math.Pi * (float64(c) + 0.5) / corners)
			cell = append(cell, r*co, r*s)
		}
		within := func(dx float64) bool { return math.Abs(dx) < 2*r }
		each(pos, order, k, within, func(dx, dy, d2 float64) {
			if d2 > 0 && d2 < 4*r*r {
				next = clip(next[:0], cell, dx, dy, d2/2)
				cell, next = next, cell
			}
		})
		o := make([]float32, len(cell))
		for c := 0; c < len(cell); c += 2 {
			o[c], o[c+1] = float32(x+cell[c]), float32(y+cell[c+1])
		}
		out[i] = o
	}
	return out
}

// reaches returns for each landmark in an order the radius of its disc: three quarters of the way to the second nearest
// that is not on its own spot, but not much more than most have.
func reaches(pos matrix.Matrix32, order []int32) []float64 {
	out := make([]float64, len(order))
	var all []float64
	for k := range order {
		d1, d2 := math.Inf(1), math.Inf(1) // squares
		within := func(dx float64) bool { return dx*dx <= d2 }
		each(pos, order, k, within, func(_, _, d float64) {
			switch {
			case d == 0:
			case d < d1:
				d1, d2 = d, d1
			case d < d2:
				d2 = d
			}
		})
		if math.IsInf(d2, 1) {
			d2 = d1
		}
		if !math.IsInf(d2, 1) {
			out[k] = 0.75 * math.Sqrt(d2)
			all = append(all, out[k])
		}
	}
	if len(all) == 0 {
		return out
	}
	slices.Sort(all)
	most := 2 * all[len(all)/2]
	for k := range out {
		out[k] = min(out[k], most)
	}
	return out
}

// each calls fn for the landmarks to the right of the k-th in the order, then for those to its left, with their place
// relative to it and the square of the distance, as far as within says of how far x is.
func each(pos matrix.Matrix32, order []int32, k int, within func(dx float64) bool, fn func(dx, dy, d2 float64)) {
	x, y := float64(pos.Row(int(order[k]))[0]), float64(pos.Row(int(order[k]))[1])
	for _, step := range [2]int{1, -1} {
		for j := k + step; j >= 0 && j < len(order); j += step {
			row := pos.Row(int(order[j]))
			dx, dy := float64(row[0])-x, float64(row[1])-y
			if !within(dx) {
				break
			}
			fn(dx, dy, dx*dx+dy*dy)
		}
	}
}

// clip appends to dst what of a polygon around 0 is nearer to 0 than to (dx, dy): where p·d <= half of d·d.
func clip(dst, cell []float64, dx, dy, half float64) []float64 {
	n := len(cell)
	for c := 0; c < n; c += 2 {
		ax, ay, bx, by := cell[c], cell[c+1], cell[(c+2)%n], cell[(c+3)%n]
		a, b := ax*dx+ay*dy-half, bx*dx+by*dy-half
		if a <= 0 {
			dst = append(dst, ax, ay)
		}
		if a < 0 && b > 0 || a > 0 && b < 0 {
			t := a / (a - b)
			dst = append(dst, ax+t*(bx-ax), ay+t*(by-ay))
		}
	}
	return dst
}
