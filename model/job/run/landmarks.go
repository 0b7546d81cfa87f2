package run

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// readMatrices reads --landmarks-hd and --landmarks-ld.
func (s *Origin) readMatrices(ctx context.Context) (hd *dataset.Dataset, set *landmark.Set, err error) {
	hd, err = source.Read(ctx, s.LandmarksHD, format.Options{})
	if err != nil {
		return nil, nil, err
	}
	ld, err := source.Read(ctx, s.LandmarksLD, format.Options{})
	if err != nil {
		return nil, nil, err
	}
	if hd.Points != ld.Points {
		return nil, nil, problem.New(s.LandmarksLD, "give one position for each landmark",
			"it has %d rows, and %s has %d", ld.Points, s.LandmarksHD, hd.Points)
	}
	if n := len(ld.Columns); n != 2 && n != 3 {
		return nil, nil, problem.New(s.LandmarksLD, "give a table of 2 or 3 columns", "positions with %d coordinates",
			n)
	}
	if hd.Points > landmark.MaxLandmarks {
		return nil, nil, problem.New(s.LandmarksHD, "use fewer landmarks", "%d landmarks are more than %d", hd.Points,
			landmark.MaxLandmarks)
	}
	pos, err := whole(ld)
	if err != nil {
		return nil, nil, err
	}
	code, err := whole(hd)
	if err != nil {
		return nil, nil, err
	}
	for i, v := range pos.Data {
		if v-v != 0 {
			return nil, nil, problem.New(s.LandmarksLD, "give every landmark finite numbers",
				"landmark %d has the coordinate %g", i/pos.Cols+1, v)
		}
	}
	set, err = landmark.New(code, pos)
	if err != nil {
		p := problem.As(err)
		return nil, nil, problem.Wrap(err, s.LandmarksHD, p.Remedy, "%s", p.What)
	}
	return hd, set, s.checkDims(set, s.LandmarksLD)
}

// whole returns all columns as a matrix: they are numbers, or it is a Problem.
func whole(ds *dataset.Dataset) (matrix.Matrix32, error) {
	all := make([]int, len(ds.Columns))
	for i := range all {
		all[i] = i
	}
	return ds.Matrix(all), ds.Numbers(all)
}

// toZero moves columns of the map, and the landmarks with them, to 0 where float32 would run the values of the
// landmarks together: 1e9 and 1e9 + 1 are one number there. No distance changes. What is moved follows from the
// landmarks alone, so that each point falls where it would among any others.
func toZero(hd *dataset.Dataset, set *landmark.Set, cols []int, spec transform.Spec) (*landmark.Set, error) {
	if spec.Scale { // then landmarks are in units of the points' deviation
		return set, nil
	}
	code, moved := set.Codebook.Clone(), false
	for j, i := range cols {
		t := transform.ToZero(&hd.Columns[j])
		if t.Op == transform.None || spec.Columns[i].Op != transform.None {
			continue
		}
		spec.Columns[i], moved = spec.Columns[i].WithTransform(t), true
		f := transform.FunctionOf(&hd.Columns[j], t)
		for row, x := range hd.Columns[j].Exact {
			code.Row(row)[j] = float32(f.Forward(x))
		}
	}
	if !moved {
		return set, nil
	}
	return set.WithCodebook(code)
}

// readTrained reads --landmarks.
func (s *Origin) readTrained() (*landmark.File, error) {
	in, err := plain.Open(s.Landmarks)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := landmark.Read(in, s.Landmarks)
	if err != nil {
		return nil, err
	}
	return f, s.checkDims(f.Set, s.Landmarks)
}

// checkDims compares --dims with the positions of landmarks that came from a file.
func (s *Origin) checkDims(set *landmark.Set, file string) error {
	if s.Dims != 0 && s.Dims != set.Pos.Cols {
		return Usage{problem.New(file, "leave --dims out", "positions have %d coordinates, --dims says %d",
			set.Pos.Cols, s.Dims)}
	}
	return nil
}
