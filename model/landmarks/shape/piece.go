package shape

import (
	"math"
	"slices"

	"blossom/model/base/problem"
)

func init() {
	Register(Kind{ID: "piece", Title: "Piece", Order: 60, By: ByPiece,
		Help: "A copy of selected landmarks with the edges between them, as they are or mirrored",
		Icon: Icon{closed(-0.14, -0.14, 0.42, -0.14, 0.42, 0.42, -0.14, 0.42),
			open(-0.3, 0.14, -0.42, 0.14, -0.42, -0.42, 0.14, -0.42, 0.14, -0.3)},
		Points: func(s Shape) (*Net, error) {
			if s.Piece == nil || len(s.Piece.At) == 0 {
				return nil, problem.New("", "select the landmarks of the piece first", "a piece of no landmarks")
			}
			net := &Net{Edges: slices.Clone(s.Piece.Edges)}
			for _, p := range s.Piece.At {
				net.At = append(net.At, s.scaled(p))
			}
			net.Solid = s.Frame.Size[2] != 0
			return net, nil
		}})
}

// Cut makes a piece of landmarks at these places; the frame becomes the box around them, along its axes. edges are
// those between them, a < b.
func (s Shape) Cut(at []Vec, edges [][2]int32) Shape {
	in := make([]Vec, len(at))
	lo, hi := Vec{math.Inf(1), math.Inf(1), math.Inf(1)}, Vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i, p := range at {
		in[i] = s.Frame.In(p)
		for c, x := range in[i] {
			lo[c], hi[c] = math.Min(lo[c], x), math.Max(hi[c], x)
		}
	}
	if len(at) == 0 {
		lo, hi = Vec{}, Vec{}
	}
	var middle Vec
	for c := range middle {
		middle[c] = (lo[c] + hi[c]) / 2
		s.Frame.Size[c] = hi[c] - lo[c]
	}
	s.Frame.Centre = s.Frame.Out(middle)
	s.Piece = &Piece{Edges: slices.Clone(edges)}
	for _, p := range in {
		for c := range p {
			p[c] -= middle[c]
			if s.Frame.Size[c] > 0 {
				p[c] /= s.Frame.Size[c]
			}
		}
		s.Piece.At = append(s.Piece.At, p)
	}
	return s
}
