package desk

import (
	"blossom/model/live"
	"blossom/model/work/embedding"
	"blossom/ui/view"
)

// RunningView is the view whose embedding runs: the active one, else the first in sight; nil: there is none.
func (d *Desk) RunningView() (v *view.Scatter, e *live.Embedding) {
	if v = d.Stage.Scatter(); v != nil && v.Field() != nil && v.Field().Runs() {
		return v, v.Field()
	}
	for _, v = range d.Stage.Scatters() {
		if v.Field() != nil && v.Field().Runs() {
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
