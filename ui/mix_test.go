package ui

import (
	"testing"

	"blossom/model/document/parts"
	"blossom/ui/uitest"
)

// The transform panel mutes a column, leaves one alone, and lets all count again; each is one entry.
func TestMarkerMix(t *testing.T) {
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:cytometry:1000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { open(a, "transform"); a.desk.Subject = 0 })
	d.Frames(3)
	d.ClickOn("transform/Weights of each column")
	d.Frames(2)
	d.Shoot("mix")
	col := a.desk.Table().Cols[2]
	uitest.Do(func() { a.desk.Subject = col + 1 })
	d.Frames(2)
	weights := func() (counting int, own float64) {
		uitest.Do(func() {
			spec := parts.Transform.Of(a.desk.Doc.State())
			own = spec.Columns[col].Weight
			for _, i := range spec.MapColumns() {
				if spec.Columns[i].Weight > 0 {
					counting++
				}
			}
		})
		return counting, own
	}
	all, _ := weights()
	d.Shoot("mix-one")
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
	rest(t, a, d)
}
