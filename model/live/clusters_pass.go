package live

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/clusters/linkage"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/model/work/engine"
)

// pass is the clustering of the points, a member of the runs, beside the frame. From its first moments there is a
// hierarchy whose heights are upper bounds that only fall; it can be used at once. A pass that is paused goes on from
// where it is, as long as the points are the same.
type pass struct {
	run     *work.Run
	kept    *clustering        // the clustering that is under way or paused, or nil
	forming *parts.Hierarchy   // as far as it is known; nil: nothing is being computed, or it is the document's
	done    *parts.Hierarchy   // to be put into the document as soon as no interaction is open
	first   func(*state.State) // changes of the same entry, before the hierarchy is put in
	entry   state.EntryID      // the entry of the history; 0: none yet
}

// clustering is what works on a pass.
type clustering struct {
	run      *linkage.Clustering
	engine   engine.Engine
	resident engine.Resident
	table    *transform.Table
	rows     int // rows of the data
	metric   linkage.Metric
	samples  int
	print    uint64

	another func() (engine.Engine, error)
	pace    *work.Run     // whose clock it goes by
	least   *atomic.Int64 // size of the clusters that persist, which are wanted with each hierarchy
	said    atomic.Pointer[said]
	took    time.Duration // time in which a hierarchy was made
	units   int           // units that take about a passLook
	found   finding
}

// said is how far a clustering is: before there is a first tree word says what is done.
type said struct {
	progress step.Progress
	word     string
}

// finding is what a leg of a clustering brings.
type finding struct {
	hierarchy *parts.Hierarchy // nil: it was called back before
	least     int
	lasting   *linkage.Flat // clusters of a least size, or nil
}

func (k *clustering) free() {
	if k == nil {
		return
	}
	if k.run != nil {
		k.run.Close()
	}
	if k.resident != nil {
		k.resident.Free()
	}
	if k.engine != nil {
		k.engine.Close()
	}
	k.run, k.resident, k.engine = nil, nil, nil
}

const passTitle = "Clusters"

// Paces of a pass.
const (
	passLook  = 60 * time.Millisecond  // between two looks at whether it is to stop
	passShow  = 400 * time.Millisecond // between two hierarchies that are shown, at least
	passShare = 8                      // and this many times what one takes to make
)

// on says whether the points are being clustered.
func (c *Clusters) on() bool { return c.run.Active() || c.run.Busy() }

// Paused says whether Start goes on with a pass rather than beginning one.
func (c *Clusters) Paused() bool { return !c.on() && c.kept != nil && c.goesOn(c.kept) }

func (c *Clusters) goesOn(k *clustering) bool {
	v := parts.Clusters.Of(c.m.Doc.State())
	return k.table.Rev == c.m.table.Rev && k.metric == v.Metric && k.samples == samplesOf(v)
}

// samplesOf is MinSamples with one word for plain linkage.
func samplesOf(v parts.ClusterChoice) int {
	if v.MinSamples < 2 {
		return 0
	}
	return v.MinSamples
}

// Start clusters the points as the document says, or goes on where it was paused. The hierarchy is one entry of the
// history when there is a first one, or, where landmarks were clustered, at once, with the choice of points. The error
// is a Problem.
func (c *Clusters) Start() error { return c.StartWith(nil) }

// StartWith is Start where with changes what else belongs to the entry of the history.
func (c *Clusters) StartWith(with func(*state.State)) error {
	m := c.m
	switch {
	case c.run.Active():
		return nil
	case !m.consistent():
		return problem.New("", "try again in a moment", "a change of the transform is still being applied")
	case m.table.X.Rows <= m.table.Invalid:
		return problem.New("", "choose other columns, or a file with values",
			"no point can be clustered: every row has a value that is missing or infinite")
	case samplesOf(parts.Clusters.Of(m.Doc.State())) >= m.table.X.Rows-m.table.Invalid:
		return problem.New("", "use a smaller one", "a density of %d neighbours needs more than %d points",
			samplesOf(parts.Clusters.Of(m.Doc.State())), m.table.X.Rows-m.table.Invalid)
	}
	if c.kept == nil || !c.goesOn(c.kept) {
		c.stop() // it may be at work still, on what is not wanted any more
		v := parts.Clusters.Of(m.Doc.State())
		k := &clustering{table: m.table, rows: m.Doc.Data.Points, metric: v.Metric, samples: samplesOf(v),
			another: m.dev.engines.Another, pace: c.run, least: &c.wanted, units: 1}
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

// Made says whether there is a proven hierarchy of the points as they are, made the way that is chosen.
func (c *Clusters) Made() bool {
	h, v := parts.Tree.Of(c.m.Doc.State()), parts.Clusters.Of(c.m.Doc.State())
	return !c.on() && c.forming == nil && h != nil && h.Linkage != nil && h.Proven() && c.Fits(h) &&
		h.Metric == v.Metric && max(h.MinSamples, 1) == max(v.MinSamples, 1)
}

// Pause stops the pass where it is; what it has found stays.
func (c *Clusters) Pause() { c.run.Pause() }

// passMember is the pass as a member of the runs.
type passMember struct {
	work.Plain
	of *Clusters
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
			c.lasting.Put(lastingKey{f.hierarchy, f.least}, f.lasting)
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

// Do clusters until there is another hierarchy to be shown, the first of which comes as soon as there is a tree.
func (k *clustering) Do(ctx context.Context, _ int) (p step.Progress, err error) {
	now := k.pace.Clock
	from, pause := now(), max(passShow, passShare*k.took)
	if k.run == nil {
		if err := k.prepare(ctx); err != nil {
			return p, err
		}
		pause = 0
	}
	for p = k.run.Progress(); !p.Rest && now().Sub(from) < pause; {
		began := now()
		if p, err = k.run.Step(ctx, k.units); err != nil || ctx.Err() != nil {
			return step.Progress{Done: p.Done, Total: p.Total}, errors.Join(ctx.Err(), err)
		}
		if k.say(p, ""); k.pace.Spent != nil {
			k.pace.Spent(passTitle, k.units)
		}
		switch took := now().Sub(began); {
		case took < passLook/2:
			k.units *= 2
		case took > passLook && k.units > 1:
			k.units = max(1, int(float64(k.units)*float64(passLook)/float64(took)))
		}
	}
	began := now()
	h, err := k.hierarchy(ctx)
	if err != nil {
		return step.Progress{Done: p.Done, Total: p.Total}, err
	}
	k.found = finding{hierarchy: h, least: int(k.least.Load())}
	if k.found.least > 0 {
		k.found.lasting = h.Sky.Persistent(k.found.least)
	}
	k.took = now().Sub(began)
	k.say(p, "")
	return p, nil
}

// say tells the window how far it is.
func (k *clustering) say(p step.Progress, word string) {
	k.said.Store(&said{p, word})
	k.pace.Wake()
}

// prepare makes the run: when it returns there is a first tree. One that is called back is prepared anew.
func (k *clustering) prepare(ctx context.Context) (err error) {
	defer func() {
		if err != nil {
			k.free()
		}
	}()
	o := linkage.Options{Metric: k.metric, MinSamples: k.samples}
	if err = o.Fits(k.table.X.Rows-k.table.Invalid, k.table.X.Cols, format.AvailableMemory(), func(n int) string {
		return fmt.Sprintf("cluster the landmarks instead, or open a sample of %d points", n)
	}); err != nil {
		return err
	}
	k.print = k.table.Print()
	if k.engine, err = k.another(); err != nil {
		return err
	}
	if k.resident, err = k.engine.Load(ctx, k.table.X); err != nil {
		return err
	}
	o.Device, o.Near = k.resident.Caps().Linkage, k.resident.Caps().Neighbours
	reached := atomic.Int64{}
	o.Report = func(stage string, done, total int64) {
		if total <= 0 || stage != "cores" {
			return
		}
		for was := reached.Load(); done > was; was = reached.Load() { // blocks end in any order
			if reached.CompareAndSwap(was, done) {
				p := step.Progress{}
				if done < total {
					p = step.Progress{Done: done, Total: total}
				}
				k.say(p, firstWord(k.samples, done, total))
				return
			}
		}
	}
	k.run, err = linkage.New(ctx, k.table.X, o)
	return err
}

// firstWord is what is done before there is a first tree in the user's words: with a density, neighbours are found of
// done of total points before anything else.
func firstWord(samples int, done, total int64) string {
	if samples > 1 && done < total {
		return fmt.Sprintf("finding the %d nearest of each point: %d %%", samples, 100*done/total)
	}
	return "finding a first tree"
}

// hierarchy is what the pass knows.
func (k *clustering) hierarchy(ctx context.Context) (*parts.Hierarchy, error) {
	share := k.run.Progress().Fraction()
	if k.run.Proven() {
		share = 1
	} else {
		share = min(share, 0.9999)
	}
	l, err := k.run.LinkageOf(ctx, k.table.Order, k.rows)
	if err != nil {
		return nil, err
	}
	h, err := parts.NewHierarchy(ctx, l, k.metric, k.samples, share, k.print)
	if err != nil {
		return nil, err
	}
	h.Here = true
	return h, nil
}

// forget lets go of a pass that is paused when its points are no longer those of the map: it cannot go on.
func (c *Clusters) forget() {
	if c.kept != nil && !c.on() && c.kept.table.Rev != c.m.table.Rev && !c.m.Doc.Open() {
		c.kept.free()
		c.kept = nil
	}
}

// stop ends a pass for good. What is under way is let go of when it is over.
func (c *Clusters) stop() {
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
func (c *Clusters) land() {
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
