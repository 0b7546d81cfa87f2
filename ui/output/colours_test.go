package output_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/render/colour"
	"blossom/render/palette"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// A colour that was chosen for a label is written by the window and by the command alike, where the format has a place
// for it, and is that of the label when the file is read again; labels beside it keep the colours that are seen.
func TestColoursThatWereChosenForLabelsAreWritten(t *testing.T) {
	dir := t.TempDir()
	text := "CD3,CD4,CD8,kind\n"
	for row := range 300 {
		text += fmt.Sprintf("%d,%d,%d,%s\n", (row*37)%101, (row*61)%113, (row*row)%97, []string{"B", "T", "NK"}[row%3])
	}
	path := filepath.Join(dir, "cells.csv")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	a, d := enter(t, 900, 700, path)
	const ink = 17
	uitest.Do(func() {
		a.Desk().Doc.Do("Colour", func(s *state.State) {
			for _, change := range []func(l *parts.Look){
				func(l *parts.Look) { l.Column = "kind" },
				func(l *parts.Look) { l.Inks = l.Inks.With("T", ink) },
			} {
				parts.EditLook(s, parts.Views.Of(*s).Active, change)
			}
		})
	})
	a.Rest(d)
	for _, name := range []string{"window.h5ad", "window.parquet"} {
		out := filepath.Join(dir, name)
		uitest.Do(func() { a.out.Coordinates(out, desk.Table{Columns: true}) })
		d.Wait(name+" is written", 20*time.Second, func() bool { return there(out) && a.Jobs.Idle() })
		j, err := job.OfDocument(t.Context(), a.Desk().Doc)
		if err != nil {
			t.Fatal(err)
		}
		j.Engine.Kind = "cpu"
		same := filepath.Join(dir, "command"+filepath.Ext(name))
		j.Want(&job.Embedding{Output: same, Beside: job.Beside{WithData: true}})
		o := job.Options{Colour: palette.Ink, Labels: colour.OfLabels}
		if _, err := job.Execute(t.Context(), j, o); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{out, same} {
			ds, err := format.Open(t.Context(), file, format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkColours(t, ds, map[string][]byte{"B": bytesOf(palette.ForLabels(3).Label(0, 3)),
				"T": bytesOf(palette.Ink(ink)), "NK": bytesOf(palette.ForLabels(3).Label(2, 3))})
		}
	}
}

func bytesOf(c interface{ RGBA() (r, g, b, a uint32) }) []byte {
	r, g, b, _ := c.RGBA()
	return []byte{byte(r >> 8), byte(g >> 8), byte(b >> 8), 255}
}

// checkColours holds the colours of the labels of kind against those that are wanted.
func checkColours(t *testing.T, ds *dataset.Dataset, want map[string][]byte) {
	t.Helper()
	at, there := ds.Places()["kind"]
	if !there || len(ds.Columns[at].Categories) != len(want) {
		t.Fatalf("%s: the column is not as it was written", ds.Path)
	}
	for i, name := range ds.Columns[at].Categories {
		if got := ds.Columns[at].OwnColour(i); string(got) != string(want[name]) {
			t.Errorf("%s: %s has %v, want %v", ds.Path, name, got, want[name])
		}
	}
}
