package schedule

import "time"

// Stage is one of the two that a point goes through.
type Stage uint8

const (
	Neighbours Stage = iota // finding neighbours
	Project                 // computing positions
)

const (
	// firstBlocks is what an engine with a clock of its own is given before it is known what a point
	// costs there, and growth how many times more than the largest piece it has finished: a wrong guess
	// of 100 million points would freeze the window.
	firstBlocks, growth = 4, 4
	// aheadFrames is how many frames' worth of work may be under way at once: timings come a frame or
	// two after the work was asked for.
	aheadFrames = 3
	// patience is how many frames a report may take. An engine that does not report what it did is
	// taken to have done it.
	patience = 16
)

// flight is the work that has been asked of an engine and not been reported by it, oldest first.
type flight struct {
	on     bool // the engine works on after its calls return
	pieces [64]piece
	n      int
	frame  int
}

type piece struct {
	stage     Stage
	few       bool
	points    int
	left      int     // points that the engine has not reported yet
	predicted float64 // ns
	frame     int
}

// Async says whether the calls of Work return before their work is done. What a point costs is then
// not measured by the clock but told by Observe, and what is asked for in a frame is what that predicts
// to fit its budget.
func (s *Schedule) Async(on bool) {
	s.flight.on = on
	s.Finished()
}

// Observe tells what a piece of work took on the device, in the order in which pieces were asked for.
// An engine that cuts a piece up may report its parts.
func (s *Schedule) Observe(stage Stage, points int, took time.Duration) {
	f := &s.flight
	i := f.find(func(p *piece) bool { return p.stage == stage && p.left == points })
	if i == f.n {
		i = f.find(func(p *piece) bool { return p.stage == stage && p.left > points })
	}
	if i == f.n {
		s.cost(stage, false).observe(took, points)
		return
	}
	p := &f.pieces[i]
	s.cost(stage, p.few).observe(took, points)
	if p.left -= points; p.left == 0 {
		i++
	}
	// Reports come in order: what was asked for before and has not been reported never will be.
	f.drop(i)
}

func (f *flight) find(ok func(*piece) bool) int {
	for i := range f.n {
		if ok(&f.pieces[i]) {
			return i
		}
	}
	return f.n
}

// Waiting returns how many pieces of work have been asked for and not been reported.
func (s *Schedule) Waiting() int { return s.flight.n }

// Finished tells that no work is under way any more, reported or not.
func (s *Schedule) Finished() { s.flight.n = 0 }

// Forget drops what was measured of an engine, when another one takes over.
func (s *Schedule) Forget() {
	s.neighboursCost, s.projectCost, s.fewCost = cost{}, cost{}, cost{}
	s.Finished()
}

func (f *flight) drop(n int) {
	copy(f.pieces[:], f.pieces[n:f.n])
	f.n -= n
}

// begin starts a frame: what has been under way for too long is taken as done.
func (s *Schedule) begin() {
	f := &s.flight
	f.frame++
	for f.n > 0 && f.frame-f.pieces[0].frame > patience {
		p := f.pieces[0]
		c := s.cost(p.stage, p.few)
		c.largest = max(c.largest, p.points)
		f.drop(1)
	}
}

// asked notes a piece of work under way.
func (f *flight) asked(stage Stage, few bool, points int, perPoint float64) {
	if f.n < len(f.pieces) {
		f.pieces[f.n] = piece{stage, few, points, points, perPoint * float64(points), f.frame}
		f.n++
	}
}

// backlog returns the predicted time of all that is under way, and how many pieces of a stage are.
func (f *flight) backlog(stage Stage) (ns float64, pieces int) {
	for i := range f.n {
		ns += f.pieces[i].predicted
		if f.pieces[i].stage == stage {
			pieces++
		}
	}
	return ns, pieces
}

// cost returns the cost of a stage; few is for positions after a few landmarks have moved.
func (s *Schedule) cost(stage Stage, few bool) *cost {
	switch {
	case stage == Neighbours:
		return &s.neighboursCost
	case few:
		return &s.fewCost
	}
	return &s.projectCost
}

// fitsAsync returns how many blocks can be asked for now, in the present frame.
func (f *frame) fitsAsync(neighbours bool) int {
	project := f.cost(Project, f.few() && !neighbours)
	perPoint, largest := f.perPoint(project), project.largest
	if largest == 0 && project == &f.fewCost {
		largest = f.projectCost.largest // a few cost no more than all
	}
	stage := Project
	if neighbours {
		stage = Neighbours
		perPoint += f.perPoint(&f.neighboursCost)
		largest = f.neighboursCost.largest
	}
	backlog, pieces := f.flight.backlog(stage)
	if f.flight.n >= len(f.flight.pieces)-2 {
		return 0
	}
	if largest == 0 {
		if pieces > 0 {
			return 0 // the first one has not come back yet
		}
		return firstBlocks
	}
	left := min(float64(f.deadline.Sub(f.clock())), float64(f.budget)-f.predicted,
		aheadFrames*float64(f.budget)-backlog)
	blocks := float64(len(f.project))
	if perPoint > 0 {
		blocks = left / perPoint / BlockPoints
	}
	most := int(max(0, min(blocks, float64(len(f.project)), float64(growth*largest/BlockPoints+1))))
	if left <= 0 {
		most = 0
	}
	if most == 0 && !f.did && f.flight.n == 0 {
		return 1 // the device is slow, and idle
	}
	return most
}

// few says whether positions are those of a few moved landmarks.
func (f *frame) few() bool { return f.flight.on && f.Few }

// perPoint predicts what a point costs: on the device, or in the call where that takes longer.
func (f *frame) perPoint(c *cost) float64 {
	if c == &f.fewCost && c.perPoint == 0 {
		c = &f.projectCost
	}
	return max(c.perPoint, c.call)
}
