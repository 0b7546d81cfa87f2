package train

import (
	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

func init() {
	Register(Algorithm{
		ID: "som", Title: "SOM, online", Order: 1,
		Help: "Takes points at random; the nearest landmark and its neighbours on the map move towards each. " +
			"Shows its work best and follows changes by hand.",
		Params: []step.Param{paramEpochs, paramSigmaFrom, paramSigmaTo, paramAlphaFrom, paramAlphaTo, paramFall,
			paramSigma, paramAlpha, paramAlong},
		Length: samplesLength,
		Suggest: func(n int, pos matrix.Matrix32) step.Values {
			// Samples per landmark decide on the quality; beyond some hundreds nothing is gained.
			return suggestFalling(pos, suggestEpochs(n, pos))
		},
		Plan: planSOM,
		New:  func(in Input, v step.Values) (Trainer, error) { return newSOM(in, v) },
	})
}
