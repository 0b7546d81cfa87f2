package landmark

import (
	"math"
	"strings"
	"testing"

	"blossom/model/base/matrix"
)

// A landmark may be as far out as a place between landmarks can still be computed in float32, and no farther.
func TestNoLandmarkIsFartherThanPlacesReach(t *testing.T) {
	for x, allowed := range map[float32]bool{0: true, -Farthest: true, Farthest: true, 1e19: false, -1e19: false,
		float32(math.Inf(1)): false, float32(math.NaN()): false} {
		pos := matrix.Matrix32{Rows: 2, Cols: 2, Data: []float32{0, 0, 1, x}}
		_, err := New(matrix.New(2, 3), pos)
		if allowed != (err == nil) || err != nil && !strings.Contains(err.Error(), "landmark 2") {
			t.Errorf("%g as it is made: %v", x, err)
		}
		s, err := New(matrix.New(2, 3), matrix.New(2, 2))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.SetPos([]int{0, 1}, pos); allowed != (err == nil) {
			t.Errorf("%g as it is set: %v", x, err)
		}
	}
}
