package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/spillover"
	"blossom/model/space/transform"
)

// Words of --compensation, which else is the path of a matrix.
const (
	CompensationAuto = "auto" // the matrix that the input brings, unless something speaks against it
	CompensationFile = "file" // the matrix that the input brings
	CompensationNone = "none"
)

// CompensationPath is the file that a word of --compensation names, "" if it names none.
func CompensationPath(word string) string {
	switch word {
	case "", CompensationAuto, CompensationFile, CompensationNone:
		return ""
	}
	return word
}

// auto says whether nothing in particular is asked for: tables are compensated as the window does, landmarks keep what
// they were trained with.
func (s *Space) auto() bool { return s.Compensation == "" || s.Compensation == CompensationAuto }

// compensate puts the compensation that --compensation asks for into spec, which auto leaves as it is.
func (s *Space) compensate(ctx context.Context, ds *dataset.Dataset, spec *transform.Spec) error {
	const remedy = "leave --compensation out, or give a matrix: --compensation MATRIX.csv"
	asked := transform.Suggestion{}
	switch s.Compensation {
	case "", CompensationAuto:
		return nil
	case CompensationNone:
	case CompensationFile:
		if asked = transform.OwnCompensation(forAll(ds)); !asked.Any() && asked.Said == "" {
			return problem.New(ds.Path, remedy, "it brings no matrix of compensation")
		}
		if !asked.Any() && !asked.Needless {
			return problem.New(ds.Path, remedy, "%s", asked.Said)
		}
	default:
		given, said, err := withMatrices(ctx, ds, s.Compensation)
		if err != nil {
			return err
		}
		s.given = said
		const remedy = "give a matrix that fits: --compensation MATRIX.csv, or none"
		for _, m := range given.Brought() { // also of one that changes nothing
			if _, why := transform.Compensation(ds, m); why != "" {
				return problem.New(s.Compensation, remedy, "its matrix of %d detectors does not fit: %s", len(m.Names),
					why)
			}
		}
		if asked = transform.OwnCompensation(forAll(given)); !asked.Any() && !asked.Needless {
			return problem.New(ds.Path, remedy, "%s", asked.Said)
		}
	}
	*spec = spec.WithCompensation(ds, asked.Mix)
	return nil
}

// forAll is ds without what its files say of compensation: who asks for one asks for all of them.
func forAll(ds *dataset.Dataset) *dataset.Dataset {
	out := *ds
	out.Keywords = nil
	return &out
}

// withMatrices is ds as if its files brought the matrices of the file at path: the one that there is, or that of each
// sample. said is what there is to say of them.
func withMatrices(ctx context.Context, ds *dataset.Dataset, path string) (given *dataset.Dataset, said []string,
	err error) {
	all, err := spillover.Read(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	each, percent, err := spillover.Each(all, path, ds)
	if err != nil {
		return nil, nil, err
	}
	out := *ds
	out.Spillover, out.Spillovers = each[0], nil
	said = []string{fmt.Sprintf("a matrix of %d detectors", len(each[0].Names))}
	if slices.ContainsFunc(each, func(s *dataset.Spillover) bool { return !s.Equal(each[0]) }) {
		out.Spillover, out.Spillovers = nil, each
		if said[0] = "each file with its own matrix in it"; len(all) == 1 {
			said = []string{"the same matrix for all files, in which its detectors are different columns"}
		}
	}
	if percent {
		said = append(said, "it is in percent, and was divided by 100")
	}
	return &out, said, nil
}

// ColourNotes says how the columns that ColourSpec is about are compensated.
func (s *Space) ColourNotes(ds *dataset.Dataset, spec transform.Spec) []string {
	return slices.Concat(s.compensationNotes(ds, spec, spec.MapColumns(), ""),
		s.channelNotes(ds, spec, spec.MapColumns()))
}

// compensationNotes says whether and how the columns of the map are compensated. of is where landmarks come from, ""
// if they are trained here.
func (s *Space) compensationNotes(ds *dataset.Dataset, spec transform.Spec, cols []int, of string) []string {
	asked := transform.OwnCompensation(ds)
	touches := func(m transform.Mix) bool {
		return slices.ContainsFunc(m.Changed(), func(c int) bool { return slices.Contains(cols, c) })
	}
	at, own := slices.IndexFunc(spec.Mixes, transform.Mix.Compensates), CompensationPath(s.Compensation) == ""
	switch {
	case at >= 0 && !touches(spec.Mixes[at]), at < 0 && asked.Any() && !touches(asked.Mix):
		return nil
	case at >= 0 && asked.Any() && own && spec.Mixes[at].Equal(asked.Mix):
		return []string{s.brought(ds, asked) + "; --compensation none leaves values as they were measured"}
	case at >= 0 && !s.auto():
		return []string{s.withPath(spec.Mixes[at])}
	case at >= 0 && asked.Any():
		return []string{"compensated with the matrix that the landmarks were trained with; the file brings another " +
			"one, which --compensation file takes"}
	case at >= 0:
		return []string{"compensated with the matrix that the landmarks were trained with"}
	case !own:
		return []string{"not compensated: the matrix in " + s.Compensation + " is the identity, which changes nothing"}
	case s.Compensation == CompensationNone || asked.Said == "":
		return nil
	case of != "" && asked.Any():
		return []string{fmt.Sprintf("not compensated, as the %s: the file brings a matrix of %d detectors, which "+
			"--compensation file applies", of, len(asked.Mix.Changed()))}
	case asked.Any():
		return []string{asked.Said + "; --compensation file applies it"}
	}
	return []string{asked.Said}
}

// brought says that values are compensated with what the input brings, and what there is to say of it.
func (s *Space) brought(ds *dataset.Dataset, asked transform.Suggestion) string {
	brings := "each file's own matrix"
	if ds.Spillover != nil {
		brings = fmt.Sprintf("the file's matrix of %d detectors (%s)", len(asked.Mix.Cols), ds.Spillover.Keyword)
	}
	return strings.Join(append([]string{"compensated with " + brings}, asked.Mix.Remarks()...), "; ")
}

// withPath says that values are compensated with the matrix of a file.
func (s *Space) withPath(m transform.Mix) string {
	said := s.given
	if said == nil {
		said = []string{fmt.Sprintf("a matrix of %d detectors", len(m.Changed()))}
	}
	return strings.Join(append([]string{"compensated with " + s.Compensation + ", " + strings.Join(said, "; ")},
		m.Remarks()...), "; ")
}
