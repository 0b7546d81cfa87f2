package job

import (
	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// AllRows is the rows of a finished folder of parts that the data of a job are a sample of.
type AllRows struct {
	Folder string
	Rows   int64
	// Counted is how many of them populations have, as far as that was counted of what these are now.
	Counted map[population.ID]int64
}

// AllRowsOf finds those that the file of some data is a sample of, with what was counted in them of the populations of
// a state; nil: it is none. A program that knows folders of parts sets it. The error is a Problem; where counts alone
// are damaged, all rows are there with it.
var AllRowsOf func(path string, sample *dataset.Dataset, now state.State) (*AllRows, error)

// allRowsOf is what a table, the data of a job, is a sample of; nil: it is none of a folder. What is damaged is noted.
func allRowsOf(ds *dataset.Dataset, w *Work) *AllRows {
	if AllRowsOf == nil || len(w.Data) != 1 || w.Options.Part {
		return nil
	}
	all, err := AllRowsOf(w.Data[0].Path, ds, w.Parts)
	if err != nil {
		w.Notes = append(w.Notes, "counts of all rows are not told: "+problem.As(err).Error())
	}
	return all
}

// countable says whether populations of a state of the sample can be counted in all rows: landmarks place these.
func (a *AllRows) countable(ds *dataset.Dataset, now state.State) bool {
	return ds.Subset == nil && parts.Landmarks.Of(now).Len() > 0
}

// sample is what is said of data that are a sample, of all rows of a folder or of the points of a file; "": they are
// none.
func (a *AllRows) sample(ds *dataset.Dataset) string {
	switch {
	case a != nil && ds.Subset != nil:
		return dataset.SampleOf(int64(ds.Subset.Points), a.Rows, "rows")
	case a != nil:
		return dataset.SampleOf(int64(ds.Points), a.Rows, "rows")
	case ds.Total > ds.Points:
		return dataset.SampleOf(int64(ds.Points), int64(ds.Total), "points")
	}
	return ""
}
