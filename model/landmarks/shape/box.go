package shape

import (
	"math"

	"blossom/model/base/step"
)

func init() {
	side := step.Param{Min: 1, Max: 64, Default: 4, Integer: true}
	cols, rows, layers := side, side, side
	cols.ID, cols.Title, cols.Help = "cols", "Columns", "Landmarks from left to right."
	rows.ID, rows.Title, rows.Help = "rows", "Rows", "Landmarks from bottom to top."
	layers.ID, layers.Title, layers.Help = "layers", "Layers", "Landmarks from back to front."
	Register(Kind{ID: "box", Title: "Box", Order: 80, By: ByFrame, Solid: true, Spaced: true,
		Help: "A grid in three dimensions",
		Icon: Icon{closed(0, -0.44, 0.38, -0.22, 0.38, 0.22, 0, 0.44, -0.38, 0.22, -0.38, -0.22),
			open(-0.38, -0.22, 0, 0, 0.38, -0.22), open(0, 0, 0, 0.44)},
		Params: []step.Param{cols, rows, layers},
		Fit: func(s *Shape) {
			z := s.size()
			*s = s.With("cols", cols.Clamp(float64(steps(z[0], s.Spacing, 0)+1))).
				With("rows", rows.Clamp(float64(steps(z[1], s.Spacing, 0)+1)))
			s.Frame.Size[2] = math.Copysign((s.Value("layers")-1)*s.Spacing, s.Frame.Size[2])
		},
		Size: func(s Shape) Vec {
			return Vec{(s.Value("cols") - 1) * s.Spacing, (s.Value("rows") - 1) * s.Spacing,
				(s.Value("layers") - 1) * s.Spacing}
		},
		Points: func(s Shape) (*Net, error) {
			n := [3]int{int(s.Value("cols")), int(s.Value("rows")), int(s.Value("layers"))}
			if n[0]*n[1]*n[2] > Most {
				return nil, tooMany()
			}
			net := &Net{}
			for i := range n[0] * n[1] * n[2] {
				at := [3]int{i % n[0], i / n[0] % n[1], i / n[0] / n[1]}
				p, back := Vec{}, 1
				for c, x := range at {
					if n[c] > 1 {
						p[c] = float64(x)/float64(n[c]-1) - 0.5
					}
					if x > 0 {
						net.Edges = append(net.Edges, join(i-back, i))
					}
					back *= n[c]
				}
				net.At = append(net.At, s.scaled(p))
			}
			return net, nil
		}})
}
