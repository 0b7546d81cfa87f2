package parts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// Transform is how raw columns become the points of the map. A column is found again by its name.
var Transform = state.Register(state.Kind[transform.Spec]{
	ID: "transform", Title: "Transform", Version: 1, Required: true,
	Default: func() transform.Spec { return transform.Spec{} },
	Equal:   transform.Spec.Equal,
	Encode: func(s transform.Spec, c state.Context) (json.RawMessage, error) {
		return encode(transform.EncodeSpec(c.Data, s), c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (transform.Spec, error) {
		var in transform.Encoded
		if err := decode(raw, "the transform", &in); err != nil {
			return transform.Spec{}, err
		}
		if flaw := in.Flaw(); c.Strict && flaw != "" {
			return transform.Spec{}, problem.New(c.File, "name each column once, with a use that there is", "%s", flaw)
		}
		if c.Changed {
			var err error
			if in, err = fitted(in, c); err != nil {
				return transform.Spec{}, err
			}
		}
		s, err := transform.DecodeSpec(c.Data, in)
		if err != nil {
			p := problem.As(err)
			return s, problem.Wrap(err, c.File, p.Remedy, "%s", p.What)
		}
		if c.Held {
			beforeJoined(s, in, c.Data)
		}
		return s, nil
	},
	Bytes: func(s transform.Spec) int {
		n := 80 * len(s.Columns)
		for _, m := range s.Mixes {
			n += 8 * (len(m.Cols) + len(m.Values))
		}
		return n
	},
})

// beforeJoined leaves columns out that were joined to the data after a moment of the history, which does not name them.
func beforeJoined(s transform.Spec, in transform.Encoded, data *dataset.Dataset) {
	if len(data.Joined) == 0 {
		return
	}
	named := map[string]bool{}
	for _, c := range in.Columns {
		named[c.Name] = true
	}
	for i := range s.Columns {
		if data.JoinedFrom(i) != nil && !named[data.Columns[i].Name] {
			s.Columns[i].Use = transform.Off
		}
	}
}

// fitted is what is left of a transform where the data are others than it was made for, and notes what is not.
func fitted(in transform.Encoded, c state.Context) (transform.Encoded, error) {
	note := c.Note
	if note == nil {
		note = func(string) {}
	}
	fit, gone, own := in.Fit(c.Data)
	if own {
		note("compensated with its own matrix (" + c.Data.Spillover.Keyword + ")")
	}
	if len(gone) > 0 {
		note("gone from the data, and from the map: " + strings.Join(gone, ", "))
	}
	if n := len(in.Mixes) - len(fit.Mixes); n > 0 {
		note(fmt.Sprintf("%d of its mixes of columns are left out", n))
	}
	inMap := func(e transform.EncodedColumn) bool { return e.Use == transform.InMap.String() }
	if slices.ContainsFunc(fit.Columns, inMap) {
		return fit, nil
	}
	var names []string
	for _, e := range in.Columns {
		if inMap(e) && len(names) < 5 {
			names = append(names, e.Name)
		}
	}
	return fit, problem.New(c.File, "open data with the columns that the map is made of",
		"%s has none of the columns of its map (%s)", c.Data.Name, strings.Join(names, ", "))
}
