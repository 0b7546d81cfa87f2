package job

import (
	"context"
	"slices"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/job/run"
	"blossom/model/maps/derived"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
)

// ranges is what draws the picture of an outline; nil where all columns are needed at once. Memory has where each row
// lies and what colours it: the file is read once for the places, and once for the colours.
func (p *Picture) ranges() func(context.Context, *Work) error {
	if p.Embedding.Kind != "" || p.Wall.paged() || p.Sight.Of != "" || len(p.Sight.Hide) > 0 {
		return nil
	}
	return p.makeByRanges
}

// makeByRanges draws what the job has of an outline.
func (p *Picture) makeByRanges(ctx context.Context, w *Work) error {
	if p.Colour == byPopulations || slices.ContainsFunc(parts.Transform.Of(w.Parts).Mixes, transform.Mix.Fills) {
		return dataset.ErrWhole
	}
	cols, telling, err := p.looksAt(ctx, w)
	if err != nil {
		return err
	}
	cols = parts.Transform.Of(w.Parts).Beside(cols)
	places := 3 // at most, and as many again while they are drawn
	err = format.Fits(w.table.Path, int64(w.table.Points), int64(len(cols)+places), available(),
		func(rows int64) string { return fewerPoints(int(rows)) })
	if err != nil {
		return err
	}
	if p.Mapped() {
		if err := p.placeByRanges(ctx, w); err != nil {
			return err
		}
	}
	held, err := w.table.Holding(ctx, cols)
	if err != nil {
		return err
	}
	w.table = held
	if p.Made, err = p.drawn(ctx, w); err != nil {
		return err
	}
	if telling >= 0 {
		p.Made.Columns = []int{telling}
	}
	write, err := p.painted(ctx, w)
	if err != nil {
		return err
	}
	return p.save(ctx, w, write)
}

// placeByRanges makes the map that is drawn as its points go by.
func (p *Picture) placeByRanges(ctx context.Context, w *Work) error {
	if err := spaceByRanges(ctx, w); err != nil {
		return err
	}
	m, err := w.Map()
	if err != nil {
		return err
	}
	params := parts.Projection.Of(w.Parts)
	all, done := embedsom.NewHostTarget(w.table.Points, m.File.Set.Pos.Cols), 0
	err = w.Points.EachRange(ctx, false, func(of *run.Points) error {
		some, err := m.PlaceRange(ctx, w.Engines.Engine(), of, params)
		if err != nil {
			return err
		}
		copy(all.Data[done*all.M:], some.Data)
		done += some.N
		if w.Options.Report != nil {
			w.Options.Report("projecting", int64(done), int64(all.N))
		}
		return nil
	})
	if err != nil {
		return err
	}
	if m, err = w.Map(); err != nil { // with remarks on the points, which are known now
		return err
	}
	m.Embedding = all
	m.Projected(params)
	for _, want := range w.Wanted {
		if e, ok := want.(*Embedding); ok {
			e.Map = m
		}
	}
	w.Notes = append(w.Notes, m.Notes...)
	return nil
}

// looksAt are the columns that the picture shows the values of: its axes, and what colours it. Where nothing is named
// that does, telling is the column of the map that does; -1: none.
func (p *Picture) looksAt(ctx context.Context, w *Work) (cols []int, telling int, err error) {
	telling = -1
	switch {
	case p.At != "":
		cols, err = w.table.Select(p.At)
	case p.Placed == PlacedByUs:
		cols = coordinateColumns(w.table)
	case p.Placed != "":
		cols, err = brought(w.table, string(p.Placed))
	}
	if err != nil {
		return nil, -1, err
	}
	names := slices.Concat([]string{p.Colour}, p.Wall.Columns)
	if p.And != "" {
		names = append(names, p.And)
	}
	for _, name := range names {
		name = plainName(w.table, name)
		switch i, err := w.table.Find(name); {
		case name == "":
			var by int
			if by, telling, err = p.telling(ctx, w, cols); err != nil {
				return nil, -1, err
			}
			if by >= 0 {
				cols = append(cols, by)
			}
		case err == nil:
			cols = append(cols, i)
		case derived.ByID(strings.ToLower(name)) == nil: // none, or unknown, which is said by who colours
		case strings.ToLower(name) != byDensity:
			return nil, -1, dataset.ErrWhole
		}
	}
	return cols, telling, nil
}

// byDensity is what names the density of the points on the map, which takes their places alone.
const byDensity = "density"

// telling is what colours points where nothing is named: the first column of groups, or the one of the map, telling,
// that parts the points best; -1: there is none. at are the axes.
func (p *Picture) telling(ctx context.Context, w *Work, at []int) (by, telling int, err error) {
	labels := dataset.Groups(w.table.Columns, w.table.Points)
	if labels >= 0 || p.At != "" {
		return labels, -1, nil
	}
	spec, of := parts.Transform.Of(w.Parts), []int(nil)
	natural := spec.MapColumns()
	if p.Mapped() {
		if natural, err = w.columns(natural); err != nil {
			return -1, -1, err
		}
	}
	for _, c := range natural {
		if setting := spec.Columns[c]; transform.ByID(setting.Op).Needs(setting.Params) {
			return -1, -1, dataset.ErrWhole
		}
		if !slices.Contains(at, c) {
			of = append(of, c)
		}
	}
	few, err := w.table.Few(ctx, transform.SampledRows(w.table.Points))
	if err != nil {
		return -1, -1, err
	}
	telling, _ = transform.Telling(few, spec, of)
	return telling, telling, nil
}

// whole reads all values of an outline, where landmarks are trained on them.
func (j *Job) whole(ctx context.Context, s *run.Flags) error {
	if !s.Origin.OfAll() || j.table == nil || !j.table.Outlined() {
		return nil
	}
	said := j.table.Warnings
	j.table = nil
	if err := readBy(ctx, j, &Options{}, false); err != nil {
		return err
	}
	read := *j.table
	read.Warnings = said
	j.table = &read
	return nil
}
