package train

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// How long a batch SOM takes that others are measured by: longer changes its quantization error by less than 0.2 %.
const (
	convergedFalling = 100
	convergedSettled = 30
)

// Converged returns the codebook of a batch SOM that falls slowly from the sigma_from of v to its sigma_to, and then
// goes on at that until it moves no more to speak of: what other trainings are measured by. It takes 130 epochs.
// report may be nil. The error is ctx's, or the engine's.
func Converged(ctx context.Context, in Input, v step.Values, report func(done, total int64)) (matrix.Matrix32, error) {
	own := step.Values{paramEpochs.ID: convergedFalling}
	for _, p := range []step.Param{paramSigmaFrom, paramSigmaTo, paramAlong} {
		own[p.ID] = v.Get(p)
	}
	a, _ := ByID("som-batch")
	t, err := a.New(in, own)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	total := int64(convergedFalling+convergedSettled) * int64(max(1, in.X.Rows))
	for settled := false; ; {
		p, err := t.Step(ctx, chunk)
		if err != nil {
			return matrix.Matrix32{}, err
		}
		if report != nil {
			report(p.Done, total)
		}
		switch {
		case !p.Rest:
		case settled || p.Done == 0:
			return t.Codebook().Clone(), nil
		default:
			settled = true
			t.GoOn(convergedSettled * in.X.Rows)
		}
	}
}
