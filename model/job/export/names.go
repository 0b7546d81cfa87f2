package export

import (
	"context"
	"image/color"
	"maps"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/sheet"
)

// Names are what the rows of a table are called, and how that is handed over. The window and the commands write them
// alike.
type Names struct {
	Data   *dataset.Dataset // as it was opened
	Tree   population.Tree
	Labels *population.Labels
	Colour func(ink uint8) color.NRGBA // colours of populations; nil: they are not known
	// Samples is what is known of the samples: counts have it beside them.
	Samples sheet.Sheet

	All    bool             // a column of 0 and 1 of each population
	Each   Each             // how rows are parted into files
	Before *dataset.Dataset // the data that stand before labels, with the values that are wanted; nil: none
	Places *dataset.Dataset // coordinates that stand before labels; nil: none
}

// Whole is the problem of the first population that cannot be evaluated: that it has no rows says nothing of the
// points. It is nil where there is none.
func (n *Names) Whole() error {
	for i, why := range n.Labels.Why {
		if why != nil {
			p := problem.As(why)
			return problem.Wrap(why, n.Data.Path, p.Remedy, "the population %s cannot be evaluated: %s",
				population.Brief(n.Tree.All()[i].Name), p.What)
		}
	}
	return nil
}

// Save writes the labels, in the files that Paths names, among files that take their places together. It returns what
// of them a file of the format does not hold, in words. progress may be nil; it is told rows or files.
func (n *Names) Save(ctx context.Context, to *format.Files, path string,
	progress func(done, total int64)) (lost []string, err error) {
	paths := n.Paths(path)
	all, err := n.table(ctx, paths[0])
	if err != nil {
		return nil, err
	}
	lost = format.Lost(paths[0], all)
	if n.Each == "" {
		return lost, to.Save(ctx, path, all, progress)
	}
	for i, path := range paths {
		part, err := n.part(ctx, all, i)
		if err == nil {
			err = to.Save(ctx, path, part, nil)
		}
		if err != nil {
			return nil, err
		}
		if progress != nil {
			progress(int64(i+1), int64(len(paths)))
		}
	}
	return lost, nil
}

// table is what is written of all rows into a file of a name: the data and numbers of rows, and coordinates, if these
// are wanted, then labels.
func (n *Names) table(ctx context.Context, path string) (*dataset.Dataset, error) {
	labels, err := Populations(ctx, n.Tree, n.Labels, n.All)
	if err != nil {
		return nil, err
	}
	said, columns := map[string]string{PopulationsKey: n.keyText()}, []dataset.Column(nil)
	if places := n.Places; places != nil {
		if f, _ := format.ForPath(path); f.Name == "fcs" {
			places = asChannels(places)
		}
		columns = append(columns, places.Columns...)
		maps.Copy(said, places.Metadata)
	}
	named := dataset.Beside(&dataset.Dataset{}, append(columns, labels...)...) // each by a name of its own
	made, err := dataset.FromColumns(ctx, "populations", named.Columns)
	if err != nil {
		return nil, err
	}
	if made.Metadata = said; n.Before != nil {
		made = Onto(n.Before, n.numbers(), made)
	}
	return made, nil
}

// numbers is the column of numbers of rows, where it is wanted.
func (n *Names) numbers() []dataset.Column {
	if n.Each == EachPopulation {
		return []dataset.Column{n.Data.RowNumber()}
	}
	return n.Data.RowNumbers()
}

// Onto returns data with columns of numbers of its rows, if there are any, and those of another table, which has the
// same rows, after its own, and the keywords of both.
func Onto(data *dataset.Dataset, numbers []dataset.Column, made *dataset.Dataset) *dataset.Dataset {
	out := dataset.Beside(data, append(numbers, made.Columns...)...)
	if out.Metadata = maps.Clone(data.Metadata); out.Metadata == nil {
		out.Metadata = map[string]string{}
	}
	maps.Copy(out.Metadata, made.Metadata)
	return out
}
