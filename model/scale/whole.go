package scale

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/pyramid"
	"blossom/model/work/embedding"
)

// Whole is all rows of a finished folder, of which a window shows a sample.
type Whole struct {
	Folder  string
	Rows    int64            // rows of the parts that are there
	Parts   int              // parts that there are, or were to be
	Skipped int              // parts of these that could not be made
	Placed  Placed           // who has placed the parts
	Density *pyramid.Pyramid // how many of them lie where; nil: they were not counted

	// Recipe is the map that they lie on; of a kind that runs it was made of the sample.
	Recipe embedding.Recipe

	plan  string   // SHA-256 of the plan
	kept  []Kept   // files beside the parts, with their sums
	saved *job.Job // the job of the sample, with the landmarks that all rows were placed by
}

const mostJob = 1 << 30

// WholeOf is what the file of a table is a sample of; nil: it is none of a finished folder. The error is a Problem.
func WholeOf(path string) (*Whole, error) {
	if filepath.Base(path) != SampleFile {
		return nil, nil
	}
	w := &Whole{Folder: filepath.Dir(path)}
	m, err := ReadManifest(w.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	w.Rows, w.Parts, w.Skipped = m.Rows, len(m.Parts)+len(m.Skipped), len(m.Skipped)
	w.plan, w.kept, w.Placed = m.Plan, m.Kept, placedIn(w.Folder)
	shown := filepath.Join(w.Folder, ShownFile)
	text, err := plain.ReadFile(shown, mostJob)
	if err != nil {
		return nil, plain.Problem(err, shown)
	}
	if w.saved, err = job.Read(bytes.NewReader(text), shown); err != nil {
		return nil, err
	}
	if w.Recipe = embedding.EmbedSOM(); len(w.saved.Wanted) == 1 {
		if l, lays := job.LayingOf(w.saved.Wanted[0]); lays {
			w.Recipe = l.Recipe
		}
	}
	w.Density, err = pyramid.Open(filepath.Join(w.Folder, PyramidFolder))
	switch {
	case !errors.Is(err, fs.ErrNotExist):
		return w, err
	case slices.ContainsFunc(m.Kept, Kept.counts):
		return nil, problem.New(filepath.Join(w.Folder, PyramidFolder), "make it again: blossom resume "+w.Folder,
			"is missing")
	}
	return w, nil // a map in three dimensions, or of a program that did not count
}

// Sample is the table of the rows that a window shows.
func (w *Whole) Sample() string { return SampleIn(w.Folder) }

// Saved is what all rows were placed by, as a document of the sample has it. The error is a Problem.
func (w *Whole) Saved(sample *dataset.Dataset) (landmarks state.State, err error) {
	landmarks, _, err = state.Decode(w.saved.State, state.Context{Data: sample, Seed: w.saved.Seed,
		File: filepath.Join(w.Folder, ShownFile), Partial: true})
	return landmarks, err
}

// Landmarks are those that all rows were placed by, as they were saved; nil: they were placed by none, in a map that
// runs. The error is a Problem.
func (w *Whole) Landmarks() (*landmark.Set, error) {
	of, ok := w.saved.State["landmarks"]
	if !ok || w.Recipe.Key() != embedding.EmbedSOM().Key() {
		return nil, nil
	}
	f, err := landmark.Read(bytes.NewReader(of.Value), filepath.Join(w.Folder, ShownFile))
	if err != nil {
		return nil, err
	}
	return f.Set, nil
}

// Reuse has the rows be read with what was read already of the same ones, if these are; of may be nil.
func (w *Whole) Reuse(of *Whole) {
	if of != nil && of.Density != nil && w.Density != nil && w.Folder == of.Folder && w.plan == of.plan &&
		slices.Equal(w.kept, of.kept) && w.Density.Same(of.Density) {
		w.Density = of.Density
	}
}
