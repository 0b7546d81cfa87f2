// Package derived makes columns out of what is known of the points: their density on the map, their nearest
// landmark, the file they are from, their coordinates. A derived column is a dataset.Column like those of the
// file, in the order of the table's rows, so that whatever colours, filters, exports or shows a column takes it.
// Kinds are registered, each in a file of its own.
package derived

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/base/registry"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
)

var nan = float32(math.NaN()) // the value of a point that has none

// Positions are those of an embedding, as derived columns need them. They are not written meanwhile.
type Positions struct {
	ID, Title string    // ID and title of the embedding; Title goes into names, "" where there is only one
	Dims      int       // 2 or 3
	Pos       []float32 // Dims per point, in the order of the map; NaN where a point has no place
	// Marks are places that belong to the map beside its points: of landmarks that were placed with them. Or none.
	Marks matrix.Matrix32
	Rev   revision.Revision // revision of Pos and Marks
}

// Inputs are what columns are made from; a part that there is not is left out. All of it is read only.
type Inputs struct {
	Data      *dataset.Dataset
	Table     *transform.Table // the points of the map in its order; nil: the order of the rows
	Landmarks *landmark.Set
	Positions Positions
	// Projection is how EmbedSOM puts points between the landmarks.
	Projection embedsom.Params
	// Clusters and Populations are what points are called, Sheet what is said of their samples in the column Of.
	Clusters, Populations, Sheet *Labels
	// A kind with a Prefix is to make its column Of.
	Of string
	// Contrast are the two groups of points whose densities are compared.
	Contrast *Contrast
}

// Needs says which inputs a kind of column cannot do without.
type Needs uint16

const (
	NeedPositions Needs = 1 << iota
	NeedDepth           // a third coordinate of the positions
	NeedLandmarks       // at least one, in the space of the table
	NeedTable
	NeedFiles      // a table put together from several files
	NeedProjection // parameters of EmbedSOM, and with NeedLandmarks their positions
	NeedClusters   // clusters of the points
	NeedPopulations
	NeedSheet    // a column of the sheet of samples
	NeedContrast // two groups of points
)

var needNames = []string{"positions of points", "positions in three dimensions", "landmarks", "the points of the map",
	"several files opened together", "parameters of the projection", "clusters of the points",
	"populations", "a column of the sheet of samples", "two groups of points"}

// Kind is a kind of derived column.
type Kind struct {
	ID    string // lower case
	Title string // as menus show it
	Help  string // the meaning of the values, for help
	Name  string // name of its column, "" for Title; with the title of an embedding it is "NAME of TITLE"
	// Prefix is for a kind that makes many columns: they are called by it and their own names, "sample: donor".
	Prefix string
	Order  int  // place in lists, rising
	Label  bool // its values are labels
	Needs  Needs
	Quick  bool // it takes a few milliseconds, and is made within a frame
	// Shown is the transform that the values are coloured with; the zero one shows them as they are.
	Shown transform.Column
	// Compute returns a column with Values in the order of rows (see Inputs.Rows), Categories if it is a
	// label, and From. What it Needs is there. progress may be called from several goroutines.
	Compute func(ctx context.Context, in Inputs, progress func(done, total int64)) (dataset.Column, error)
}

// Key is equal for inputs of which a kind makes the same column.
type Key struct {
	Kind                             string
	Data, Table, Codebook, Positions revision.Revision
	Places                           revision.Revision // revision of the landmarks' places
	Projection                       embedsom.Params
	Embedding, Title                 string
	Clusters, Populations, Sheet     revision.Revision
	Contrast                         revision.Revision
	Of                               string
	names                            *string // the first of the landmarks' names, which no other list shares
}

// Key returns the key of the column that k makes of in.
func (k *Kind) Key(in Inputs) Key {
	key := Key{Kind: k.ID}
	if in.Data != nil {
		key.Data = in.Data.Rev
	}
	if k.Needs&(NeedPositions|NeedDepth) != 0 {
		p := in.Positions
		key.Positions, key.Embedding, key.Title = p.Rev, p.ID, p.Title
	}
	if k.Needs&NeedProjection != 0 && in.Landmarks != nil {
		key.Places, key.Projection = in.Landmarks.PosRev, in.Projection
	}
	if k.Needs&NeedClusters != 0 && in.Clusters != nil {
		key.Clusters = in.Clusters.Rev
	}
	if k.Needs&NeedPopulations != 0 && in.Populations != nil {
		key.Populations = in.Populations.Rev
	}
	if k.Needs&NeedSheet != 0 && in.Sheet != nil {
		key.Sheet = in.Sheet.Rev
	}
	if k.Needs&NeedContrast != 0 && in.Contrast != nil {
		key.Contrast = in.Contrast.Rev
	}
	if k.Prefix != "" {
		key.Of = in.Of
	}
	if k.Needs&NeedTable != 0 && in.Table != nil {
		key.Table = in.Table.Rev
	}
	if k.Needs&NeedLandmarks != 0 && in.Landmarks != nil {
		key.Codebook = in.Landmarks.CodeRev
		if len(in.Landmarks.Names) > 0 {
			key.names = &in.Landmarks.Names[0]
		}
	}
	return key
}

var kinds = registry.New("derived", func(k *Kind) string { return k.ID },
	func(a, b *Kind) int { return a.Order - b.Order })

// Register adds a kind; each registers itself from the init of its file. It panics if its ID is taken or is not
// one lower-case word, which is a mistake of the program.
func Register(k Kind) {
	if k.ID == "" || k.ID != strings.ToLower(k.ID) || strings.ContainsAny(k.ID, " ,=") {
		panic("derived: a column whose name is no word: " + k.ID)
	}
	kinds.Add(&k)
}

// Registered returns all kinds in the order in which they are offered.
func Registered() []*Kind { return kinds.All() }

// ByID returns the kind with this ID, or nil.
func ByID(id string) *Kind {
	k, _ := kinds.Find(id)
	return k
}

// Available returns the kinds that can be made of in.
func Available(in Inputs) []*Kind {
	return slices.DeleteFunc(Registered(), func(k *Kind) bool { return k.Needs&^in.has() != 0 || in.Data == nil })
}

// has says which needs are met.
func (in *Inputs) has() (met Needs) {
	if in.Positions.Dims >= 2 {
		met |= NeedPositions
	}
	if in.Positions.Dims >= 3 {
		met |= NeedDepth
	}
	if in.Table != nil {
		met |= NeedTable
		if in.Landmarks.Len() > 0 && in.Landmarks.Codebook.Cols == in.Table.X.Cols {
			met |= NeedLandmarks
		}
	}
	if in.Data != nil && in.Data.Origin() != nil {
		met |= NeedFiles
	}
	if in.Projection.Validate() == nil {
		met |= NeedProjection
	}
	if in.Clusters != nil {
		met |= NeedClusters
	}
	if in.Populations != nil {
		met |= NeedPopulations
	}
	if in.Sheet != nil {
		met |= NeedSheet
	}
	if in.Contrast != nil {
		met |= NeedContrast
	}
	return met
}

// Column makes the column: with its statistics, a name that no column of the table has, its provenance and a new
// revision. progress may be nil. The error is ctx's, or a Problem where something it needs is missing.
func (k *Kind) Column(ctx context.Context, in Inputs, progress func(done, total int64)) (dataset.Column, error) {
	if err := k.check(in); err != nil {
		return dataset.Column{}, err
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	c, err := k.Compute(ctx, in, progress)
	if err != nil {
		return dataset.Column{}, err
	}
	if c.Rev != 0 {
		return c, nil // one of the table itself
	}
	if len(c.Values) != in.Data.Points {
		return dataset.Column{}, problem.New("", "please report this", "the column %s has %d values for %d points",
			k.Title, len(c.Values), in.Data.Points)
	}
	c.Name = k.ColumnName(in.Data, in.Positions.Title)
	if k.Prefix != "" {
		c.Name, c.Label = k.ColumnName(in.Data, in.Of), in.Of
	}
	if k.Needs&(NeedPositions|NeedDepth) != 0 && in.Positions.Title == "" {
		c.Map = "EmbedSOM"
	}
	return dataset.Derive(ctx, c, c.From)
}

// ColumnName is what the column that k makes for data is called, of the embedding of a title: "density",
// "density of PCA"; of a kind with a Prefix, the column of that name. No column of the table has that name.
func (k *Kind) ColumnName(data *dataset.Dataset, of string) string {
	if k.Prefix != "" {
		return free(data, k.Prefix+of)
	}
	name := k.Name
	if name == "" {
		name = k.Title
	}
	if k.Needs&(NeedPositions|NeedDepth) != 0 && of != "" {
		name += " of " + of
	}
	return free(data, name)
}

// Named finds the kind whose column for data is called name, and which of the titles of embeddings it is of; for a kind
// with a Prefix, which of its columns it is.
func Named(data *dataset.Dataset, name string, titles []string) (k *Kind, of string, ok bool) {
	for _, k := range Registered() {
		if k.Prefix != "" {
			if of, ok := k.among(data, name); ok {
				return k, of, true
			}
			continue
		}
		if k.Needs&(NeedPositions|NeedDepth) == 0 {
			if k.ColumnName(data, "") == name {
				return k, "", true
			}
			continue
		}
		for _, title := range titles {
			if k.ColumnName(data, title) == name {
				return k, title, true
			}
		}
	}
	return nil, "", false
}

// among returns which of the columns of a kind with a Prefix is called name.
func (k *Kind) among(data *dataset.Dataset, name string) (of string, ok bool) {
	of, ok = strings.CutPrefix(name, k.Prefix)
	if !ok || of == "" {
		return "", false
	}
	if i := strings.LastIndex(of, " ("); i > 0 && k.ColumnName(data, of[:i]) == name { // the table has its name
		return of[:i], true
	}
	return of, k.ColumnName(data, of) == name
}

// check returns a Problem where what k needs is missing or does not fit together.
func (k *Kind) check(in Inputs) error {
	if in.Data == nil {
		return problem.New("", "open a file", "there are no data to make the column %s of", k.Title)
	}
	for i, name := range needNames {
		if k.Needs&^in.has()&(1<<i) != 0 {
			return problem.New("", "choose another column", "the column %s needs %s", k.Title, name)
		}
	}
	n := in.points()
	if p := in.Positions; k.Needs&(NeedPositions|NeedDepth) != 0 && (p.Dims > 3 || len(p.Pos) != n*p.Dims) {
		return problem.New("", "wait until the map has been made for these data",
			"%d coordinates in %d dimensions are not those of %d points", len(p.Pos), p.Dims, n)
	}
	if k.Needs&NeedTable != 0 && in.Table.X.Rows != n {
		return problem.New("", "wait until the map has been made for these data",
			"the map has %d points and the data %d", in.Table.X.Rows, n)
	}
	for _, row := range in.order() {
		if row < 0 || int(row) >= in.Data.Points {
			return problem.New("", "open the file again", "the order of points names row %d of %d", row+1,
				in.Data.Points)
		}
	}
	return nil
}

// order is the row of each point of the map, nil for the rows themselves.
func (in *Inputs) order() []int32 {
	if in.Table == nil {
		return nil
	}
	return in.Table.Order
}

// points is the number of points of the map.
func (in *Inputs) points() int {
	if order := in.order(); order != nil {
		return len(order)
	}
	return in.Data.Points
}

// Rows brings values from the order of the map into that of the table's rows. Rows that the map leaves out have
// none (NaN). Values may be returned as they are.
func (in *Inputs) Rows(ctx context.Context, values []float32) ([]float32, error) {
	order := in.order()
	if order == nil {
		return values, ctx.Err()
	}
	out := make([]float32, in.Data.Points)
	if len(order) < len(out) {
		for i := range out {
			out[i] = nan
		}
	}
	err := par.Blocks(ctx, len(order), 1<<16, func(_, from, to int) {
		for i := from; i < to; i++ {
			out[order[i]] = values[i]
		}
	})
	return out, err
}

// from says in words what is made of positions.
func (p *Positions) from() string {
	if p.Title == "" {
		return "positions on the map"
	}
	return "positions of " + p.Title
}

// free returns name, with a number if a column of the table is called so, in any case of letters.
func free(ds *dataset.Dataset, name string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(ds.Columns, func(c dataset.Column) bool {
			return strings.EqualFold(c.Name, name) || strings.EqualFold(c.Label, name)
		})
	}
	out := name
	for i := 2; taken(out); i++ {
		out = fmt.Sprintf("%s (%d)", name, i)
	}
	return out
}
