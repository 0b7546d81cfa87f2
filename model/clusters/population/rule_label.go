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
	Register(Kind{ID: "label", Title: "labels of a column", Order: 40,
		Decode: func(raw []byte, _ int) (Rule, error) {
			var l Categories
			if err := bounded.Unmarshal(raw, (*encodedCategories)(&l)); err != nil {
				return nil, problem.New("", "leave it out", "its labels cannot be read (%s)", bounded.Flaw(err))
			}
			return &l, nil
		}})
}

// Categories is the rows that have one of some labels in a column.
type Categories struct {
	Column string   `json:"column"`
	Names  []string `json:"names"`
}

type encodedCategories Categories

func (l *Categories) Kind() string { return "label" }
func (l *Categories) Says() string { return l.Column }
func (l *Categories) Needs() Needs { return Needs{Columns: []string{l.Column}} }

// Renamed returns the rule with another name of its column.
func (l *Categories) Renamed(from, to string) Rule {
	if l.Column != from {
		return l
	}
	return &Categories{Column: to, Names: l.Names}
}

// Rows returns the rows that have one of the labels.
func (l *Categories) Rows(ctx context.Context, in Inputs) (*selection.Set, error) {
	name := in.Category(l.Column)
	if name == nil {
		return nil, problem.New("", "add the column, or define the population anew", "there is no column of labels %q",
			l.Column)
	}
	if len(l.Names) == 1 {
		only := l.Names[0]
		return selection.Where(ctx, in.Rows, func(row int) bool { return name(row) == only })
	}
	return selection.Where(ctx, in.Rows, func(row int) bool { return slices.Contains(l.Names, name(row)) })
}

// MarshalJSON encodes the column and its labels.
func (l *Categories) MarshalJSON() ([]byte, error) { return json.Marshal((*encodedCategories)(l)) }
