package shape

import "blossom/model/base/step"

func init() {
	side := step.Param{Min: 1, Max: 256, Default: 5, Integer: true}
	cols, rows := side, side
	cols.ID, cols.Title, cols.Help = "cols", "Columns", "Landmarks from left to right."
	rows.ID, rows.Title, rows.Help = "rows", "Rows", "Landmarks from bottom to top."
	width := func(s Shape) float64 { // width of the lattice, in steps
		w := s.Value("cols") - 1
		if s.Value("rows") > 1 {
			w += s.Packing.shift()
		}
		return w
	}
	Register(Kind{ID: "grid", Title: "Grid", Order: 10, By: ByFrame, Packs: true, Spaced: true,
		Help: "Columns and rows, as many as fit into the frame at the spacing, or as typed",
		Icon: Icon{closed(-0.38, -0.38, 0.38, -0.38, 0.38, 0.38, -0.38, 0.38), open(-0.13, -0.38, -0.13, 0.38),
			open(0.13, -0.38, 0.13, 0.38), open(-0.38, -0.13, 0.38, -0.13), open(-0.38, 0.13, 0.38, 0.13)},
		Params: []step.Param{cols, rows},
		Fit: func(s *Shape) {
			z := s.size()
			r := steps(z[1], s.Spacing*s.Packing.height(), 0) + 1
			w := z[0] / s.Spacing
			if r > 1 {
				w -= s.Packing.shift()
			}
			*s = s.With("rows", rows.Clamp(float64(r))).With("cols", cols.Clamp(float64(steps(w, 1, 0)+1)))
		},
		Size: func(s Shape) Vec {
			return Vec{width(s) * s.Spacing, (s.Value("rows") - 1) * s.Spacing * s.Packing.height()}
		},
		Points: func(s Shape) (*Net, error) {
			c, r, w := int(s.Value("cols")), int(s.Value("rows")), width(s)
			if c*r > Most {
				return nil, tooMany()
			}
			net := &Net{}
			for y := range r {
				for x := range c {
					p := Vec{}
					if w > 0 {
						p[0] = (float64(x)+s.Packing.shift()*float64(y&1))/w - 0.5
					}
					if r > 1 {
						p[1] = float64(y)/float64(r-1) - 0.5
					}
					i := len(net.At)
					net.At = append(net.At, s.scaled(p))
					if x > 0 {
						net.Edges = append(net.Edges, join(i-1, i))
					}
					for _, under := range beneath(s.Packing, y, x) {
						if y > 0 && under >= 0 && under < c {
							net.Edges = append(net.Edges, join((y-1)*c+under, i))
						}
					}
				}
			}
			return net, nil
		}})
}
