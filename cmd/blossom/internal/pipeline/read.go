package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"

	"blossom/model/dataset"
	"blossom/model/demo"
	"blossom/model/format"
	"blossom/model/problem"
	"blossom/model/session"
)

// Report is told how far a stage has come, in its own units; total 0 means that nobody knows. It is
// called from several goroutines.
type Report func(stage string, done, total int64)

// stage returns the report of one stage as the packages below take it, nil for a nil Report.
func (r Report) stage(name string) func(done, total int64) {
	if r == nil {
		return nil
	}
	return func(done, total int64) { r(name, done, total) }
}

// Files are all files that a command reads: the given ones and those of the landmarks. Names that are
// no file (demo:NAME, "") may be among them.
func (s *Settings) Files(inputs ...string) []string {
	return append(slices.Clone(inputs), s.LandmarksHD, s.LandmarksLD, s.Landmarks)
}

// demoSeed draws the demo data sets that stand for a file: --seed belongs to training and sampling,
// and must not change the data.
const demoSeed = 1

// Read opens the input: a file of any readable format, "demo:NAME[:POINTS]", or the bare name of a demo
// data set where there is no such file.
func (s *Settings) Read(ctx context.Context, path string, report Report) (*dataset.Dataset, error) {
	name, points, isDemo, err := demo.Parse(path)
	if err != nil {
		return nil, Usage{err}
	}
	if _, known := demo.ByName(path); !isDemo && known {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			name, isDemo = path, true
		}
	}
	if !isDemo {
		if session.Is(path) {
			return nil, problem.New(path, "open it in the window (blossom FILE), or give its data and the "+
				"landmarks saved from it", "is a session, not a table of points")
		}
		return format.Open(ctx, path, format.Options{MaxPoints: s.MaxPoints, Sample: s.Sample, Seed: s.Seed,
			Part: s.Part, Progress: report.stage("reading")})
	}
	if points == 0 {
		points = demo.DefaultPoints
	}
	rows, err := dataset.SampleRows(int64(min(points, demo.MaxPoints)), s.MaxPoints, s.Sample, s.Seed)
	if err != nil {
		return nil, err
	}
	return demo.Rows(ctx, name, points, rows, demoSeed)
}
