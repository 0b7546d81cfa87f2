package job

import (
	"context"

	"blossom/model/data/source"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/run"
	"blossom/model/landmarks/landmark"
	"blossom/model/work/engine"
)

// EngineOf is the engine that the flags ask for.
func EngineOf(s *run.Machine) Engine {
	if s.Engine == engine.Auto {
		return Engine{"", s.GPU.Variant}
	}
	return Engine{s.Engine, s.GPU.Variant}
}

// Open reads the data of a command line, and landmarks that are given. The job has no state, and wants nothing yet.
func Open(ctx context.Context, s *run.Flags, paths []string, hash bool, report run.Report) (*Job, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	paths, err := source.Named(paths)
	if err != nil {
		return nil, err
	}
	given, err := s.Origin.Given(ctx)
	if err != nil {
		return nil, err
	}
	var notes []string
	if s.Origin.TrainOn > 0 {
		if given, notes, err = trainedOn(ctx, s, paths, report); err != nil {
			return nil, err
		}
		s.Space = run.Space{} // the landmarks know their columns, transforms and matrix
	}
	in := s.Input
	in.ByRanges = in.ByRanges && s.Space.Fill == "" && !given.Fills() // fillings are found in all rows
	j, err := Describe(ctx, in, paths, hash, report)
	if err == nil {
		j.Seed, j.Engine, j.had.given = s.Input.Seed, EngineOf(&s.Machine), given
		j.Note(notes...)
	}
	return j, err
}

// ForMap gives an opened job the state that the flags mean for its data, and chooses what nobody has said. Landmarks
// that are to be trained are the first thing wanted.
func (j *Job) ForMap(ctx context.Context, s *run.Flags) error {
	now, c, err := j.space(ctx, s)
	if err != nil {
		return err
	}
	parts.Projection.Put(&now, s.Params)
	if c.Landmarks != nil {
		if err := j.PutLandmarks(c.Landmarks.Set, c.Cols, c.Spec); err != nil {
			return err
		}
		return j.PutState(now, "transform", "projection")
	}
	b, how, err := s.Origin.Training(j.table)
	if err != nil {
		return err
	}
	parts.Training.Put(&now, how)
	laid := s.Origin.LaidOut()
	if s.Origin.Layout == "" && s.Origin.Plain() {
		side := landmark.SideFor(j.table.Points)
		laid = opening.FirstLayout(j.table, len(c.Cols), side*side)
	}
	j.Want(&Landmarks{Beginning: b, Layout: laid})
	return j.PutState(now, "transform", "projection", "training")
}

// ForPoints is ForMap for what needs no landmarks: the state has the transform alone.
func (j *Job) ForPoints(ctx context.Context, s *run.Flags) error {
	now, _, err := j.space(ctx, s)
	if err != nil {
		return err
	}
	return j.PutState(now, "transform")
}

// space is the state in which there is the transform alone.
func (j *Job) space(ctx context.Context, s *run.Flags) (now state.State, c run.Chosen, err error) {
	if c, err = s.Space.Choose(ctx, j.table, j.had.given); err != nil {
		return now, c, err
	}
	parts.Transform.Put(&now, c.Spec)
	j.Note(c.Notes...)
	j.putOrder(j.table, c.Cols)
	return now, c, nil
}
