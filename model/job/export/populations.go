package export

import (
	"context"
	"fmt"
	"math"
	"slices"

	"blossom/model/base/par"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
)

// Populations returns what rows are called: the column "population", whose labels are the populations in their order
// and which has none for a row in no population, and where all is asked for a column of 0 and 1 for each of them, by
// its name, which says whether the row is in it, also where one below it or beside it gives the row its label.
func Populations(ctx context.Context, t population.Tree, l *population.Labels, all bool) ([]dataset.Column, error) {
	label := dataset.Column{Name: "population", Values: l.Values, None: population.Unassigned, From: "populations",
		Provenance: dataset.Derived, Role: dataset.Label}
	var inks []byte
	for _, p := range t.All() {
		label.Categories, inks = append(label.Categories, p.Name), append(inks, p.Ink)
	}
	label.Inks, label.Rests = string(inks), l.Rests()
	out := []dataset.Column{label}
	for i, p := range t.All() {
		if !all {
			break
		}
		in, err := membership(ctx, p.Name, l.Sets[i])
		if err != nil {
			return nil, err
		}
		out = append(out, in)
	}
	return out, nil
}

// membership is a column of 0 and 1 that says whether each row is in a set.
func membership(ctx context.Context, name string, set *selection.Set) (dataset.Column, error) {
	in := dataset.Column{Name: name, Values: make([]float32, set.Len()), Role: dataset.Label}
	err := par.Blocks(ctx, set.Len(), 1<<16, func(_, from, to int) {
		set.Each(from, to, func(row int) { in.Values[row] = 1 })
	})
	return in, err
}

// Counts returns how many rows each population has, in long form: a row for each population and sample (file of the
// data, where it has several, or what the sheet of samples says they are), with its place in the tree, its number of
// rows, these as parts of all rows of the sample and of those of the population above, missing where the population
// cannot be told in the sample, and what the sheet says of that. What is in no population is the last of each sample;
// it cannot be told where a population that lies in no other cannot.
func (n *Names) Counts(ctx context.Context) (*dataset.Dataset, error) {
	ds, t := n.Data, n.Tree
	samples, by := n.Samples.Of(ds)
	of := func(row int) int {
		switch {
		case by == nil:
			return 0
		case by.Values[row] >= 0:
			return int(by.Values[row])
		}
		return -1
	}
	counts := n.Labels.Count(samples, of)
	counts.Ask(t, ds, n.Labels.Why, of)
	var names, paths, in texts
	var points, ofAll, ofParent []float32
	said := make([]texts, len(n.Samples.Columns()))
	add := func(name, path string, sample, count, parent int, known bool) {
		names.add(name)
		paths.add(path)
		in.add(samples[sample])
		if known {
			points = append(points, float32(count))
			ofAll, ofParent = append(ofAll, part(count, counts.Rows[sample])), append(ofParent, part(count, parent))
		} else {
			nan := float32(math.NaN())
			points, ofAll, ofParent = append(points, nan), append(ofAll, nan), append(ofParent, nan)
		}
		for i := range said {
			said[i].add(n.Samples.Cell(samples[sample], i))
		}
	}
	for s := range samples {
		for i, p := range t.All() {
			add(p.Name, t.Path(i), s, counts.Points[i][s], counts.Of(t, i, s, true), counts.Known(i, s))
		}
		add(population.Unassigned, population.Unassigned, s, counts.Points[t.Len()][s], counts.Rows[s],
			counts.Known(t.Len(), s))
	}
	columns := []dataset.Column{names.column("population"), paths.column("path"),
		in.column("sample"), {Name: "points", Values: points}, {Name: "of_all", Values: ofAll},
		{Name: "of_parent", Values: ofParent}}
	for i := range said {
		columns = append(columns, said[i].column(freeName(columns, n.Samples.Columns()[i])))
	}
	return dataset.FromColumns(ctx, "populations", columns)
}

// freeName is a name that none of the columns has.
func freeName(columns []dataset.Column, name string) string {
	out := name
	for i := 2; slices.ContainsFunc(columns, func(c dataset.Column) bool { return c.Name == out }); i++ {
		out = fmt.Sprintf("%s %d", name, i)
	}
	return out
}

// part is a share; of none it is missing.
func part(n, of int) float32 { return float32(float64(n) / float64(of)) }

// texts is a column of texts being made.
type texts struct {
	list   []string
	at     map[string]int
	values []float32
}

// add adds a text; "" is none.
func (x *texts) add(text string) {
	if text == "" {
		x.values = append(x.values, float32(math.NaN()))
		return
	}
	if x.at == nil {
		x.at = map[string]int{}
	}
	if _, ok := x.at[text]; !ok {
		x.at[text] = len(x.list)
		x.list = append(x.list, text)
	}
	x.values = append(x.values, float32(x.at[text]))
}

func (x *texts) column(name string) dataset.Column {
	return dataset.Column{Name: name, Categories: x.list, Values: x.values}
}
