package desk

import (
	"slices"

	"blossom/model/live"
	"blossom/model/work/embedding"
	"blossom/ui/view"
)

// RunningView is the view whose embedding runs: the active one, else the first in sight; nil: there is none. kinds,
// where given, are those of embeddings that are meant.
func (d *Desk) RunningView(kinds ...string) (v *view.Scatter, e *live.Embedding) {
	runs := func(v *view.Scatter) bool {
		return v != nil && v.Field() != nil && v.Field().Runs() &&
			(len(kinds) == 0 || slices.Contains(kinds, v.Field().Kind().ID))
	}
	if v = d.Stage.Scatter(); runs(v) {
		return v, v.Field()
	}
	for _, v = range d.Stage.Scatters() {
		if runs(v) {
			return v, v.Field()
		}
	}
	return nil, nil
}

// ShowBeside shows an embedding in a view of its own beside the active one, or in that where there is no room.
func (d *Desk) ShowBeside(r embedding.Recipe) {
	v := d.Stage.Active()
	if d.Stage.Count() < view.Most {
		d.Stage.Split(v)
		v = d.Stage.Active()
	}
	d.Stage.SetEmbedding(v, r)
}
