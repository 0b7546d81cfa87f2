package transform

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/pattern"
	"blossom/model/data/dataset"
)

// When a newly opened table is scaled. Of columns of even spread each of d holds 1/d of the sum of squares, and by far
// the most of it is held by most of them; also of principal components, whose spread falls slowly, and of pixels,
// many of which are empty. Where a table has columns of different units, one or few of them hold all: then
// distances are those of these columns alone. Scaled is where columns that hold 95 % of the sum are at most a
// quarter of all (one, of fewer than eight), and the widest is 10 times as wide as the median.
const (
	heldByFew = 0.95
	fewOf     = 4
	wider     = 10
)

// coordinate matches columns that are axes of one space, where distance means something already.
var coordinate = pattern.Of(`(?i)^([xyz]|(pos(ition)?|coord(inate)?s?|centroid|center)[ _.-]*[xyz0-9]` +
	`|[xyz][ _.-]*(pos(ition)?|coord(inate)?)` +
	`|(x_)?(pca?|umap|t-?sne|ica?|lda|svd|lsi|mds|nmf|diffmap|dc|phate|embedsom|latent|embedding|emb|component` +
	`|principal[ _.-]?component|harmony|scvi|factor)[ _.-]*[0-9]+)$`)

// Share is how much of the spread of some columns few of them hold: of the sum of squared deviations, outliers
// drawn in.
type Share struct {
	Columns []int // columns that hold most, the widest first
	Of      int   // the number of columns in all
	Part    float64
	Widest  float64 // times the median deviation
}

// Shares says how much of the spread of the columns cols of ds, as they are, is held by how many of them.
func Shares(ds *dataset.Dataset, cols []int) Share {
	type wide struct {
		col    int
		spread float64
	}
	var all []wide
	sum := 0.0
	for _, c := range cols {
		if d := ds.Columns[c].Spread(); d > 0 {
			all, sum = append(all, wide{c, d}), sum+d*d
		}
	}
	s := Share{Of: len(all)}
	if len(all) < 2 {
		return s
	}
	slices.SortStableFunc(all, func(a, b wide) int {
		switch {
		case a.spread > b.spread:
			return -1
		case a.spread < b.spread:
			return 1
		}
		return 0
	})
	s.Widest = all[0].spread / all[len(all)/2].spread
	for _, w := range all {
		if s.Columns, s.Part = append(s.Columns, w.col), s.Part+w.spread*w.spread/sum; s.Part >= heldByFew {
			break
		}
	}
	return s
}

// Few says whether few columns are wide enough to make distances alone.
func (s Share) Few() bool {
	return len(s.Columns) > 0 && len(s.Columns) <= max(1, s.Of/fewOf) && s.Part >= heldByFew && s.Widest >= wider
}

// Text tells who holds how much: "UMI holds 99 % of the spread".
func (s Share) Text(ds *dataset.Dataset) string {
	part := fmt.Sprintf("%d %% of the spread", int(100*min(s.Part, 1)))
	switch n := len(s.Columns); n {
	case 0:
		return "nobody holds any spread"
	case 1:
		return ds.Columns[s.Columns[0]].Short() + " holds " + part
	case 2:
		return ds.Columns[s.Columns[0]].Short() + " and " + ds.Columns[s.Columns[1]].Short() + " hold " + part
	default:
		return fmt.Sprintf("%d of %d columns hold %s", n, s.Of, part)
	}
}

// WantsScale says whether a newly opened table is scaled to unit deviation, if cols are in the map, and what of their
// spread decided it. Cytometry is not: its transforms make markers comparable, and what a marker does not tell
// apart should stay narrow. Nor are the axes of one space, nor columns that have a transform.
func WantsScale(ds *dataset.Dataset, s Spec, cols []int) (Share, bool) {
	if ds.Cytometry() || !slices.ContainsFunc(cols, func(c int) bool {
		return !coordinate().MatchString(strings.TrimSpace(ds.Columns[c].Name))
	}) {
		return Share{}, false
	}
	for _, c := range cols {
		if t := s.Columns[c]; t.Op != None && t != t.With(Linear, Params{1, t.Params[1]}) { // but a shift
			return Share{}, false
		}
	}
	share := Shares(ds, cols)
	return share, share.Few()
}

// spread returns the deviation of a transformed column without regard to outliers.
func spread(ds *dataset.Dataset, s Spec, col int, f Func) float64 {
	c := &ds.Columns[col]
	if len(s.mixesOf(col)) > 0 {
		return dataset.Deviation(f.all(Sample(ds, s, col, nil)))
	}
	if s.Columns[col].Op == None {
		return c.Spread()
	}
	return dataset.Deviation(f.all(c.Sample()))
}

// all returns the finite ones of the transformed values.
func (f Func) all(raw []float64) []float64 {
	out := make([]float64, 0, len(raw))
	for _, x := range raw {
		if y := f.Forward(x); y-y == 0 {
			out = append(out, y)
		}
	}
	return out
}

// sampleRows is how many rows Sample takes by itself.
const sampleRows = 4096

// Sample returns values of a column as its own transform takes them, of the given rows of ds (nil: some thousand at
// even steps).
func Sample(ds *dataset.Dataset, s Spec, col int, rows []int32) []float64 {
	if rows == nil {
		for _, row := range SampledRows(ds.Points) {
			rows = append(rows, int32(row))
		}
	}
	out := make([]float64, len(rows))
	x := s.mixer(ds, []int{col})
	if k, ok := x.stripOf(col); ok {
		copy(out, x.rows(0, len(rows), rows)[k])
	} else {
		ds.Columns[col].Gather(out, 0, rows)
	}
	return out
}
