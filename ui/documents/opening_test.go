package documents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/work"
	"blossom/ui/uitest"
)

// A file that cannot be opened is on its way no more, whatever else is under way: the welcome page is there again.
func TestAFileThatFailedIsNotBeingOpened(t *testing.T) {
	r, d := enter(t, 800, 500, Options{})
	free := make(chan struct{})
	uitest.Do(func() {
		r.Jobs.Start("Saving", func(context.Context, *work.Job) (func(), error) { <-free; return nil, nil })
		r.docs.Open(filepath.Join(t.TempDir(), "none.csv"))
		if r.docs.Opening() == nil {
			t.Error("nothing is being opened")
		}
	})
	defer close(free)
	d.Wait("it is said", 10*time.Second, func() bool { return r.troubled() != nil })
	d.Frames(2)
	if r.docs.Opening() != nil || !d.Has("welcome/open") || d.Has("welcome/cancel-opening") {
		t.Error("it is still being opened")
	}
}

// A file that is none leaves the picture as it was.
func TestACorruptFileLeavesThePictureAsItWas(t *testing.T) {
	a, d := enter(t, 1280, 800, Options{}, "demo:tesseract:1000")
	opened(t, a, d)
	doc := a.Desk().Doc
	t.Chdir(t.TempDir()) // so that the message shows no folder of this machine
	const bad = "bad.fcs"
	if err := os.WriteFile(bad, []byte("FCS3.0 rubbish"), 0o644); err != nil {
		t.Fatal(err)
	}
	d.Drop(bad)
	d.ClickOn("question/Open instead")
	d.Wait("the problem is shown", 20*time.Second, func() bool { return a.troubled() != nil })
	d.Frames(3)
	if p := a.troubled(); p.File == "" || p.What == "" || p.Remedy == "" {
		t.Fatalf("the message lacks a part: %+v", p)
	}
	d.Keys("Esc")
	d.Frames(2)
	if a.troubled() != nil || a.Desk().Doc != doc {
		t.Fatal("the dialog did not close, or the map was lost")
	}
}

func TestClosingWhileAFileLoads(t *testing.T) {
	a, d := enter(t, 1280, 800, Options{}, "demo:cytometry:2000000")
	d.Frames(2)
	if len(a.Jobs.List()) == 0 {
		t.Fatal("loading is no job")
	}
	uitest.Do(func() { d.Shell().RequestClose() })
	d.Close()
}

// The page without a document says which maps new tables get, and the document keeps it.
func TestMapsOfNewTablesAreWhatTheWelcomeSays(t *testing.T) {
	for _, grid := range []bool{false, true} {
		t.Run(fmt.Sprint(grid), func(t *testing.T) {
			r, d := enter(t, 1000, 800, Options{})
			if grid {
				d.ClickOn("welcome/grid/Always a grid")
			}
			uitest.Do(func() { r.docs.Open("demo:tesseract:900") })
			opened(t, r, d)
			if then := parts.Training.Of(r.Desk().Doc.State()).Then; r.kept.Grid != grid || (then == "") != grid {
				t.Errorf("grid %t: kept %t, the document says %q", grid, r.kept.Grid, then)
			}
		})
	}
}
