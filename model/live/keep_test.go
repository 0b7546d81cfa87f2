package live

import (
	"slices"
	"testing"

	"blossom/model/document/parts"
)

// Where a run has come to is given to the document while it goes on, for saves in between; its entry of the history
// stays one, and undoing it takes back the whole run.
func TestKeepWhileARunGoesOn(t *testing.T) {
	d, e := ringed(t, 4000)
	begin := slices.Clone(e.Target().Host())
	d.slow()
	if d.Unkept() {
		t.Fatal("there is something to keep before the start")
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		d.frame(t)
		if running := e.Stands().Active; !running || !d.Unkept() {
			t.Fatal("the run was over before, or is not known to be ahead")
		}
		d.Keep()
		kept := parts.Snapshots.Of(d.Doc.State()).Get(aRing(2))
		if kept == nil || !slices.Equal(kept.InOrder(d.Table().Order), e.Target().Host()) || d.Unkept() {
			t.Fatal("the document does not have where the run has come to")
		}
	}
	starts := ringing.begun
	d.frame(t)
	if running := e.Stands().Active; !running || ringing.begun != starts || d.Doc.History().Len() != 1 {
		t.Fatal("keeping it has disturbed the run")
	}
	d.Doc.Undo()
	d.settle(t)
	if !slices.Equal(e.Target().Host(), begin) {
		t.Fatal("undo does not take back the whole run")
	}
}
