package live

import (
	"math"
	"slices"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
)

// A column of weight 0 counts as if it were not in the map: the same codebook of the others, the same places, in
// float64. Other weights carry the codebook along, so that nothing jumps.
func TestWeightNothingIsLeavingOut(t *testing.T) {
	places := func(change func(*transform.Column)) (out []float64) {
		d := open(t, "demo:cytometry:400")
		d.settle(t)
		col := d.Table().Cols[3]
		d.Doc.Do("Weight", func(s *state.State) {
			spec := parts.Transform.Of(*s).Clone()
			change(&spec.Columns[col])
			parts.Transform.Put(s, spec)
		})
		d.settle(t)
		s := d.Doc.State()
		l := parts.Landmarks.Of(s)
		ref, err := embedsom.NewReference(l.Codebook, l.Pos, parts.Projection.Of(s))
		if err != nil {
			t.Fatal(err)
		}
		w, at := ref.Worker(), make([]float64, 2)
		for i := range d.Table().X.Rows {
			w.Point(d.Table().X.Row(i), at)
			out = append(out, at...)
		}
		return out
	}
	whole := places(func(c *transform.Column) {})
	without := places(func(c *transform.Column) { c.Use = transform.ColourOnly })
	nothing := places(func(c *transform.Column) { c.Weight = 0 })
	nearly := places(func(c *transform.Column) { c.Weight = 0.999 })
	far, most, jump := 0.0, 0.0, 0.0
	for i := range without {
		far = max(far, math.Abs(without[i]-nothing[i]))
		most = max(most, math.Abs(without[i]-whole[i]))
		jump = max(jump, math.Abs(whole[i]-nearly[i]))
	}
	if far > 1e-9 || !(most > 0.01) || jump > 0.1 {
		t.Fatalf("weight 0 is %g from leaving out, which is %g from the whole; 0.999 is %g from it", far, most, jump)
	}
}

// While a slider of a weight is held the map follows in each frame.
func TestTheMapFollowsAWeight(t *testing.T) {
	d := open(t, "demo:cytometry:400")
	d.settle(t)
	col := d.Table().Cols[3]
	d.Doc.Begin("Weight")
	var last []float32
	for i := range 4 {
		d.Doc.Change(func(s *state.State) {
			spec := parts.Transform.Of(*s).Clone()
			spec.Columns[col].Weight = 1 - 0.25*float64(i+1)
			parts.Transform.Put(s, spec)
		})
		if _, err := d.Frame(time.Millisecond, time.Second); err != nil {
			t.Fatal(err)
		}
		if !d.consistent() || len(d.Values.Jobs.List()) > 0 {
			t.Fatalf("change %d: the map does not follow in its frame", i)
		}
		now := slices.Clone(d.Table().X.Data)
		if slices.Equal(now, last) {
			t.Fatalf("change %d moved no point", i)
		}
		last = now
	}
	d.Doc.Commit()
	d.settle(t)
	if d.Doc.Undo() != "Weight" {
		t.Fatal("not one entry")
	}
	d.settle(t)
	if w := parts.Transform.Of(d.Doc.State()).Columns[col].Weight; w != 1 || !d.consistent() {
		t.Fatalf("undone to a weight of %g", w)
	}
}
