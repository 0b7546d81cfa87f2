package ui

import "blossom/model/landmarks/shape"

func init() {
	if !oneFile {
		return
	}
	shape.Register(shape.Kind{ID: "pair", Title: "Pair", Order: 15, Help: "Two landmarks at the ends of the frame.",
		Points: func(s shape.Shape) (*shape.Net, error) {
			half := s.Frame.Size[0] / 2
			return &shape.Net{At: []shape.Vec{{-half, 0}, {half, 0}}, Edges: [][2]int32{{0, 1}}}, nil
		}})
}
