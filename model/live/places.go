package live

import (
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/work/embedding"
)

// kept is where the points of an embedding are, for rules that look at it while the embedding goes on: exactly at rest,
// and as they were now and then while points move.
type kept struct {
	pos   []float32
	rev   revision.Revision // another whenever pos is; 0: there is none
	of    revision.Revision // the revision of the positions at rest that these are; 0: points moved
	next  time.Time         // when they are looked at again while points move
	asked int               // 1 + the number of the frame that asked for it last
}

// placesPace is how long the places of moving points stand, as rules have them.
const placesPace = 200 * time.Millisecond

// wanted says whether somebody has asked for the places lately.
func (k *kept) wanted(frame int) bool { return k.asked > 0 && k.asked >= frame }

// look brings the places up to the embedding, and says whether they are those at rest.
func (k *kept) look(e *Embedding) (rest bool) {
	k.asked = e.m.made.frame + 1
	if pos, rest := e.Positions(); rest {
		if k.of != e.at.Rev || k.rev == 0 {
			k.pos, k.of, k.rev = slices.Clone(pos), e.at.Rev, revision.Next()
		}
		return true
	}
	now := e.m.now()
	if e == e.m.som && e.at.Rev == 0 || e.Shown() == 0 || now.Before(k.next) && k.rev != 0 {
		return false
	}
	if f := e.m.buffers.Fresh; f != nil && !f(e.at.Target) {
		return false
	}
	pos := e.at.Target.Host()
	if e.steps != nil && e.steps.Unblended() != nil {
		pos = e.steps.Unblended()
	}
	k.pos, k.of, k.rev, k.next = slices.Clone(pos), 0, revision.Next(), now.Add(placesPace)
	return false
}

// lags says whether places that somebody asks for are not yet those that the embedding has come to.
func (k *kept) lags(e *Embedding) bool {
	return k.wanted(e.m.made.frame) && k.of != e.at.Rev && e.Shown() > 0
}

// placed is where the points of a flat map are, or why there is no such map.
type placed struct {
	population.Places
	rev  revision.Revision // another whenever they are
	rest bool              // they are not on their way
	err  error
}

// places returns where the points of a flat map are now; ok is false while there is nothing of it yet. Asking in each
// frame costs little.
func (m *Map) places(of population.Map) (p placed, ok bool) {
	r := embedding.Recipe(of)
	e, k := m.Existing(r), embedding.ByID(r.Kind)
	switch {
	case k == nil || r.Dims != 2:
		return placed{rest: true, err: problem.New("", "define it anew", "there is no flat map of the kind %.40q here",
			of.Kind)}, true
	case e == nil && k.Way == embedding.Stepwise:
		s := parts.Snapshots.Of(m.Doc.State())[r.Key()]
		if s == nil {
			return placed{rest: true, err: noMap(k.Title)}, true
		}
		return placed{Places: population.Places{Pos: s.Pos}, rest: true,
			rev: parts.Snapshots.Rev(m.Doc.State())}, true
	case e == nil:
		e = m.Embedding(r)
	}
	if err := e.Err(); err != nil {
		return placed{rest: true, err: err}, true
	}
	if e.Dims() != 2 {
		return placed{rest: true, err: problem.New("", "make it flat again, or define it anew",
			"the map that it is a region of has 3 dimensions now")}, true
	}
	rest := e.kept.look(e)
	return placed{Places: population.Places{Pos: e.kept.pos, Order: m.table.Order}, rev: e.kept.rev, rest: rest},
		e.kept.rev != 0
}

// noMap says that a map that is kept as data is not there.
func noMap(title string) error {
	return problem.New("", "show it again, or define it anew", "the map by %s that it is a region of is gone", title)
}

// lagging says whether rules look at places that have changed since.
func (m *Map) lagging() bool {
	for _, e := range m.list {
		if e.kept.lags(e) {
			return true
		}
	}
	return false
}
