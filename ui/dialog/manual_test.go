package dialog

import (
	"strings"
	"testing"

	"blossom/docs"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// The manual is read by its pages, searched, and left at the place that was found.
func TestTheManualIsReadAndSearched(t *testing.T) {
	s, d := beginSized(t, widget.Light(), 1000, 760, 1)
	var m *manual
	uitest.Do(func() {
		Manual.Show(s.dialogs, "tsne")
		m = s.dialogs.Open("manual").(*manual)
	})
	d.Frames(3)
	title := func() string { return docs.Pages()[m.page].Title }
	if !strings.Contains(title(), "t-SNE") || !d.Has("manual/text of tsne") {
		t.Fatalf("it opens at %q: %q", title(), s.u.Names())
	}
	d.Type("xyzzy nothing") // the search has the keyboard
	d.Frames(3)
	if len(m.hits) != 0 || !d.Has("manual/found") {
		t.Fatalf("%q finds %d places", m.search, len(m.hits))
	}
	d.Keys("Ctrl+A")
	d.Type("dendrogram skyline")
	d.Keys("Ctrl+A")
	d.Type("neighbours for density")
	d.Frames(3)
	if len(m.hits) == 0 {
		t.Fatal("it does not find what it says")
	}
	want := docs.Pages()[m.hits[0].Page].Name
	d.ClickOn("manual/hit 0")
	d.Frames(4)
	if got := docs.Pages()[m.page].Name; got != want || m.search != "" || !d.Has("manual/text of "+want) {
		t.Errorf("the first place found leads to %s, not %s; the search is %q", got, want, m.search)
	}
	for range docs.Pages() { // every page can be drawn
		uitest.Do(func() { m.turn(docs.Pages()[(m.page+1)%len(docs.Pages())].Name) })
		d.Frames(2)
	}
	d.Keys("Esc")
	d.Frames(2)
	if s.dialogs.Any() {
		t.Error("Esc does not close it")
	}
}

// The text around a word is cut between letters, whatever they are.
func TestWhatStandsAroundAWordIsCutAtLetters(t *testing.T) {
	long := strings.Repeat("größe İ ", 60) + "word" + strings.Repeat(" ünd", 60)
	if got := around(long, "WORD more"); !strings.Contains(got, "word") || !strings.HasPrefix(got, "…") ||
		!strings.HasSuffix(got, "…") || strings.Contains(got, "\uFFFD") {
		t.Errorf("%q", got)
	}
	if got := around("short", "none"); got != "short" {
		t.Errorf("%q", got)
	}
}
