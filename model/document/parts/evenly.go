package parts

import (
	"blossom/model/data/dataset"
	"blossom/model/data/sheet"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
)

// Evenly has a training see equally many points of each sample, where that is chosen: it gets a table of its own of
// them, which no engine holds. Where there are not two samples it sees the points as they are.
func (t TrainingChoice) Evenly(in *train.Input, samples sheet.Sheet, data *dataset.Dataset, table *transform.Table) {
	names, by := samples.Of(data)
	if !t.Even || by == nil {
		return
	}
	of := func(point int) int {
		if table.Order != nil {
			point = int(table.Order[point])
		}
		if x := by.Values[point]; x >= 0 {
			return int(x)
		}
		return -1
	}
	if rows, ok := train.Even(in.X, len(names), of, in.Seed); ok {
		in.X, in.Searcher, in.Summer = train.Gather(in.X, rows), nil, nil
	}
}
