package parts

import (
	"encoding/json"
	"maps"

	"blossom/model/state"
	"blossom/model/step"
)

// TrainingChoice is the chosen training and its parameters. Values is never changed in place.
type TrainingChoice struct {
	Algorithm string      `json:"algorithm"` // a train.Algorithm ID
	Values    step.Values `json:"values"`
	Speed     float64     `json:"speed"` // samples per second at most; 0 is as many as fit
}

// Training is how the landmarks are trained.
var Training = state.Register(state.Kind[TrainingChoice]{
	ID: "training", Title: "Training", Version: 1,
	Default: func() TrainingChoice { return TrainingChoice{Algorithm: "som"} },
	Equal: func(a, b TrainingChoice) bool {
		return a.Algorithm == b.Algorithm && a.Speed == b.Speed && maps.Equal(a.Values, b.Values)
	},
	Encode: encode[TrainingChoice],
	Decode: func(raw json.RawMessage, _ int, _ state.Context) (t TrainingChoice, err error) {
		err = decode(raw, "the training", &t)
		return t, err
	},
})
