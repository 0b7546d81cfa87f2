package shape

import (
	"math"

	"blossom/model/base/step"
)

func init() {
	tube := step.Param{ID: "tube", Title: "Tube", Min: 0.05, Max: 0.45, Default: 0.25,
		Help: "How thick the tube is, as a share of the width. Raising it closes the hole."}
	radius := func(s Shape) float64 { z := s.size(); return s.Value("tube") * min(z[0], z[1]) / 2 }
	Register(Kind{ID: "torus", Title: "Torus", Order: 100, By: ByFrame, Solid: true, Spaced: true,
		Help:   "The surface of a tube that is closed to a ring",
		Icon:   Icon{oval(0.5, 0.34, 0.1), oval(0.2, 0.09, 0.1)},
		Params: []step.Param{tube},
		Fit:    func(s *Shape) { s.Frame.Size[2] = math.Copysign(2*radius(*s), s.Frame.Size[2]) },
		Points: func(s Shape) (*Net, error) {
			z, r := s.size(), radius(s)
			a, b := z[0]/2-r, z[1]/2-r
			n, m := steps(math.Pi*(a+b), s.Spacing, 3), steps(2*math.Pi*r, s.Spacing, 3)
			if n*m > Most {
				return nil, tooMany()
			}
			net := &Net{}
			for i := range n {
				sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
				for j := range m {
					up, out := math.Sincos(2 * math.Pi * float64(j) / float64(m))
					net.At = append(net.At, Vec{(a + r*out) * cos, (b + r*out) * sin, r * up})
					net.Edges = append(net.Edges, join(i*m+j, i*m+(j+1)%m), join(i*m+j, (i+1)%n*m+j))
				}
			}
			net.Edges = unique(net.Edges)
			return net, nil
		}})
}
