package cpu

import (
	"context"

	"blossom/model/linkage"
)

var _ linkage.Device = (*resident)(nil)

// Hold implements linkage.Device with the variant's kernels and the engine's threads.
func (r *resident) Hold(ctx context.Context, l *linkage.Layout) (linkage.Holding, error) {
	threads := r.e.pool.threads
	if r.e.v.light == nil {
		return linkage.Plain(threads).Hold(ctx, l)
	}
	return linkage.OnCores(threads, r.e.v.light).Hold(ctx, l)
}
