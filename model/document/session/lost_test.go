package session

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// A session that is cut anywhere, or in which any file is spoiled, either opens with a word about what is not there, as
// the same map, or is refused with a remedy.
func TestWhateverIsLostIsSaid(t *testing.T) {
	d := worked(t, 6)
	s, err := Full(d, "s.blossom", "test", time.Unix(1e9, 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	good := b.Bytes()
	want := parts.Landmarks.Of(d.State())
	opened, refused := 0, 0
	try := func(what string, text []byte) {
		t.Helper()
		s, err := Read(bytes.NewReader(text), "s.blossom")
		var e *state.Document
		var notes []string
		if err == nil {
			e, notes, err = s.Document(d.Data, "s.blossom")
		}
		if err != nil {
			refused++
			if !strings.HasPrefix(err.Error(), "s.blossom: ") {
				t.Fatalf("%s: %v", what, err)
			}
			return
		}
		opened++
		l := parts.Landmarks.Of(e.State())
		if len(notes) == 0 || state.NameOf(l.Codebook) != state.NameOf(want.Codebook) ||
			state.NameOf(l.Pos) != state.NameOf(want.Pos) {
			t.Fatalf("%s: notes %q", what, notes)
		}
		for _, m := range e.History().Entries() { // the rest of the history can be gone through
			if !e.Go(m.ID) {
				t.Fatalf("%s: no moment %d", what, m.ID)
			}
		}
	}
	for i := 1; i < 60; i++ {
		at := len(good) * i / 60
		try("cut", good[:at])
	}
	if opened < 20 || refused < 1 {
		t.Fatalf("of sessions that are cut %d open, %d do not", opened, refused)
	}
	var names []string
	edited(t, good, func(name string, content []byte) []byte { names = append(names, name); return content })
	for _, name := range names {
		spoil := flipped(good, bytes.Index(good, []byte(name))+len(name)+3)
		try("spoiled "+name, spoil)
	}
}
