package population

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

func init() {
	Register(Kind{ID: "limits", Title: "limits on columns", Order: 30,
		Decode: func(raw []byte, _ int) (Rule, error) {
			var limits []Limit
			if err := bounded.Unmarshal(raw, &limits); err != nil {
				return nil, problem.New("", "leave it out", "its limits cannot be read (%s)", bounded.Flaw(err))
			}
			return &Limits{limits}, nil
		}})
}

// Limits is a gate: the rows whose values lie within the limits of all of some columns.
type Limits struct{ Of []Limit }

// Limit is the values of a column from Low to High, both in. An end that is infinite is none.
type Limit struct {
	Column    string
	Low, High float64
}

type encodedLimit struct {
	Column string   `json:"column"`
	Low    *float64 `json:"low,omitempty"`
	High   *float64 `json:"high,omitempty"`
}

// MarshalJSON leaves out ends that are none, which JSON has no number for.
func (l Limit) MarshalJSON() ([]byte, error) {
	e := encodedLimit{Column: l.Column}
	if l.Low > math.Inf(-1) {
		low := min(l.Low, math.MaxFloat64)
		e.Low = &low
	}
	if l.High < math.Inf(1) {
		high := max(l.High, -math.MaxFloat64)
		e.High = &high
	}
	return json.Marshal(e)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (l *Limit) UnmarshalJSON(raw []byte) error {
	var e encodedLimit
	if err := json.Unmarshal(raw, &e); err != nil {
		return err
	}
	*l = Limit{e.Column, math.Inf(-1), math.Inf(1)}
	if e.Low != nil {
		l.Low = *e.Low
	}
	if e.High != nil {
		l.High = *e.High
	}
	return nil
}

// String is the limit in words: "CD3 at least 1200".
func (l Limit) String() string {
	switch low, high := l.Low > math.Inf(-1), l.High < math.Inf(1); {
	case low && high:
		return fmt.Sprintf("%s from %.6g to %.6g", l.Column, l.Low, l.High)
	case low:
		return fmt.Sprintf("%s at least %.6g", l.Column, l.Low)
	case high:
		return fmt.Sprintf("%s at most %.6g", l.Column, l.High)
	}
	return l.Column + " not missing"
}

func (l *Limits) Kind() string { return "limits" }

// Says names its limits.
func (l *Limits) Says() string {
	var words []string
	for _, x := range l.Of {
		words = append(words, x.String())
	}
	return strings.Join(words, ", ")
}

// Needs names its columns.
func (l *Limits) Needs() (n Needs) {
	for _, x := range l.Of {
		n.Columns = append(n.Columns, x.Column)
	}
	return n
}

// Renamed returns the limits with another name of a column.
func (l *Limits) Renamed(from, to string) Rule {
	if !slices.Contains(l.Needs().Columns, from) {
		return l
	}
	out := &Limits{Of: slices.Clone(l.Of)}
	for i := range out.Of {
		if out.Of[i].Column == from {
			out.Of[i].Column = to
		}
	}
	return out
}

// Rows returns the rows within all limits.
func (l *Limits) Rows(ctx context.Context, in Inputs) (*selection.Set, error) {
	w := selection.Within{Rows: in.Rows}
	for _, x := range l.Of {
		at := in.Column(x.Column)
		if at == nil {
			return nil, noColumn(x.Column)
		}
		w.Limits = append(w.Limits, selection.Limit{At: at, Low: x.Low, High: x.High})
	}
	return w.Pick(ctx)
}

func noColumn(name string) error {
	return problem.New("", "add the column, or define the population anew", "there is no column %q", name)
}

// MarshalJSON encodes the limits.
func (l *Limits) MarshalJSON() ([]byte, error) { return json.Marshal(l.Of) }
