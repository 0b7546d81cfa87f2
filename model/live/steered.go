package live

import (
	"math"
	"time"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// Steered is a run in the user's hands: training, a layout, a clustering, an embedding that forms.
type Steered interface {
	Stands() Running
	Start() error // goes on from where it is
	Pause()       // stops it there
}

// Stepped is one that also goes on by single steps, and can be started over.
type Stepped interface {
	Steered
	Step() error
	Again() error
}

// Tuned is one with parameters.
type Tuned interface {
	// Params are the parameters, with the defaults that suit what there is; Values are those that were chosen.
	Params() []step.Param
	Values() step.Values
	// Choose sets a parameter, within an interaction.
	Choose(s *state.State, id string, value float64)
}

var (
	_ Steered = (*Clusters)(nil)
	_         = []Stepped{(*Training)(nil), (*Layout)(nil), (*Embedding)(nil)}
	_         = []Tuned{(*Training)(nil), (*Layout)(nil), (*Embedding)(nil)}
)

// Running is how a run stands. What a kind of run has nothing to say of is zero.
type Running struct {
	Title   string    // title of the kind, for people
	Active  bool      // it has been started, and has not come to an end
	Forming bool      // units are being done
	Job     *work.Job // the preparing job, or nil
	Rest    bool      // it has come to rest by itself
	Rested  time.Time // when it last did; zero: it did not in this window
	Just    bool      // a moment ago, so that whoever wanted to pause it would start it again
	Known   bool      // it can go on as it was left, without preparing anything
	Foreign bool      // its positions are of other points than there are now
	Units   int64     // units done
	Total   int64     // units in all; 0: until it rests
	Rate    float64   // units a second, 0 while it is unknown
	Share   float64   // how far it is, 0 to 1; NaN: nobody knows
	Changed bool      // other settings are chosen than it ran with: they count when it is run
	More    int64     // units that it can be given, where it has done all; 0: it goes on by itself, or rests
	Word    string    // work under way that is not in units, in words
	embedding.Standing
	// Curve is how well it fitted over its units. It is not to be changed, and not to be kept.
	Curve []parts.CurvePoint
}

// grace protects what came to rest while the user reached for "pause".
const grace = 1500 * time.Millisecond

// just says whether a run came to rest by itself a moment ago.
func (m *Map) just(r *work.Run) bool {
	return !r.Active() && !r.Rested().IsZero() && m.now().Sub(r.Rested()) < grace
}

// Stands says how training stands.
func (t *Training) Stands() Running {
	active, p, _ := t.Progress()
	return Running{Title: "Training", Active: active, Forming: t.run.Running(), Rest: p.Rest,
		Rested: t.run.Rested(), Just: p.Rest && t.m.just(t.run), Units: p.Done, Total: p.Total, Share: p.Fraction()}
}

// Stands says how the layout stands.
func (l *Layout) Stands() Running {
	at := l.Progress()
	return Running{Title: "Layout", Active: l.Active(), Forming: l.run.Running(), Rest: at.Near == 1,
		Rested: l.run.Rested(),
		// not where another has been chosen since
		Just:  l.m.just(l.run) && l.m.Doc.History().CanUndo() == l.Title(),
		Units: at.Steps, Rate: at.Rate, Share: at.Near}
}

// Stands says how the clustering of the points stands: Share is the share of pairs that are settled. Before there is a
// first tree Word says in words what is done, and Share how far that is; Hierarchy is then that of an earlier pass, or
// nil. Afterwards Word is "".
func (c *Clusters) Stands() Running {
	r := Running{Title: "Clusters", Active: c.on(), Forming: c.run.Busy()}
	if c.kept != nil {
		now := c.kept.said.Load()
		if r.Share, r.Word = now.progress.Fraction(), now.word; r.Word != "" && r.Share == 0 {
			r.Share = math.NaN()
		}
	}
	return r
}

// Stands says how an embedding that runs stands.
func (e *Embedding) Stands() Running {
	w := e.steps
	if w == nil {
		return Running{}
	}
	r := Running{Active: w.run.Active(), Forming: w.run.Running(), Job: w.prep.job,
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

// suited are parameters with other defaults, where there are any.
func suited(params []step.Param, defaults step.Values) []step.Param {
	out := make([]step.Param, len(params))
	for i, x := range params {
		if v, ok := defaults[x.ID]; ok {
			x.Default = v
		}
		out[i] = x
	}
	return out
}

// Params, Values and Choose make training one that is Tuned.
func (t *Training) Params() []step.Param {
	s := t.m.Doc.State()
	a, _ := train.ByID(parts.Training.Of(s).Algorithm)
	return suited(a.Params, train.Suggest(a.ID, t.m.table.X.Rows, parts.Landmarks.Of(s).Pos))
}

func (t *Training) Values() step.Values { return parts.Training.Of(t.m.Doc.State()).Values }

func (t *Training) Choose(s *state.State, id string, v float64) {
	parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Values = c.Values.With(id, v) })
}

// Params, Values and Choose make a layout one that is Tuned.
func (l *Layout) Params() []step.Param {
	s := l.m.Doc.State()
	a, _ := parts.LayoutAlgorithm(s)
	if a.Suggest == nil {
		return suited(a.Params, nil)
	}
	return suited(a.Params, a.Suggest(parts.Landmarks.Of(s).Len()))
}

func (l *Layout) Values() step.Values { return parts.Layout.Of(l.m.Doc.State()).Values }

func (l *Layout) Choose(s *state.State, id string, v float64) {
	parts.Layout.Edit(s, func(c *parts.LayoutChoice) { c.Values = c.Values.With(id, v) })
}

// Params, Values and Choose make an embedding that runs one that is Tuned.
func (e *Embedding) Params() []step.Param {
	if e.kind.Run.Suggest == nil {
		return suited(e.kind.Run.Params, nil)
	}
	in := embedding.Inputs{Data: e.m.Doc.Data, Table: e.m.table}
	return suited(e.kind.Run.Params, e.kind.Run.Suggest(in, e.recipe))
}

func (e *Embedding) Values() step.Values { return parts.Runs.Of(e.m.Doc.State()).Get(e.recipe).Values }

func (e *Embedding) Choose(s *state.State, id string, v float64) {
	parts.Runs.Put(s, parts.Runs.Of(*s).Edit(e.recipe, func(c *parts.RunChoice) { c.Values[id] = v }))
}
