package session

import (
	"encoding/json"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
	"blossom/model/document/state"
)

// The first version of session files had the parts of that time as fields of their own, one view and its
// look among them.
type firstVersion struct {
	Columns    json.RawMessage `json:"columns"`
	Scale      bool            `json:"scale"`
	Projection json.RawMessage `json:"projection"`
	Algorithm  string          `json:"training"`
	Values     json.RawMessage `json:"training_values"`
	Speed      float64         `json:"training_speed"`
	Landmarks  json.RawMessage `json:"landmarks"`
	Look       struct {
		Column, Palette          string
		Reverse                  bool
		Low, High                float64
		Size, Opacity            float64
		Landmarks, Names, Legend bool
	} `json:"look"`
	View struct {
		X     float64 `json:"x"`
		Y     float64 `json:"y"`
		Scale float64 `json:"scale"`
	} `json:"view"`
}

// first turns a session of the first version into parts as they were encoded first after it.
func first(raw []byte, name string) (map[string]state.Encoded, error) {
	var f firstVersion
	if err := bounded.Unmarshal(raw, &f); err != nil {
		return nil, problem.Wrap(err, name, remedy, "not a readable session: %s", bounded.Flaw(err))
	}
	type object = map[string]any
	l := f.Look
	parts := object{
		"transform":  object{"scale": f.Scale, "columns": f.Columns},
		"projection": f.Projection,
		"training":   object{"algorithm": f.Algorithm, "values": f.Values, "speed": f.Speed},
		"landmarks":  f.Landmarks,
		"looks": object{"1": object{"Column": l.Column, "Palette": l.Palette, "Reverse": l.Reverse, "Low": l.Low,
			"High": l.High, "Size": l.Size, "Opacity": l.Opacity}},
		"views": object{"active": "1", "views": []object{{"id": "1",
			"embedding": object{"kind": "embedsom", "dims": 2}, "landmarks": l.Landmarks, "names": l.Names,
			"legend": l.Legend, "axes": true, "turntable": true,
			"camera": object{"x": f.View.X, "y": f.View.Y, "scale": f.View.Scale}}}},
	}
	out := map[string]state.Encoded{}
	for id, value := range parts {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, problem.Wrap(err, name, remedy, "not a readable session: %s", bounded.Flaw(err))
		}
		if string(text) != "null" {
			out[id] = state.Encoded{Version: 1, Value: text}
		}
	}
	if _, ok := out["landmarks"]; !ok {
		return nil, problem.New(name, remedy, "the session has no landmarks")
	}
	return out, nil
}
