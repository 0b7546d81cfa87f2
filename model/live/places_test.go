package live

import (
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

// Places of points that move are written into two memories in turn, and never where somebody is still at work.
func TestPlacesThatAreBeingReadAreNotWrittenOver(t *testing.T) {
	var k kept
	k.take([]float32{1, 1})
	first := k.now()
	k.take([]float32{2, 2})
	second := k.now()
	end := placed{of: first}.hold()
	again := placed{of: first}.hold()
	end()
	k.take([]float32{3, 3})
	if !slices.Equal(first.pos, []float32{1, 1}) || !slices.Equal(k.now().pos, []float32{3, 3}) {
		t.Fatalf("places that are read become %v, those now are %v", first.pos, k.now().pos)
	}
	if k.take([]float32{4, 4}); k.now() != second {
		t.Error("memory that nobody reads is not used again")
	}
	again()
	pos := []float32{5, 5}
	if n := testing.AllocsPerRun(20, func() { k.take(pos) }); n > 0 {
		t.Errorf("%g allocations each time", n)
	}
	if k.take(make([]float32, 6)); len(k.now().pos) != 6 {
		t.Error("more points have the memory of fewer")
	}
}

// Places are let go of when nobody asks for them any more, and are the same when somebody does again.
func TestPlacesAreLetGoOfWhenNobodyAsks(t *testing.T) {
	d := open(t, "demo:cytometry:500")
	d.settle(t)
	r := around(embedding.EmbedSOM(), -2, -2, 4, 4)
	d.follow(t, &parts.LiveRegion{Rule: r})
	d.settle(t)
	before := d.som.kept.rev
	if d.som.kept.now() == nil {
		t.Fatal("no places are kept")
	}
	d.Doc.Do("Fix", func(s *state.State) { parts.Select(s, parts.Selection.Of(*s)) })
	for range placesRest + 5 {
		d.frame(t)
	}
	if d.som.kept.now() != nil {
		t.Fatal("places are kept that nobody asks for")
	}
	d.follow(t, &parts.LiveRegion{Rule: r})
	d.settle(t)
	if d.som.kept.now() == nil || d.som.kept.rev != before {
		t.Error("the places of points that have not moved are others")
	}
	d.inside(t, d.som, r)
}
