package population

import (
	"context"
	"encoding/json"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
	"blossom/model/clusters/gating"
	"blossom/model/maps/selection"
)

func init() {
	Register(Kind{ID: "gating", Title: "a gate of another program", Order: 45,
		Decode: func(raw []byte, _ int) (Rule, error) {
			b := &Brought{&gating.Gate{}}
			if err := bounded.Unmarshal(raw, b.Gate); err != nil {
				return nil, problem.New("", "leave it out", "its gate cannot be read (%s)", bounded.Flaw(err))
			}
			if err := b.Gate.Check(); err != nil {
				return nil, err
			}
			return b, nil
		}})
}

// Brought is a gate of another program that no kind of rule of ours can say: an ellipsoid, a ratio of two columns, one
// on values that are compensated otherwise than the map. It is worked out as that program has it, on values as the file
// of the data holds them.
type Brought struct{ Gate *gating.Gate }

func (b *Brought) Kind() string { return "gating" }

// Says names its shape.
func (b *Brought) Says() string {
	switch {
	case b.Gate.Ellipse != nil:
		return "an ellipse of another program"
	case len(b.Gate.Sides) > 0 && b.Gate.Sides[0].Ratio != nil:
		return "a ratio of two columns"
	}
	return "a gate of another program"
}

func (b *Brought) Needs() Needs { return Needs{Columns: b.Gate.Columns()} }

// Renamed returns the gate with another name of a column.
func (b *Brought) Renamed(from, to string) Rule {
	if g := b.Gate.Renamed(from, to); g != b.Gate {
		return &Brought{g}
	}
	return b
}

// Rows returns the rows that the gate has.
func (b *Brought) Rows(ctx context.Context, in Inputs) (*selection.Set, error) {
	if in.Data == nil || in.Data.Points != in.Rows {
		return nil, problem.New("", "define it by gates that are drawn here",
			"it is a gate of another program, and values as the file has them are not at hand")
	}
	sets, err := gating.Rows(ctx, in.Data, b.Gate)
	if err != nil {
		return nil, err
	}
	return sets[0], nil
}

// MarshalJSON encodes the gate.
func (b *Brought) MarshalJSON() ([]byte, error) { return json.Marshal(b.Gate) }
