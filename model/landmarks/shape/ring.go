package shape

import "math"

func init() {
	Register(Kind{ID: "ring", Title: "Ring", Order: 30, By: ByFrame, Spaced: true,
		Help: "A closed line around the frame, its landmarks at even distances",
		Icon: Icon{oval(0.42, 0.42, 0.1)},
		Points: func(s Shape) (*Net, error) {
			z := s.size()
			path := make([][2]float64, 721)
			for i := range path {
				sin, cos := math.Sincos(2 * math.Pi * float64(i%720) / 720)
				path[i] = [2]float64{z[0] / 2 * cos, z[1] / 2 * sin}
			}
			n := steps(length(path), s.Spacing, 3)
			if n > Most {
				return nil, tooMany()
			}
			net := &Net{At: along(path, n+1)[:n]}
			for i := range n {
				net.Edges = append(net.Edges, join(i, (i+1)%n))
			}
			return net, nil
		}})
}
