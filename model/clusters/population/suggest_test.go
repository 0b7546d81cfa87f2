package population

import (
	"fmt"
	"testing"

	"blossom/model/base/matrix"
)

// A name says in which columns a group is high, those first in which it stands out; one that is high in none is told by
// the column in which it is lowest.
func TestNamesAreMadeOfSigns(t *testing.T) {
	x := matrix.Matrix32{Rows: 5, Cols: 4, Data: []float32{
		9, 0, 1, 5, // T, twice
		9, 0, 1, 5,
		0, 8, 1, 5, // B
		7, 0, 6, 5, // T as well, high in the third
		0, 0, 1, 5}} // low in all
	got := Signs(x, []int{0, 0, 1, 2, 3}, 4, []string{"CD3", "CD19", "CD8", "CD45"})
	if s := fmt.Sprintf("%q", got); s != `["CD3+" "CD19+" "CD8+ CD3+" "CD3-"]` {
		t.Error(s)
	}
	if got := Signs(x, []int{-1, 0, 0, 0, 0}, 1, []string{"a", "b", "c", "d"}); got[0] != "all" {
		t.Errorf("one group is called %q", got[0])
	}
}
