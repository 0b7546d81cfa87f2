package parts

import (
	"encoding/json"
	"maps"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/model/maps/layout"
)

// TrainingChoice is the chosen training and its parameters. Values is never changed in place.
type TrainingChoice struct {
	Algorithm string      `json:"algorithm"`      // a train.Algorithm ID
	Values    step.Values `json:"values"`         // missing ones are the defaults; nil: what the data suggests
	Speed     float64     `json:"speed"`          // samples per second at most; 0 is as many as fit
	Only      bool        `json:"only,omitempty"` // landmarks that are selected, of those not pinned
	Even      bool        `json:"even,omitempty"` // each sample has as many points in it as any other
	// Then is a layout.Algorithm ID: landmarks that come to rest where they began are laid out by it. "": they stay.
	Then string `json:"then,omitempty"`
}

// Training is how the landmarks are trained.
var Training = state.Register(state.Kind[TrainingChoice]{
	ID: "training", Title: "Training", Version: 1,
	Default: func() TrainingChoice { return TrainingChoice{Algorithm: train.DefaultID(false)} },
	Equal: func(a, b TrainingChoice) bool {
		return a.Algorithm == b.Algorithm && a.Speed == b.Speed && a.Only == b.Only && a.Even == b.Even &&
			a.Then == b.Then &&
			maps.Equal(a.Values, b.Values)
	},
	Encode: encode[TrainingChoice],
	Decode: func(raw json.RawMessage, _ int, c state.Context) (t TrainingChoice, err error) {
		if err = decode(raw, "the training", &t); err != nil {
			return t, err
		}
		if _, ok := train.ByID(t.Algorithm); !ok {
			return t, problem.New(c.File, "choose another in the Train panel", "there is no training named %q here",
				t.Algorithm)
		}
		if _, ok := layout.ByID(t.Then); t.Then != "" && !ok {
			return t, problem.New(c.File, "choose grid or islands in the Train panel",
				"there is no layout named %q here", t.Then)
		}
		if !(t.Speed >= 0) {
			t.Speed = 0
		}
		return t, nil
	},
})
