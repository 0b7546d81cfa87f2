package train

import (
	"context"
	"math"
	"math/rand/v2"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// online is a training that takes one random valid point a unit. What it does with it is learn.
type online struct {
	points
	landmarks       // its codebook is behind lanes, except in wide mode; see sync
	lanes     lanes // the codebook that is trained
	values    set
	random    *rand.Rand
	done      int64
	over      int64 // samples after the end of the schedule that are asked for
	// learn sets how far the landmarks of block b go towards a point nearest to landmark bmu; it is
	// false if none of them moves. h has landmarks b*laneCount and following, and comes with zeros.
	learn func(o *online, bmu, b int, h *[laneCount]float32) bool
	sigma float64 // as they are for the current unit
	alpha float64
	net   *net               // the net that distances are measured along; nil: on the map
	edge  float64            // length of one of its edges
	held  bool               // the schedule stands still
	share [laneCount]float32 // room of learn, kept so that no unit allocates it
	// plan sets sigma and alpha for t in [0, 1] of the run.
	plan func(o *online, t float64)
}

func newOnline(in Input, v step.Values, o *online) (*online, error) {
	var err error
	if o.points, o.landmarks, err = start(in); err != nil {
		return nil, err
	}
	o.values, o.random = set{v}, rand.New(rand.NewPCG(in.Seed, 0x7241))
	o.renew()
	return o, nil
}

// renew takes up a new codebook.
func (o *online) renew() {
	if o.lanes.wide = o.wideRange() || o.wideCode(); !o.lanes.wide {
		o.lanes.load(o.code)
	}
}

// sync brings landmarks.code up to date. Pinned rows of it are never touched: they stay bit for bit.
func (o *online) sync() {
	if !o.lanes.wide {
		o.lanes.store(o.code, o.pinned)
	}
}

// total returns the samples of the whole run, 0 for no end.
func (o *online) total() int64 {
	epochs := o.values.get(paramEpochs)
	if epochs == 0 {
		return 0
	}
	return max(1, int64(math.Round(epochs*float64(o.span.valid))))
}

func (o *online) progress() step.Progress {
	p := step.Progress{Done: o.done, Total: o.total()}
	p.Rest = o.span.valid == 0 || o.code.Rows == 0 || o.ended(p)
	return p
}

func (o *online) ended(p step.Progress) bool {
	return !o.held && p.Total > 0 && p.Done >= p.Total+o.over
}

// At is the place in the schedule.
func (o *online) At() float64 { return o.progress().Fraction() }

// Hold lets the schedule stand still at t, or go on.
func (o *online) Hold(t float64) {
	o.held = t >= 0
	if total := o.total(); o.held && total > 0 {
		o.done, o.over = int64(math.Round(min(1, t)*float64(total))), 0
	}
}

// again begins the schedule anew.
func (o *online) again() { o.done, o.over, o.held = 0, 0, false }

// Next is the next sample.
func (o *online) Next() int { return 1 }

// GoOn takes units more samples with sigma and alpha as at the end.
func (o *online) GoOn(units int) {
	total := o.total()
	o.done = max(o.done, total)
	o.over = o.done - total + int64(units)
}

// Step takes units samples.
func (o *online) Step(ctx context.Context, units int) (step.Progress, error) {
	p := o.progress()
	for u := 0; u < units && !p.Rest; u++ {
		if u%16 == 0 {
			if err := ctx.Err(); err != nil {
				return p, err
			}
		}
		i := o.random.IntN(o.span.valid)
		if o.valid != nil {
			i = int(o.valid[i])
		}
		x := o.points.Row(i)
		o.plan(o, p.Fraction())
		o.train(x)
		if o.held {
			continue
		}
		o.done++
		p.Done = o.done
		p.Rest = o.ended(p)
	}
	return p, nil
}

// train moves landmarks for the point x.
func (o *online) train(x []float32) {
	var bmu int
	if o.lanes.wide {
		bmu = nearest64(o.code, x)
	} else {
		bmu = o.lanes.nearest(x)
	}
	for b := 0; b*laneCount < o.code.Rows; b++ {
		h := &o.share
		*h = [laneCount]float32{}
		if !o.learn(o, bmu, b, h) {
			continue
		}
		from, to := b*laneCount, min(o.code.Rows, (b+1)*laneCount)
		if o.pinned != nil {
			for i := from; i < to; i++ {
				if o.pinned[i] {
					h[i-from] = 0
				}
			}
		}
		if !o.lanes.wide {
			o.lanes.pull(b, x, h)
			continue
		}
		for i := from; i < to; i++ {
			if h[i-from] > 0 {
				pullWide(o.code.Row(i), x, h[i-from])
			}
		}
	}
}

// Codebook returns the current codebook, valid until the next Step.
func (o *online) Codebook() matrix.Matrix32 {
	o.sync()
	return o.code
}

// SetLandmarks takes new landmarks from the next unit on.
func (o *online) SetLandmarks(codebook, pos matrix.Matrix32, pinned []bool) {
	o.sync()
	if o.landmarks.set(codebook, pos, pinned, o.points.Cols) {
		o.renew()
	}
}

// SetValues takes new parameters from the next unit on.
func (o *online) SetValues(v step.Values) { o.values = set{v} }

// Ahead is nothing: points are learnt from one after the other.
func (o *online) Ahead() int { return 0 }

// Live returns the falling parameters as they are now.
func (o *online) Live() map[string]float64 {
	o.plan(o, o.progress().Fraction())
	live := map[string]float64{"alpha": o.alpha}
	if o.sigma > 0 {
		live["sigma"] = o.sigma
	}
	return live
}
