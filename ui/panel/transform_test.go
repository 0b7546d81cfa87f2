package panel

import (
	"testing"

	"blossom/model/document/parts"
	"blossom/ui/uitest"
)

// The transform panel mutes a column, leaves one alone, and lets all count again; each is one entry.
func TestMarkerMix(t *testing.T) {
	s, d := begin(t, "transform", "demo:cytometry:1000")
	d.ClickOn("transform/Weights of each column")
	d.Frames(2)
	col := s.Desk.Table().Cols[2]
	uitest.Do(func() { s.Desk.Subject = col + 1 })
	d.Frames(2)
	weights := func() (counting int, own float64) {
		spec := parts.Transform.Of(s.Desk.Doc.State())
		for _, i := range spec.MapColumns() {
			if spec.Columns[i].Weight > 0 {
				counting++
			}
		}
		return counting, spec.Columns[col].Weight
	}
	all, _ := weights()
	d.ClickOn("transform/mute")
	if n, own := weights(); n != all-1 || own != 0 {
		t.Fatalf("muted: %d of %d count, weight %g", n, all, own)
	}
	d.ClickOn("transform/mute")
	d.ClickOn("transform/solo")
	if n, own := weights(); n != 1 || own != 1 {
		t.Fatalf("alone: %d of %d count, weight %g", n, all, own)
	}
	d.ClickOn("transform/solo")
	if n, _ := weights(); n != all {
		t.Fatalf("all: %d of %d count", n, all)
	}
	if n := s.Desk.Doc.History().Done(); n != 4 {
		t.Errorf("%d entries", n)
	}
	s.Rest(d)
}
