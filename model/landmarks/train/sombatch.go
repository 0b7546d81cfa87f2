package train

import (
	"fmt"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

func init() {
	epochs := paramEpochs
	epochs.Integer, epochs.Default = true, 20
	epochs.Help = "How many times all points are visited. Raising it trains longer and falls slower; 0 trains " +
		"until stopped, with sigma as at the start."
	registerBatch(Algorithm{
		ID: "som-batch", Title: "SOM, batch", Order: 2,
		Help: "Visits all points, then moves every landmark to the mean of the points around it on the map. " +
			"Uses all cores, and gives the same map for any order of the points.",
		Params: []step.Param{epochs, paramSigmaFrom, paramSigmaTo, paramFall, paramSigma, paramAlong},
		Length: fmt.Sprint(epochs.Default),
		Suggest: func(n int, pos matrix.Matrix32) step.Values {
			return suggestFalling(pos, epochs.Default)
		},
		Plan: func(v step.Values, t float64) map[string]float64 {
			return map[string]float64{"sigma": set{v}.fall(paramSigmaFrom, paramSigmaTo, t)}
		},
	}, func(Input) *batch {
		return &batch{limit: epochs, rule: rule{finish: finishSOM, live: liveSOM,
			sigma: func(b *batch) float64 { return b.values.sigma(b.sweep()) }}}
	})
}

// sweep returns how far the sigma of the epoch under way has fallen: the first has sigma_from, the last sigma_to.
func (b *batch) sweep() float64 {
	switch epochs := b.epochs(); {
	case epochs == 0 || b.points.span.all == 0:
		return 0
	case epochs == 1:
		return 1
	default:
		return min(1, float64(b.epoch())/float64(epochs-1))
	}
}
