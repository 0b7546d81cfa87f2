package work

import (
	"cmp"
	"slices"
	"time"
)

// Values are all the values of one owner: whoever makes one with Keep need not think of closing it, of saying that it
// is busy or of calling it in each frame.
type Values struct {
	Jobs  *Jobs
	Clock func() time.Time // nil: time.Now
	Most  Ops              // the largest value made within a frame; 0: AtOnce; below 0 every value is made beside it

	list   []member
	closed bool
}

// member is a Value of any key.
type member interface {
	Stop()
	awaited() bool
	serve()
}

// Serve gives each value its turn in a frame, in the order in which they were made.
func (s *Values) Serve() {
	for i := 0; i < len(s.list); i++ { // serving one may make another
		s.list[i].serve()
	}
}

// Busy says whether a value that somebody waits for is being made, or is due.
func (s *Values) Busy() bool { return slices.ContainsFunc(s.list, member.awaited) }

// Close cancels all that is being made. What there is stays, and what is wanted later is made.
func (s *Values) Close() {
	s.closed = true
	for _, v := range s.list {
		v.Stop()
	}
}

// Reopen takes back that it was closed: somebody waits again.
func (s *Values) Reopen() { s.closed = false }

// Closed says whether nobody waits any more for what is computed of their subject.
func (s *Values) Closed() bool { return s.closed }

func (s *Values) remove(v member) {
	s.list = slices.DeleteFunc(s.list, func(o member) bool { return o == v })
}

func (s *Values) clock() time.Time {
	if s.Clock != nil {
		return s.Clock()
	}
	return time.Now()
}

// AtOnce says whether what costs so much is made within a frame.
func (s *Values) AtOnce(cost Ops) bool { return cost <= cmp.Or(s.Most, AtOnce) }
