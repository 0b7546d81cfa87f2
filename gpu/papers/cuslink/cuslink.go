// Package cuslink finds nearest points as the published system of single linkage does (gpu/cuda/kernels/cuslink.cu),
// beside engine cuda's own way, as a yardstick: it registers itself, and nothing else knows it. Its algorithm is one of
// package linkage.
package cuslink

import (
	"context"

	"blossom/gpu/cuda"
	"blossom/gpu/cuda/driver"
	"blossom/model/clusters/linkage"
)

func init() {
	cuda.RegisterSelection(nearest)
	cuda.Structure[selectArgs]("SelectArgs")
}

// selectArgs is SelectArgs of the kernels.
type selectArgs struct {
	packed, half, panelOf, label driver.Ptr
	n, d, k                      int32
	from, to, begin, end         int32
	queues, ids, scores          driver.Ptr
}

// selectKernel is the kernel for k neighbours, and its dynamic shared memory: of 64 rows a queue and what is pending.
func selectKernel(k int, metric linkage.Metric) (name string, shared int) {
	const queue = 8 * cuda.BlockSize * 32
	switch {
	case k == 1:
		name = "cuslinkOne"
	case k <= 32:
		name, shared = "cuslinkFew", 2*queue
	default:
		name, shared = "cuslinkMany", 3*queue
	}
	if metric == linkage.L1 {
		name += "City"
	}
	return name, shared
}

// nearest looks for the nearest points, some panels a launch.
func nearest(ctx context.Context, s *cuda.Selecting) (did bool, err error) {
	k, blocks := s.Query.K, int64(s.Layout.Blocks)
	if k > linkage.MostNear {
		return false, nil
	}
	name, shared := selectKernel(k, s.Layout.Metric)
	f, err := s.Kernel("cuslink", name, shared)
	if f == nil {
		return false, err
	}
	a := selectArgs{packed: s.Packed, half: s.Half, panelOf: s.PanelOf, label: s.Label, n: int32(s.Layout.N),
		d: int32(s.Layout.D), k: int32(k), begin: 1, queues: s.Queues, ids: s.IDs, scores: s.Scores}
	step := s.Stretch()
	for at := int64(0); at < blocks; at += step {
		if err := ctx.Err(); err != nil {
			return true, err
		}
		a.from, a.to, a.end = int32(at), int32(min(blocks, at+step)), 0
		if at+step >= blocks {
			a.end = 1
		}
		if err := cuda.LaunchSelect(s, f, &a, shared); err != nil {
			return true, err
		}
		a.begin = 0
	}
	return true, nil
}
