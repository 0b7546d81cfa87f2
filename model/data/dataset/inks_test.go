package dataset

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// Colours of labels are the same text for the same choices, in whatever order they were made, and survive a file.
func TestChosenColoursOfLabelsAreComparable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]uint8{}
		var l, backward LabelInks
		names := rapid.SliceOfNDistinct(rapid.String(), 0, 12, rapid.ID[string]).Draw(t, "names")
		for _, name := range names {
			ink := rapid.IntRange(-1, Colours-1).Draw(t, "ink")
			if l = l.With(name, ink); ink >= 0 {
				want[name] = uint8(ink)
			}
		}
		for i := len(names) - 1; i >= 0; i-- {
			if ink, ok := want[names[i]]; ok {
				backward = backward.With(names[i], int(ink))
			}
		}
		if l != backward {
			t.Fatalf("%q and %q are the same choices", l, backward)
		}
		got := l.Of()
		if len(got) != len(want) {
			t.Fatalf("%v, want %v", got, want)
		}
		for name, ink := range want {
			if got[name] != ink {
				t.Fatalf("%v, want %v", got, want)
			}
		}
		raw, err := json.Marshal(struct{ Inks LabelInks }{l})
		if err != nil {
			t.Fatal(err)
		}
		var read struct{ Inks LabelInks }
		if err := json.Unmarshal(raw, &read); err != nil || read.Inks != l {
			t.Fatalf("%s becomes %q: %v", raw, read.Inks, err)
		}
	})
}

// What a file says that makes no sense is no colour, and costs no other label.
func TestColoursOfLabelsThatMakeNoSense(t *testing.T) {
	var l LabelInks
	if err := json.Unmarshal([]byte(`{"a":200,"b":3}`), &l); err != nil || len(l.Of()) != 1 || l.Of()["b"] != 3 {
		t.Errorf("%q: %v", l, err)
	}
	if err := json.Unmarshal([]byte(`{"a":-1}`), &l); err == nil {
		t.Error("a colour below 0 is read")
	}
	if got := LabelInks("no JSON").Of(); got != nil {
		t.Errorf("%v", got)
	}
}
