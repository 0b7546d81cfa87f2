package live

import (
	"slices"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
)

// A preview shows what a document with such landmarks would, and leaves the document as it is.
func TestPreview(t *testing.T) {
	d := open(t, "demo:cytometry:2000")
	d.settle(t)
	was := slices.Clone(d.som.at.Target.Host())
	l := parts.Landmarks.Of(d.Doc.State())
	moved := l.Pos.Clone()
	for i := range moved.Data {
		moved.Data[i] *= 1.5
	}
	other, err := l.WithPos(moved)
	if err != nil {
		t.Fatal(err)
	}
	if other, _, err = other.Remove([]int{3, 4}); err != nil {
		t.Fatal(err)
	}
	stamp, derivedBefore := d.Doc.State().Stamp(true), d.made.changes
	show := func(l *landmark.Set) []float32 {
		d.Preview(l)
		d.settle(t)
		return slices.Clone(d.som.at.Target.Host())
	}
	seen := show(other)
	if slices.Equal(seen, was) {
		t.Fatal("a preview shows the same picture")
	}
	if d.Doc.State().Stamp(true) != stamp || d.Doc.History().Len() != 0 || d.made.changes != derivedBefore {
		t.Fatal("a preview changes the document")
	}
	if !slices.Equal(show(nil), was) {
		t.Fatal("after a preview the picture is not what it was")
	}
	d.Doc.Do("the same for good", func(s *state.State) { parts.Replace(s, other) })
	d.settle(t)
	if !slices.Equal(d.som.at.Target.Host(), seen) {
		t.Fatal("a preview is not what the document would show")
	}
}

// A frame in which a preview moves allocates nothing.
func TestTheFrameOfAPreviewDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector everything allocates")
	}
	d := open(t, "demo:cytometry:2000")
	d.settle(t)
	l := *parts.Landmarks.Of(d.Doc.State())
	d.Preview(&l)
	d.settle(t)
	// The engine is measured by its own test: here it stands still.
	d.proj.work.Neighbours = func(int, int) error { return nil }
	d.proj.work.Project = func(int, int) error { return nil }
	if n := testing.AllocsPerRun(100, func() {
		l.PosRev++ // as if it had moved
		if _, err := d.Frame(16*time.Millisecond, time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%g allocations a frame", n)
	}
}
