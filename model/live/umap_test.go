package live

import (
	"maps"
	"math"
	"slices"
	"testing"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

// unfolded is a UMAP of a demo that has done its units, and is settled.
func unfolded(t testing.TB) (*desk, *Embedding) {
	t.Helper()
	d := open(t, "demo:cytometry:600")
	r := embedding.UMAP(2)
	d.Doc.Look(func(s *state.State) {
		parts.Runs.Put(s, parts.Runs.Of(*s).Edit(r, func(c *parts.RunChoice) {
			maps.Copy(c.Values, step.Values{"epochs": 120})
		}))
	})
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), r})
	e := d.Embedding(r)
	d.settle(t)
	if run := e.Stands(); !run.Rest || run.Units != 120 {
		t.Fatalf("%+v", run)
	}
	return d, e
}

// wide is the root of the mean square distance of points from their centre.
func wide(pos []float32) float64 {
	var sum, square [2]float64
	n := float64(len(pos) / 2)
	for i, v := range pos {
		sum[i%2] += float64(v)
		square[i%2] += float64(v) * float64(v)
	}
	return math.Sqrt((square[0]-sum[0]*sum[0]/n)/n + (square[1]-sum[1]*sum[1]/n)/n)
}

// Points dragged in a map that has done its units: the map keeps its size while they are in the hand, settles by itself
// when they are let go, and each drag is one entry, also where the one before was not settled yet.
func TestADragInAUMAPAtRestSettles(t *testing.T) {
	d, e := unfolded(t)
	entries := d.Doc.History().Len()
	was := slices.Clone(e.Target().Host())
	drag := func(frames int) {
		t.Helper()
		e.Hold(true)
		for i := range frames {
			if err := e.Move([]int{7, 9}, []float32{was[14] + float32(i)/10, was[15], was[18] + float32(i)/10,
				was[19]}); err != nil {
				t.Fatal(err)
			}
			d.frame(t)
		}
		if w := wide(e.Target().Host()) / wide(was); !(w > 0.9 && w < 1.15) {
			t.Errorf("in the hand the map is %.2f times as wide", w)
		}
		e.Hold(false)
	}
	drag(30)
	if !e.Stands().Active {
		t.Error("it stops where the hand lets go")
	}
	drag(5)
	d.settle(t)
	r := e.Stands()
	if r.Active || !r.Rest || d.Doc.History().Len() != entries+2 {
		t.Errorf("%d entries of two drags; %+v", d.Doc.History().Len()-entries, r)
	}
	if w := wide(e.Target().Host()) / wide(was); !(w > 0.9 && w < 1.1) {
		t.Errorf("at rest the map is %.2f times as wide", w)
	}
	settled := slices.Clone(e.Target().Host())
	d.Doc.Undo()
	d.Doc.Undo()
	d.settle(t)
	if !slices.Equal(e.Target().Host(), was) {
		t.Error("undone, the map is another one")
	}
	d.Doc.Redo()
	d.Doc.Redo()
	d.settle(t)
	if !slices.Equal(e.Target().Host(), settled) || e.Stands().Active {
		t.Error("done again, the map is another one")
	}
}

// Points that are put elsewhere without being held in the hand are answered by those near them when the map is run, as
// those of a drag are, and all others stay; also where the move was undone and done again before.
func TestAUMAPAnswersAMoveAroundIt(t *testing.T) {
	for _, again := range []bool{false, true} {
		d, e := unfolded(t)
		was := slices.Clone(e.Target().Host())
		if err := e.Move([]int{7}, []float32{was[14] + 0.5, was[15]}); err != nil {
			t.Fatal(err)
		}
		d.settle(t)
		if again {
			d.Doc.Undo()
			d.settle(t)
			d.Doc.Redo()
			d.settle(t)
		}
		if err := e.Start(); err != nil {
			t.Fatal(err)
		}
		d.settle(t)
		moved := 0
		for i := range 600 {
			if !slices.Equal(e.Target().Host()[2*i:2*i+2], was[2*i:2*i+2]) {
				moved++
			}
		}
		if r := e.Stands(); !r.Rest || moved < 10 || moved > 590 {
			t.Errorf("done again %v: %d of 600 points have moved; %+v", again, moved, r)
		}
		if w := wide(e.Target().Host()) / wide(was); !(w > 0.95 && w < 1.05) {
			t.Errorf("done again %v: the map is %.2f times as wide", again, w)
		}
	}
}
