package scale

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
)

// countsFolder is where a finished folder has how many of all rows populations have: "counts", "counts-2", a folder of
// parts for each asking.
const countsFolder = "counts"

// mostCounts is how many there are looked for.
const mostCounts = 1000

// Counted is how many of all rows of a finished folder populations have that were asked about.
type Counted struct {
	Called
	Folder string
	Tree   population.Tree

	job *job.Job // a part of it is this, with what was asked
}

// counts is the folder of an asking, from 0.
func (w *Whole) counts(i int) string {
	if i == 0 {
		return filepath.Join(w.Folder, countsFolder)
	}
	return filepath.Join(w.Folder, fmt.Sprintf("%s-%d", countsFolder, i+1))
}

// Count makes the plan of counting the populations that are asked for in all rows, in a folder of its own within that
// of the rows: one that is there where these were counted already. Those that only rows of the sample can have are left
// out, and told to say. The error is a Problem, or ctx's.
func (w *Whole) Count(ctx context.Context, a Asked, program string, say func(string), report run.Report) (*Plan,
	error) {
	of, err := Open(w.Folder)
	if err != nil {
		return nil, err
	}
	flags := run.Defaults()
	a.Map(&flags)
	called, err := a.Called(true, say)
	if err != nil {
		return nil, err
	}
	p, err := (&Wish{Flags: &flags, Want: &job.Named{Partial: true}, Of: of, Folder: w.counts(0), Mixed: of.Mixed,
		Program: program, State: called}).planned(ctx, report)
	if err != nil {
		return nil, err
	}
	for i := range mostCounts {
		if _, err := os.Stat(filepath.Join(w.counts(i), PlanFile)); err == nil && !p.in(w.counts(i)) {
			continue // it was asked for something else
		}
		return p, p.Write(w.counts(i))
	}
	return nil, problem.New(w.Folder, "remove some of them", "has %d folders %s", mostCounts, countsFolder)
}

// Counted is what was counted last of the populations in all rows; nil: nothing was. The error is a Problem.
func (w *Whole) Counted() (*Counted, error) {
	for i := w.lastCounts(); i >= 0; i-- {
		c, err := w.CountedIn(w.counts(i))
		if c != nil || err != nil {
			return c, err
		}
	}
	return nil, nil
}

// lastCounts is the last asking that there is, -1 for none.
func (w *Whole) lastCounts() int {
	for i := range mostCounts {
		if _, err := os.Stat(w.counts(i)); err != nil {
			return i - 1
		}
	}
	return mostCounts - 1
}

// CountedIn is what was counted in a folder; nil: that is not finished, or of other rows. The error is a Problem.
func (w *Whole) CountedIn(folder string) (*Counted, error) {
	m, err := ReadManifest(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	p, err := Open(folder)
	if err != nil {
		return nil, err
	}
	if p.Map != w.plan || m.Plan != p.sum || m.Called == nil || m.Rows != w.Rows {
		return nil, nil
	}
	t, err := p.tree()
	if err != nil || len(m.Called.Points) != t.Len() {
		return nil, err
	}
	return &Counted{*m.Called, folder, t, p.Jobs[0]}, nil
}

// Asked is what was asked about, as a document of the sample has it. The error is a Problem.
func (c *Counted) Asked(sample *dataset.Dataset) (state.State, error) {
	now, _, err := state.Decode(c.job.State, state.Context{Data: sample, Seed: c.job.Seed,
		File: filepath.Join(c.Folder, PlanFile), Partial: true})
	return now, err
}
