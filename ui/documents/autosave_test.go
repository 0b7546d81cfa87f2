package documents

import (
	"testing"

	"blossom/model/document/opening"
	"blossom/model/document/recovery"
	"blossom/model/document/state"
)

// A document that was put aside before its first save, while the one before it was still being saved, does not go on
// in the slot of that one, which would take the place of its saves. What falls off the shelf is let go of.
func TestAsideKnowsWhoseSlotItIs(t *testing.T) {
	s := NewAutosave(t.TempDir())
	slot, err := s.Store.Claim()
	if err != nil {
		t.Fatal(err)
	}
	defer slot.Release()
	before, open := &state.Document{}, &state.Document{}
	s.doc = before
	s.hold(slot)
	k, first := &opening.Kept{}, &opening.Kept{}
	s.Aside(before, first, nil)
	s.Aside(open, k, nil)
	if s.shelved[first] != slot || s.shelved[k] != (*recovery.Slot)(nil) || s.SlotOf(open) != nil {
		t.Errorf("%v are the slots of two", s.shelved)
	}
	s.Aside(open, &opening.Kept{}, first)
	if len(s.shelved) > 0 {
		t.Errorf("%d documents are held for ever", len(s.shelved))
	}
}
