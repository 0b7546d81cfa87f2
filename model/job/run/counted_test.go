package run

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/space/transform"
)

// Counts of parts of the rows add up to those of all rows, in any order of the parts, and come back from their bytes;
// bytes that are cut or changed in their head are refused.
func TestCountsOfPartsAddUpToThoseOfAllRows(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 3))
	x := matrix.New(200, 3)
	for i := range x.Data {
		if x.Data[i] = float32(r.NormFloat64() * math.Exp2(float64(r.IntN(40)))); r.IntN(50) == 0 {
			x.Data[i] = float32(math.NaN())
		}
	}
	drawn := []uint32{199, 0, 77, 3, 120, 121, 50}
	of := func(from, to int) *Counted {
		p := &Points{Table: &transform.Table{X: matrix.Matrix32{Rows: to - from, Cols: 3, Data: x.Data[3*from : 3*to]}}}
		return p.CountOf(int64(from), drawn)
	}
	text := func(c *Counted) []byte {
		var b bytes.Buffer
		if err := c.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	all, parts := of(0, 200), &Counted{}
	cuts := []int{0, 1, 60, 60 + r.IntN(100), 200}
	for i, k := range r.Perm(len(cuts) - 1) {
		written := text(of(cuts[k], cuts[k+1]))
		c, err := ReadCounted(bytes.NewReader(written), int64(len(written)))
		if err != nil || !parts.Merge(c) {
			t.Fatal(i, err)
		}
		if _, err := ReadCounted(bytes.NewReader(written[:len(written)-1]), int64(len(written)-1)); err == nil {
			t.Error("what is cut is read")
		}
		written[len(countedMark)+r.IntN(8)] ^= 0x11
		if _, err := ReadCounted(bytes.NewReader(written), int64(len(written))); err == nil {
			t.Error("what is changed is read")
		}
	}
	if len(parts.Rows) != 4 || len(all.Rows) != 1 || !reflect.DeepEqual(all.Seats, parts.Seats) {
		t.Errorf("rows %v and %v, seats %v and %v", parts.Rows, all.Rows, parts.Seats, all.Seats)
	}
	parts.Rows, parts.Firsts = all.Rows, all.Firsts // the parts have one for each
	if !bytes.Equal(text(parts), text(all)) {
		t.Error("parts add up to something else")
	}
	for seat, row := range drawn {
		for j, v := range x.Row(int(row)) {
			if got := all.X[3*seat+j]; math.Float32bits(got) != math.Float32bits(v) {
				t.Errorf("row %d has %g in its seat, not %g", row, got, v)
			}
		}
	}
	if parts.Merge(&Counted{Census: of(0, 1).Census}) != true || (&Counted{}).Merge(all) != true {
		t.Error("what can be added is not")
	}
}
