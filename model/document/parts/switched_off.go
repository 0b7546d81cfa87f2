package parts

import (
	"encoding/json"

	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// SwitchedOff is the compensation that the map had when it was switched off: a matrix from elsewhere, or one that was
// changed by hand, is there again when it is switched on. The zero Mix is none.
var SwitchedOff = state.Register(state.Kind[transform.Mix]{
	ID: "compensation-off", Title: "Compensation that is switched off", Version: 1,
	Default: func() transform.Mix { return transform.Mix{} },
	Equal:   transform.Mix.Equal,
	Encode: func(m transform.Mix, c state.Context) (json.RawMessage, error) {
		if m.Op == transform.None {
			return nil, nil
		}
		return encode(transform.EncodeMixes(c.Data, []transform.Mix{m})[0], c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (transform.Mix, error) {
		var in transform.EncodedMix
		err := decode(raw, "the matrix that is switched off", &in)
		if err == nil {
			var all []transform.Mix
			if all, err = transform.DecodeMixes(c.Data, []transform.EncodedMix{in}); err == nil && len(all) == 1 {
				return all[0], nil
			}
		}
		return transform.Mix{}, leftOut(c, "the matrix that is switched off is left out", err)
	},
})

// PutTransform changes the transform in s. A compensation that it had and has no more is kept as what is switched off.
func PutTransform(s *state.State, spec transform.Spec) {
	was, now := compensationOf(Transform.Of(*s)), compensationOf(spec)
	switch {
	case now.Op != transform.None:
		SwitchedOff.Put(s, transform.Mix{})
	case was.Op != transform.None:
		SwitchedOff.Put(s, was)
	}
	Transform.Put(s, spec)
}

// compensationOf is the mix of a spec that compensates, the zero one where there is none.
func compensationOf(spec transform.Spec) transform.Mix {
	for _, m := range spec.Mixes {
		if m.Compensates() {
			return m
		}
	}
	return transform.Mix{}
}
