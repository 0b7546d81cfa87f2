package live

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/work"
)

// training is the run under way, or the last one.
type training struct {
	trainer  train.Trainer
	running  bool
	progress step.Progress
	algo     string
	values   step.Values
	table    revision.Revision
	code     revision.Revision // of the codebook the trainer holds
	pos      revision.Revision
	edges    revision.Revision
	still    []bool // landmarks that stay: those pinned, and with Only those not selected
	room     []bool // for the next of them

	swept bool // the schedule is in the user's hand
	wake  bool // it was at rest before, and will be when it is let go

	begin   bool  // the run is not in the history yet
	until   int64 // pause there: a step of a whole epoch; 0 is none
	settled time.Time
	owed    float64   // samples that the chosen speed has promised and not yet had
	cost    work.Cost // measured
}

// trainingRun is training as the arbiter sees it.
type trainingRun struct{ m *Map }

func (t trainingRun) Title() string {
	if a, ok := train.ByID(parts.Training.Of(t.m.Doc.State()).Algorithm); ok {
		return "Train " + a.Title
	}
	return "Train"
}

func (t trainingRun) Running() bool { return t.m.training.running && t.m.consistent() }

func (t trainingRun) Pause() { t.m.Pause() }

// Advance trains. If it was the engine that failed, training goes on with the next one.
func (t trainingRun) Advance(elapsed, budget time.Duration) (time.Duration, error) {
	spent, err := t.m.train(elapsed, budget)
	if err != nil && t.m.broken {
		t.m.broken = false
		err = t.m.fallBack(err)
	}
	return spent, err
}

// maxOwed bounds what a slow machine can fall behind: a run slower than its chosen speed is slower,
// it does not freeze the window to catch up.
const maxOwed = 250 * time.Millisecond

// Run starts training as chosen in the document, from where the codebook is, as one entry of the
// history. fresh starts the schedule over; otherwise a paused run goes on.
func (m *Map) Run(fresh bool) error {
	if err := m.movable(); err != nil {
		return err
	}
	if !m.consistent() {
		// It starts by itself when the new table is there.
		m.training.running, m.training.begin, m.training.trainer = true, true, nil
		return nil
	}
	s := m.Doc.State()
	choice := parts.Training.Of(s)
	t := &m.training
	t.until = 0
	if fresh || t.trainer == nil || t.progress.Rest || m.outdated() {
		if err := m.newTrainer(); err != nil {
			return err
		}
	}
	a, _ := train.ByID(choice.Algorithm)
	parts.StartTraining(m.Doc, "Train "+a.Title)
	t.running = true
	t.owed = 0
	return nil
}

// Pause stops training where it is.
func (m *Map) Pause() { m.training.running = false }

// Sweep puts the schedule of the run at t of 0 to 1 and keeps it there, while the user has it in hand: the landmarks
// train with the sigma and alpha of that place. It begins a run where there is none; Release ends it again.
func (m *Map) Sweep(t float64) error {
	if !m.consistent() {
		return nil
	}
	if err := m.movable(); err != nil {
		return err
	}
	r := &m.training
	if !r.swept {
		if r.trainer == nil || m.outdated() {
			if err := m.newTrainer(); err != nil {
				return err
			}
			r = &m.training
		}
		r.swept, r.wake, r.until, r.owed = true, !r.running, 0, 0
		if a, _ := train.ByID(r.algo); r.wake {
			parts.StartTraining(m.Doc, "Train "+a.Title+", swept by hand")
		}
		s := m.Doc.State()
		m.tell(parts.Landmarks.Of(s), parts.Training.Of(s).Values)
	}
	r.trainer.Hold(min(1, max(0, t)))
	r.cost = work.Cost{} // another part of the training may be under way
	p, err := r.trainer.Step(context.Background(), 0)
	r.progress, r.running = p, true
	return err
}

// Release lets a schedule that was swept go on from where it is, in a run that was under way, else pauses it there.
func (m *Map) Release() {
	t := &m.training
	if !t.swept {
		return
	}
	t.swept, t.cost = false, work.Cost{}
	if t.trainer != nil {
		t.trainer.Hold(-1)
	}
	if t.wake {
		t.running = false
	}
}

// Swept says whether the schedule is in the user's hand.
func (m *Map) Swept() bool { return m.training.swept }

// At is where the run stands in its schedule, 0 to 1, negative where there is none.
func (m *Map) At() float64 {
	if running, _, live := m.Training(); m.training.trainer == nil || !running && live == nil {
		return -1
	}
	return m.training.trainer.At()
}

// staying returns which landmarks training leaves where they are, valid until the next call; nil: none.
func (m *Map) staying(l *landmark.Set) []bool {
	if !parts.Training.Of(m.Doc.State()).Only || m.Chosen == nil {
		return l.Pinned
	}
	t := &m.training
	chosen := m.Chosen()
	if len(chosen) == 0 && t.running && len(t.still) == l.Len() {
		return t.still // those that were selected when it began
	}
	still := t.room[:0]
	for range l.Len() {
		still = append(still, true)
	}
	for _, i := range chosen {
		if i >= 0 && i < len(still) {
			still[i] = l.Pinned != nil && l.Pinned[i]
		}
	}
	t.room = still
	return still
}

// movable is an error where no landmark could move.
func (m *Map) movable() error {
	l := parts.Landmarks.Of(m.Doc.State())
	if still := m.staying(l); len(still) == 0 || slices.Contains(still, false) {
		return nil
	}
	if len(l.Pinned) == 0 || slices.Contains(l.Pinned, false) {
		return problem.New("", "select landmarks that are not pinned, or switch off \"Only the selected "+
			"landmarks\" in the Train panel",
			"training moves the selected landmarks only, and there are none that it could move")
	}
	return problem.New("", "select some and unpin them with P", "all landmarks are pinned, so training moves none")
}

// Training says whether training runs, how far it is, and what its falling parameters are now. Of a
// run that the landmarks no longer come from (undone, another algorithm chosen) there is nothing to say.
func (m *Map) Training() (running bool, p step.Progress, live map[string]float64) {
	t, s := &m.training, m.Doc.State()
	choice := parts.Training.Of(s)
	if t.trainer == nil || t.algo != choice.Algorithm || !t.running && t.code != codeRev(parts.Landmarks.Of(s)) {
		return t.running, step.Progress{}, nil
	}
	return t.running, t.progress, t.trainer.Live()
}

// Trained says whether there has been a run in this window.
func (m *Map) Trained() bool { return m.training.trainer != nil }

// Settled returns when the last run came to rest by itself.
func (m *Map) Settled() time.Time { return m.training.settled }

func codeRev(l *landmark.Set) revision.Revision {
	if l == nil {
		return 0
	}
	return l.CodeRev
}

// StepOnce trains for one short step while paused: a hundredth of an epoch, at least 100 samples; a whole epoch where
// landmarks do not move before, which takes as many frames as it needs. It never starts the schedule over: where there
// is no paused run to go on with, as after one that came to rest, sigma and alpha are those of the end.
func (m *Map) StepOnce() error {
	if !m.consistent() {
		return nil
	}
	if err := m.movable(); err != nil {
		return err
	}
	t, rows := &m.training, m.table.X.Rows
	if t.trainer == nil || t.progress.Rest || m.outdated() {
		if t.trainer == nil || m.outdated() {
			if err := m.newTrainer(); err != nil {
				return err
			}
		}
		t.trainer.GoOn(max(100, rows/100))
		t.progress.Rest = false
	}
	a, _ := train.ByID(t.algo)
	parts.StartTraining(m.Doc, "Train "+a.Title)
	s := m.Doc.State()
	m.tell(parts.Landmarks.Of(s), parts.Training.Of(s).Values)
	if next := t.trainer.Next(); next > max(100, rows/100) {
		p, err := t.trainer.Step(context.Background(), 0)
		t.progress, t.running, t.owed = p, !p.Rest, 0
		t.until = p.Done + int64(next)
		return err
	}
	t.running = false
	err := m.advance(max(100, rows/100))
	m.publish()
	return err
}

// outdated says whether the trainer is of another algorithm or table than there is now.
func (m *Map) outdated() bool {
	t := &m.training
	return t.algo != parts.Training.Of(m.Doc.State()).Algorithm || t.table != m.table.Rev
}

func (m *Map) newTrainer() error {
	s := m.Doc.State()
	choice := parts.Training.Of(s)
	a, ok := train.ByID(choice.Algorithm)
	if !ok {
		return problem.New("", "choose another in the Train panel", "there is no training named %q", choice.Algorithm)
	}
	l := parts.Landmarks.Of(s)
	still := slices.Clone(m.staying(l))
	tr, err := a.New(train.Input{X: m.table.X, Codebook: l.Codebook, Pos: l.Pos, Pinned: still, Edges: l.Edges,
		Seed: m.Doc.Seed, Searcher: lent{m}, Summer: lent{m}}, choice.Values)
	if err != nil {
		return err
	}
	if m.training.begin {
		parts.StartTraining(m.Doc, "Train "+a.Title)
	}
	m.training = training{trainer: tr, running: m.training.running, settled: m.training.settled,
		algo: choice.Algorithm, values: choice.Values, table: m.table.Rev,
		code: l.CodeRev, pos: l.PosRev, edges: l.EdgeRev, still: still}
	return nil
}

// lent is what the engine in use does of a training. The engine may change while a run goes on: what the
// present one does not offer, the trainer does.
type lent struct{ m *Map }

func (l lent) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	if s := l.m.caps.Searcher; s != nil {
		return l.m.blame(s.Nearest(ctx, codebook, from, to, out))
	}
	return errors.ErrUnsupported
}

func (l lent) Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, sums []float64,
	counts []int64) error {
	if s := l.m.caps.Summer; s != nil {
		return l.m.blame(s.Sum(ctx, codebook, from, to, bmu, sums, counts))
	}
	return errors.ErrUnsupported
}

func (l lent) Smooth(ctx context.Context, pos matrix.Matrix32, sigma float64, sums []float64, counts []int64, out,
	weights []float64) error {
	if s := l.m.caps.Summer; s != nil {
		return l.m.blame(s.Smooth(ctx, pos, sigma, sums, counts, out, weights))
	}
	return errors.ErrUnsupported
}

// train runs for at most about budget and returns what it spent.
func (m *Map) train(elapsed, budget time.Duration) (time.Duration, error) {
	t := &m.training
	s := m.Doc.State()
	choice := parts.Training.Of(s)
	if t.trainer == nil || m.outdated() {
		t.until = 0
		if err := m.newTrainer(); err != nil {
			return 0, err
		}
	}
	if err := m.movable(); err != nil { // all were pinned meanwhile
		return 0, err
	}
	m.tell(parts.Landmarks.Of(s), choice.Values)
	if choice.Speed > 0 {
		t.owed = min(t.owed+choice.Speed*elapsed.Seconds(), choice.Speed*maxOwed.Seconds())
		if t.owed < 1 {
			return 0, nil
		}
	}
	start := m.now()
	for spent := time.Duration(0); spent < budget && t.running; spent = m.now().Sub(start) {
		units := 64
		if t.cost.Known() {
			units = t.cost.Units(float64(budget - spent))
		}
		if choice.Speed > 0 {
			units = min(units, int(t.owed))
			if units == 0 {
				break
			}
			t.owed -= float64(units)
		}
		if t.until > 0 {
			units = min(units, int(max(1, t.until-t.progress.Done)))
		}
		if err := m.advance(units); err != nil {
			return m.now().Sub(start), err
		}
		if t.progress.Rest && t.swept { // nothing moves it
			break
		}
		if t.until > 0 && t.progress.Done >= t.until {
			t.running, t.until = false, 0
		}
	}
	m.publish()
	return m.now().Sub(start), nil
}

// tell passes on what the user changed since the last step.
func (m *Map) tell(l *landmark.Set, v step.Values) {
	t := &m.training
	still := m.staying(l)
	changed := !slices.Equal(still, t.still)
	if changed {
		t.still = slices.Clone(still)
	}
	if l.EdgeRev != t.edges {
		t.trainer.SetEdges(l.Edges)
		t.edges = l.EdgeRev
	}
	switch {
	case l.CodeRev != t.code || l.Len() != t.trainer.Codebook().Rows:
		t.trainer.SetLandmarks(l.Codebook, l.Pos, t.still)
	case l.PosRev != t.pos || changed:
		t.trainer.SetLandmarks(matrix.Matrix32{}, l.Pos, t.still)
	}
	t.code, t.pos = l.CodeRev, l.PosRev
	if !maps.Equal(v, t.values) {
		t.trainer.SetValues(v)
		t.values, t.cost = v, work.Cost{}
	}
}

func (m *Map) advance(units int) error {
	t := &m.training
	start := m.now()
	before := t.progress.Done + int64(t.trainer.Ahead())
	p, err := t.trainer.Step(context.Background(), units)
	if did := p.Done + int64(t.trainer.Ahead()) - before; did > 0 {
		t.cost.Took(float64(did), float64(m.now().Sub(start)))
	}
	t.progress = p
	if p.Rest && t.running && !t.swept {
		t.running, t.settled = false, m.now()
		if t.until == 0 {
			m.notice("training settled")
		}
	}
	return err
}

// publish makes the trainer's codebook the document's. Within a pass over the points batch training moves nothing, and
// then nothing that was made of the codebook is out of date.
func (m *Map) publish() {
	l := *parts.Landmarks.Of(m.Doc.State())
	if slices.Equal(l.Codebook.Data, m.training.trainer.Codebook().Data) {
		return
	}
	l.Codebook = m.training.trainer.Codebook().Clone()
	l.CodeRev = revision.Next()
	m.training.code = l.CodeRev
	parts.Trained(m.Doc, &l)
}

func (m *Map) now() time.Time {
	if m.sched.Clock != nil {
		return m.sched.Clock()
	}
	return time.Now()
}
