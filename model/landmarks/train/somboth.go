package train

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/step"
)

// The default. Online training shows its work from the first frame and unfolds a map in as many samples as landmarks
// need, however many points there are; but its last samples decide where a landmark ends, which leaves it 3 to 15 %
// from what a batch SOM comes to. So batch steps with the last sigma follow: most of them over a random part of the
// points that has enough for each landmark, and the last over all points, which is a few passes over even 10 million.
//
// Quantization error of 20 x 20 landmarks, sigma to 0.8, by the number of batch steps after 250 samples a
// landmark, beside a batch SOM of 100 epochs with falling sigma and 30 with the last (docs/measured.md has more):
//
//	                          0        2        4        8       16   batch SOM
//	68983.fcs, 9 columns  1.2406   1.1797   1.1702   1.1635   1.1601   1.1623
//	mammoth.csv          10.0852   9.0524   8.9153   8.8584   8.8140   8.7863
//	cytometry, 100,000    1.9827   1.9455   1.9407   1.9355            1.9276
const (
	wholeSteps    = 2       // over all points
	leastOfSample = 20_000  // points, and
	mostOfSample  = 1 << 18 // points of the part, unless all points are not twice as many
	onlineShare   = 3.0 / 4 // share of the schedule's plot
)

func init() {
	epochs := paramEpochs
	epochs.Help = "How many times as many points as there are take part in online training, before the batch steps. " +
		"Raising it trains longer and falls slower; 0 trains until stopped, with the values of the start."
	finish := step.Param{ID: "finish", Title: "Batch steps", Min: 0, Max: 100, Default: 8, Integer: true,
		Help: "How many times landmarks move to the mean of the points around them in the end. Raising it comes " +
			"nearer to what a batch SOM settles on; the last two take all points, the others enough for each landmark."}
	Register(Algorithm{
		ID: "som-both", Title: "SOM, online then batch", Order: 0,
		Help: "Takes points at random while sigma falls, so that the map unfolds at once and follows changes by " +
			"hand; then moves every landmark to the mean of the points around it, some times, over all points in the " +
			"end.",
		Params: []step.Param{epochs, finish, paramSigmaFrom, paramSigmaTo, paramAlphaFrom, paramAlphaTo, paramFall,
			paramSigma, paramAlpha, paramAlong},
		Default: true, Length: samplesLength + fmt.Sprintf(", and %g batch steps", finish.Default),
		Suggest: func(n int, pos matrix.Matrix32) step.Values {
			return suggestFalling(pos, suggestEpochs(n, pos))
		},
		Plan: func(v step.Values, t float64) map[string]float64 {
			if t < onlineShare {
				return planSOM(v, t/onlineShare)
			}
			return map[string]float64{"sigma": set{v}.get(paramSigmaTo)}
		},
		New: func(in Input, v step.Values) (Trainer, error) { return newBoth(in, v, finish) },
	})
}

// both is a training in three parts, each from where the one before has left the codebook: online, in batches over a
// sample of the points, in batches over all.
type both struct {
	parts  [3]part
	at     int
	finish step.Param
	values step.Values
	seed   uint64
	online *online
	sample *batch
	whole  *batch
	drawn  bool // the sample is there
	size   int  // points of the sample
	pos    matrix.Matrix32
	pinned []bool
}

// part is what all three can do.
type part interface {
	Trainer
	progress() step.Progress
	again()
}

func newBoth(in Input, v step.Values, finish step.Param) (*both, error) {
	b := &both{finish: finish, values: v, seed: in.Seed, pos: in.Pos, pinned: in.Pinned}
	var err error
	if b.online, err = newSOM(in, v); err != nil {
		return nil, err
	}
	last := func(t *batch) float64 { return t.values.sigma(1) }
	batches := func(p points, size int) *batch {
		t := &batch{points: p, landmarks: b.online.landmarks, limit: paramEpochs,
			rule: rule{finish: finishSOM, live: liveSOM, sigma: last}}
		t.span.all, t.landmarks.code = size, in.Codebook.Clone()
		t.clear()
		return t
	}
	all := b.online.points
	b.size = min(all.span.valid, max(leastOfSample, min(mostOfSample, SamplesPerLandmark*in.Codebook.Rows)))
	if 2*b.size >= all.span.valid {
		b.size = 0 // not worth it
	}
	b.sample = batches(points{Matrix32: matrix.Matrix32{Cols: all.Cols}, span: span{valid: b.size}}, b.size)
	b.whole = batches(all, all.Rows)
	b.whole.searcher, b.whole.summer = in.Searcher, in.Summer
	b.parts = [3]part{b.online, b.sample, b.whole}
	b.SetValues(v)
	return b, nil
}

// SetValues takes new parameters. With no end to the online part, what comes after it is given up.
func (b *both) SetValues(v step.Values) {
	b.values = v
	b.online.SetValues(v)
	steps := float64(int(v.Get(b.finish)))
	whole := min(steps, wholeSteps)
	if b.size == 0 {
		whole = steps
	}
	for i, epochs := range []float64{1: steps - whole, 2: whole} {
		if i == 0 {
			continue
		}
		own := maps.Clone(v)
		if own == nil {
			own = step.Values{}
		}
		if own[paramEpochs.ID] = epochs; i == b.at {
			own[paramEpochs.ID] = max(1, epochs) // a part that has begun ends
		}
		b.parts[i].SetValues(own)
	}
	if b.at > 0 && b.online.total() == 0 {
		b.enter(0)
	}
}

// total returns the units of a part.
func (b *both) total(i int) int64 { return b.parts[i].progress().Total }

func (b *both) progress() step.Progress {
	now := b.parts[b.at].progress()
	if b.online.total() == 0 {
		return now
	}
	p := step.Progress{Done: now.Done, Rest: now.Rest && b.last() == b.at}
	if b.idle() {
		return step.Progress{Rest: true}
	}
	for i := range b.parts {
		p.Total += b.total(i)
		if i < b.at {
			p.Done += b.total(i)
		}
	}
	return p
}

// idle says whether there is nothing to do, for want of points or landmarks.
func (b *both) idle() bool { return b.online.span.valid == 0 || b.pos.Rows == 0 }

// last returns the part with which the training ends.
func (b *both) last() int {
	if b.online.total() == 0 {
		return 0
	}
	for i := len(b.parts) - 1; i > b.at; i-- {
		if b.total(i) > 0 {
			return i
		}
	}
	return b.at
}

// enter goes on with part i from its start, with the landmarks as they are.
func (b *both) enter(i int) {
	code := b.parts[b.at].Codebook()
	b.at = i
	if i == 1 && !b.drawn {
		b.sample.points = b.online.points.draw(b.size, b.seed)
		b.drawn = true
	}
	p := b.parts[i]
	p.SetLandmarks(code, b.pos, b.pinned)
	p.again()
}

// Step takes units samples, or visits as many points.
func (b *both) Step(ctx context.Context, units int) (step.Progress, error) {
	for {
		before := b.parts[b.at].progress()
		now, err := b.parts[b.at].Step(ctx, units)
		if err != nil {
			return b.progress(), err
		}
		units -= int(now.Done - before.Done)
		if !now.Rest || b.last() == b.at || b.idle() {
			return b.progress(), nil
		}
		next := b.at + 1
		for b.total(next) == 0 {
			next++
		}
		b.enter(next)
	}
}

// Codebook returns the current codebook, valid until the next Step.
func (b *both) Codebook() matrix.Matrix32 { return b.parts[b.at].Codebook() }

// SetLandmarks takes new landmarks.
func (b *both) SetLandmarks(codebook, pos matrix.Matrix32, pinned []bool) {
	b.pos, b.pinned = pos, pinned
	b.parts[b.at].SetLandmarks(codebook, pos, pinned)
}

// SetEdges takes a new net, which the parts share.
func (b *both) SetEdges(edges [][2]int32) {
	b.parts[b.at].SetEdges(edges)
}

// Live returns the falling parameters as they are now.
func (b *both) Live() map[string]float64 { return b.parts[b.at].Live() }

// At is the place in the schedule: the plot gives the batch steps a part of its own, whatever they cost.
func (b *both) At() float64 {
	if b.at == 0 {
		t := b.online.At()
		if b.last() == 0 && b.online.progress().Rest {
			return 1
		}
		return onlineShare * t
	}
	steps := b.sample.epochs() + b.whole.epochs()
	t := float64(b.sample.epochs()) * b.sample.At()
	if b.at == 2 {
		t = float64(b.sample.epochs()) + float64(b.whole.epochs())*b.whole.At()
	}
	return onlineShare + (1-onlineShare)*min(1, t/float64(max(1, steps)))
}

// Hold lets the schedule stand still at t, or go on.
func (b *both) Hold(t float64) {
	if t < 0 {
		b.parts[b.at].Hold(t)
		return
	}
	steps := float64(b.sample.epochs() + b.whole.epochs())
	at, place := 0, min(1, t/onlineShare)
	if t >= onlineShare && steps > 0 && b.online.total() > 0 {
		f := min(1, (t-onlineShare)/(1-onlineShare)) * steps
		at, place = 2, (f-float64(b.sample.epochs()))/float64(max(1, b.whole.epochs()))
		if place < 0 || b.whole.epochs() == 0 {
			at, place = 1, f/float64(b.sample.epochs())
		}
	}
	if at != b.at {
		b.parts[b.at].Hold(-1)
		b.enter(at)
	}
	b.parts[at].Hold(place)
}

// GoOn goes on from the end of the schedule.
func (b *both) GoOn(units int) {
	if last := b.last(); last != b.at {
		b.enter(last)
	}
	b.parts[b.at].GoOn(units)
}

// Ahead is what a device has summed beyond what is asked for.
func (b *both) Ahead() int { return b.parts[b.at].Ahead() }

// Next is when landmarks move again.
func (b *both) Next() int { return b.parts[b.at].Next() }

// draw returns a copy of size of the valid points, drawn without repetition, in their order.
func (p *points) draw(size int, seed uint64) points {
	// Floyd's: each of the sets of that size is as likely.
	random := rand.New(rand.NewPCG(seed, 0x50b07))
	taken := make(map[int32]bool, size)
	rows := make([]int32, 0, size)
	for top := p.span.valid - size; top < p.span.valid; top++ {
		i := int32(random.IntN(top + 1))
		if taken[i] {
			i = int32(top)
		}
		taken[i] = true
		rows = append(rows, i)
	}
	slices.Sort(rows)
	out := points{Matrix32: matrix.New(size, p.Cols), span: span{all: size, valid: size}, largest: p.largest}
	// Never cancelled: some milliseconds.
	_ = par.Blocks(context.Background(), size, 4096, func(_, from, to int) {
		for o, i := range rows[from:to] {
			if p.valid != nil {
				i = p.valid[i]
			}
			copy(out.Row(from+o), p.Row(int(i)))
		}
	})
	return out
}
