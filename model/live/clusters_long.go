package live

import (
	"context"

	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/work"
)

// persistent is how many operations a leaf costs when the clusters that persist the most are looked for.
const persistent work.Ops = 800

// lastingKey is what the clusters that persist the most depend on.
type lastingKey struct {
	of    *parts.Hierarchy
	least int
}

func newLasting(all *work.Values) *work.Value[lastingKey, *linkage.Flat] {
	return work.Keep[lastingKey, *linkage.Flat](all, work.Policy{Title: "Clusters that persist", Quiet: true,
		Finish: true})
}

// persisting are the clusters of a least size that persist the most; nil: they are looked for beside the window.
func (c *Clusters) persisting(h *parts.Hierarchy, least int) *linkage.Flat {
	if c.lasting.Want(lastingKey{h, least}) {
		cost := persistent * work.Ops(h.Len())
		c.lasting.Make(cost, func(ctx context.Context, _ func(done, total int64)) (*linkage.Flat, error) {
			return h.Sky.Persistent(least), ctx.Err()
		})
	}
	if f, fresh := c.lasting.Now(); fresh {
		return f
	}
	return nil
}
