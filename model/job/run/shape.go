package run

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/shape"
	"blossom/model/landmarks/train"
)

// onShape makes landmarks on the shape of --som-shape, joined by its edges, spread over the main directions of the
// points x.
func (s *Settings) onShape(ctx context.Context, x matrix.Matrix32) (*landmark.Set, error) {
	drawn, err := shape.Open(s.SOMShape)
	if err != nil {
		return nil, err
	}
	net, err := drawn.Net()
	if err != nil {
		p := problem.As(err)
		return nil, problem.Wrap(err, s.SOMShape, p.Remedy, "%s", p.What)
	}
	if s.Dims != 0 && s.Dims < net.Dims() {
		return nil, Usage{problem.New(s.SOMShape, "leave --dims out", "the shape has %d dimensions, --dims says %d",
			net.Dims(), s.Dims)}
	}
	return landmark.StartOn(ctx, x, net.Matrix(max(s.Dims, net.Dims())), net.Edges, s.Seed)
}

// alongEdges are the parameters by which a training follows the edges of a shape; nil for one that cannot.
func alongEdges(algorithm string) step.Values {
	if a, ok := train.ByID(algorithm); ok {
		if _, can := a.Param("along"); can {
			return step.Values{"along": 1}
		}
	}
	return nil
}
