package ui

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/document/state"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// A session brings back the history with its branches, bookmarks and the present; a recipe the same picture without it.
func TestSessionsAndRecipes(t *testing.T) {
	o := Options{Paths: []string{"demo:cytometry:2000"}, Still: true}
	a, d := begin(t, 1100, 700, 1, o)
	opened(t, a, d)
	stand.Deeds(a.desk, 8, 4, 3)
	rest(t, a, d)
	var want []state.Entry
	uitest.Do(func() {
		e := a.desk.Doc.History().Entries()
		a.desk.Bookmark(e[2].ID, "before the mess")
		a.desk.Go(e[7].ID)
		want = slices.Clone(a.desk.Doc.History().Entries())
	})
	rest(t, a, d)
	picture := slices.Clone(a.mapPoints().Host())
	dir := t.TempDir()
	whole, recipe := filepath.Join(dir, "whole.blossom"), filepath.Join(dir, "small.blossom")
	d.Keys("Ctrl+S")
	answerFile(d, whole)
	d.Wait("the session is written", 10*time.Second, func() bool { return exists(whole) })
	uitest.Do(func() { commandByID("save-recipe").Run(a) })
	answerFile(d, recipe)
	d.Wait("the recipe is written", 10*time.Second, func() bool { return exists(recipe) })
	if a.desk.Session != whole {
		t.Errorf("after a recipe, save writes to %q", a.desk.Session)
	}
	uitest.Do(func() { a.docs.Saving.RecipeTo(whole) })
	if a.troubled() == nil || a.troubled().Remedy == "" {
		t.Error("a recipe is written over the session that is open")
	}
	big, small := sizeOf(t, whole), sizeOf(t, recipe)
	t.Logf("session of %d moments %d bytes, recipe %d bytes", len(want), big, small)
	if small >= big {
		t.Errorf("the recipe has %d bytes, the session %d", small, big)
	}
	d.End()

	o.Paths = []string{whole}
	o.ConfigDir, o.StateDir = "", ""
	a, d = begin(t, 1100, 700, 1, o)
	opened(t, a, d)
	var got []state.Entry
	uitest.Do(func() { got = slices.Clone(a.desk.Doc.History().Entries()) })
	if len(got) != len(want) {
		t.Fatalf("%d moments came back of %d", len(got), len(want))
	}
	for i := range got {
		g, w := got[i], want[i]
		if g.Name != w.Name || g.Parent != w.Parent || g.Bookmark != w.Bookmark || g.Done != w.Done ||
			!g.When.Equal(w.When) {
			t.Errorf("moment %d came back as %+v, not %+v", i, g, w)
		}
	}
	if nowAt(a) != 7 || !slices.Equal(a.mapPoints().Host(), picture) {
		t.Errorf("it stands at moment %d, or shows another picture", nowAt(a))
	}
	d.Keys("Alt+L")
	d.Frames(3)
	d.Click(dotAt(d, 2))
	rest(t, a, d)
	if nowAt(a) != 2 {
		t.Error("its moments cannot be gone to")
	}
	d.End()

	o.Paths = []string{recipe}
	a, d = begin(t, 1100, 700, 1, o)
	opened(t, a, d)
	if n := a.desk.Doc.History().Len(); n != 0 || !slices.Equal(a.mapPoints().Host(), picture) {
		t.Errorf("the recipe brings %d entries, or another picture", n)
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// What a damaged session has lost is said until somebody has read it.
func TestWhatIsLostOfASessionStaysSaid(t *testing.T) {
	o := Options{Paths: []string{"demo:tesseract:400"}, Still: true}
	a, d := begin(t, 900, 600, 1, o)
	opened(t, a, d)
	stand.Deeds(a.desk, 3, 0, 0)
	rest(t, a, d)
	path := filepath.Join(t.TempDir(), "cut.blossom")
	d.Keys("Ctrl+S")
	answerFile(d, path)
	d.Wait("the session is written", 10*time.Second, func() bool { return exists(path) })
	d.End()
	if err := os.Truncate(path, sizeOf(t, path)-60); err != nil {
		t.Fatal(err)
	}
	o.Paths = []string{path}
	o.ConfigDir, o.StateDir = "", ""
	a, d = begin(t, 900, 600, 1, o)
	opened(t, a, d)
	d.Sleep(20 * time.Second)
	uitest.Do(func() {
		if text := a.ui.Toasts(); !strings.Contains(text, "the end of the session file is missing") {
			t.Errorf("after a while it says %q", text)
		}
	})
}
