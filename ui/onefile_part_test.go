package ui

import (
	"encoding/json"

	"blossom/model/document/state"
)

// memoPart is a line of text that belongs to a document.
var memoPart = registerMemo()

func registerMemo() (key state.Key[string]) {
	if !oneFile {
		return key
	}
	return state.Register(state.Kind[string]{ID: "memo", Title: "Memo", Version: 1,
		Default: func() string { return "" },
		Equal:   func(a, b string) bool { return a == b },
		Encode:  func(s string, _ state.Context) (json.RawMessage, error) { return json.Marshal(s) },
		Decode: func(raw json.RawMessage, _ int, _ state.Context) (s string, err error) {
			return s, json.Unmarshal(raw, &s)
		}})
}
