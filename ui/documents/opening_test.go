package documents

import (
	"context"
	"path/filepath"
	"testing"
	"time"

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
