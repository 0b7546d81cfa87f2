package member

import (
	"context"
	"maps"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/layout"
	"blossom/model/work"
)

// Training is the training of the landmarks beside the window, a run. An engine that fails is replaced by the next one,
// and the training goes on.
type Training struct {
	work.Plain // it is done in the frame, on the engine of the map
	m          *Ground
	run        *work.Run
	trainer    train.Trainer
	algo       string
	even       bool   // it sees equally many points of each sample
	by         string // the column whose labels are these samples
	values     step.Values
	table      revision.Revision
	code       revision.Revision // revision of the codebook that the trainer holds
	pos        revision.Revision
	edges      revision.Revision
	layout     *Layout
	begun      revision.Revision // landmarks that come to rest at these positions are laid out
	still      []bool            // landmarks that stay: those pinned, and with Only those not selected
	room       []bool            // for the next of them

	swept  bool    // the schedule is in the user's hand
	begin  bool    // the run is not in the history yet
	until  int64   // pause there: a step of a whole epoch; 0 is none
	owed   float64 // samples that the chosen speed has promised and not yet had
	before int64   // samples that were done when the last leg began, or looked at ahead
}

// NewTraining returns a training that has not been started, which a layout may follow.
func NewTraining(m *Ground, then *Layout) *Training {
	t := &Training{m: m, layout: then}
	t.run = m.NewRun(t)
	return t
}

// Run is what advances it.
func (t *Training) Run() *work.Run { return t.run }

// Title is what the history calls a run.
func (t *Training) Title() string {
	if a, ok := train.ByID(parts.Training.Of(t.m.Doc.State()).Algorithm); ok {
		return "Train " + a.Title
	}
	return "Train"
}

// Ready says whether the landmarks are of the points: while a changed transform is being applied it waits.
func (t *Training) Ready() bool { return t.m.Consistent() }

// maxOwed bounds what a slow machine can fall behind: a run slower than its chosen speed is slower,
// it does not freeze the window to catch up.
const maxOwed = 250 * time.Millisecond

// begins starts training as chosen in the document, from where the codebook is, as one entry of the
// history. fresh starts the schedule over; otherwise a paused run goes on.
func (t *Training) begins(fresh bool) error {
	if err := t.movable(); err != nil {
		return err
	}
	if !t.m.Consistent() {
		// It starts by itself when the new table is there.
		t.begin, t.trainer = true, nil
		t.run.Start(work.ToRest)
		return nil
	}
	t.until = 0
	if fresh || t.trainer == nil || t.run.Progress().Rest || t.outdated() {
		if err := t.newTrainer(); err != nil {
			return err
		}
	}
	parts.StartTraining(t.m.Doc, t.Title())
	t.run.Start(work.ToRest)
	t.owed = 0
	return nil
}

// Start trains on from where the codebook is: a paused run goes on.
func (t *Training) Start() error { return t.begins(false) }

// Again starts the schedule over.
func (t *Training) Again() error { return t.begins(true) }

// Pause stops it where it is.
func (t *Training) Pause() { t.run.Pause() }

// Active says whether it has been started and not come to an end, also while it waits.
func (t *Training) Active() bool { return t.run.Active() }

// Sweep puts the schedule of the run at 0 to 1 and keeps it there, while the user has it in hand: the landmarks
// train with the sigma and alpha of that place. It begins a run where there is none; Release ends it again.
func (t *Training) Sweep(at float64) error {
	if !t.m.Consistent() {
		return nil
	}
	if err := t.movable(); err != nil {
		return err
	}
	if !t.swept {
		if t.trainer == nil || t.outdated() {
			if err := t.newTrainer(); err != nil {
				return err
			}
		}
		t.swept, t.until, t.owed = true, 0, 0
		if a, _ := train.ByID(t.algo); !t.run.Active() {
			parts.StartTraining(t.m.Doc, "Train "+a.Title+", swept by hand")
			t.run.Start(work.InHand)
		}
		t.tell()
	}
	t.trainer.Hold(min(1, max(0, at)))
	t.run.Cost = work.Cost{} // another part of the training may be under way
	p, err := t.trainer.Step(context.Background(), 0)
	if t.run.SetProgress(p); !t.run.Active() { // nothing moved it
		t.run.Start(work.InHand)
	}
	return err
}

// Release lets a schedule that was swept go on from where it is, in a run that was under way, else pauses it there.
func (t *Training) Release() {
	if !t.swept {
		return
	}
	t.swept, t.run.Cost = false, work.Cost{}
	if t.trainer != nil {
		t.trainer.Hold(-1)
	}
	if t.run.Aim() == work.InHand {
		t.run.Pause()
	}
}

// Swept says whether the schedule is in the user's hand.
func (t *Training) Swept() bool { return t.swept }

// At is where the run stands in its schedule, 0 to 1, negative where there is none.
func (t *Training) At() float64 {
	if running, _, live := t.Progress(); t.trainer == nil || !running && live == nil {
		return -1
	}
	return t.trainer.At()
}

// staying returns which landmarks training leaves where they are, valid until the next call; nil: none.
func (t *Training) staying(l *landmark.Set) []bool {
	chosen, ok := t.m.Chosen()
	if !ok || !parts.Training.Of(t.m.Doc.State()).Only {
		return l.Pinned
	}
	if len(chosen) == 0 && t.run.Active() && len(t.still) == l.Len() {
		return t.still // the selection at the time when it began
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
func (t *Training) movable() error {
	l := parts.Landmarks.Of(t.m.Doc.State())
	if still := t.staying(l); len(still) == 0 || slices.Contains(still, false) {
		return nil
	}
	if len(l.Pinned) == 0 || slices.Contains(l.Pinned, false) {
		return problem.New("", "select landmarks that are not pinned, or switch off \"Only the selected "+
			"landmarks\" in the Train panel",
			"training moves the selected landmarks only, and there are none that it could move")
	}
	return problem.New("", "select some and unpin them with P", "all landmarks are pinned, so training moves none")
}

// Progress says whether training runs, how far it is, and what its falling parameters are now. Of a run that the
// landmarks no longer come from (undone, another algorithm chosen) there is nothing to say.
func (t *Training) Progress() (running bool, p step.Progress, live map[string]float64) {
	s := t.m.Doc.State()
	choice := parts.Training.Of(s)
	running = t.run.Active()
	if t.trainer == nil || t.algo != choice.Algorithm || !running && t.code != codeRev(parts.Landmarks.Of(s)) {
		return running, step.Progress{}, nil
	}
	return running, t.run.Progress(), t.trainer.Live()
}

// Begun says whether there has been a run in this window.
func (t *Training) Begun() bool { return t.trainer != nil }

func codeRev(l *landmark.Set) revision.Revision {
	if l == nil {
		return 0
	}
	return l.CodeRev
}

// Step trains for one short step while paused: a hundredth of an epoch, at least 100 samples; a whole epoch where
// landmarks do not move before, which takes as many frames as it needs. It never starts the schedule over: where there
// is no paused run to go on with, as after one that came to rest, sigma and alpha are those of the end.
func (t *Training) Step() error {
	if !t.m.Consistent() {
		return nil
	}
	if err := t.movable(); err != nil {
		return err
	}
	some := max(100, t.m.Table().X.Rows/100)
	if t.trainer == nil || t.run.Progress().Rest || t.outdated() {
		if t.trainer == nil || t.outdated() {
			if err := t.newTrainer(); err != nil {
				return err
			}
		}
		t.trainer.GoOn(some)
	}
	a, _ := train.ByID(t.algo)
	parts.StartTraining(t.m.Doc, "Train "+a.Title)
	t.m.Notice("training goes on by one step")
	t.tell()
	p, err := t.trainer.Step(context.Background(), 0)
	if t.run.SetProgress(p); err != nil {
		return err
	}
	if next := t.trainer.Next(); next > some {
		t.until, t.owed = p.Done+int64(next), 0
		t.run.Start(work.ToRest)
		return nil
	}
	t.run.Start(work.OneUnit)
	return t.run.Do(some)
}

// outdated says whether the trainer is of another algorithm, table or kind of samples than there is now.
func (t *Training) outdated() bool {
	s := t.m.Doc.State()
	now := parts.Training.Of(s)
	if now.Even && t.by != parts.Samples.Of(s).By() {
		return true
	}
	return t.algo != now.Algorithm || t.even != now.Even || t.table != t.m.Table().Rev
}

func (t *Training) newTrainer() error {
	m := t.m
	s := m.Doc.State()
	choice := parts.Training.Of(s)
	a, ok := train.ByID(choice.Algorithm)
	if !ok {
		return problem.New("", "choose another in the Train panel", "there is no training named %q", choice.Algorithm)
	}
	l := parts.Landmarks.Of(s)
	still := slices.Clone(t.staying(l))
	in := train.Input{X: m.Table().X, Codebook: l.Codebook, Pos: l.Pos, Pinned: still, Edges: l.Edges,
		Seed: m.Doc.Seed, Searcher: m.Engine, Summer: m.Engine}
	choice.Evenly(&in, parts.Samples.Of(s), m.Doc.Data, m.Table())
	tr, err := a.New(in, choice.Values)
	if err != nil {
		return err
	}
	if t.begin {
		parts.StartTraining(m.Doc, "Train "+a.Title)
	}
	t.trainer, t.algo, t.values, t.table = tr, choice.Algorithm, choice.Values, m.Table().Rev
	t.even, t.by = choice.Even, parts.Samples.Of(s).By()
	t.code, t.pos, t.edges, t.still = l.CodeRev, l.PosRev, l.EdgeRev, still
	t.begin, t.until, t.owed, t.before = false, 0, 0, 0
	t.run.Cost = work.Cost{}
	t.run.SetProgress(step.Progress{})
	return nil
}

// Enter makes the trainer or tells it what has changed. At a chosen speed samples may not be due yet.
func (t *Training) Enter(elapsed time.Duration) (bool, error) {
	if t.trainer == nil || t.outdated() {
		t.until = 0
		if err := t.newTrainer(); err != nil {
			return false, t.m.Mend(err)
		}
	}
	if err := t.movable(); err != nil { // all were pinned meanwhile
		return false, err
	}
	t.tell()
	if speed := parts.Training.Of(t.m.Doc.State()).Speed; speed > 0 {
		t.owed = min(t.owed+speed*elapsed.Seconds(), speed*maxOwed.Seconds())
		return t.owed >= 1, nil
	}
	return true, nil
}

// Next is what is due, samples of the trainer.
func (t *Training) Next() work.Work {
	t.before = t.run.Progress().Done + int64(t.trainer.Ahead())
	return t
}

// Do trains with so many samples.
func (t *Training) Do(ctx context.Context, units int) (step.Progress, error) {
	return t.trainer.Step(ctx, units)
}

// Units are as many samples as fit, those that the speed allows, and not beyond a step.
func (t *Training) Units(fit int) int {
	if !t.run.Cost.Known() {
		fit = 64
	}
	if parts.Training.Of(t.m.Doc.State()).Speed > 0 {
		fit = min(fit, int(t.owed))
		t.owed -= float64(fit)
	}
	if t.until > 0 {
		fit = min(fit, int(max(1, t.until-t.run.Progress().Done)))
	}
	return fit
}

// Take takes what samples have brought, and pauses where a step of a whole epoch is done.
func (t *Training) Take(l *work.Leg) (show bool, err error) {
	if l.Err != nil {
		return false, t.m.Mend(l.Err)
	}
	l.Did = l.Progress.Done + int64(t.trainer.Ahead()) - t.before
	if t.until > 0 && l.Progress.Done >= t.until && !l.Progress.Rest {
		t.run.Pause()
	}
	return true, nil
}

// Ends says that the run is over when the trainer rests, but not while the user has the schedule in hand.
func (t *Training) Ends(step.Progress) bool { return !t.swept }

// Left tells how a run has ended.
func (t *Training) Left(r *work.Run, aim work.Aim) {
	if r.Phase() == work.Resting && t.until == 0 && aim != work.OneUnit {
		t.m.Notice("training settled")
		t.layOut()
	}
	t.until, t.begin = 0, false
}

// LayOut has the layout that the document names follow, as soon as training comes to rest, if the landmarks still are
// where they are now and no hand is at them.
func (t *Training) LayOut() { t.begun = parts.Landmarks.Of(t.m.Doc.State()).PosRev }

// layOut lays landmarks out that have come to rest where they began.
func (t *Training) layOut() {
	s := t.m.Doc.State()
	l := parts.Landmarks.Of(s)
	a, ok := layout.ByID(parts.Training.Of(s).Then)
	if !ok || l.Len() < 2 || l.PosRev != t.begun || t.m.Doc.Open() {
		return
	}
	if parts.Layout.Of(s).Algorithm != a.ID {
		t.m.Doc.Do("Layout: "+a.Title, func(s *state.State) { parts.ChooseLayout(s, a) })
	}
	if err := t.layout.start(nil, work.ToRest); err != nil {
		t.m.Jobs.Failed(err)
	}
}

// tell passes on what the user changed since the last step.
func (t *Training) tell() {
	s := t.m.Doc.State()
	l, v := parts.Landmarks.Of(s), parts.Training.Of(s).Values
	still := t.staying(l)
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
		t.values, t.run.Cost = v, work.Cost{}
	}
}

// Show makes the trainer's codebook the document's. Within a pass over the points batch training moves nothing, and
// then nothing that was made of the codebook is out of date.
func (t *Training) Show() {
	l := *parts.Landmarks.Of(t.m.Doc.State())
	if slices.Equal(l.Codebook.Data, t.trainer.Codebook().Data) {
		return
	}
	l.Codebook = t.trainer.Codebook().Clone()
	l.CodeRev = revision.Next()
	t.code = l.CodeRev
	parts.Trained(t.m.Doc, &l)
}

// Stands says how training stands.
func (t *Training) Stands() Running {
	active, p, _ := t.Progress()
	return Running{Title: "Training", Active: active, Forming: t.run.Running(), Rest: p.Rest,
		Rested: t.run.Rested(), Just: p.Rest && just(t.run, t.m.Now()),
		Units: p.Done, Total: p.Total, Share: p.Fraction()}
}

// Params, Values and Choose make training one that is Tuned.
func (t *Training) Params() []step.Param {
	s := t.m.Doc.State()
	a, _ := train.ByID(parts.Training.Of(s).Algorithm)
	return step.Suited(a.Params, train.Suggest(a.ID, t.m.Table().X.Rows, parts.Landmarks.Of(s).Pos))
}

func (t *Training) Values() step.Values { return parts.Training.Of(t.m.Doc.State()).Values }

func (t *Training) Choose(s *state.State, id string, v float64) {
	parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Values = c.Values.With(id, v) })
}
