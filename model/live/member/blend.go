package member

import (
	"slices"

	"blossom/model/base/problem"
	"blossom/model/maps/morph"
)

// Blend shows the points between where another embedding has them and where this one has, which must be one that runs
// and is at rest: share 0 is all there, brought to the size of this one, 1 all here. It changes nothing that is kept,
// and ends when anything else moves points.
func (r Reins) Blend(from Placed, share float64) error {
	w := r.of
	if w == nil {
		return errPure()
	}
	if !(share < 1) {
		w.Unblend()
		return nil
	}
	pos, ok := from.Positions()
	if !ok || w.run.Active() || w.run.Busy() || w.prep.job != nil || !w.there {
		return problem.New("", "wait until both are at rest", "what moves cannot be blended")
	}
	if w.blended == nil {
		w.blended = slices.Clone(w.Host())
	}
	w.share = max(0, share)
	d, n := w.recipe.Dims, w.at.Target.Len()
	scale, shift := morph.Onto(pos, from.Dims(), w.blended, d)
	out, t := w.at.Target.Host(), float32(w.share)
	for i := range n {
		for c := range d {
			b := w.blended[i*d+c]
			a := float32(0)
			if c < from.Dims() {
				a = float32(scale)*pos[i*from.Dims()+c] + float32(shift[c])
			}
			out[i*d+c] = a + t*(b-a)
		}
	}
	w.at.Target.Upload(0, n)
	return nil
}

// Blended is the share that is shown of this embedding: 1, unless it is blended with another.
func (r Reins) Blended() float64 {
	if w := r.of; w != nil && w.blended != nil {
		return w.share
	}
	return 1
}

// Unblend shows the points where they are.
func (w *Forming) Unblend() {
	if w.blended == nil {
		return
	}
	if len(w.blended) == len(w.at.Target.Host()) {
		copy(w.at.Target.Host(), w.blended)
		w.at.Target.Upload(0, w.at.Target.Len())
	}
	w.blended = nil
}
