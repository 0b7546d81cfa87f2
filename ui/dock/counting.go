package dock

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/ui/desk"
)

// counting has populations counted in samples.
type counting struct {
	desk  *desk.Desk
	value *work.Value[countsKey, *counted]
}

// countsKey is what counts depend on.
type countsKey struct{ labels, column revision.Revision }

// counted is counts with the populations that they are of.
type counted struct {
	*population.Counts
	of *live.Populated
}

func newCounting(d *desk.Desk) counting {
	return counting{desk: d, value: work.Keep[countsKey, *counted](&d.Values, work.Policy{
		Title: "Counts of populations", Quiet: true, Background: true, Finish: true,
		Remedy: "show the table again"})}
}

// want has populations counted in the labels of a column, nil: in all points.
func (f *counting) want(c *dataset.Column) (now *counted, fresh bool) {
	of, known := f.desk.Populations().Now()
	if of == nil {
		return nil, known
	}
	key := countsKey{labels: of.Derived.Rev}
	if c != nil {
		key.column = c.Rev
	}
	if f.value.Want(key) {
		cost, data := work.Ops(4*len(of.Values)*(of.Tree.Len()+1)), f.desk.Doc.Data
		all := data.Name
		f.value.Make(cost, func(context.Context, func(done, total int64)) (*counted, error) {
			return &counted{countIn(of, c, all, data), of}, nil
		})
	}
	now, fresh = f.value.Now()
	return now, fresh && known
}

// countIn counts populations in the labels of a column, nil: in all points, which are called all.
func countIn(of *live.Populated, c *dataset.Column, all string, data *dataset.Dataset) *population.Counts {
	samples, sample := []string{all}, func(int) int { return 0 }
	if c != nil {
		samples, sample = c.Categories, func(row int) int {
			if x := c.Values[row]; x == x {
				return int(x)
			}
			return -1
		}
	}
	out := of.Count(samples, sample)
	out.Ask(of.Tree, data, of.Why, sample)
	return out
}

// mostSamples is how many labels a column of samples may have.
const mostSamples = 2000

// labelColumn is a column whose labels can be samples or groups.
type labelColumn struct{ title, name string }

// labelColumns are those of the sheet of samples, then those of the table but for the files.
func labelColumns(d *desk.Desk) (out []labelColumn) {
	samples := d.Populations().Samples()
	for _, name := range samples.Sheet().Columns() {
		out = append(out, labelColumn{name, samples.Column(name)})
	}
	origin := d.Doc.Data.OriginAt()
	for i := range d.Doc.Data.Columns {
		c := &d.Doc.Data.Columns[i]
		if n := len(c.Categories); n > 0 && n <= mostSamples && i != origin {
			out = append(out, labelColumn{c.Short(), c.Name})
		}
	}
	return out
}

// shares is what the numbers are.
type shares int

const (
	ofCounts shares = iota
	ofAll
	ofParent
)

// shareWords are the ways in words.
var shareWords = []string{"Counts", "% of all", "% of the parent"}

// mostListed is how many columns a menu lists.
const mostListed = 25
