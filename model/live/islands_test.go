package live

import (
	"slices"
	"testing"

	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// Trained landmarks of a table of many columns become islands by themselves, once; where the document says that they
// stay, or a hand has moved one, or the table has three columns, they are the grid that they were.
func TestTrainedLandmarksBecomeIslands(t *testing.T) {
	trained := func(path string, change func(*desk)) (*desk, bool) {
		t.Helper()
		d := open(t, path)
		before := parts.Landmarks.Of(d.Doc.State()).Pos.Clone()
		change(d)
		if err := d.Training().Again(); err != nil {
			t.Fatal(err)
		}
		d.Training().LayOut()
		d.settle(t)
		if d.Training().Stands().Active || len(d.errors) > 0 {
			t.Fatalf("%v", d.errors)
		}
		return d, !slices.Equal(before.Data, parts.Landmarks.Of(d.Doc.State()).Pos.Data)
	}
	d, laid := trained("demo:cytometry:900", func(*desk) {})
	b := parts.Blends.Of(d.Doc.State())
	if !laid || b == nil || b.Layout != opening.Islands || !d.Layout().Stands().Rest {
		t.Fatalf("laid out: %t, %+v", laid, d.Layout().Stands())
	}
	pos := parts.Landmarks.Of(d.Doc.State()).PosRev
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if parts.Landmarks.Of(d.Doc.State()).PosRev != pos {
		t.Error("landmarks that are islands are laid out once more when they are trained again")
	}
	if _, laid := trained("demo:cytometry:900", func(d *desk) {
		d.Doc.Do("Grid", func(s *state.State) {
			parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Then = "" })
		})
	}); laid {
		t.Error("landmarks that are to stay are laid out")
	}
	if _, laid := trained("demo:mammoth:900", func(*desk) {}); laid {
		t.Error("a table of three columns does not begin with a grid")
	}
}
