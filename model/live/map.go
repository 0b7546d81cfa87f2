// Package live runs the map behind the window: it keeps the points on an engine, spends each frame's
// time on training and on refreshing positions, and does slow things as jobs. It knows no window and
// no OpenGL, so that a script can drive it as the window does.
package live

import (
	"errors"
	"time"

	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/live/member"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
	"blossom/model/work/schedule"
)

// Map is one document being worked on, with everything that is computed from it. It belongs to the
// main thread.
type Map struct {
	Doc *state.Document
	// Values are computed from the document and kept until that changes: the map closes and serves them, also those
	// that a window adds. Their Jobs are all that goes on beside it.
	Values work.Values
	// Notice is told what happened in words for the user, and Alert what should not be overlooked: that
	// another engine had to take over. Either may be nil.
	Notice, Alert func(string)
	// Chosen returns the landmarks that are selected, ascending, for a training of those only. May be nil: none are.
	Chosen func() []int
	// Measured is how many points quality is measured among; 0: quality.SampleSize.
	Measured int

	table  *transform.Table
	spaced spaced
	from   original

	dev       device
	buffers   Buffers
	som       *Embedding   // the embedding of the recipe EmbedSOM
	list      []*Embedding // all, EmbedSOM first
	made      columns
	gauges    gauges
	graphs    graphs
	influence *work.Value[influenceKey, *embedsom.Influence]
	named     named

	proj    projection
	preview *landmark.Set // shown in place of the document's, or nil
	holding bool

	training *member.Training
	layout   *member.Layout
	runs     work.Arbiter
	early    []string // notices from before there was somebody to tell
}

// NewMap puts an opened document on an engine.
func NewMap(o *opening.Opened, engines *engine.Chooser, buffers Buffers, jobs *work.Jobs) (*Map, error) {
	m := &Map{Doc: o.Doc, table: o.Table, buffers: buffers}
	parts.Measure(m.Doc, m.table)
	if jobs.Clock != nil {
		m.proj.sched.Clock = jobs.Clock.Now
	}
	m.Values = work.Values{Jobs: jobs, Clock: m.now}
	m.dev = device{m: m, engines: engines}
	m.proj.begin(m)
	ground := m.ground()
	m.layout = member.NewLayout(ground)
	m.training = member.NewTraining(ground, m.layout)
	m.runs.Add(m.training.Run(), m.training.Start)
	m.spaced.begin(m)
	m.from.all = folderOf(m)
	m.named.panel.begin(m)
	m.graphs, m.influence = newGraphs(&m.Values), newInfluences(&m.Values)
	m.named.near.begin(m)
	m.named.populations.begin(m)
	m.named.region.begin(m)
	m.named.beginSamples(m)
	m.named.clusters.begin(m, ground)
	m.runs.AddApart(m.named.clusters.Run())
	m.runs.Add(m.layout.Run(), m.layout.Resume)
	if err := m.dev.load(); err != nil {
		m.som.drop()
		return nil, err
	}
	return m, nil
}

// Table returns the transformed points, in the order in which they are drawn.
func (m *Map) Table() *transform.Table { return m.table }

// Schedule returns the state of the refresh, for the status bar.
func (m *Map) Schedule() *schedule.Schedule { return &m.proj.sched }

// Close frees what the map holds on its engine, and its buffers, and cancels its jobs.
func (m *Map) Close() {
	if m.from.hashing != nil {
		m.from.hashing.Cancel()
		m.from.hashing = nil
	}
	m.Values.Close()
	m.named.clusters.Stop()
	m.layout.Close()
	for _, e := range m.list {
		if e.steps != nil {
			e.steps.Close()
		}
	}
	m.dev.free()
	for _, e := range m.list {
		e.free()
	}
}

// Reload puts a closed map back on its engine, with new buffers.
func (m *Map) Reload() error {
	m.Values.Reopen()
	for _, e := range m.list {
		e.renew()
	}
	return m.dev.load()
}

// ground is what the members know of the map.
func (m *Map) ground() *member.Ground {
	return &member.Ground{Doc: m.Doc, Table: m.Table, Consistent: m.consistent, Graph: m.Graph, Now: m.now,
		Notice: m.notice, Engine: lent{&m.dev}, Mend: m.dev.mended,
		Caps: m.Caps, Inputs: m.inputs, Jobs: m.Values.Jobs, Hold: m.runs.Hold, Sync: m.buffers.Sync,
		Placed: func(r embedding.Recipe) member.Placed { return m.Embedding(r) },
		Held:   func() bool { return m.holding },
		Chosen: func() (landmarks []int, ok bool) {
			if m.Chosen == nil {
				return nil, false
			}
			return m.Chosen(), true
		},
		NewRun: func(of work.Member) *work.Run { return newRun(of, m) }}
}

// Training returns the training of the landmarks.
func (m *Map) Training() *member.Training { return m.training }

// Layout returns the layout of the landmarks.
func (m *Map) Layout() *member.Layout { return m.layout }

// newRun makes a run of a member, by the map's clock.
func newRun(member work.Member, m *Map) *work.Run {
	r := work.NewRun(member)
	r.Clock, r.Failed = m.now, func(err error) { m.Values.Jobs.Failed(err) }
	if c := m.Values.Jobs.Clock; c != nil {
		r.Spent = c.Spent
	}
	return r
}

// Runs returns what goes on in steps beside the window, training among it.
func (m *Map) Runs() *work.Arbiter { return &m.runs }

// Hold says whether the user holds landmarks or a parameter in hand: positions then go before all else.
func (m *Map) Hold(on bool) { m.holding = on }

// Shown returns how many of the points of EmbedSOM, from the first, should be drawn: all at rest, and while
// things move those that keep up.
func (m *Map) Shown() int { return m.proj.sched.Shown() }

// Busy says whether a frame would have anything to compute, an engine or a job has not ended what it was
// asked for, or a column that was asked for is not there yet.
func (m *Map) Busy() bool {
	if m.dev.resident == nil {
		return false // it could not be loaded, which has been said
	}
	if m.training.Active() || m.runs.Running() || m.proj.Busy() || m.Values.Busy() || m.named.clusters.Due() ||
		m.lagging() {
		return true
	}
	for _, e := range m.list[1:] {
		if e.Busy() {
			return true
		}
	}
	return false
}

// still says whether nothing is going on that changes landmarks all the time.
func (m *Map) still() bool {
	return !m.training.Active() && !m.layout.Active() && !m.holding && m.preview == nil && m.consistent()
}

// consistent says whether the codebook, the table and the transform speak of the same space. While a
// changed transform is being applied they do not, and neighbours stay as they are.
func (m *Map) consistent() bool {
	s := m.Doc.State()
	return parts.Transform.Rev(s) == m.spaced.of && parts.Landmarks.Of(s).Space == m.spaced.of
}

// Budget returns what a frame may spend on Frame. At 60 Hz it lasts 16.7 ms, of which drawing takes its
// part. There is more of it while landmarks are in hand, since then nothing else matters.
func Budget(held bool) time.Duration {
	if held {
		return 12 * time.Millisecond
	}
	return 9 * time.Millisecond
}

// Frame spends about budget on what is due, in this order: what the user's hand moves, a share for the runs, what
// is in sight, and the runs again if nothing in sight has use for the rest. Whatever takes longer than a frame is
// sent off as a job. elapsed is the time since the last frame. It returns whether any position of EmbedSOM
// changed, and what went wrong, after which the rest goes on.
func (m *Map) Frame(elapsed, budget time.Duration) (changed bool, err error) {
	m.tellEarly()
	if m.made.frame++; m.Values.Jobs.Clock != nil {
		m.Values.Jobs.Clock.Frame(elapsed)
	}
	if m.dev.resident == nil {
		return false, nil
	}
	m.dev.report()
	m.named.panel.tend(m)
	m.Values.Serve()
	for _, e := range m.list {
		e.tend()
	}
	m.named.region.tend()
	m.layout.Run().Tend()
	m.named.clusters.Tend()
	if !m.holding {
		spent, failed := m.runs.Share(elapsed, budget*m.share()/10)
		budget -= spent
		err = failed
	}
	changed, failed := m.proj.refresh(budget)
	err = errors.Join(err, failed)
	switch {
	case m.dev.resident == nil || failed != nil:
	case m.holding:
		// The hand comes first: a little for the runs after it, seen in the next frame.
		_, failed = m.runs.Share(elapsed, budget/10)
		err = errors.Join(err, failed)
	case !changed && budget > 0:
		_, failed = m.runs.Share(0, budget)
		err = errors.Join(err, failed)
	}
	return changed, err
}

// share is how many tenths of a frame the runs get before positions are refreshed: all but a tenth where the hand
// is in one, and most where nobody sees the positions.
func (m *Map) share() time.Duration {
	switch {
	case m.runs.Held():
		return 9
	case !m.som.sight:
		return 8
	}
	return 4
}

func (m *Map) notice(s string) {
	if m.Notice != nil {
		m.Notice(s)
	}
}

// alert tells what should not be overlooked, also from before there is somebody to tell.
func (m *Map) alert(s string) {
	switch {
	case m.Alert != nil:
		m.Alert(s)
	case m.Notice != nil:
		m.Notice(s)
	default:
		m.early = append(m.early, s)
	}
}

// tellEarly tells what was to be said while the map was made.
func (m *Map) tellEarly() {
	if len(m.early) == 0 || m.Alert == nil && m.Notice == nil {
		return
	}
	early := m.early
	m.early = nil
	for _, s := range early {
		m.alert(s)
	}
}

func (m *Map) now() time.Time {
	if m.proj.sched.Clock != nil {
		return m.proj.sched.Clock()
	}
	return time.Now()
}
