package parts

import (
	"encoding/json"

	"blossom/model/document/state"
)

// Images is the folder of images that cards of points show, "" for none but those that a column of the data names. It
// makes no entry of results: nothing is computed from it.
var Images = state.Register(state.Kind[string]{
	ID: "images", Title: "Images of points", Version: 1,
	Default: func() string { return "" },
	Equal:   func(a, b string) bool { return a == b },
	Encode: func(folder string, c state.Context) (json.RawMessage, error) {
		if folder == "" {
			return nil, nil
		}
		return encode(folder, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (folder string, err error) {
		if err = decode(raw, "the folder of images", &folder); err != nil {
			return "", leftOut(c, "the folder of images is left out", err)
		}
		return folder, nil
	},
})
