package live

import (
	"context"
	"slices"
	"time"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
	"blossom/model/work/schedule"
)

// projection is EmbedSOM: the engine projects whatever ranges of points the schedule asks for.
type projection struct {
	m          *Map
	sched      schedule.Schedule
	neighbours neighbourInputs
	project    projectInputs
	want       schedule.Want
	rested     schedule.Want // the inputs that all positions were last made from
	sent       *landmark.Set // the set that the engine has
	params     embedsom.Params
	placed     *landmark.Set // the set whose positions were wanted last
	work       schedule.Work
	unsettled  bool // work has been asked for whose errors have not been asked for
	resting    int  // frames since the last work was asked for
}

// neighbourInputs and projectInputs are what the two stages depend on; a change of any makes a new revision.
type neighbourInputs struct {
	table, code revision.Revision
	k, g        int
}

type projectInputs struct {
	pos           revision.Revision
	boost, adjust float32
	k             int
}

// begin makes EmbedSOM an embedding of the map.
func (p *projection) begin(m *Map) {
	p.m = m
	p.work = schedule.Work{
		Neighbours: func(from, to int) error {
			return m.dev.resident.Neighbours(context.Background(), p.sent, p.params, engine.Range{From: from, To: to})
		},
		Project: func(from, to int) error {
			return m.dev.resident.Project(context.Background(), p.sent, p.params, m.som.at.Target,
				engine.Range{From: from, To: to})
		},
	}
	r := embedding.EmbedSOM()
	m.som = &Embedding{m: m, recipe: r, kind: embedding.ByID(r.Kind), sight: true, way: p}
	m.list = append(m.list, m.som)
	m.som.at.Target = m.buffers.Make(m.table.X.Rows, p.mapDims())
}

// mapDims is how many coordinates landmarks have that the engine is given.
func (p *projection) mapDims() int {
	l := p.sent
	if l == nil {
		l = p.m.Landmarks()
	}
	if l.Pos.Cols == 3 {
		return 3
	}
	return 2
}

// reshape makes another buffer where the landmarks have got another number of coordinates.
func (p *projection) reshape() error {
	if p.m.som.at.Target.Dims() == p.mapDims() {
		return nil
	}
	err := p.m.Wait()
	p.m.som.renew()
	p.wanted()
	return err
}

// rest notes that all positions are as wanted.
func (p *projection) rest() {
	if p.want != p.rested && p.sent != nil && !p.unsettled && p.sched.Stale() == 0 && !p.sched.StaleFor(p.want) {
		p.rested, p.m.som.at.Rev = p.want, revision.Next()
	}
}

func (p *projection) wanted() schedule.Want {
	s := p.m.Doc.State()
	l, params := p.m.Landmarks(), parts.Projection.Of(s)
	if !p.m.consistent() && p.sent != nil {
		params.K = p.params.K // the engine has no other neighbours until there is a table
	}
	p.params = params
	k, _ := params.Neighbours(l.Len())
	if p.m.consistent() {
		if n := (neighbourInputs{p.m.table.Rev, l.CodeRev, k, l.Len()}); n != p.neighbours {
			if n.k != p.neighbours.k || n.g != p.neighbours.g {
				p.sched.Invalidate()
			}
			p.neighbours = n
			p.want.Neighbours = revision.Next()
		}
		p.sent = l
	} else if p.sent != nil && p.sent.Len() == l.Len() && p.sent.PosRev != l.PosRev {
		places := *l
		places.Codebook, places.CodeRev = p.sent.Codebook, p.sent.CodeRev
		p.sent = &places
	}
	if in := (projectInputs{l.PosRev, params.Boost, params.Adjust, k}); in != p.project {
		was := p.project
		was.pos = in.pos
		p.sched.Few = was == in && few(p.placed, l)
		p.project, p.placed = in, l
		p.want.Project = revision.Next()
	}
	return p.want
}

// manyLandmarks is the part of the landmarks whose move is not that of a few: one of so many.
const manyLandmarks = 16

// few says whether only a few landmarks have moved from one state to the next.
func few(before, now *landmark.Set) bool {
	if before == nil || before.Len() != now.Len() || before.Pos.Cols != now.Pos.Cols {
		return false
	}
	left := max(1, now.Len()/manyLandmarks)
	for i := range now.Len() {
		if slices.Equal(before.Pos.Row(i), now.Pos.Row(i)) {
			continue
		}
		if left--; left < 0 {
			return false
		}
	}
	return true
}

// refresh brings positions of EmbedSOM up to date for about budget, and says whether it changed any.
func (p *projection) refresh(budget time.Duration) (changed bool, err error) {
	if p.m.dev.resident == nil {
		return false, nil // lost while training was on it
	}
	motion := schedule.Still
	switch {
	case p.m.holding:
		motion = schedule.Held
	case p.m.training.Run().Running():
		motion = schedule.Training
	case p.m.layout.Run().Running():
		motion = schedule.Held // places alone change, in every frame
	}
	w := p.wanted()
	if err := p.reshape(); err != nil {
		return false, err
	}
	if p.sent != nil && p.sent.Codebook.Cols != p.m.table.X.Cols {
		return false, nil // undone while the table was made: points stay until that of other columns is there
	}
	if p.sent != nil && p.sched.StaleFor(w) {
		changed = true
		p.unsettled, p.resting = p.m.dev.caps.Async != nil, 0
		if err = p.sched.Frame(w, budget, motion, p.work); err != nil {
			return true, p.m.dev.fallBack(err)
		}
		p.m.dev.tellPlan()
	} else if err = p.settle(); err != nil {
		return true, p.m.dev.fallBack(err)
	}
	p.rest()
	return changed, nil
}

// restFrames is how long work that is not reported is waited for without a stall, once all that is wanted has been
// asked for.
const restFrames = 16

// settle asks for the errors of work that should have ended, once nothing more is wanted. It waits only
// if an engine has not reported its work for many frames.
func (p *projection) settle() error {
	if !p.unsettled {
		return nil
	}
	if p.resting++; p.sched.Waiting() > 0 && p.resting < restFrames {
		return nil
	}
	p.unsettled, p.resting = false, 0
	p.sched.Finished()
	return p.m.dev.caps.Async.Wait()
}

// anew says that points were put on an engine: all of them are to be projected.
func (p *projection) anew() {
	p.sched.Reset(p.m.table.X.Rows)
	p.neighbours = neighbourInputs{}
}

func (p *projection) Tend() {}

// Busy says whether positions are not what the document wants.
func (p *projection) Busy() bool {
	return p.m.dev.resident != nil && (!p.m.consistent() || p.unsettled || p.sched.StaleFor(p.wanted()))
}

func (p *projection) Stale() float64 { return p.sched.Stale() }

func (p *projection) Shown() int { return p.sched.Shown() }

func (p *projection) Refill() {
	p.anew()
	p.rested = schedule.Want{}
}

func (p *projection) End() {}

func (p *projection) Stays() bool { return true }
