package shape

import (
	"math"

	"blossom/model/base/problem"
)

func init() {
	Register(Kind{ID: "silhouette", Title: "Image", Order: 70, By: ByImage, Packs: true, Spaced: true,
		Help: "The silhouette of a picture, filled with landmarks",
		Icon: Icon{closed(-0.38, -0.38, 0.38, -0.38, 0.38, 0.38, -0.38, 0.38),
			open(-0.26, 0.38, 0.14, -0.04, 0.38, 0.2), closed(-0.2, -0.2, -0.1, -0.2, -0.1, -0.1, -0.2, -0.1)},
		Points: func(s Shape) (*Net, error) {
			m := s.Mask
			if m == nil || m.W == 0 || m.H == 0 {
				return nil, problem.New("", "open a picture first", "a silhouette of nothing")
			}
			z := s.size()
			return fill(z[1], s.Spacing, s.Packing, func(y float64) (out []span) {
				t := 0.5
				if z[1] > 0 {
					t = 0.5 - y/z[1]
				}
				row := min(m.H-1, max(0, int(math.Floor(t*float64(m.H)))))
				x := func(col int) float64 { return (float64(col)/float64(m.W) - 0.5) * z[0] }
				for c := 0; c < m.W; c++ {
					if !m.At(c, row) {
						continue
					}
					from := c
					for c < m.W && m.At(c, row) {
						c++
					}
					out = append(out, span{x(from), x(c)})
				}
				return out
			})
		}})
}
