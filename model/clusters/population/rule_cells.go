package population

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"slices"
	"strconv"

	"blossom/model/base/bounded"
	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

func init() {
	Register(Kind{ID: "cells", Title: "fixed points", Order: 10,
		Decode: func(raw []byte, rows int) (Rule, error) {
			var of struct{ Rows, Count int }
			if err := bounded.Unmarshal(raw, &of); err == nil && of.Rows != rows && of.Count > 0 {
				return &Cells{other: slices.Clone(raw), of: of.Rows}, nil
			}
			set, err := selection.Decode(raw, rows, "")
			if err != nil {
				return nil, err
			}
			return &Cells{Set: set}, nil
		}})
}

// Cells are fixed rows of the data that they were chosen in, whatever becomes of the map.
type Cells struct {
	Set *selection.Set

	other []byte // rows of data that these are not, as they were read: they are kept for those
	of    int    // so many rows those have
}

// Of returns the rule of fixed rows.
func Of(set *selection.Set) *Cells { return &Cells{Set: set} }

// Sum is a number, in hexadecimal digits, by which the rows are known again: others have another one.
func (c *Cells) Sum() string {
	h := fnv.New64a()
	c.Set.Each(0, c.Set.Len(), func(row int) {
		var b [4]byte
		binary.LittleEndian.PutUint32(b[:], uint32(row))
		h.Write(b[:])
	})
	return strconv.FormatUint(h.Sum64(), 16)
}

func (c *Cells) Kind() string { return "cells" }
func (c *Cells) Says() string { return "chosen points" }
func (c *Cells) Needs() Needs { return Needs{Rows: true} }

// Renamed returns the rule as it is: no column is looked at.
func (c *Cells) Renamed(_, _ string) Rule { return c }

// Rows returns them as they are.
func (c *Cells) Rows(_ context.Context, in Inputs) (*selection.Set, error) {
	of := c.of
	if c.Set != nil && !c.Set.Empty() {
		of = c.Set.Len()
	}
	if of != 0 && of != in.Rows {
		return nil, problem.New("", "choose its points anew, or define it by columns or landmarks",
			"it is fixed points of data with %d rows, and these have %d", of, in.Rows)
	}
	return c.Set, nil
}

// MarshalJSON encodes the set (docs/session.md).
func (c *Cells) MarshalJSON() ([]byte, error) {
	if c.other != nil {
		return c.other, nil
	}
	if c.Set == nil {
		return json.Marshal(selection.None(0))
	}
	return json.Marshal(c.Set)
}
