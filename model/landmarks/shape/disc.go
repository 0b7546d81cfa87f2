package shape

import "math"

func init() {
	Register(Kind{ID: "disc", Title: "Disc", Order: 40, By: ByFrame, Packs: true, Spaced: true,
		Help: "A filled circle or ellipse",
		Icon: Icon{oval(0.42, 0.42, 0.1), oval(0.27, 0.27, 0)},
		Points: func(s Shape) (*Net, error) {
			z := s.size()
			return fill(z[1], s.Spacing, s.Packing, func(y float64) []span {
				h := 0.0
				if z[1] > 0 {
					t := 2 * y / z[1]
					h = 1 - t*t
				}
				if h < -1e-9 {
					return nil
				}
				w := z[0] / 2 * math.Sqrt(max(0, h))
				return []span{{-w, w}}
			})
		}})
}
