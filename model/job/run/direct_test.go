package run

import (
	"context"
	"slices"

	"blossom/model/data/sheet"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// Train reads the input and returns landmarks for it, without projecting.
func (s *Flags) Train(ctx context.Context, path string, report Report) (*Map, error) {
	return s.run(ctx, path, false, report)
}

// Embed reads the input, gets the landmarks as the flags say, and projects every point.
func (s *Flags) Embed(ctx context.Context, path string, report Report) (*Map, error) {
	return s.run(ctx, path, true, report)
}

func (s *Flags) run(ctx context.Context, path string, project bool, report Report) (*Map, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	engines, err := OpenEngine(s.Machine.Engine, s.Machine.GPU)
	if err != nil {
		return nil, err
	}
	defer engines.Close()
	given, err := s.Origin.Given(ctx)
	if err != nil {
		return nil, err
	}
	ds, err := s.Input.Read(ctx, path, report)
	if err != nil {
		return nil, err
	}
	c, err := s.Space.Choose(ctx, ds, given)
	if err != nil {
		return nil, err
	}
	var order []int32
	if c.Landmarks == nil {
		order = transform.Shuffle(ds.Points, s.Input.Seed) // as a window has them
	}
	p, err := PointsOf(ctx, ds, c.Cols, c.Spec, order, report)
	if err != nil {
		return nil, err
	}
	e := engines.Engine()
	resident, err := e.Load(ctx, p.Table.X)
	if err != nil {
		return nil, err
	}
	defer resident.Free()
	m := NewMap(p, e)
	m.Notes = slices.Concat(m.Notes, c.Notes)
	if m.File = c.Landmarks; m.File == nil {
		b, how, err := s.Origin.Training(ds)
		if err != nil {
			return nil, err
		}
		if m.File, err = Train(ctx, p, resident, b, nil, how, sheet.Sheet{}, s.Input.Seed, report); err != nil {
			return nil, err
		}
		m.File.Engine = engine.FullName(m.Engine, m.Variant)
	}
	if project {
		err = m.Project(ctx, resident, s.Params, report)
	}
	return m, err
}
