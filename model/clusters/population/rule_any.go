package population

import (
	"context"
	"encoding/json"
	"slices"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

func init() {
	Register(Kind{ID: "any", Title: "any of several", Order: 50,
		Decode: func(raw []byte, rows int) (Rule, error) {
			var list []json.RawMessage
			if err := bounded.Unmarshal(raw, &list); err != nil {
				return nil, problem.New("", "leave it out", "its rules cannot be read (%s)", bounded.Flaw(err))
			}
			out := &Any{}
			for _, x := range list {
				r, err := DecodeRule(x, rows)
				if err != nil {
					return nil, err
				}
				out.Of = append(out.Of, r)
			}
			return out, nil
		}})
}

// Any is the rows that at least one of several rules has: what populations are that have been merged.
type Any struct{ Of []Rule }

// Join returns the rule of the rows that either of two has.
func Join(a, b Rule) Rule {
	out := &Any{}
	for _, r := range []Rule{a, b} {
		switch r := r.(type) {
		case *Any:
			out.Of = append(out.Of, r.Of...)
		default:
			out.Of = append(out.Of, r)
		}
	}
	return out
}

func (a *Any) Kind() string { return "any" }
func (a *Any) Says() string { return "merged" }

// Needs is what its rules need.
func (a *Any) Needs() (n Needs) {
	for _, r := range a.Of {
		x := r.Needs()
		n.Columns = append(n.Columns, x.Columns...)
		n.Landmarks, n.Rows = n.Landmarks || x.Landmarks, n.Rows || x.Rows
		n.Maps = append(n.Maps, x.Maps...)
	}
	return n
}

// Renamed returns the rule with another name of a column in its rules.
func (a *Any) Renamed(from, to string) Rule {
	if !slices.Contains(a.Needs().Columns, from) {
		return a
	}
	out := &Any{}
	for _, r := range a.Of {
		out.Of = append(out.Of, r.Renamed(from, to))
	}
	return out
}

// Rows returns the rows of all rules.
func (a *Any) Rows(ctx context.Context, in Inputs) (*selection.Set, error) {
	out := selection.None(in.Rows)
	for _, r := range a.Of {
		set, err := r.Rows(ctx, in)
		if err != nil {
			return nil, err
		}
		out = selection.Union(out, set)
	}
	return out, nil
}

// MarshalJSON encodes the rules.
func (a *Any) MarshalJSON() ([]byte, error) {
	list := []json.RawMessage{}
	for _, r := range a.Of {
		raw, err := EncodeRule(r)
		if err != nil {
			return nil, err
		}
		list = append(list, raw)
	}
	return json.Marshal(list)
}
