package run

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/data/source"
	"blossom/model/document/session"
)

// Report is told how far a stage has come, in its own units; total 0 means that nobody knows. It is
// called from several goroutines.
type Report func(stage string, done, total int64)

// Stage returns the report of one stage as the packages below take it, nil for a nil Report.
func (r Report) Stage(name string) func(done, total int64) {
	if r == nil {
		return nil
	}
	return func(done, total int64) { r(name, done, total) }
}

// Read opens the input, with More as one table, as source.All does.
func (s *Input) Read(ctx context.Context, path string, report Report) (*dataset.Dataset, error) {
	paths := append([]string{path}, s.More...)
	for _, path := range paths {
		if _, _, _, err := demo.Parse(path); err != nil {
			return nil, Usage{err}
		}
		if session.Is(path) {
			return nil, problem.New(path, "open it in the window (blossom FILE), or give its data and the "+
				"landmarks saved from it", "is a session or a picture, not a table of points")
		}
	}
	o := s.Options()
	o.Progress = report.Stage("reading")
	ds, err := source.All(ctx, paths, s.Match, o)
	if err == nil && len(ds.Unread) > 0 && s.Reading.Matrix == "" {
		ds.Warnings = append(ds.Warnings, "--matrix takes another matrix of the file, --genes columns to colour by, "+
			"--columns some for the map")
	}
	return ds, err
}
