package live

import (
	"sync/atomic"
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
	pair  [2]*standing      // taken in turn; nil: there is none yet, or nobody has asked for long
	turn  int               // which of them holds
	rev   revision.Revision // another whenever the places are; 0: there are none
	of    revision.Revision // the revision of the positions at rest that these are; 0: points moved
	next  time.Time         // when they are looked at again while points move
	asked int               // 1 + the number of the frame that asked for it last
}

// standing are places of points as they stood, and how many are at work with them beside the window: until they have
// ended, nothing else is written there.
type standing struct {
	pos     []float32
	readers atomic.Int32
}

// placesRest is after how many frames in which nobody has asked the places are let go of.
const placesRest = 60

// take keeps places, in the memory of those before the last ones where nobody reads these any more.
func (k *kept) take(pos []float32) {
	next := 1 - k.turn
	s := k.pair[next]
	if s == nil || s.readers.Load() > 0 || len(s.pos) != len(pos) {
		s = &standing{pos: make([]float32, len(pos))}
	}
	copy(s.pos, pos)
	k.pair[next], k.turn = s, next
}

// now are the places that are kept; nil: there are none.
func (k *kept) now() *standing { return k.pair[k.turn] }

// tend lets go of the places where nobody asks for them any more. Those at rest come back as the same.
func (k *kept) tend(frame int) {
	if k.asked > 0 && k.asked+placesRest < frame {
		k.pair = [2]*standing{}
	}
}

// placesPace is how long the places of moving points stand, as rules have them.
const placesPace = 200 * time.Millisecond

// wanted says whether somebody has asked for the places lately.
func (k *kept) wanted(frame int) bool { return k.asked > 0 && k.asked >= frame }

// look brings the places up to the embedding, and says whether they are those at rest.
func (k *kept) look(e *Embedding) (rest bool) {
	k.asked = e.m.made.frame + 1
	if pos, rest := e.Positions(); rest {
		if same := k.of == e.at.Rev && k.rev != 0; !same || k.now() == nil {
			if k.take(pos); !same {
				k.of, k.rev = e.at.Rev, revision.Next()
			}
		} else { // they stay for long, and one memory is enough
			k.pair[1-k.turn] = nil
		}
		return true
	}
	now := e.m.now()
	if e == e.m.som && e.at.Rev == 0 || e.Shown() == 0 || now.Before(k.next) && k.now() != nil {
		return false
	}
	if f := e.m.buffers.Fresh; f != nil && !f(e.at.Target) {
		return false
	}
	pos := e.at.Target.Host()
	if e.steps != nil && e.steps.Unblended() != nil {
		pos = e.steps.Unblended()
	}
	k.take(pos)
	k.of, k.rev, k.next = 0, revision.Next(), now.Add(placesPace)
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
	of   *standing // where they stand; nil: they are never written over
}

// hold has the places stay what they are until the function is called: somebody is at work with them beside the window.
func (p placed) hold() (end func()) {
	if p.of == nil {
		return func() {}
	}
	p.of.readers.Add(1)
	return func() { p.of.readers.Add(-1) }
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
	rest, now := e.kept.look(e), e.kept.now()
	if now == nil {
		return placed{rest: rest}, false
	}
	return placed{Places: population.Places{Pos: now.pos, Order: m.table.Order}, rev: e.kept.rev, rest: rest,
		of: now}, true
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
