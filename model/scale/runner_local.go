package scale

import (
	"context"
	"slices"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
)

// A loop over the parts in this process: one after the other, each with all cores and the memory of one part.
func init() {
	Register(Runner{ID: Local, Title: "this machine, one part after the other", Run: runHere})
}

// runHere makes parts. One that cannot be made does not keep the others from being made, unless no other could be
// either: the disk is full. What makes them already has begun at the first, so beside it the last are made first.
func runHere(ctx context.Context, p *Plan, _ string, todo []int, o *Options) error {
	if o.Beside {
		todo = slices.Clone(todo)
		slices.Reverse(todo)
	}
	for i, part := range todo {
		if o.Progress != nil {
			o.Progress(int64(len(p.Shards)-len(todo)+i), int64(len(p.Shards)))
		}
		_, err := p.Make(ctx, part, o.Options)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case plain.Full(err):
			return err
		case o.Say != nil: // Finish lists those that are missing
			o.Say("part %d of %d: %s", part, len(p.Shards), problem.As(err).Error())
		}
	}
	return nil
}
