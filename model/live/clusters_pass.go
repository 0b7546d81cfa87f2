package live

import (
	"context"
	"fmt"
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

// pass is the clustering of the points under way, as a job in legs of some blocks of rows. From its first moments there
// is a hierarchy whose heights are upper bounds that only fall; it can be used at once. A pass that is paused goes on
// from where it is, as long as the points are the same.
type pass struct {
	job     *work.Job
	held    *clustering        // that is paused, or nil
	forming *parts.Hierarchy   // as far as it is known; nil: nothing is being computed, or it is the document's
	done    *parts.Hierarchy   // to be put into the document as soon as no interaction is open
	first   func(*state.State) // what comes with it in the same entry
	entry   state.EntryID      // of the history; 0: none yet

	progress step.Progress
	word     string // what is done before there is a first tree; "" from then on
}

// clustering is what works on a pass.
type clustering struct {
	run      *linkage.Run
	engine   engine.Engine
	resident engine.Resident
	table    *transform.Table
	rows     int // of the data
	metric   linkage.Metric
	samples  int
	print    uint64
	failed   bool
	over     bool // the last hierarchy is made: a pass may be at rest and paused while that is
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
}

// Paces of a pass.
const (
	passLeg   = 60 * time.Millisecond  // between two looks at whether it is to stop
	passShow  = 400 * time.Millisecond // between two hierarchies that are shown, at least
	passShare = 8                      // and this many times what one takes to make
)

// Running says whether the points are being clustered, and how far: share is the share of pairs that are settled.
// Before there is a first tree word says in words what is done, and share how far that is, 0 if it is not known;
// Hierarchy is then that of an earlier pass, or nil. Afterwards word is "".
func (c *Clusters) Running() (on bool, share float64, word string) {
	return c.job != nil, c.progress.Fraction(), c.word
}

// Job is that of the pass, or nil.
func (c *Clusters) Job() *work.Job { return c.job }

// Paused says whether Start goes on with a pass rather than beginning one.
func (c *Clusters) Paused() bool { return c.job == nil && c.held != nil && c.goesOn(c.held) }

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
// history when there is a first one, or, where landmarks were clustered, at once, with the choice of points; with,
// which may be nil, changes what else belongs to that. The error is a Problem.
func (c *Clusters) Start(with func(*state.State)) error {
	m := c.m
	switch {
	case c.job != nil:
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
	k := c.held
	if k == nil || !c.goesOn(k) {
		k.free()
		v := parts.Clusters.Of(m.Doc.State())
		k = &clustering{table: m.table, rows: m.Doc.Data.Points, metric: v.Metric, samples: samplesOf(v)}
		c.entry, c.progress, c.word = 0, step.Progress{}, firstWord(k.samples, 0, 1)
		c.forming, c.done = nil, nil
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
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Of(false) })
		})
	}
	c.held = nil
	another := m.engines.Another
	job := m.Jobs.Start("Clusters", func(ctx context.Context, j *work.Job) (func(), error) {
		err := c.work(ctx, j, k, another)
		k.failed = err != nil && ctx.Err() == nil
		return func() { c.rested(j, k) }, err
	})
	job.Dropped = func() { c.rested(job, k) }
	c.job = job
	return nil
}

// Made says whether there is a proven hierarchy of the points as they are, made the way that is chosen.
func (c *Clusters) Made() bool {
	h, v := parts.Tree.Of(c.m.Doc.State()), parts.Clusters.Of(c.m.Doc.State())
	return c.job == nil && c.forming == nil && h != nil && h.Linkage != nil && h.Proven() && c.Fits(h) &&
		h.Metric == v.Metric && max(h.MinSamples, 1) == max(v.MinSamples, 1)
}

// Pause stops the pass where it is; what it has found stays.
func (c *Clusters) Pause() {
	if c.job != nil {
		c.job.Cancel()
	}
}

// work is the pass, on a goroutine of its own.
func (c *Clusters) work(ctx context.Context, j *work.Job, k *clustering,
	another func() (engine.Engine, error)) error {
	if k.run == nil {
		if err := c.prepare(ctx, j, k, another); err != nil {
			return err
		}
	}
	shown, took := time.Time{}, time.Duration(0)
	show := func() error {
		began := time.Now()
		h, err := k.hierarchy(ctx)
		if err != nil {
			return err
		}
		p, least := k.run.Progress(), int(c.wanted.Load())
		var last *linkage.Flat
		if least > 0 {
			last = h.Sky.Persistent(least)
		}
		c.m.Jobs.Post(func() { c.offer(j, h, p, least, last) })
		shown, took = time.Now(), time.Since(began)
		k.over = p.Rest
		return nil
	}
	if err := show(); err != nil {
		return err
	}
	for units := 1; !k.run.Progress().Rest; {
		began := time.Now()
		p, err := k.run.Step(ctx, units)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		j.Report(p.Done, p.Total)
		switch leg := time.Since(began); {
		case leg < passLeg/2:
			units *= 2
		case leg > passLeg && units > 1:
			units = max(1, int(float64(units)*float64(passLeg)/float64(leg)))
		}
		if p.Rest || time.Since(shown) > max(passShow, passShare*took) {
			if err := show(); err != nil {
				return err
			}
			continue
		}
		c.m.Jobs.Post(func() {
			if c.job == j {
				c.progress = p
			}
		})
	}
	return nil
}

// prepare makes the run: when it returns there is a first tree.
func (c *Clusters) prepare(ctx context.Context, j *work.Job, k *clustering,
	another func() (engine.Engine, error)) (err error) {
	o := linkage.Options{Metric: k.metric, MinSamples: k.samples}
	if err = o.Fits(k.table.X.Rows-k.table.Invalid, k.table.X.Cols, format.AvailableMemory(), func(n int) string {
		return fmt.Sprintf("cluster the landmarks instead, or open a sample of %d points", n)
	}); err != nil {
		return err
	}
	k.print = k.table.Print()
	if k.engine, err = another(); err != nil {
		return err
	}
	if k.resident, err = k.engine.Load(ctx, k.table.X); err != nil {
		return err
	}
	o.Device, o.Near = k.resident.Caps().Linkage, k.resident.Caps().Neighbours
	reached := int64(0)
	o.Report = func(stage string, done, total int64) {
		c.m.Jobs.Post(func() {
			if c.job == j && total > 0 && stage == "cores" && done > reached { // blocks end in any order
				reached, c.word, c.progress = done, firstWord(k.samples, done, total), step.Progress{}
				if done < total {
					c.progress = step.Progress{Done: done, Total: total}
				}
			}
		})
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

// offer takes a hierarchy from a pass.
func (c *Clusters) offer(j *work.Job, h *parts.Hierarchy, p step.Progress, least int, last *linkage.Flat) {
	if c.job != j {
		return
	}
	c.progress, c.forming, c.word = p, h, ""
	if last != nil {
		c.lasting.Put(lastingKey{h, least}, last)
	}
}

// rested lets go of a pass that is over, was paused or has failed.
func (c *Clusters) rested(j *work.Job, k *clustering) {
	if c.job != j { // it was stopped
		k.free()
		return
	}
	c.job = nil
	if c.forming != nil {
		c.done = c.forming
	}
	if k.run == nil || k.failed || k.over {
		k.free()
		return
	}
	c.held = k
}

// forget lets go of a pass that is paused when its points are no longer those of the map: it cannot go on.
func (c *Clusters) forget() {
	if c.held != nil && c.job == nil && c.held.table.Rev != c.m.table.Rev && !c.m.Doc.Open() {
		c.held.free()
		c.held = nil
	}
}

// stop ends a pass for good.
func (c *Clusters) stop() {
	if c.job != nil {
		job := c.job
		c.job = nil
		job.Cancel()
	}
	c.held.free()
	c.held, c.forming, c.done = nil, nil, nil
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
