package shape

import "math"

// span is a stretch of a row that lies within an area, from left to right.
type span [2]float64

// fill packs an area with landmarks: rows from bottom to top, each from left to right, the lattice around 0. spans
// returns the stretches of the row at height y that lie within, ascending and apart. Neighbours of the lattice are
// joined where the way between them is within too. height is that of the area, around 0.
func fill(height, spacing float64, p Packing, spans func(y float64) []span) (*Net, error) {
	dy := spacing * p.height()
	rows := height / 2 / dy
	if rows > Most {
		return nil, tooMany()
	}
	net := &Net{}
	last := int(math.Floor(rows + 1e-9))
	below := map[int]int{} // column of the row below -> landmark
	for r := -last; r <= last; r++ {
		y := float64(r) * dy
		odd := p.shift() * float64(r&1)
		var between []span
		if len(below) > 0 {
			between = spans(y - dy/2)
		}
		row := map[int]int{}
		for _, s := range spans(y) {
			from, to := math.Ceil(s[0]/spacing-odd-1e-9), math.Floor(s[1]/spacing-odd+1e-9)
			if to-from > Most {
				return nil, tooMany()
			}
			before := -1
			for c := int(from); c <= int(to); c++ {
				if _, there := row[c]; there { // the spans touch
					continue
				}
				if len(net.At) == Most {
					return nil, tooMany()
				}
				i := len(net.At)
				x := (float64(c) + odd) * spacing
				row[c], net.At = i, append(net.At, Vec{x, y})
				if before >= 0 {
					net.Edges = append(net.Edges, join(before, i))
				}
				before = i
				for _, under := range beneath(p, r, c) {
					if j, ok := below[under]; ok && holds(between, (x+net.At[j][0])/2) {
						net.Edges = append(net.Edges, join(j, i))
					}
				}
			}
		}
		below = row
	}
	return net, nil
}

// beneath are the columns of the row below that are neighbours of column c in row r.
func beneath(p Packing, r, c int) []int {
	if p == Square {
		return []int{c}
	}
	odd := r & 1
	return []int{c - 1 + odd, c + odd}
}

// holds says whether x lies in one of the spans.
func holds(spans []span, x float64) bool {
	for _, s := range spans {
		if x >= s[0]-1e-9 && x <= s[1]+1e-9 {
			return true
		}
	}
	return false
}
