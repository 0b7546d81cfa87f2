// Package parts registers what the state of a document is made of, a file for each part: its value, its
// default, and how it is compared and kept in files.
package parts

import (
	"encoding/json"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/state"
)

const remedy = "open the data file itself and start anew"

// encode is state.Kind.Encode of a value that is its own encoding.
func encode[T any](v T, _ state.Context) (json.RawMessage, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, problem.Wrap(err, "", "report this", "the session cannot be written: %v", err)
	}
	return raw, nil
}

// decode reads such an encoding over the value that v holds.
func decode[T any](raw json.RawMessage, what string, v *T) error {
	if err := bounded.Unmarshal(raw, v); err != nil {
		return problem.Wrap(err, "", remedy, "%s cannot be read: %s", what, bounded.Flaw(err))
	}
	return nil
}

// leftOut notes that a part of a session cannot be read, which costs no more than that part. It returns nil.
func leftOut(c state.Context, what string, err error) error {
	if c.Note != nil {
		c.Note(what + ": " + problem.As(err).What)
	}
	return nil
}

// ofColumn finds what a table by the names of columns has of one, by its name or by that which it had before headings
// were taken apart.
func ofColumn[T any](t map[string]T, c *dataset.Column) T {
	if v, ok := t[c.Name]; ok {
		return v
	}
	return t[c.Heading()]
}
