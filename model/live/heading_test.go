package live

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
)

// A session from before headers were taken apart calls columns by the whole of them, and opens as it was.
func TestOldSessionsKnowColumnsByTheirHeadings(t *testing.T) {
	paths := stained(t, "PE-A :: NK1/1,FITC-A :: CD4,APC-A :: CD3")
	o, err := opening.Load(t.Context(), paths, format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	saved := filepath.Join(filepath.Dir(paths[0]), "s.blossom")
	s, err := session.Of(o.Doc, saved, "test", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	s.Data.Names = nil // there were none
	now := strings.NewReplacer(`"PE-A"`, `"PE-A :: NK1/1"`, `"FITC-A"`, `"FITC-A :: CD4"`, `"APC-A"`,
		`"APC-A :: CD3"`)
	for id, e := range s.Parts {
		e.Value = json.RawMessage(now.Replace(string(e.Value)))
		s.Parts[id] = e
	}
	var text bytes.Buffer
	if err := s.Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(saved, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := opening.Load(t.Context(), []string{saved}, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	was, is := o.Doc.State(), again.Doc.State()
	look := parts.Looks.Of(is).Get(parts.FirstView).Column
	if !slices.Equal(inMap(again), inMap(o)) || len(again.Notes) > 0 ||
		!slices.Equal(parts.Landmarks.Of(was).Codebook.Data, parts.Landmarks.Of(is).Codebook.Data) ||
		look != parts.Looks.Of(was).Get(parts.FirstView).Column {
		t.Errorf("%q, coloured by %q, %q", inMap(again), look, again.Notes)
	}
}
