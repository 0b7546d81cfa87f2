package embedsom

import (
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// Validate says, as a problem.Problem, why landmarks cannot carry a map: none at all, sizes that
// disagree, positions that are neither 2D nor 3D, or a value that is not finite.
func Validate(codebook, pos matrix.Matrix32) error {
	switch {
	case codebook.Rows == 0:
		return problem.New("", "add landmarks or train a map first", "there are no landmarks")
	case codebook.Cols == 0:
		return problem.New("", "put at least one column in the map", "the landmarks have no dimension")
	case len(codebook.Data) < codebook.Rows*codebook.Cols || len(pos.Data) < pos.Rows*pos.Cols:
		return problem.New("", "this is a defect of the program", "a landmark matrix is shorter than its size says")
	case codebook.Rows != pos.Rows:
		return problem.New("", "give one position per landmark", "%d landmarks have %d positions", codebook.Rows,
			pos.Rows)
	case pos.Cols != 2 && pos.Cols != 3:
		return problem.New("", "give 2 or 3 coordinates per landmark", "landmark positions have %d coordinates",
			pos.Cols)
	}
	if i := notFinite(codebook.Data[:codebook.Rows*codebook.Cols]); i >= 0 {
		return problem.New("", "remove that landmark or train again",
			"landmark %d has a coordinate that is not a finite number", i/codebook.Cols+1)
	}
	if i := notFinite(pos.Data[:pos.Rows*pos.Cols]); i >= 0 {
		return problem.New("", "move or remove that landmark",
			"landmark %d has a position that is not a finite number", i/pos.Cols+1)
	}
	return nil
}

// Validate says why the parameters cannot be used.
func (p Params) Validate() error {
	if !(p.Boost > 0) || math.IsInf(float64(p.Boost), 0) {
		return problem.New("", "use a positive number", "boost is %g", p.Boost)
	}
	if !(p.Adjust >= 0) || math.IsInf(float64(p.Adjust), 0) {
		return problem.New("", "use zero or a positive number", "adjust is %g", p.Adjust)
	}
	return nil
}

func notFinite(v []float32) int {
	for i, x := range v {
		if x-x != 0 { // NaN and Inf
			return i
		}
	}
	return -1
}

// Valid says whether all coordinates of a point are finite; a point that is not valid projects to NaN.
func Valid(x []float32) bool { return notFinite(x) < 0 }
