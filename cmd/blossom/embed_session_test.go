package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/job"
)

// recipe writes the session of a table, with landmarks that were moved, and returns the table that it gives.
func recipe(t *testing.T, dir, data string) (want string) {
	t.Helper()
	o, err := opening.Load(t.Context(), []string{data}, format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := parts.Landmarks.Of(o.Doc.State()).Move([]int{1, 5}, []float32{2, -1})
	if err != nil {
		t.Fatal(err)
	}
	o.Doc.Do("Move", func(s *state.State) { parts.Landmarks.Put(s, l.Arranged()) })
	saveRecipe(t, o.Doc, filepath.Join(dir, "s.blossom"))
	j, err := job.OfDocument(context.Background(), o.Doc)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "want.csv")
	j.Engine.Kind = "cpu"
	j.Want(&job.Embedding{Output: path})
	if _, err := job.Execute(context.Background(), j, job.Options{}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// saveRecipe writes a document as a recipe.
func saveRecipe(t *testing.T, d *state.Document, path string) {
	t.Helper()
	s, err := session.Of(d, path, "test", time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := s.Write(&text); err != nil {
		t.Fatal(err)
	}
	write(t, path, text.String())
}

// A session, which may have come by mail, gives the coordinates that its window shows.
func TestEmbedASession(t *testing.T) {
	dir := t.TempDir()
	data := filepath.Join(dir, "points.csv")
	text := "a,b,c\n"
	for i := range 500 {
		text += strconv.Itoa(i*i%37) + "," + strconv.Itoa(i*7%101) + "," + strconv.Itoa(i%13) + "\n"
	}
	if err := os.WriteFile(data, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	want := recipe(t, dir, data)
	got := func(out string) string {
		raw, err := os.ReadFile(filepath.Join(dir, out))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	ok(t, dir, "embed", "--session", "s.blossom", "-o", "out.csv", "--engine", "cpu")
	if got("out.csv") != want {
		t.Fatal("other coordinates than the window's")
	}
	moved := filepath.Join(t.TempDir(), "elsewhere.csv")
	if err := os.Rename(data, moved); err != nil {
		t.Fatal(err)
	}
	blossom(t, dir, "embed", "--session", "s.blossom", "-o", "no.csv").refused(t, exitFailed, "points.csv",
		"does not exist")
	ok(t, dir, "embed", moved, "--session", "s.blossom", "-o", "again.csv", "--engine", "cpu")
	if got("again.csv") != want {
		t.Fatal("other coordinates of the data that has moved")
	}
	blossom(t, dir, "embed", "--session", "s.blossom", "--k", "7", "-o", "no.csv").refused(t, exitUsage, "--k")
	blossom(t, dir, "embed", moved, moved, "--session", "s.blossom", "-o", "no.csv").refused(t, exitUsage, "--session")
	if err := os.WriteFile(moved, []byte(strings.Replace(text, "0,0,0", "9,9,9", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	blossom(t, dir, "embed", moved, "--session", "s.blossom", "-o", "no.csv").refused(t, exitFailed, "changed")
	if err := os.WriteFile(filepath.Join(dir, "bad.blossom"), []byte("PK\x03\x04"), 0o600); err != nil {
		t.Fatal(err)
	}
	blossom(t, dir, "embed", "--session", "bad.blossom", "-o", "no.csv").refused(t, exitFailed, "bad.blossom")
}
