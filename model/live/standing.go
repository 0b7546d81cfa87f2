package live

import (
	"math"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live/member"
	"blossom/model/work/embedding"
)

var (
	_ member.Steered = (*Clusters)(nil)
	_ member.Stepped = (*Embedding)(nil)
	_ member.Tuned   = (*Embedding)(nil)
)

// Stands says how an embedding that runs stands.
func (e *Embedding) Stands() member.Running {
	w := e.steps
	if w == nil {
		return member.Running{}
	}
	r := member.Running{Active: w.run.Active(), Forming: w.run.Running(), Job: w.prep.job,
		Rest: !w.run.Active() && w.resting(), Known: w.Ready(), Units: w.run.Progress().Done, Total: w.total(),
		Share: math.NaN(), Standing: w.standing, Curve: w.curve}
	r.Title, _ = e.Label()
	if r.Forming {
		r.Rate = w.run.Rate()
	}
	r.Foreign = !w.run.Active() && w.foreign()
	if !r.Active && w.there {
		r.Changed = w.prep.settle().changed
		r.More = w.more()
	}
	if r.Active && r.Units > r.Total { // it goes on for the hand
		r.Total = 0
	}
	if r.Total > 0 {
		r.Share = min(1, float64(r.Units)/float64(r.Total))
	}
	if r.Early > 0 && r.Units >= r.Early { // it was asked how it stands some units ago
		r.Phase = ""
	}
	return r
}

// Params, Values and Choose make an embedding that runs one that is Tuned.
func (e *Embedding) Params() []step.Param {
	if e.kind.Run.Suggest == nil {
		return step.Suited(e.kind.Run.Params, nil)
	}
	in := embedding.Inputs{Data: e.m.Doc.Data, Table: e.m.table}
	return step.Suited(e.kind.Run.Params, e.kind.Run.Suggest(in, e.recipe))
}

func (e *Embedding) Values() step.Values { return parts.Runs.Of(e.m.Doc.State()).Get(e.recipe).Values }

func (e *Embedding) Choose(s *state.State, id string, v float64) {
	parts.Runs.Put(s, parts.Runs.Of(*s).Edit(e.recipe, func(c *parts.RunChoice) { c.Values[id] = v }))
}
