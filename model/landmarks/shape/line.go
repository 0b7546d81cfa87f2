package shape

import (
	"math"

	"blossom/model/base/problem"
)

func init() {
	Register(Kind{ID: "line", Title: "Line", Order: 50, By: ByStroke, Spaced: true,
		Help: "Landmarks along a stroke at the spacing; one that ends where it began is closed",
		Icon: Icon{open(-0.35, 0, 0.35, 0)},
		Points: func(s Shape) (*Net, error) {
			path := s.path()
			l := length(path)
			if len(path) < 2 || l == 0 {
				return nil, problem.New("", "draw a longer one", "the stroke is a single point")
			}
			a, b := path[0], path[len(path)-1]
			gap := math.Hypot(a[0]-b[0], a[1]-b[1])
			closed := gap <= s.Spacing && l >= 4*s.Spacing
			if closed {
				path, l = append(path, a), l+gap
			}
			n := steps(l, s.Spacing, 1) // pieces between landmarks
			if n >= Most {
				return nil, tooMany()
			}
			net := &Net{At: along(path, n+1)}
			if closed {
				net.At = net.At[:n]
			}
			for i := range len(net.At) - 1 {
				net.Edges = append(net.Edges, join(i, i+1))
			}
			if closed {
				net.Edges = append(net.Edges, join(0, n-1))
			}
			return net, nil
		}})
}
