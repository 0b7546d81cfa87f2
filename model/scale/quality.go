package scale

import (
	"context"
	"path/filepath"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/maps/quality"
)

// mostMeasured is how many rows of the sample Quality looks at.
const mostMeasured = 100_000

// Quality is what the map of a finished folder keeps of neighbours: of the first rows of its sample among these, so
// that it is the same however the rows lie in files; of a map that was made of the sample it is of all of that. It
// takes some seconds. The error is a Problem, or ctx's.
func (p *Plan) Quality(ctx context.Context, o job.Options) (*quality.Whole, error) {
	if p.laid != nil && p.laid.Quality != nil { // it was measured when the map was made
		return p.laid.Quality, nil
	}
	path := filepath.Join(p.folder, ShownFile)
	in, err := plain.Open(path)
	if err != nil {
		return nil, problem.Wrap(err, p.folder, "embed the files again, into another folder, without --shown 0",
			"has no sample of its rows, of which quality is measured")
	}
	defer in.Close()
	j, err := job.Read(in, path)
	if err != nil {
		return nil, err
	}
	j.In(p.folder)
	j.Data[0].Reading.MaxPoints, j.Data[0].Reading.Sample = mostMeasured, "first"
	want, made := j.Wanted[0].(*job.Embedding)
	if !made {
		return nil, problem.New(path, "finish the folder again: blossom resume "+p.folder, "is not the job of a sample")
	}
	if _, err := job.Execute(ctx, j, o); err != nil {
		return nil, err
	}
	w := quality.Work{Threads: o.Engine.Threads, Progress: o.Report.Stage("quality")}
	m := want.Map
	return quality.Among(ctx, m.Points.Table.X, m.Embedding.Data, m.File.Set.Pos.Cols, w)
}
