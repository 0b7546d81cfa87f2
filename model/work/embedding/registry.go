package embedding

import (
	"context"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// Way is how positions of an embedding come about.
type Way uint8

const (
	// ByRange: an engine projects any range of points at any time, from the landmarks. Pure.
	ByRange Way = iota
	// AtOnce: all positions are computed together, as a job, whenever what they depend on has changed. Pure.
	AtOnce
	// Stepwise: a Runner advances the positions. They are kept as data.
	Stepwise
)

// Kind is a member of the family of embeddings. Register it from the package that computes it.
type Kind struct {
	ID    string // the ID that recipes name it by
	Title string // "PCA"
	Help  string // one line on the picture it gives
	Way   Way
	// Columns: its recipes name a column for each dimension.
	Columns bool
	// Label is how a view's header calls it, and a note beside: "CD4 × CD8", "columns". nil: Title and no note.
	Label func(in Inputs, r Recipe) (title, note string)

	// Key and Compute are for an embedding AtOnce. Key names all that the positions depend on: they are computed anew
	// when it changes.
	Key     func(in Inputs, r Recipe) string
	Compute func(ctx context.Context, in Inputs, r Recipe, progress func(done, total int64)) (*Result, error)

	// Run is how runs of an embedding Stepwise are prepared.
	Run Stages
}

// Inputs is what embeddings are made from. They are not written meanwhile.
type Inputs struct {
	Data  *dataset.Dataset
	Table *transform.Table // the points in the map's space, with their order
	Caps  engine.Caps      // the offers of the engine that holds the points; for the window's goroutine
	// Memory is how many bytes are free; 0: it is not known.
	Memory int64
	// Engine opens one for work on another goroutine, which closes it. nil: there is none.
	Engine func() (engine.Engine, error)
	// Column finds the columns that a recipe names, in the order of the data's rows, with the transform that
	// makes coordinates of them. It may be called from any goroutine. nil: those of Data as Table has them.
	Column func(name string) (*dataset.Column, transform.Column, bool)
}

// column finds a column.
func (in Inputs) column(name string) (*dataset.Column, transform.Column, bool) {
	if in.Column != nil {
		return in.Column(name)
	}
	for i := range in.Data.Columns {
		if in.Data.Columns[i].Name == name {
			return transform.Mixed(in.Data, in.Table.Spec, i), in.Table.Spec.Columns[i], true
		}
	}
	return nil, transform.Column{}, false
}

// Result is positions of all points, in the order of the table.
type Result struct {
	Dims int
	Pos  []float32 // n x Dims, row-major; NaN for a point that has no place
	Axes []Axis    // Dims of them, or none where the axes mean nothing
}

// Axis says what a coordinate is.
type Axis struct {
	Title string // "PC 1", "CD4"
	Note  string // "37.6 %", "BUV563-A"
	// Scale turns raw values into coordinates where the axis is a column, for ticks at round raw values.
	Scale *transform.Func
}

var (
	kinds    []*Kind
	watchers []func(*Kind)
)

// Each calls see with every kind, also with those that are registered later: what has an item for each kind, whether
// its package is linked before or after them.
func Each(see func(*Kind)) {
	for _, k := range kinds {
		see(k)
	}
	watchers = append(watchers, see)
}

// Register adds a kind. It panics if the ID is taken: two packages claim one name.
func Register(k Kind) {
	if ByID(k.ID) != nil {
		panic("embedding: registered twice: " + k.ID)
	}
	kinds = append(kinds, &k)
	for _, see := range watchers {
		see(&k)
	}
}

// Kinds returns all kinds.
func Kinds() []*Kind { return slices.Clone(kinds) }

// Sources returns how columns that are made of an embedding's positions call it: "" for the map itself, else the
// title of the kind. Columns as an embedding are no source: they are columns already.
func Sources() []string {
	titles := []string{""}
	for _, k := range kinds {
		if k.Way != ByRange && !k.Columns {
			titles = append(titles, k.Title)
		}
	}
	return titles
}

// ByID returns a kind, or nil.
func ByID(id string) *Kind {
	for _, k := range kinds {
		if k.ID == id {
			return k
		}
	}
	return nil
}

// Check says why a recipe cannot be followed for the data. also, where given, knows columns beside the data's.
func Check(r Recipe, data *dataset.Dataset, also ...func(name string) bool) error {
	k := ByID(r.Kind)
	switch {
	case k == nil:
		return problem.New("", "use a newer blossom", "there is no embedding %q", r.Kind)
	case r.Dims != 2 && r.Dims != 3:
		return problem.New("", "choose 2 or 3", "an embedding cannot have %d dimensions", r.Dims)
	case k.Columns && len(r.Columns) != r.Dims:
		return problem.New("", "name a column for each axis", "%d columns for %d axes", len(r.Columns), r.Dims)
	}
	for _, name := range r.Columns {
		if !slices.ContainsFunc(data.Columns, func(c dataset.Column) bool { return c.Name == name }) &&
			!slices.ContainsFunc(also, func(known func(string) bool) bool { return known(name) }) {
			return problem.New(data.Path, "choose another column", "there is no column %q", name)
		}
	}
	return nil
}

// Label is how a view's header calls the embedding of a recipe, and a note beside it.
func Label(in Inputs, r Recipe) (title, note string) {
	k := ByID(r.Kind)
	switch {
	case k == nil:
		return r.Kind, ""
	case k.Label == nil:
		return k.Title, ""
	}
	return k.Label(in, r)
}
