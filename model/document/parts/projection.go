package parts

import (
	"encoding/json"
	"fmt"

	"blossom/model/base/problem"
	"blossom/model/document/state"
	"blossom/model/maps/embedsom"
)

// Projection is the parameters of EmbedSOM.
var Projection = state.Register(state.Kind[embedsom.Params]{
	ID: "projection", Title: "Projection", Version: 1,
	Default: embedsom.Defaults,
	Equal:   func(a, b embedsom.Params) bool { return a == b },
	Encode:  encode[embedsom.Params],
	Decode:  decodeProjection,
})

func decodeProjection(raw json.RawMessage, _ int, c state.Context) (embedsom.Params, error) {
	var p embedsom.Params
	if err := decode(raw, "the projection", &p); err != nil {
		return p, err
	}
	if !(p.K > 0 && p.Boost > 0 && p.Adjust >= 0) {
		return p, problem.New(c.File, remedy, "its projection parameters make no sense (%s)", fmt.Sprint(p))
	}
	p.Boost = min(p.Boost, embedsom.MaxBoost) // beyond it points jump
	return p, nil
}
