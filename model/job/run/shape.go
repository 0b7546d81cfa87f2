package run

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/shape"
	"blossom/model/landmarks/train"
)

// onShape makes landmarks on the shape of a file, joined by its edges, spread over the main directions of the points;
// dims 0 is as the shape has it.
func onShape(ctx context.Context, from landmark.Pool, file string, dims int, seed uint64) (*landmark.Set, error) {
	drawn, err := shape.Open(file)
	if err != nil {
		return nil, err
	}
	net, err := drawn.Net()
	if err != nil {
		p := problem.As(err)
		return nil, problem.Wrap(err, file, p.Remedy, "%s", p.What)
	}
	if dims != 0 && dims < net.Dims() {
		return nil, Usage{problem.New(file, "leave --dims out", "the shape has %d dimensions, --dims says %d",
			net.Dims(), dims)}
	}
	return from.On(ctx, net.Matrix(max(dims, net.Dims())), net.Edges, seed)
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
