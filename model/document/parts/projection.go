package parts

import (
	"encoding/json"

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
	p := embedsom.Defaults()
	if err := decode(raw, "the projection", &p); err != nil {
		return p, err
	}
	p.Boost = min(p.Boost, embedsom.MaxBoost) // older sessions may have more
	if err := p.Check(); err != nil {
		return p, problem.Wrap(err, c.File, remedy, "the projection: %s", problem.As(err).What)
	}
	return p, nil
}
