package run

import (
	"context"
	"slices"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/job/export"
	"blossom/model/space/transform"
)

// TableOf is Table with the values v of the columns, under names that say so: those of points that there are already,
// or (nil) as the flags would make them. "" leaves all to the flags and keeps names.
func (s *Space) TableOf(ctx context.Context, ds *dataset.Dataset, v transform.Values,
	p *Points) (*dataset.Dataset, error) {
	if v == "" {
		return s.Table(ctx, ds)
	}
	changes := len(s.Transforms) > 0 || s.Scale
	if v == transform.Raw && (changes || s.Compensation != "" || s.Fill != "") || v == transform.Compensated &&
		changes {
		return nil, usage("leave one of them out", "values that are %s are not changed otherwise", v)
	}
	cols, err := s.Chosen(ds)
	if err != nil {
		return nil, err
	}
	var notes []string
	if p == nil {
		whole := *s
		if v != transform.Mapped { // a single column may be asked for, and none of the map
			whole.Columns, whole.Exclude = "", ""
		}
		c, err := whole.Choose(ctx, ds, Given{})
		if err != nil {
			return nil, err
		}
		if p, err = PointsOf(ctx, ds, c.Cols, c.Spec, nil, nil); err != nil {
			return nil, err
		}
		notes = c.Notes
	}
	made, err := p.As(ctx, v)
	if err != nil {
		return nil, err
	}
	out := *made
	out.Columns, out.Rev = nil, revision.Next()
	for _, i := range cols {
		out.Columns = append(out.Columns, made.Columns[i])
	}
	if v != transform.Raw {
		out.Warnings = slices.Concat(ds.Warnings, notes)
	}
	return &out, nil
}

// As is the table of the points with the values v of its columns, under names that say so.
func (p *Points) As(ctx context.Context, v transform.Values) (*dataset.Dataset, error) {
	spec, factor := p.Spec.Clone(), map[int]float64{}
	for i := range spec.Columns {
		if spec.Columns[i].Use == transform.InMap {
			spec.Columns[i].Use = transform.ColourOnly
		}
	}
	for j, c := range p.Cols {
		spec.Columns[c].Use, factor[c] = transform.InMap, p.Table.Factor[j]
	}
	return export.As(ctx, p.Data, spec, factor, v)
}
