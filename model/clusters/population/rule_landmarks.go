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
	Register(Kind{ID: "landmarks", Title: "points of landmarks", Order: 20,
		Decode: func(raw []byte, _ int) (Rule, error) {
			var groups []ID
			if err := bounded.Unmarshal(raw, &groups); err != nil {
				return nil, problem.New("", "leave it out", "its landmarks cannot be read (%s)", bounded.Flaw(err))
			}
			return &Landmarks{groups}, nil
		}})
}

// Landmarks are the points whose nearest landmark, in the space of the map, carries one of some numbers: dragging
// landmarks and laying them out moves no point into or out of the population.
type Landmarks struct{ Groups []ID }

func (l *Landmarks) Kind() string { return "landmarks" }
func (l *Landmarks) Says() string { return "chosen landmarks" }
func (l *Landmarks) Needs() Needs { return Needs{Landmarks: true} }

// Renamed returns the rule as it is: no column is looked at.
func (l *Landmarks) Renamed(_, _ string) Rule { return l }

// Rows returns the rows of the landmarks that carry one of the numbers.
func (l *Landmarks) Rows(ctx context.Context, in Inputs) (*selection.Set, error) {
	if in.Nearest == nil {
		return nil, problem.New("", "make a map first", "it is of landmarks, and there is no map")
	}
	carries := make([]bool, len(in.Groups))
	any := false
	for i, g := range in.Groups {
		carries[i] = slices.Contains(l.Groups, g)
		any = any || carries[i]
	}
	if !any {
		return nil, problem.New("", "undo what made them anew, or define it anew", "no landmark carries it any more")
	}
	return selection.Where(ctx, in.Rows, func(row int) bool {
		at := in.Nearest[row]
		return at >= 0 && int(at) < len(carries) && carries[at]
	})
}

// MarshalJSON encodes the numbers.
func (l *Landmarks) MarshalJSON() ([]byte, error) { return json.Marshal(l.Groups) }
