package live

import (
	"math"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// The value told of a point is in the units of the map: after compensation, where that is in force.
func TestValueOfACompensatedColumn(t *testing.T) {
	d := open(t, "demo:cytometry:3000")
	d.settle(t)
	data := d.Doc.Data
	spec := d.Table().Spec
	cols := spec.MapColumns()[:2]
	if x, among := d.Value(cols[0], 17); x != data.Columns[cols[0]].At(17) || among != &data.Columns[cols[0]] {
		t.Fatalf("without matrix ops: %v", x)
	}
	spec = spec.Clone()
	spec.Mixes = []transform.Mix{{Op: transform.Compensate, Cols: cols, Values: []float64{1, 0.25, 0, 1}}}
	d.Doc.Do("Compensate", func(s *state.State) { parts.Transform.Put(s, spec) })
	d.settle(t)
	for _, row := range []int{0, 17, 2999} {
		a, b := data.Columns[cols[0]].At(row), data.Columns[cols[1]].At(row)
		for k, want := range []float64{a, b - 0.25*a} {
			x, among := d.Value(cols[k], row)
			if math.Abs(x-want) > 1e-5*(math.Abs(a)+math.Abs(b)) {
				t.Errorf("row %d: %v, want %v", row, x, want)
			}
			mixed := transform.Mixed(data, spec, cols[k])
			if _, median, _ := among.Quartiles(); math.Abs(mixed.Rank(median)-0.5) > 0.03 || among.Name != mixed.Name {
				t.Errorf("the sample of %s has its median at %v", among.Name, mixed.Rank(median))
			}
		}
	}
	{
		other := spec.MapColumns()[2]
		if x, _ := d.Value(other, 5); x != data.Columns[other].At(5) {
			t.Errorf("a column without matrix ops: %v", x)
		}
	}
}
