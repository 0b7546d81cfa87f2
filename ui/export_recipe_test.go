package ui

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/space/transform"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// A recipe gives the coordinates that the window exports, byte for byte, without a window.
func TestARecipeGivesTheSameCoordinates(t *testing.T) {
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{"demo:cytometry:5000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		doc := a.desk.Doc
		doc.Do("Transform", func(s *state.State) {
			parts.Transform.Edit(s, func(t *transform.Spec) {
				*t = t.Clone()
				t.Scale, t.Columns[1].Weight = true, 0.5
			})
		})
	})
	rest(t, a, d)
	uitest.Do(func() {
		doc := a.desk.Doc
		l, err := parts.Landmarks.Of(doc.State()).Move([]int{3, 7, 60}, []float32{0.3, -0.7})
		if err != nil {
			t.Error(err)
			return
		}
		doc.Do("Move", func(s *state.State) { parts.Landmarks.Put(s, l.Arranged()) })
	})
	rest(t, a, d)
	dir := t.TempDir()
	table, recipe := filepath.Join(dir, "out.csv"), filepath.Join(dir, "out.blossom")
	uitest.Do(func() {
		a.docs.Saving.RecipeBeside(table)
		a.output.Coordinates(table, desk.Table{})
	})
	d.Wait("the table is written", 20*time.Second, func() bool {
		return exists(table) &&
			len(a.compute.jobs.List()) == 0
	})
	want, err := os.ReadFile(table)
	if err != nil || len(want) < 50_000 {
		t.Fatalf("%d bytes, %v", len(want), err)
	}
	opened, err := opening.LoadSession(context.Background(), recipe, "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(opened.Doc.History().Entries()); n != 1 {
		t.Fatalf("a recipe has %d moments", n)
	}
	j, err := job.OfDocument(context.Background(), opened.Doc)
	if err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(dir, "again.csv")
	j.Engine.Kind = a.compute.engines.Engine().Name()
	j.Want(&job.Embedding{Output: again})
	if _, err := job.Execute(context.Background(), j, job.Options{}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(again)
	if err != nil || string(got) != string(want) {
		t.Fatalf("other bytes: %.80q, and in the window %.80q (%v)", got, want, err)
	}
	if info, err := os.Stat(recipe); err != nil || info.Size() > 200<<10 {
		t.Fatalf("the recipe is %d bytes", info.Size())
	}
}
