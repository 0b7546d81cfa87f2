package documents

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
	a, d := enter(t, 1100, 700, Options{}, "demo:cytometry:2000")
	opened(t, a, d)
	stand.Deeds(a.Desk(), 8, 4, 3)
	rest(t, a, d)
	var want []state.Entry
	uitest.Do(func() {
		e := a.Desk().Doc.History().Entries()
		a.Desk().Bookmark(e[2].ID, "before the mess")
		a.Desk().Go(e[7].ID)
		want = slices.Clone(a.Desk().Doc.History().Entries())
	})
	rest(t, a, d)
	picture := slices.Clone(a.Desk().EmbedSOM().Target().Host())
	dir := t.TempDir()
	whole, recipe := filepath.Join(dir, "whole.blossom"), filepath.Join(dir, "small.blossom")
	d.Keys("Ctrl+S")
	answer(d, whole)
	d.Wait("the session is written", 10*time.Second, func() bool { return exists(whole) })
	uitest.Do(func() { a.docs.Saving.AskRecipe() })
	answer(d, recipe)
	d.Wait("the recipe is written", 10*time.Second, func() bool { return exists(recipe) })
	if a.Desk().Session != whole {
		t.Errorf("after a recipe, save writes to %q", a.Desk().Session)
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

	a, d = enter(t, 1100, 700, Options{}, whole)
	opened(t, a, d)
	var got []state.Entry
	uitest.Do(func() { got = slices.Clone(a.Desk().Doc.History().Entries()) })
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
	now := func() (i int) { uitest.Do(func() { i = a.Desk().Past().Now }); return i }
	if now() != 7 || !slices.Equal(a.Desk().EmbedSOM().Target().Host(), picture) {
		t.Errorf("it stands at moment %d, or shows another picture", now())
	}
	uitest.Do(func() { a.Desk().Go(got[2].ID) })
	rest(t, a, d)
	if now() != 2 {
		t.Error("its moments cannot be gone to")
	}
	d.End()

	a, d = enter(t, 1100, 700, Options{}, recipe)
	opened(t, a, d)
	if n := a.Desk().Doc.History().Len(); n != 0 || !slices.Equal(a.Desk().EmbedSOM().Target().Host(), picture) {
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

// Losses of a damaged session are shown until somebody has read them.
func TestWhatIsLostOfASessionStaysSaid(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:tesseract:400")
	opened(t, a, d)
	stand.Deeds(a.Desk(), 3, 0, 0)
	rest(t, a, d)
	path := filepath.Join(t.TempDir(), "cut.blossom")
	d.Keys("Ctrl+S")
	answer(d, path)
	d.Wait("the session is written", 10*time.Second, func() bool { return exists(path) })
	d.End()
	if err := os.Truncate(path, sizeOf(t, path)-60); err != nil {
		t.Fatal(err)
	}
	a, d = enter(t, 900, 600, Options{}, path)
	opened(t, a, d)
	d.Sleep(20 * time.Second)
	uitest.Do(func() {
		if text := a.UI().Toasts(); !strings.Contains(text, "the end of the session file is missing") {
			t.Errorf("after a while it says %q", text)
		}
	})
}
