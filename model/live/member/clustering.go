package member

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"blossom/model/base/step"
	"blossom/model/clusters/linkage"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/model/work/engine"
)

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
