package job

import (
	"testing"

	"blossom/model/base/matrix"
)

// New points are told where float32 has no difference between their distances to the points of a map, and not before.
func TestNewPointsThatAreRemoteAreCounted(t *testing.T) {
	x := matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{0, 0, 3, 0, 0, 4}}
	fresh := matrix.Matrix32{Rows: 5, Cols: 2, Data: []float32{1, 1, 100, -100, 1e6, 1e6, 2e7, 0, -1e17, 1e17}}
	if n := remote(x, fresh); n != 2 {
		t.Errorf("%d of 2 are told", n)
	}
}
