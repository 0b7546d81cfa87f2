package run

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/space/transform"
)

// Words of --compensation, which else is the path of a matrix.
const (
	CompensationFile = "file" // the matrix that the input brings
	CompensationNone = "none"
)

// compensate puts the compensation that --compensation asks for into spec. Without the flag spec stays as it is.
func (s *Space) compensate(ctx context.Context, ds *dataset.Dataset, spec *transform.Spec) error {
	if s.Compensation == "" {
		return nil
	}
	spec.Mixes = slices.DeleteFunc(slices.Clone(spec.Mixes), transform.Mix.Compensates)
	var matrix *dataset.Spillover
	switch s.Compensation {
	case CompensationNone:
		return nil
	case CompensationFile:
		if own := transform.OwnCompensation(ds); len(ds.Spillovers) > 0 {
			if !own.Any() {
				return problem.New(ds.Path, "leave --compensation out, or give a matrix: --compensation MATRIX.csv",
					"%s", own.Said)
			}
			spec.Mixes = append([]transform.Mix{own.Mix}, spec.Mixes...)
			return nil
		}
		if matrix = ds.Spillover; matrix == nil {
			return problem.New(ds.Path, "leave --compensation out, or give a matrix: --compensation MATRIX.csv",
				"it brings no matrix of compensation")
		}
		if matrix.Identity() {
			return nil
		}
	default:
		var err error
		if matrix, err = readSpillover(ctx, s.Compensation); err != nil {
			return err
		}
	}
	m, why := transform.Compensation(ds, matrix)
	if why != "" {
		return problem.New(ds.Path, "give a matrix that fits: --compensation MATRIX.csv, or none",
			"the matrix of compensation of %d detectors does not fit: %s", len(matrix.Names), why)
	}
	spec.Mixes = append([]transform.Mix{m}, spec.Mixes...)
	return nil
}

// readSpillover reads a matrix of compensation as a table: a column for each detector, named as in the data, and a row
// for each in the same order, or in that of a column of names.
func readSpillover(ctx context.Context, path string) (*dataset.Spillover, error) {
	const remedy = "give a table with a column for each detector, named as in the data, and as many rows"
	ds, err := format.Open(ctx, path, format.Options{})
	if err != nil {
		return nil, err
	}
	out := &dataset.Spillover{Keyword: filepath.Base(path)}
	var names *dataset.Column // the first column of text: names of the rows
	var cols []*dataset.Column
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Categories != nil {
			if names != nil {
				return nil, problem.New(path, remedy, "columns %q and %q both hold names", names.Name, c.Name)
			}
			names = c
			continue
		}
		cols, out.Names = append(cols, c), append(out.Names, c.Name)
	}
	if n := len(cols); n == 0 || ds.Points != n {
		return nil, problem.New(path, remedy, "a matrix of compensation has as many rows as detectors, this has %d "+
			"rows and %d columns of numbers", ds.Points, n)
	}
	out.M = make([][]float64, len(cols))
	for r := range ds.Points {
		to := r
		if names != nil {
			k := names.Values[r]
			if k-k != 0 {
				return nil, problem.New(path, remedy, "row %d has no name", r+1)
			}
			if to = slices.Index(out.Names, names.Categories[int(k)]); to < 0 {
				return nil, problem.New(path, remedy, "row %q is no column", names.Categories[int(k)])
			}
		}
		if out.M[to] != nil {
			return nil, problem.New(path, remedy, "detector %q has two rows", out.Names[to])
		}
		for _, c := range cols {
			out.M[to] = append(out.M[to], float64(c.Values[r]))
		}
	}
	return out, nil
}

// ColourNotes says how the columns that ColourSpec is about are compensated.
func (s *Space) ColourNotes(ds *dataset.Dataset, spec transform.Spec) []string {
	return s.compensationNotes(ds, spec, spec.MapColumns(), "")
}

// compensationNotes says whether and how the columns of the map are compensated. of is where landmarks come from, ""
// if they are trained here.
func (s *Space) compensationNotes(ds *dataset.Dataset, spec transform.Spec, cols []int, of string) []string {
	asked := transform.OwnCompensation(ds)
	touches := func(m transform.Mix) bool {
		return slices.ContainsFunc(m.Changed(), func(c int) bool { return slices.Contains(cols, c) })
	}
	at, brings := slices.IndexFunc(spec.Mixes, transform.Mix.Compensates), "each file's own matrix"
	if ds.Spillover != nil {
		brings = fmt.Sprintf("the file's matrix of %d detectors (%s)", len(asked.Mix.Cols), ds.Spillover.Keyword)
	}
	switch {
	case at >= 0 && !touches(spec.Mixes[at]), at < 0 && asked.Any() && !touches(asked.Mix):
		return nil
	case at >= 0 && asked.Any() && spec.Mixes[at].Equal(asked.Mix):
		return []string{"compensated with " + brings + "; --compensation none leaves values as they were measured"}
	case at >= 0 && s.Compensation != "":
		return []string{fmt.Sprintf("compensated with %s, a matrix of %d detectors", s.Compensation,
			len(spec.Mixes[at].Changed()))}
	case at >= 0 && asked.Any():
		return []string{"compensated with the matrix that the landmarks were trained with; the file brings another " +
			"one, which --compensation file takes"}
	case at >= 0:
		return []string{"compensated with the matrix that the landmarks were trained with"}
	case s.Compensation == CompensationNone || asked.Said == "":
		return nil
	case of != "" && asked.Any():
		return []string{fmt.Sprintf("not compensated, as the %s: the file brings a matrix of %d detectors, which "+
			"--compensation file applies", of, len(asked.Mix.Cols))}
	case asked.Any():
		return []string{asked.Said + "; --compensation file applies it"}
	}
	return []string{asked.Said}
}
