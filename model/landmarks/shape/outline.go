package shape

import "blossom/model/base/problem"

func init() {
	Register(Kind{ID: "outline", Title: "Outline", Order: 20, By: ByOutline, Packs: true, Spaced: true,
		Help: "An area drawn freehand, or by clicks on its corners, filled with landmarks",
		Icon: Icon{closed(-0.42, 0.1, -0.22, -0.36, 0.12, -0.2, 0.42, -0.34, 0.36, 0.3, -0.04, 0.4)},
		Points: func(s Shape) (*Net, error) {
			path := s.path()
			if len(path) < 3 {
				return nil, problem.New("", "draw a line around an area", "an outline needs at least three corners")
			}
			return fill(s.size()[1], s.Spacing, s.Packing, func(y float64) []span { return within(path, y) })
		}})
}
