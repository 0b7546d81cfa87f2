package parts

import (
	"testing"

	"blossom/model/document/state"
)

// Entries that are undone and never done again take no memory: the limit is for those that can still be had.
func TestUndoneEntriesDoNotCrowdTheHistory(t *testing.T) {
	d := documentOf(set(1 << 20)) // 16 MiB a set
	d.Do("kept", func(s *state.State) { larger(s) })
	for range 60 {
		d.Do("move", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 1)) })
		d.Undo()
	}
	d.Do("move", func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), 0, 1)) })
	if n := d.History().Len(); n != 2 || d.History().Name(0) != "kept" {
		t.Fatalf("%d entries are left of 2", n)
	}
}

// An entry that grew in memory as it was undone is counted as what it holds now.
func TestUndoCountsWhatItHolds(t *testing.T) {
	d := documentOf(set(4))
	for range 20 {
		d.Do("grow", func(s *state.State) { Landmarks.Put(s, set(1<<20)) })
		d.Do("shrink", func(s *state.State) { Landmarks.Put(s, set(4)) })
		d.Undo()
		d.Undo()
		d.Redo()
		d.Redo()
	}
	if n := d.History().Len(); n < 10 || n > 35 {
		t.Fatalf("%d entries kept", n)
	}
}
