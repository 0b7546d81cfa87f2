package population

import (
	"context"

	"blossom/model/base/registry"
	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// Rule says which rows of the data are in a population. Rules are immutable, and compared as pointers.
type Rule interface {
	// Kind is the ID of its kind.
	Kind() string
	// Says is its origin in a word or two: "gate", "3 landmarks".
	Says() string
	// Needs says what it looks at.
	Needs() Needs
	// Renamed is the rule with another name of a column that it looks at; itself where it does not.
	Renamed(from, to string) Rule
	// Rows returns the rows that are in. The error is a Problem, where what it needs is not there, or that of a
	// cancelled context.
	Rows(ctx context.Context, in Inputs) (*selection.Set, error)
	// MarshalJSON encodes it as its kind decodes it.
	MarshalJSON() ([]byte, error)
}

// Needs are what a rule looks at.
type Needs struct {
	Columns   []string // names of columns
	Landmarks bool     // the nearest landmark of each row
	Maps      []Map    // where the points of maps are
	Rows      bool     // the rows of the data that it was made for: it says nothing of other data
}

// Inputs are what rules are evaluated on. All of it is read only.
type Inputs struct {
	Rows int
	// Data is the table that rows are of, with values as they were measured; nil: it is not at hand.
	Data *dataset.Dataset
	// Column returns the value of a column in each row, as the map takes it before its transform (compensated where
	// the map is); nil: there is no such column. A missing value is NaN.
	Column func(name string) func(row int) float64
	// Shown returns the values of a column as float32, transformed; nil: there is no such column of numbers.
	Shown func(name string, t transform.Column) []float32
	// Category returns the name of the label of a row in a column of labels, "" for none; nil: there is none.
	Category func(name string) func(row int) string
	// Nearest is the nearest landmark of each row, -1 for none; nil: it is not known.
	Nearest []int32
	// Groups is the population that each landmark carries, 0 for none.
	Groups []ID
	// Places returns where the points of a map are; the error says why there is none. nil: there are no maps.
	Places func(of Map) (Places, error)
}

// Kind is a kind of rule.
type Kind struct {
	ID    string // key in files
	Title string
	Order int
	// Decode reads what a rule of the kind has written, for data of so many rows.
	Decode func(raw []byte, rows int) (Rule, error)
}

var kinds = registry.New("population", func(k *Kind) string { return k.ID }, func(a,
	b *Kind) int {
	return a.Order - b.Order
})

// Register adds a kind, from the init of its file.
func Register(k Kind) { kinds.Add(&k) }

// Kinds returns all kinds.
func Kinds() []*Kind { return kinds.All() }
