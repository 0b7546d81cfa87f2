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
	Register(Kind{ID: "all", Title: "all of several", Order: 55,
		Decode: func(raw []byte, rows int) (Rule, error) {
			var list []encodedTerm
			if err := bounded.Unmarshal(raw, &list); err != nil {
				return nil, problem.New("", "leave it out", "its rules cannot be read (%s)", bounded.Flaw(err))
			}
			out := &All{}
			for _, x := range list {
				r, err := DecodeRule(x.Rule, rows)
				if err != nil {
					return nil, err
				}
				out.Of = append(out.Of, Term{r, x.Not})
			}
			return out, nil
		}})
}

// All is the rows that every one of several terms has: what Boolean gates of other programs are.
type All struct{ Of []Term }

// Term is a rule, or what it leaves.
type Term struct {
	Rule Rule
	Not  bool // the rows that the rule does not have
}

type encodedTerm struct {
	Rule json.RawMessage `json:"rule"`
	Not  bool            `json:"not,omitempty"`
}

func (a *All) Kind() string { return "all" }

// Says is its origin.
func (a *All) Says() string {
	if len(a.Of) == 1 && a.Of[0].Not {
		return "not " + a.Of[0].Rule.Says()
	}
	return "combined"
}

// Needs is what its rules need.
func (a *All) Needs() (n Needs) {
	for _, t := range a.Of {
		x := t.Rule.Needs()
		n.Columns = append(n.Columns, x.Columns...)
		n.Landmarks, n.Rows = n.Landmarks || x.Landmarks, n.Rows || x.Rows
		n.Maps = append(n.Maps, x.Maps...)
	}
	return n
}

// Renamed returns the rule with another name of a column in its rules.
func (a *All) Renamed(from, to string) Rule {
	if !slices.Contains(a.Needs().Columns, from) {
		return a
	}
	out := &All{}
	for _, t := range a.Of {
		out.Of = append(out.Of, Term{t.Rule.Renamed(from, to), t.Not})
	}
	return out
}

// Rows returns the rows that every term has.
func (a *All) Rows(ctx context.Context, in Inputs) (*selection.Set, error) {
	out := selection.All(in.Rows)
	for _, t := range a.Of {
		set, err := t.Rule.Rows(ctx, in)
		if err != nil {
			return nil, err
		}
		if t.Not {
			out = selection.Subtract(out, set)
		} else {
			out = selection.Intersect(out, set)
		}
	}
	return out, nil
}

// MarshalJSON encodes the terms.
func (a *All) MarshalJSON() ([]byte, error) {
	list := []encodedTerm{}
	for _, t := range a.Of {
		raw, err := EncodeRule(t.Rule)
		if err != nil {
			return nil, err
		}
		list = append(list, encodedTerm{raw, t.Not})
	}
	return json.Marshal(list)
}
