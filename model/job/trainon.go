package job

import (
	"bytes"
	"context"

	"blossom/model/job/run"
	"blossom/model/landmarks/landmark"
)

// trainedOn are landmarks that are trained on some random points of the files: those that training on so many
// (--max-points, --sample random) writes into a file. What was chosen on the user's behalf is returned too.
func trainedOn(ctx context.Context, s *run.Flags, paths []string, report run.Report) (run.Given, []string, error) {
	few := *s
	few.Origin.TrainOn, few.Input.MaxPoints, few.Input.Sample = 0, s.Origin.TrainOn, "random"
	few.Input.ByRanges = false
	j, err := Open(ctx, &few, paths, false, report)
	if err != nil {
		return run.Given{}, nil, err
	}
	if err := j.ForMap(ctx, &few); err != nil {
		return run.Given{}, nil, err
	}
	l := &Landmarks{}
	j.Want(l)
	w, err := Execute(ctx, j, Options{Engine: s.Machine.GPU, Report: report})
	if err != nil {
		return run.Given{}, nil, err
	}
	var text bytes.Buffer // as it would be read again
	if err := w.Landmarks.Write(&text); err != nil {
		return run.Given{}, nil, err
	}
	file, err := landmark.Read(&text, "this run")
	if err != nil {
		return run.Given{}, nil, err
	}
	return run.GivenFile(file), w.Notes, nil
}
