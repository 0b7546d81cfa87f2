package shape

import (
	"math"
	"slices"
)

func init() {
	Register(Kind{ID: "sphere", Title: "Sphere", Order: 90, By: ByFrame, Solid: true, Spaced: true,
		Help: "The surface of a ball, its landmarks at about even distances",
		Icon: Icon{oval(0.42, 0.42, 0.1), oval(0.42, 0.15, pen), oval(0.15, 0.42, pen)},
		Fit: func(s *Shape) {
			z := s.size()
			s.Frame.Size[2] = math.Copysign((z[0]+z[1])/2, s.Frame.Size[2])
		},
		Points: func(s Shape) (*Net, error) {
			z := s.size()
			r := (z[0] + z[1] + z[2]) / 6
			// 10 f^2 + 2 landmarks, each with an area of sqrt(3)/2 times the spacing squared.
			f := 1
			if want := 4*math.Pi*r*r/(s.Spacing*s.Spacing*math.Sqrt(3)/2) - 2; want > 0 {
				f = steps(math.Sqrt(want/10), 1, 1)
			}
			if 10*f*f+2 > Most {
				return nil, tooMany()
			}
			net := geodesic(f)
			for i, p := range net.At {
				net.At[i] = s.scaled(p)
			}
			return net, nil
		}})
}

// geodesic cuts each edge of an icosahedron into f and puts what comes out on a ball of diameter 1.
func geodesic(f int) *Net {
	g := (1 + math.Sqrt(5)) / 2
	corners := []Vec{{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0}, {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
		{g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}}
	faces := [][3]int{{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4}, {11, 10, 2},
		{10, 7, 6}, {7, 1, 8}, {3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8}, {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10},
		{8, 6, 7}, {9, 8, 1}}
	net := &Net{}
	type weight struct{ corner, w int }
	known := map[[3]weight]int{} // places on edges belong to several faces
	place := func(face [3]int, w [3]int) int {
		var key [3]weight
		n := 0
		for k := range w {
			if w[k] > 0 {
				key[n], n = weight{face[k], w[k]}, n+1
			}
		}
		slices.SortFunc(key[:n], func(a, b weight) int { return a.corner - b.corner })
		if i, ok := known[key]; ok {
			return i
		}
		var p Vec
		for _, k := range key[:n] { // in the order of corners, so that it is the same from each face
			for c := range p {
				p[c] += float64(k.w) * corners[k.corner][c]
			}
		}
		l := 2 * math.Sqrt(p[0]*p[0]+p[1]*p[1]+p[2]*p[2])
		known[key] = len(net.At)
		net.At = append(net.At, Vec{p[0] / l, p[1] / l, p[2] / l})
		return len(net.At) - 1
	}
	for _, face := range faces {
		for a := range f + 1 {
			for b := range f + 1 - a {
				here := place(face, [3]int{a, b, f - a - b})
				if a+b < f {
					right := place(face, [3]int{a + 1, b, f - a - b - 1})
					up := place(face, [3]int{a, b + 1, f - a - b - 1})
					net.Edges = append(net.Edges, join(here, right), join(here, up), join(right, up))
				}
			}
		}
	}
	net.Edges = unique(net.Edges)
	return net
}
