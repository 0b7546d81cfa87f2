package gpu

import (
	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/matrix"
	"blossom/model/problem"
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
		return problem.New("", "use landmarks that were made from these columns", "points have %d columns and landmarks %d", d, l.Codebook.Cols)
	}
	return p.Validate()
}

// CheckTarget says why n positions of dims coordinates cannot be written to dst.
func CheckTarget(dst embedsom.Target, n, dims int) error {
	if dst.Len() < n || dst.Dims() != dims {
		return problem.New("", defect, "a target of %d x %d cannot hold %d x %d positions", dst.Len(), dst.Dims(), n, dims)
	}
	return nil
}

// ErrNoNeighbours is what Project returns for points whose neighbours were never found for these
// landmarks and this k.
func ErrNoNeighbours(r Range) error {
	return problem.New("", defect, "points %d to %d have no neighbours yet", r.From, r.To)
}
