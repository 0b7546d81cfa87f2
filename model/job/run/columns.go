package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/opening"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// Points are the points of the map, in the order of the rows of the input or in that of its Table.
type Points struct {
	Data  *dataset.Dataset // the input with all of its columns
	Cols  []int            // columns of Data that are dimensions of the map, in the order of the codebook
	Spec  transform.Spec   // settings for all columns of Data, for colouring
	Table *transform.Table // the points: one dimension for each of Cols, in the same order
	Part  bool             // they are some of many, of which none need have a place
	view  *dataset.Dataset // the columns that Table was made from
	few   *dataset.Dataset // some rows of an outline, which tell what float32 does not hold; else nil
}

// PointsOf makes the points of the chosen columns with the settings in spec (one for each column of ds), in the given
// order (nil: that of the rows).
func PointsOf(ctx context.Context, ds *dataset.Dataset, cols []int, spec transform.Spec, order []int32,
	report Report) (*Points, error) {
	return pointsBy(ctx, opening.Space, ds, cols, spec, order, report)
}

// PartOf is PointsOf of rows that are some of many, of which none need have a place.
func PartOf(ctx context.Context, ds *dataset.Dataset, cols []int, spec transform.Spec, order []int32,
	report Report) (*Points, error) {
	p, err := pointsBy(ctx, transform.Build, ds, cols, spec, order, report)
	if err == nil {
		p.Part = true
	}
	return p, err
}

func pointsBy(ctx context.Context, build func(ctx context.Context, ds *dataset.Dataset, spec transform.Spec,
	order []int32, progress func(done, total int64)) (*transform.Table, error), ds *dataset.Dataset, cols []int,
	spec transform.Spec, order []int32, report Report) (*Points, error) {
	// A table has its dimensions in the order of the columns: a view of ds puts them as asked for.
	view, chosen := transform.View(ds, spec, cols)
	table, err := build(ctx, view, chosen, order, report.Stage("transforming"))
	if err != nil {
		return nil, err
	}
	return &Points{Data: ds, Cols: cols, Spec: spec, Table: table, view: view}, nil
}

// ownColumns are the columns and settings of a map that is trained here: the markers with the
// defaults that the window starts with too, unless asked otherwise.
func (s *Space) ownColumns(ctx context.Context, ds *dataset.Dataset) ([]int, transform.Spec, error) {
	spec := transform.Default(ds)
	cols, err := ds.MapColumns(s.Columns, s.Exclude)
	if err != nil {
		return nil, spec, err
	}
	if spec.Scale, spec.Robust = s.Scale, s.Robust; s.scaleIsFree() {
		_, spec.Scale = transform.WantsScale(ds, spec, cols)
		spec.Robust = spec.Scale
	}
	if err := s.compensate(ctx, ds, &spec); err != nil {
		return nil, spec, err
	}
	err = s.applyTransforms(ds, cols, &spec)
	return cols, spec, err
}

// scaleIsFree says whether nobody has said how columns compare: who asks for a transform has.
func (s *Space) scaleIsFree() bool { return !s.Scale && !s.Unscaled && len(s.Transforms) == 0 }

// givenColumns are the columns for landmarks that came as two matrices. The input is taken as it is:
// all columns where their number is that of the codebook's, else the markers; no transform, no scaling,
// unless asked for.
func (s *Space) givenColumns(ctx context.Context, ds *dataset.Dataset,
	g Given) ([]int, transform.Spec, error) {
	spec := transform.Spec{Scale: s.Scale, Robust: s.Robust, Columns: make([]transform.Column, len(ds.Columns))}
	for i := range spec.Columns {
		spec.Columns[i] = transform.Column{Weight: 1, Use: transform.ColourOnly}
	}
	d := len(g.hd.Columns)
	cols := make([]int, len(ds.Columns))
	for i := range cols {
		cols[i] = i
	}
	if named := namedAlike(ds, g.hd); s.Columns == "" && s.Exclude == "" && named != nil {
		cols = named
	} else if s.Columns != "" || s.Exclude != "" || len(cols) != d {
		var err error
		if cols, err = ds.MapColumns(s.Columns, s.Exclude); err != nil {
			return nil, spec, err
		}
	}
	if len(cols) != d {
		return nil, spec, problem.New(ds.Path,
			"choose as many columns as landmarks have with --columns; `blossom info` lists them",
			"%d columns are chosen, the landmarks in %s have %d", len(cols), g.path, d)
	}
	if err := s.compensate(ctx, ds, &spec); err != nil {
		return nil, spec, err
	}
	err := s.applyTransforms(ds, cols, &spec)
	return cols, spec, err
}

// namedAlike returns the columns of ds that have the names of hd's, or nil where hd has no names of
// its own or one of them is not in ds.
func namedAlike(ds, hd *dataset.Dataset) []int {
	cols := make([]int, len(hd.Columns))
	for j := range hd.Columns {
		name := hd.Columns[j].Name
		i := slices.IndexFunc(ds.Columns, func(c dataset.Column) bool { return c.Name == name })
		if i < 0 || dataset.IsDefaultName(name) {
			return nil
		}
		cols[j] = i
	}
	return cols
}

// trainedColumns are the columns for landmarks that `blossom train` wrote: those it was trained on, by
// name, with the same transform, deviation and weight. whose says in words what needs them.
func (s *Space) trainedColumns(ctx context.Context, ds *dataset.Dataset,
	f *landmark.File, whose string) ([]int, transform.Spec, error) {
	spec := transform.Default(ds)
	spec.Scale, spec.Robust, spec.Mixes = f.Scaled, false, nil
	if s.Columns != "" || s.Exclude != "" || s.Scale || s.Unscaled {
		return nil, spec, usage("leave --columns, --exclude and --scale out: the landmarks know their columns",
			"%s were trained on columns of their own", whose)
	}
	var cols []int
	for _, want := range f.Columns {
		i, err := ds.Find(want.Name)
		if err != nil && want.Label != "" { // the same marker on another detector
			if j, labelErr := ds.Find(want.Label); labelErr == nil {
				i, err = j, nil
			}
		}
		if err != nil {
			p := problem.As(err)
			return nil, spec, problem.Wrap(err, p.File, p.Remedy, "%s, which %s needs", p.What, whose)
		}
		t, err := transform.ParseFile(want.Transform)
		if err != nil {
			return nil, spec, problem.Wrap(err, ds.Path, "train the landmarks again", "%s",
				problem.As(err).What)
		}
		t.SD, t.Weight, t.Use = want.SD, want.Weight, transform.InMap
		spec.Columns[i] = t
		cols = append(cols, i)
	}
	var err error
	if spec.Mixes, err = s.trainedMixes(ds, f, whose); err != nil {
		return nil, spec, err
	}
	if err := s.compensate(ctx, ds, &spec); err != nil {
		return nil, spec, err
	}
	err = s.applyTransforms(ds, cols, &spec)
	return cols, spec, err
}

// trainedMixes are the mixes of landmarks that `blossom train` wrote. Where each file was compensated with its own
// matrix, ds is with its own.
func (s *Space) trainedMixes(ds *dataset.Dataset, f *landmark.File, whose string) (out []transform.Mix, err error) {
	for _, m := range f.Mixes {
		if m.Op == string(transform.CompensateEach) {
			own := transform.OwnCompensation(ds)
			if own.Any() {
				out = append(out, own.Mix)
			} else if s.auto() {
				return nil, problem.New(ds.Path,
					"give its matrix: --compensation MATRIX.csv, or say --compensation none",
					"it brings no matrix of compensation that fits, as each of the files did that %s needs", whose)
			}
			continue
		}
		mixes, err := transform.DecodeMixes(ds, []transform.EncodedMix{transform.EncodedMix(m)})
		if err != nil {
			p := problem.As(err)
			return nil, problem.Wrap(err, p.File, p.Remedy, "%s, which %s needs", p.What, whose)
		}
		out = append(out, mixes...)
	}
	return out, nil
}

// ColourSpec returns the settings that columns of ds are coloured with where there is no map to make.
func (s *Space) ColourSpec(ctx context.Context, ds *dataset.Dataset) (transform.Spec, error) {
	spec := transform.Default(ds)
	if err := s.compensate(ctx, ds, &spec); err != nil {
		return spec, err
	}
	err := s.applyTransforms(ds, spec.MapColumns(), &spec)
	return spec, err
}

// applyTransforms puts what --transform asks for into spec: first for all columns of the map, then for
// single ones, whatever their order on the command line. They are of linear values.
func (s *Space) applyTransforms(ds *dataset.Dataset, cols []int, spec *transform.Spec) error {
	var chosen []int
	for _, single := range []bool{false, true} {
		for _, text := range s.Transforms {
			name, t, err := transform.ParseFileSetting(text)
			if err != nil {
				return Usage{err}
			}
			if (name != "") != single {
				continue
			}
			if !single {
				for _, c := range cols {
					spec.Columns[c] = spec.Columns[c].WithTransform(t)
				}
				chosen = append(chosen, cols...)
				continue
			}
			i, err := ds.Find(name)
			if err != nil {
				return err
			}
			spec.Columns[i] = spec.Columns[i].WithTransform(t)
			chosen = append(chosen, i)
		}
	}
	*spec = spec.WithLinear(ds, chosen)
	return nil
}

// channelNotes says of which columns transforms that were asked for are the linear values of channel numbers.
func (s *Space) channelNotes(ds *dataset.Dataset, spec transform.Spec, cols []int) []string {
	var names []string
	for _, m := range spec.Mixes {
		if m.Op == transform.Linearise && slices.Contains(cols, m.Cols[0]) {
			names = append(names, ds.Columns[m.Cols[0]].Short())
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"channels of a logarithmic amplifier ($PnE) are made linear before they are transformed: " +
		few(names)}
}

// few is some names in words.
func few(names []string) string {
	const most = 5
	if n := len(names) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), n)
	}
	return strings.Join(names, ", ")
}

// Chosen returns the columns that --columns and --exclude choose where no map is made: without them all,
// whatever their role.
func (s *Space) Chosen(ds *dataset.Dataset) ([]int, error) {
	if s.Columns != "" {
		return ds.MapColumns(s.Columns, s.Exclude)
	}
	cols := make([]int, len(ds.Columns))
	for i := range cols {
		cols[i] = i
	}
	gone, err := ds.Select(s.Exclude)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(cols, func(i int) bool { return slices.Contains(gone, i) }), nil
}
