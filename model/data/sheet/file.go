package sheet

import (
	"encoding/json"
	"slices"
	"strings"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
)

// written is a sheet in a session.
type written struct {
	By       string       `json:"by,omitempty"`
	Columns  []string     `json:"columns"`
	Measures []string     `json:"measures,omitempty"` // names of columns whose texts are numbers
	Rows     []writtenRow `json:"rows"`
}

type writtenRow struct {
	Sample string   `json:"sample"`
	Cells  []string `json:"cells"`
}

// MarshalJSON encodes the sheet: {"by", "columns": [NAMES], "measures": [NAMES], "rows": [{"sample", "cells":
// [TEXTS]}]}.
func (s Sheet) MarshalJSON() ([]byte, error) {
	out := written{By: s.by, Columns: s.columns, Measures: s.measures}
	for _, r := range s.rows {
		out.Rows = append(out.Rows, writtenRow{r.sample, r.cells})
	}
	return json.Marshal(out)
}

// Decode reads what MarshalJSON has written. The error is a Problem.
func Decode(raw []byte) (Sheet, error) {
	var in written
	if err := bounded.Unmarshal(raw, &in); err != nil {
		return Sheet{}, problem.Wrap(err, "", "leave it out", "the sheet of samples cannot be read: %s",
			bounded.Flaw(err))
	}
	wrong := func(format string, args ...any) (Sheet, error) {
		return Sheet{}, problem.New("", "leave it out", "the sheet of samples "+format, args...)
	}
	if len(in.Columns) > MostColumns || len(in.Rows) > MostSamples {
		return wrong("has %d columns and %d rows, of %d and %d at most", len(in.Columns), len(in.Rows), MostColumns,
			MostSamples)
	}
	s := Sheet{by: in.By}
	for _, name := range in.Columns {
		if tidy(name) != name || name == "" || s.At(name) >= 0 {
			return wrong("has columns whose names are alike or none")
		}
		s.columns = append(s.columns, name)
	}
	for _, name := range in.Measures {
		at := slices.Index(s.columns, name)
		if at < 0 || s.Measure(at) {
			return wrong("has no column %.60q that could be numbers", name)
		}
		s = s.As(at, true)
	}
	seen := map[string]bool{}
	for _, r := range in.Rows {
		if len(r.Cells) != len(s.columns) || seen[r.Sample] {
			return wrong("has %d texts for %d columns, or two rows, of %.60q", len(r.Cells), len(s.columns), r.Sample)
		}
		seen[r.Sample] = true
		cells := make([]string, len(r.Cells))
		for i, c := range r.Cells {
			cells[i] = tidy(strings.Clone(c))
		}
		s.rows = append(s.rows, row{r.Sample, cells})
	}
	s.rows = byName(s.rows)
	return s, nil
}
