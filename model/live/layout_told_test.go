package live

import (
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// A layout tells of a run while it is chosen and the landmarks are where that left them, and of no other.
func TestALayoutTellsOfNoOtherRun(t *testing.T) {
	d := laid(t, "test-ring")
	l := d.Layout()
	must(t, l.Start())
	for l.Active() {
		d.frame(t)
	}
	ran := l.Stands()
	if ran.Units == 0 || !ran.Rest {
		t.Fatalf("after a run: %+v", ran)
	}
	choose := func(id string) {
		d.Doc.Do("Layout by "+id, func(s *state.State) {
			parts.Layout.Edit(s, func(c *parts.LayoutChoice) { c.Algorithm = id })
		})
	}
	for _, x := range []struct {
		name     string
		do, back func()
	}{
		{"another layout is chosen", func() { choose("test-slow") }, func() { choose("test-ring") }},
		{"the run is undone", func() { d.Doc.Undo() }, func() { d.Doc.Redo() }},
		{"a landmark is moved", func() {
			d.Doc.Do("Move", func(s *state.State) {
				moved, err := parts.Landmarks.Of(*s).Move([]int{0}, []float32{1, 1})
				must(t, err)
				parts.Landmarks.Put(s, moved)
			})
		}, func() { d.Doc.Undo() }},
	} {
		x.do()
		d.frames(t, 2)
		if now := l.Stands(); now.Units != 0 || now.Rest || l.Progress().Moving != 0 {
			t.Errorf("when %s it still tells of the run: %+v", x.name, now)
		}
		x.back()
		d.frames(t, 2)
		if now := l.Stands(); now.Units != ran.Units || !now.Rest {
			t.Errorf("when that is taken back (%s): %+v", x.name, now)
		}
	}
	d.Doc.Begin("Hand")
	must(t, l.Start())
	d.frames(t, 2)
	if p := l.Progress(); p.Steps != 0 || p.Moving != 0 || p.Near != 0 {
		t.Errorf("before the first step of the next run: %+v", p)
	}
	d.Doc.Commit()
}
