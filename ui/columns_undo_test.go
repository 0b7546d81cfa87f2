package ui

import (
	"math/rand/v2"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/ui/uitest"
)

// Columns that are taken out of the map and put back faster than tables are made leave no error behind, while the map
// trains.
func TestColumnsUndoneFast(t *testing.T) {
	a, d := begin(t, 1200, 800, 1, Options{Paths: []string{"demo:cytometry:2000"}})
	opened(t, a, d)
	d.Frames(30)
	r := rand.New(rand.NewPCG(4, 4))
	for k := range 4 {
		uitest.Do(func() {
			a.desk.Doc.Do("Take a column out", func(s *state.State) {
				parts.Transform.Edit(s, func(x *transform.Spec) {
					*x = x.Clone()
					x.Columns[x.MapColumns()[0]].Use = transform.Off
				})
			})
		})
		d.Frames(r.IntN(6))
		for range 5 {
			d.Keys("Ctrl+Z")
			d.Frames(r.IntN(2))
			d.Keys("Ctrl+Y")
			d.Frames(r.IntN(2))
		}
		d.Frames(20)
		var failed error
		uitest.Do(func() {
			if a.troubled() != nil {
				failed = a.troubled()
			}
		})
		if failed != nil {
			t.Fatalf("%d: %v", k, failed)
		}
		d.Keys("Ctrl+Z")
		d.Frames(10)
	}
}
