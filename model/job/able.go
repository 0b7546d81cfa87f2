package job

import (
	"context"

	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// fitting sees to it that the engine of some work has what is wanted of it. One that nobody has chosen by name gives
// way to the next; one that was is refused as wrong usage, in the same words whatever is wanted.
type fitting struct{ w *Work }

// all looks at all wants of the job.
func (f fitting) all(ctx context.Context) error {
	for _, want := range f.w.Job.Wanted {
		for _, k := range kinds {
			if k.ID != want.What() || k.Needs == nil {
				continue
			}
			if err := f.has(ctx, k.Needs(want)); err != nil {
				return err
			}
		}
	}
	return nil
}

// has goes on to an engine with the capability; the zero Capability is one of all engines.
func (f fitting) has(ctx context.Context, need engine.Capability) error {
	for need.In != nil {
		e := f.w.Engines.Engine()
		ok, err := need.Of(ctx, e)
		switch {
		case ok || ctx.Err() != nil:
			return ctx.Err()
		case f.w.another():
		case !f.w.Job.Engine.pinned():
			return engine.ErrNoEngine()
		case err != nil:
			return err
		default:
			return run.Usage{Err: need.Lacking(ctx, e.Name())}
		}
	}
	return nil
}

// pinned says whether the engine was chosen by name.
func (e Engine) pinned() bool { return e.Kind != "" && e.Kind != engine.Auto }
