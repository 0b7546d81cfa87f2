package train

import (
	"context"
	"math"
	"math/rand/v2"

	"blossom/model/matrix"
	"blossom/model/step"
)

// online is a training that takes one random valid point a unit. What it does with it is learn.
type online struct {
	points
	landmarks
	values set
	random *rand.Rand
	done   int64
	// learn moves landmarks for the point x, nearest to landmark b, at t in [0, 1] of the run.
	learn func(o *online, x []float32, b int, t float64)
	live  func(o *online, t float64) map[string]float64
}

func newOnline(in Input, v step.Values, learn func(*online, []float32, int, float64), live func(*online, float64) map[string]float64) (Trainer, error) {
	p, l, err := start(in)
	if err != nil {
		return nil, err
	}
	return &online{points: p, landmarks: l, values: set{v}, learn: learn, live: live,
		random: rand.New(rand.NewPCG(in.Seed, 0x7241))}, nil
}

// total returns the samples of the whole run, 0 for no end.
func (o *online) total() int64 {
	epochs := o.values.get(paramEpochs)
	if epochs == 0 {
		return 0
	}
	return max(1, int64(math.Round(epochs*float64(o.count))))
}

func (o *online) progress() step.Progress {
	p := step.Progress{Done: o.done, Total: o.total()}
	p.Rest = o.count == 0 || o.code.Rows == 0 || p.Total > 0 && p.Done >= p.Total
	return p
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
		i := o.random.IntN(o.count)
		if o.valid != nil {
			i = int(o.valid[i])
		}
		x := o.points.Row(i)
		b := nearest(o.code, x, o.isWide())
		o.learn(o, x, b, p.Fraction())
		o.done++
		p.Done = o.done
		p.Rest = p.Total > 0 && p.Done >= p.Total
	}
	return p, nil
}

// isWide says whether points or landmarks leave the range of float32 arithmetic.
func (o *online) isWide() bool { return o.points.wide || o.landmarks.wide }

// Codebook returns the current codebook, valid until the next Step.
func (o *online) Codebook() matrix.Matrix32 { return o.code }

// SetLandmarks takes new landmarks from the next unit on.
func (o *online) SetLandmarks(codebook, pos matrix.Matrix32, pinned []bool) {
	o.landmarks.set(codebook, pos, pinned, o.points.Cols)
}

// SetValues takes new parameters from the next unit on.
func (o *online) SetValues(v step.Values) { o.values = set{v} }

// Live returns the falling parameters as they are now.
func (o *online) Live() map[string]float64 { return o.live(o, o.progress().Fraction()) }

func (o *online) alpha(t float64) float64 { return o.values.fall(paramAlphaFrom, paramAlphaTo, t) }
func (o *online) sigma(t float64) float64 { return o.values.fall(paramSigmaFrom, paramSigmaTo, t) }
