package ui

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// A picture that the window has written is dropped onto it again: the map is as it was, and what is saved then goes
// into a session of its own. Where its data is elsewhere, that is asked for.
func TestAPictureIsOpenedLikeASession(t *testing.T) {
	dir := t.TempDir()
	csv := filepath.Join(dir, "points.csv")
	var rows strings.Builder
	rows.WriteString("a,b,c\n")
	for i := range 300 {
		fmt.Fprintf(&rows, "%g,%g,%g\n", math.Sin(float64(i)), math.Cos(float64(2*i)), float64(i%7))
	}
	if err := os.WriteFile(csv, []byte(rows.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{csv}, Still: true})
	opened(t, a, d)
	picture := filepath.Join(dir, "map.png")
	var before *state.Document
	uitest.Do(func() {
		doc := a.desk.Doc
		before = doc
		l, err := parts.Landmarks.Of(doc.State()).Move([]int{3, 7}, []float32{0.3, -0.7})
		if err != nil {
			t.Error(err)
			return
		}
		doc.Do("Move", func(s *state.State) {
			parts.Landmarks.Put(s, l.Arranged())
			parts.EditLook(s, parts.FirstView, func(l *parts.Look) { l.Column, l.Palette = "b", "magma" })
		})
	})
	rest(t, a, d)
	uitest.Do(func() { a.output.Picture(picture, desk.Picture{}) })
	written := func() bool { return exists(picture) && len(a.compute.jobs.List()) == 0 }
	d.Wait("the picture is written", 20*time.Second, written)
	j, program, err := job.Carrier(context.Background(), picture)
	if err != nil || program == "" || j.Data[0].Path != "points.csv" || len(j.Data[0].SHA256) != 64 {
		t.Fatalf("it carries %+v of %q (%v)", j, program, err)
	}
	j.Data[0].Path, j.Wanted = csv, []job.Want{&job.Embedding{Output: filepath.Join(dir, "map.csv")}}
	if _, err := job.Execute(context.Background(), j, job.Options{}); err != nil {
		t.Errorf("the job that it carries: %v", err)
	}

	uitest.Do(func() { a.Drop([]string{picture}) })
	d.Wait("it is open", time.Minute, func() bool { return a.desk.Doc != before })
	opened(t, a, d)
	same := func() {
		t.Helper()
		now, was := a.desk.Doc.State(), before.State()
		l, m := parts.Landmarks.Of(now), parts.Landmarks.Of(was)
		if !slices.Equal(l.Pos.Data, m.Pos.Data) || !slices.Equal(l.Codebook.Data, m.Codebook.Data) || !l.ByHand {
			t.Error("its landmarks are elsewhere")
		}
		if look := parts.Looks.Of(now).Get(parts.FirstView); look.Column != "b" || look.Palette != "magma" {
			t.Errorf("it looks like %+v", look)
		}
		if a.desk.Session != "" {
			t.Errorf("saving would write %s", a.desk.Session)
		}
	}
	same()

	away := filepath.Join(t.TempDir(), "map.png")
	if err := os.Rename(picture, away); err != nil {
		t.Fatal(err)
	}
	before = a.desk.Doc
	uitest.Do(func() { a.Drop([]string{away}) })
	d.Wait("it asks where the data is", time.Minute, func() bool { return a.dialogs.Count("question") == 1 })
	d.Frames(3)
	d.ClickOn("Look for it…")
	d.Frames(3)
	d.Keys("Ctrl+A")
	d.Type(csv)
	d.Keys("Enter")
	d.Wait("it is open with them", time.Minute, func() bool { return a.desk.Doc != before })
	opened(t, a, d)
	same()
}
