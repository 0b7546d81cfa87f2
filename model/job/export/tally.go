package export

import (
	"context"
	"math"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
)

// Tally is how many rows populations have, as they were counted elsewhere: in parts of the data, each by itself.
type Tally struct {
	Tree population.Tree
	Each bool // it is of several samples, whose names stand beside the counts

	numbers, points, own, ofAll, ofParent tallied
	paths, names, samples                 texts
}

// Add adds a sample with so many rows: how many rows each population has, by its place in the tree, how many of these
// it labels, and how many are in none. What is below 0 cannot be told.
func (y *Tally) Add(sample string, rows int64, points, own []int64, none int64) {
	add := func(name, path string, number, n, labelled, parent int64) {
		y.samples.add(sample)
		y.names.add(name)
		y.paths.add(path)
		y.numbers.add(float64(number))
		y.points.count(n)
		y.own.count(labelled)
		y.ofAll.share(n, rows)
		y.ofParent.share(n, parent)
	}
	numbers := labelNumbers(y.Tree)
	for i, p := range y.Tree.All() {
		parent, labelled := rows, own[i]
		if up := y.Tree.Place(p.Parent); up >= 0 {
			parent = points[up]
		}
		if points[i] < 0 {
			labelled = points[i]
		}
		add(p.Name, y.Tree.Path(i), int64(numbers[i]), points[i], labelled, parent)
	}
	add(population.Unassigned, population.Unassigned, 0, none, none, rows)
}

// Table is a row for each population, and of each sample where there are several: its number, which stands for it where
// labels are numbers, its path and name, how many rows it has and labels, and its parts of all rows and of those of the
// population above. What cannot be told is missing.
func (y *Tally) Table(ctx context.Context) (*dataset.Dataset, error) {
	columns := []dataset.Column{y.numbers.column("number"), y.paths.column("path"), y.names.column("population")}
	if y.Each {
		columns = append(columns, y.samples.column("sample"))
	}
	return dataset.FromColumns(ctx, "populations", append(columns, y.points.column("points"), y.own.column("labelled"),
		y.ofAll.column("of_all"), y.ofParent.column("of_parent")))
}

// tallied are numbers of rows, or shares of them.
type tallied []float64

func (t *tallied) add(x float64) { *t = append(*t, x) }

func (t *tallied) count(n int64) {
	if n < 0 {
		t.add(math.NaN())
		return
	}
	t.add(float64(n))
}

func (t *tallied) share(n, of int64) {
	if n < 0 || of < 0 {
		t.add(math.NaN())
		return
	}
	t.add(float64(float32(float64(n) / float64(of))))
}

// column has the numbers as float32, and exactly beside that where some are larger than those hold.
func (t tallied) column(name string) dataset.Column {
	c, large := dataset.Column{Name: name}, false
	for _, x := range t {
		c.Values = append(c.Values, float32(x))
		large = large || float64(float32(x)) != x && x == x
	}
	if large {
		c.Exact = t
	}
	return c
}
