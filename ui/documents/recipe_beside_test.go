package documents

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/ui/uitest"
)

// A recipe beside a file takes another name where its own is taken, and it is said which; where it is not, nothing more
// is said over the map.
func TestARecipeUnderAnotherNameIsSaid(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:tesseract:500")
	opened(t, a, d)
	dir := t.TempDir()
	table := filepath.Join(dir, "out.csv")
	for n, want := range []string{"out.blossom", "out-2.blossom", "out-3.blossom"} {
		noted := len(a.noted)
		uitest.Do(func() { a.docs.Saving.RecipeBeside(table) })
		d.Wait("the recipe is written", 10*time.Second, func() bool {
			return exists(filepath.Join(dir, want)) && !a.docs.Saving.Busy()
		})
		d.Frames(2)
		said := strings.Join(a.noted[noted:], "|")
		if n == 0 && said != "" {
			t.Errorf("of %s is said %q", want, said)
		}
		whole := "out.blossom was there already, so the recipe of out.csv is saved as " + want
		if n > 0 && said != whole {
			t.Errorf("of %s is said %q", want, said)
		}
	}
	d.Shoot("recipe-beside")
}

// An opened session is said in a sentence, and nothing is offered to be changed about it as about new data.
func TestAnOpenedSessionIsSaidInASentence(t *testing.T) {
	csv, _ := csvFile(t, t.TempDir())
	a, d := enter(t, 900, 600, Options{})
	s := savedSession(t, a, d, csv)
	uitest.Do(func() { a.noted = nil; a.docs.Open(s) })
	d.Wait("it is open", time.Minute, func() bool { return len(a.noted) > 0 && a.docs.Opening() == nil })
	opened(t, a, d)
	if !strings.HasPrefix(a.noted[0], "The session of mine.csv is open, as it was saved on ") {
		t.Errorf("it says %q", a.noted[0])
	}
	if d.Has("toast 1/Change") || d.Has("toast 2/Change") {
		t.Error("changes are offered")
	}
}
