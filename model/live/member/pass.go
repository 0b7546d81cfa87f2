package member

import (
	"math"
	"sync/atomic"
	"time"

	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work"
	"blossom/model/work/engine"
)

// Pass is the clustering of the points, a member of the runs, beside the frame. From its first moments there is a
// hierarchy whose heights are upper bounds that only fall; it can be used at once. A pass that is paused goes on from
// where it is, as long as the points are the same.
type Pass struct {
	// Another opens the engine that a clustering is computed on.
	Another func() (engine.Engine, error)
	// Lasting is told of clusters of a least size that persist the most, of a hierarchy as it comes.
	Lasting func(h *parts.Hierarchy, least int, of *linkage.Flat)

	m       *Ground
	run     *work.Run
	wanted  atomic.Int64       // the least size of the clusters that Lasting is told of; 0: none are asked for
	kept    *clustering        // the clustering that is under way or paused, or nil
	forming *parts.Hierarchy   // as far as it is known; nil: nothing is being computed, or it is the document's
	done    *parts.Hierarchy   // to be put into the document as soon as no interaction is open
	first   func(*state.State) // changes of the same entry, before the hierarchy is put in
	entry   state.EntryID      // the entry of the history; 0: none yet
}

// NewPass returns a clustering that has not been started.
func NewPass(m *Ground) *Pass {
	c := &Pass{m: m}
	c.run = m.NewRun(passMember{of: c})
	return c
}

// Run is what advances it.
func (c *Pass) Run() *work.Run { return c.run }

// Forming is the hierarchy as far as it is known; nil: nothing is being computed, or it is the document's.
func (c *Pass) Forming() *parts.Hierarchy { return c.forming }

// Due says whether there is a hierarchy that waits for an interaction to end.
func (c *Pass) Due() bool { return c.done != nil }

// Held says whether there is a clustering under way, or one that is paused.
func (c *Pass) Held() bool { return c.kept != nil }

// Seek asks for the clusters of a least size that persist the most with each hierarchy; 0: they are not wanted.
func (c *Pass) Seek(least int) { c.wanted.Store(int64(least)) }

// Tend puts what was found into the document.
func (c *Pass) Tend() {
	c.run.Tend()
	c.forget()
	c.land()
}

// On says whether the points are being clustered.
func (c *Pass) On() bool { return c.run.Active() || c.run.Busy() }

// Paused says whether Start goes on with a pass rather than beginning one.
func (c *Pass) Paused() bool { return !c.On() && c.kept != nil && c.goesOn(c.kept) }

func (c *Pass) goesOn(k *clustering) bool {
	v := parts.Clusters.Of(c.m.Doc.State())
	return k.table.Rev == c.m.Table().Rev && k.metric == v.Metric && k.samples == v.Samples()
}

// Start clusters the points as the document says, or goes on where it was paused. The hierarchy is one entry of the
// history when there is a first one, or, where landmarks were clustered, at once, with the choice of points. The error
// is a Problem.
func (c *Pass) Start() error { return c.StartWith(nil) }

// StartWith is Start where with changes what else belongs to the entry of the history.
func (c *Pass) StartWith(with func(*state.State)) error {
	m, table := c.m, c.m.Table()
	switch {
	case c.run.Active():
		return nil
	case !m.Consistent():
		return problem.New("", "try again in a moment", "a change of the transform is still being applied")
	case table.X.Rows <= table.Invalid:
		return problem.New("", "choose other columns, or a file with values",
			"no point can be clustered: every row has a value that is missing or infinite")
	case parts.Clusters.Of(m.Doc.State()).Samples() >= table.X.Rows-table.Invalid:
		return problem.New("", "use a smaller one", "a density of %d neighbours needs more than %d points",
			parts.Clusters.Of(m.Doc.State()).Samples(), table.X.Rows-table.Invalid)
	}
	if c.kept == nil || !c.goesOn(c.kept) {
		c.Stop() // it may be at work still, on what is not wanted any more
		v := parts.Clusters.Of(m.Doc.State())
		k := &clustering{table: table, rows: m.Doc.Data.Points, metric: v.Metric, samples: v.Samples(),
			another: c.Another, pace: c.run, least: &c.wanted, units: 1}
		k.said.Store(&said{word: firstWord(k.samples, 0, 1)})
		c.kept, c.entry = k, 0
		c.first = func(s *state.State) {
			if was := parts.Tree.Of(*s); was != nil && (was.Metric != k.metric || was.MinSamples != k.samples) {
				parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.OfPoints().Anew() })
			}
			if with != nil {
				with(s)
			}
		}
	}
	if parts.Clusters.Of(m.Doc.State()).Landmarks {
		c.entry = parts.StartClusters(m.Doc)
		m.Doc.Drift(func(s *state.State, _ bool) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.SetTarget(false) })
		})
	}
	c.run.Start(work.ToRest)
	return nil
}

// Pause stops the pass where it is; what it has found stays.
func (c *Pass) Pause() { c.run.Pause() }

// passMember is the pass as a member of the runs.
type passMember struct {
	work.Plain
	of *Pass
}

func (passMember) Title() string                             { return passTitle }
func (m passMember) Next() work.Work                         { return m.of.kept }
func (passMember) Where(work.Work, time.Duration) work.Place { return work.BesideFrame }
func (m passMember) Show()                                   { m.of.land() }

// Take takes the hierarchy that a leg has found.
func (m passMember) Take(l *work.Leg) (show bool, err error) {
	c := m.of
	f := c.kept.found
	if c.kept.found = (finding{}); f.hierarchy != nil {
		c.forming = f.hierarchy
		if f.lasting != nil {
			c.Lasting(f.hierarchy, f.least, f.lasting)
		}
	}
	return true, l.Err
}

// Left has what was found put into the document, and lets go of a pass that cannot go on.
func (m passMember) Left(r *work.Run, _ work.Aim) {
	c := m.of
	if c.forming != nil {
		c.done = c.forming
	}
	if c.kept.run == nil || r.Phase() != work.Idle {
		c.kept.free()
		c.kept = nil
	}
}

// forget lets go of a pass that is paused when its points are no longer those of the map: it cannot go on.
func (c *Pass) forget() {
	if c.kept != nil && !c.On() && c.kept.table.Rev != c.m.Table().Rev && !c.m.Doc.Open() {
		c.kept.free()
		c.kept = nil
	}
}

// Stop ends a pass for good. What is under way is let go of when it is over.
func (c *Pass) Stop() {
	k, over := c.kept, c.run.Over()
	c.run.Abandon(false)
	if c.kept, c.forming, c.done = nil, nil, nil; over == nil {
		k.free()
		return
	}
	go func() {
		<-over
		k.free()
	}()
}

// land makes the first hierarchy of a pass an entry of the history, and puts what it is when the pass rests into that.
func (c *Pass) land() {
	d := c.m.Doc
	if c.forming == nil || d.Open() {
		return
	}
	if first := c.first; first != nil {
		if c.entry == 0 || d.History().Now() != c.entry { // something else was done, or this was taken back
			c.entry = parts.StartClusters(d)
		}
		coming := c.forming.Unfinished()
		d.Drift(func(s *state.State, inBefore bool) {
			if first(s); !inBefore {
				parts.Tree.Put(s, coming)
			}
		})
		c.first = nil
	}
	if c.done == nil {
		return
	}
	h := c.done
	c.done, c.forming = nil, nil
	if e, ok := d.History().Entry(c.entry); !ok || !e.Done || e.ID != c.entry {
		c.entry = parts.StartClusters(d) // it was taken back meanwhile: what took so long is not thrown away
	}
	d.Drift(func(s *state.State, inBefore bool) {
		if !inBefore {
			parts.Tree.Put(s, h)
		}
	})
}

// Stands says how the clustering of the points stands: Share is the share of pairs that are settled. Before there is a
// first tree Word says in words what is done, and Share how far that is; Hierarchy is then that of an earlier pass, or
// nil. Afterwards Word is "".
func (c *Pass) Stands() Running {
	r := Running{Title: "Clusters", Active: c.On(), Forming: c.run.Busy()}
	if c.kept != nil {
		now := c.kept.said.Load()
		if r.Share, r.Word = now.progress.Fraction(), now.word; r.Word != "" && r.Share == 0 {
			r.Share = math.NaN()
		}
	}
	return r
}
