package transform

import (
	"blossom/model/dataset"
	"blossom/model/problem"
)

// Encoded is a Spec as files keep it: columns by name, transforms as text.
type Encoded struct {
	Columns []EncodedColumn `json:"columns"`
	Scale   bool            `json:"scale"`
}

// EncodedColumn is the setting of one column.
type EncodedColumn struct {
	Name      string  `json:"name"`
	Transform string  `json:"transform"` // as Parse reads it
	Weight    float64 `json:"weight"`
	SD        float64 `json:"sd,omitempty"`
	Use       string  `json:"use"` // as Use prints itself
}

// EncodeSpec returns what is kept of s, the Spec of ds.
func EncodeSpec(ds *dataset.Dataset, s Spec) Encoded {
	e := Encoded{Scale: s.Scale}
	for i, c := range s.Columns {
		e.Columns = append(e.Columns,
			EncodedColumn{ds.Columns[i].Name, c.String(), c.Weight, c.SD, c.Use.String()})
	}
	return e
}

// DecodeSpec makes the Spec of ds from what was kept. Columns of ds that e does not name have their defaults; a
// column that has gone, or a Spec that makes no sense, is a Problem.
func DecodeSpec(ds *dataset.Dataset, e Encoded) (Spec, error) {
	s := Default(ds)
	s.Scale = e.Scale
	at := places(ds)
	for _, c := range e.Columns {
		i, ok := at[c.Name]
		if !ok {
			return s, gone(ds, c.Name)
		}
		t, err := Parse(c.Transform)
		if err != nil {
			p := problem.As(err)
			return s, problem.Wrap(err, ds.Path, p.Remedy, "column %q: %s", c.Name, p.What)
		}
		set := s.Columns[i].WithTransform(t)
		set.Weight, set.SD = c.Weight, c.SD
		for u := InMap; u <= Off; u++ {
			if u.String() == c.Use {
				set.Use = u
			}
		}
		s.Columns[i] = set
	}
	return s, s.Validate(ds)
}

// places returns where the columns of ds are, by name.
func places(ds *dataset.Dataset) map[string]int {
	at := make(map[string]int, len(ds.Columns))
	for i := range ds.Columns {
		at[ds.Columns[i].Name] = i
	}
	return at
}

func gone(ds *dataset.Dataset, name string) error {
	return problem.New(ds.Path, "put the old file back, or open the new one by itself",
		"there is no column %q any more", name)
}
