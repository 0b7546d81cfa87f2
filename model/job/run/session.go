package run

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/engine"
)

// EmbedDocument projects every point of a document with its landmarks and parameters, as a window with that session
// does: on the same engine and variant, to the same bits. Of the settings only the engine counts, and Params, Seed and
// Scale become what the document has.
func (s *Settings) EmbedDocument(ctx context.Context, d *state.Document, report Report) (*Map, error) {
	now := d.State()
	spec, set := parts.Transform.Of(now), parts.Landmarks.Of(now)
	if set.Len() == 0 {
		return nil, problem.New(d.Data.Path, "open it in the window and make some", "the session has no landmarks")
	}
	s.Params, s.Seed, s.Scale = parts.Projection.Of(now), d.Seed, spec.Scale
	k, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	table, err := opening.Space(ctx, d.Data, spec, nil, report.stage("transforming"))
	if err != nil {
		return nil, err
	}
	e := k.engines.Engine()
	m := &Map{Points: &Points{Data: d.Data, Cols: table.Cols, Spec: spec, Table: table, view: d.Data},
		Engine: e.Name(), Variant: e.Variant(), Device: e.Device(),
		File: parts.LandmarkFile(state.Context{Data: d.Data, Seed: d.Seed, State: now, Program: s.Program})}
	if n := table.Invalid; n > 0 {
		m.note("%d of %d points have a missing or infinite value and no place on the map", n, d.Data.Points)
	}
	if note := ArrangedNote(set); note != "" {
		m.note("%s", note)
	}
	views := parts.Views.Of(now)
	if r := views.Get(views.Active).Recipe; r.Kind != "embedsom" {
		m.note("the session's window shows another embedding (%s); these are the coordinates of EmbedSOM", r.Kind)
	}
	resident, err := e.Load(ctx, table.X)
	if err != nil {
		return nil, err
	}
	defer resident.Free()
	m.File.Engine = engine.FullName(m.Engine, m.Variant)
	m.Embedding, err = s.project(ctx, resident, set, d.Data.Points, report)
	return m, err
}
