package transform

import (
	"fmt"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// Encoded is a Spec as files keep it: columns by name, transforms as text.
type Encoded struct {
	Columns []EncodedColumn `json:"columns"`
	Scale   bool            `json:"scale"`
	Robust  bool            `json:"robust,omitempty"`
	Mixes   []EncodedMix    `json:"mixes,omitempty"`
}

// EncodedMix is a Mix by the names of columns.
type EncodedMix struct {
	Op      string    `json:"op"`
	Columns []string  `json:"columns"`
	Values  []float64 `json:"values,omitempty"`
	Units   []float64 `json:"units,omitempty"` // four numbers for each column, see Unit
}

// EncodedColumn is the setting of one column.
type EncodedColumn struct {
	Name      string  `json:"name"`
	Transform string  `json:"transform"` // as ParseFile reads it
	Weight    float64 `json:"weight"`
	SD        float64 `json:"sd,omitempty"`
	Use       string  `json:"use"` // as Use prints itself
}

// EncodeSpec returns what is kept of s, the Spec of ds.
func EncodeSpec(ds *dataset.Dataset, s Spec) Encoded {
	e := Encoded{Scale: s.Scale, Robust: s.Robust, Mixes: EncodeMixes(ds, s.Mixes)}
	for i, c := range s.Columns {
		e.Columns = append(e.Columns,
			EncodedColumn{ds.Columns[i].Name, c.File(), c.Weight, c.SD, c.Use.String()})
	}
	return e
}

// DecodeSpec makes the Spec of ds from what was kept. Columns of ds that e does not name have their defaults; a
// column that has gone, or a Spec that makes no sense, is a Problem.
func DecodeSpec(ds *dataset.Dataset, e Encoded) (Spec, error) {
	s := Default(ds)
	s.Scale, s.Robust = e.Scale, e.Robust
	at := ds.Places()
	for _, c := range e.Columns {
		i, ok := at[c.Name]
		if !ok {
			return s, gone(ds, c.Name)
		}
		t, err := ParseFile(c.Transform)
		if err != nil {
			p := problem.As(err)
			return s, problem.Wrap(err, ds.Path, p.Remedy, "column %q: %s", c.Name, p.What)
		}
		set := s.Columns[i].WithTransform(t)
		set.Weight, set.SD = c.Weight, c.SD
		if u, known := useOf(c.Use); known {
			set.Use = u
		}
		s.Columns[i] = set
	}
	var err error
	if s.Mixes, err = DecodeMixes(ds, e.Mixes); err != nil {
		return s, err
	}
	return s, s.Validate(ds)
}

// useOf is the use of a word.
func useOf(word string) (Use, bool) {
	for u := InMap; u <= Off; u++ {
		if u.String() == word {
			return u, true
		}
	}
	return InMap, false
}

// Flaw says what of e DecodeSpec would take for something else without a word, "" if nothing: a use that there is not,
// a column that is named twice.
func (e Encoded) Flaw() string {
	named := map[string]bool{}
	for _, c := range e.Columns {
		if _, known := useOf(c.Use); !known {
			return fmt.Sprintf("column %.60q: there is no use %.40q", c.Name, c.Use)
		}
		if named[c.Name] {
			return fmt.Sprintf("column %.60q is named twice", c.Name)
		}
		named[c.Name] = true
	}
	return ""
}

// Fit returns what of e can be of ds where that has changed since: without the columns that are gone, whose names
// it returns, and with the new ones out of the map. Mixes that a column is missing of are left out too. Data that bring
// a matrix of their own are compensated with that, which own says.
func (e Encoded) Fit(ds *dataset.Dataset) (fit Encoded, gone []string, own bool) {
	at, named := ds.Places(), map[string]bool{}
	fit.Scale, fit.Robust = e.Scale, e.Robust
	for _, c := range e.Columns {
		named[c.Name] = true
		if i, ok := at[c.Name]; ok {
			named[ds.Columns[i].Name] = true
			fit.Columns = append(fit.Columns, c)
		} else {
			gone = append(gone, c.Name)
		}
	}
	for i, c := range Default(ds).Columns {
		if name := ds.Columns[i].Name; !named[name] && c.Use == InMap {
			fit.Columns = append(fit.Columns, EncodedColumn{name, c.File(), c.Weight, c.SD, ColourOnly.String()})
		}
	}
	for _, m := range e.Mixes {
		if x, ok := ownMatrix(ds, m); ok {
			fit.Mixes, own = append(fit.Mixes, x), true
			continue
		}
		if !slices.ContainsFunc(m.Columns, func(name string) bool { _, ok := at[name]; return !ok }) {
			fit.Mixes = append(fit.Mixes, m)
		}
	}
	return fit, gone, own
}

// ownMatrix is what compensates data that bring another matrix than the one that was kept; ok is false where they do
// not, or theirs fits no columns.
func ownMatrix(ds *dataset.Dataset, kept EncodedMix) (own EncodedMix, ok bool) {
	if ID(kept.Op) != Compensate || ds.Spillover == nil {
		return own, false
	}
	m, why := Compensation(ds, ds.Spillover)
	if why != "" {
		return own, false
	}
	own = EncodeMixes(ds, []Mix{m})[0]
	return own, !slices.Equal(own.Columns, kept.Columns) || !slices.Equal(own.Values, kept.Values) ||
		len(kept.Units) > 0 && !slices.Equal(own.Units, kept.Units)
}

// EncodeMixes returns what is kept of mixes of columns of ds.
func EncodeMixes(ds *dataset.Dataset, mixes []Mix) []EncodedMix {
	var out []EncodedMix
	for _, m := range mixes {
		e := EncodedMix{Op: m.Op.String(), Values: m.Values, Units: encodeUnits(m.Units)}
		for _, c := range m.Cols {
			e.Columns = append(e.Columns, ds.Columns[c].Name)
		}
		out = append(out, e)
	}
	return out
}

// DecodeMixes makes mixes of columns of ds from what was kept. One that has gone, or is not known, is a Problem.
func DecodeMixes(ds *dataset.Dataset, kept []EncodedMix) ([]Mix, error) {
	var out []Mix
	at := ds.Places()
	for _, e := range kept {
		m := Mix{Op: ID(e.Op), Values: e.Values, Units: decodeUnits(e.Units)}
		for _, name := range e.Columns {
			i, ok := at[name]
			if !ok {
				return nil, gone(ds, name)
			}
			m.Cols = append(m.Cols, i)
		}
		m.Units = m.unitsIn(ds)
		if why := m.wrong(ds); why != "" {
			return nil, problem.New(ds.Path, "use a newer blossom", "%s", why)
		}
		out = append(out, m)
	}
	return out, nil
}

func gone(ds *dataset.Dataset, name string) error {
	return problem.New(ds.Path, "put the old file back, or open the new one by itself",
		"there is no column %.60q any more", name)
}
