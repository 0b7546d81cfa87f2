package engine

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
)

const defect = "this is a defect of the program"

// CheckPoints says (problem.Problem) why points cannot be loaded. No points is fine.
func CheckPoints(x matrix.Matrix32) error {
	if x.Rows < 0 || x.Cols < 0 || len(x.Data) < x.Rows*x.Cols {
		return problem.New("", defect, "a matrix of %d x %d points has %d values", x.Rows, x.Cols, len(x.Data))
	}
	if x.Rows > 0 && x.Cols == 0 {
		return problem.New("", "put at least one column in the map", "the points have no dimension")
	}
	return nil
}

// Points returns the points of a source as an engine computes on them: as they lie in memory, or read into memory. The
// error is CheckPoints', ctx's or the source's.
func Points(ctx context.Context, s matrix.Source) (matrix.Matrix32, error) {
	if _, ok := s.Memory(); !ok {
		if rows, cols := s.Shape(); rows < 0 || cols < 0 {
			return matrix.Matrix32{}, problem.New("", defect, "a source of %d x %d points was given", rows, cols)
		}
	}
	m, err := matrix.Gather(ctx, s)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	return m, CheckPoints(m)
}

// CheckRange says why r is not a range of n points.
func CheckRange(r Range, n int) error {
	if r.From < 0 || r.To < r.From || r.To > n {
		return problem.New("", defect, "points %d to %d of %d were asked for", r.From, r.To, n)
	}
	return nil
}

// CheckLandmarks says why points of d dimensions cannot be projected by l with p.
func CheckLandmarks(l *landmark.Set, p embedsom.Params, d int) error {
	if l == nil {
		l = &landmark.Set{}
	}
	if err := embedsom.Validate(l.Codebook, l.Pos); err != nil {
		return err
	}
	if l.Codebook.Cols != d {
		return problem.New("", "use landmarks that were made from these columns",
			"points have %d columns and landmarks %d", d, l.Codebook.Cols)
	}
	return p.Validate()
}

// Checker says what is wrong with a call of a Resident's stages. It looks at each landmark.Set once, for
// those do not change.
type Checker struct {
	Limits
	accepted *landmark.Set // last
}

// Check says why the points in r of x cannot go through a stage.
func (c *Checker) Check(x matrix.Matrix32, l *landmark.Set, p embedsom.Params, r Range) error {
	if err := CheckRange(r, x.Rows); err != nil {
		return err
	}
	if l != nil && l == c.accepted {
		return p.Validate()
	}
	d := x.Cols
	if x.Rows == 0 && d == 0 && l != nil {
		d = l.Codebook.Cols // no points, none that disagree
	}
	if err := CheckLandmarks(l, p, d); err != nil {
		return err
	}
	if n := l.Len(); c.Landmarks > 0 && n > c.Landmarks {
		return problem.New("", "use fewer landmarks"+other(c.Limits, n, d),
			"%d landmarks are more than the %d that this engine takes", n, c.Landmarks)
	}
	if c.Columns > 0 && d > c.Columns {
		return problem.New("", "use fewer columns"+other(c.Limits, l.Len(), d),
			"%d columns are more than the %d that this engine takes", d, c.Columns)
	}
	c.accepted = l
	return nil
}

// CheckTarget says why n positions of dims coordinates cannot be written to dst.
func CheckTarget(dst embedsom.Target, n, dims int) error {
	if dst.Len() < n || dst.Dims() != dims {
		return problem.New("", defect, "a target of %d x %d cannot hold %d x %d positions", dst.Len(), dst.Dims(), n,
			dims)
	}
	return nil
}

// ErrNoNeighbours is what Project returns for points whose neighbours were never found for these
// landmarks and this k.
func ErrNoNeighbours(r Range) error {
	return problem.New("", defect, "points %d to %d have no neighbours yet", r.From, r.To)
}
