package cpu

import (
	"context"

	"blossom/model/clusters/linkage"
)

var _ linkage.Device = (*resident)(nil)

// Hold implements linkage.Device with the variant's kernels and the engine's threads.
func (r *resident) Hold(ctx context.Context, l *linkage.Blocked) (linkage.Holding, error) {
	return r.pairs().Hold(ctx, l)
}

// Arrange implements linkage.Device.
func (r *resident) Arrange(ctx context.Context, l *linkage.Blocked) (linkage.Holding, []int32, error) {
	return r.pairs().Arrange(ctx, l)
}

func (r *resident) pairs() linkage.Device {
	if r.e.v.light == nil {
		return linkage.Plain(r.e.pool.threads)
	}
	return linkage.OnCores(r.e.pool.threads, r.e.v.light)
}
