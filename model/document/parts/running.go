package parts

import (
	"encoding/json"
	"maps"

	"blossom/model/base/step"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

// RunChoice is how an embedding that runs is run. Values is never changed in place.
type RunChoice struct {
	Values step.Values `json:"values,omitempty"` // missing ones are the defaults
	// From is the embedding whose positions its next run begins from; nil: its own beginning. Keep: at their own size,
	// as they are, else as a hint of where to begin.
	From *embedding.Recipe `json:"from,omitempty"`
	Keep bool              `json:"keep,omitempty"`
}

// Equal compares.
func (c RunChoice) Equal(o RunChoice) bool {
	return maps.Equal(c.Values, o.Values) && c.Keep == o.Keep && (c.From == nil) == (o.From == nil) &&
		(c.From == nil || c.From.Equal(*o.From))
}

// RunTable is choices by the keys of recipes. It is never changed in place.
type RunTable map[string]RunChoice

// Get returns the choice for an embedding.
func (t RunTable) Get(r embedding.Recipe) RunChoice { return t[r.Key()] }

// Edit returns the table with a changed choice for an embedding.
func (t RunTable) Edit(r embedding.Recipe, change func(*RunChoice)) RunTable {
	out := RunTable{}
	maps.Copy(out, t)
	c := out[r.Key()]
	values := step.Values{}
	maps.Copy(values, c.Values)
	c.Values = values
	change(&c)
	out[r.Key()] = c
	return out
}

// Runs are how embeddings that run are run.
var Runs = state.Register(state.Kind[RunTable]{
	ID: "runs", Title: "Runs of embeddings", Version: 1,
	Default: func() RunTable { return RunTable{} },
	Equal:   func(a, b RunTable) bool { return maps.EqualFunc(a, b, RunChoice.Equal) },
	Encode: func(t RunTable, c state.Context) (json.RawMessage, error) {
		if len(t) == 0 {
			return nil, nil
		}
		return encode(t, c)
	},
	Decode: func(raw json.RawMessage, _ int, _ state.Context) (RunTable, error) {
		t := RunTable{}
		err := decode(raw, "how embeddings are run", &t)
		return t, err
	},
})
