package documents

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/data/fingerprint"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/ui/uitest"
)

// held is a way to make sessions that waits until it is let go of, or fails.
type held struct {
	begun chan struct{}
	free  chan error
}

func newHeld() *held { return &held{make(chan struct{}, 8), make(chan error, 8)} }

func (h *held) how(d *state.Document, path, program string, now time.Time) (*session.Session, error) {
	h.begun <- struct{}{}
	if err := <-h.free; err != nil {
		return nil, err
	}
	return Whole(d, path, program, now)
}

// closed draws a frame and says whether the window has closed.
func closed(t *testing.T, d *uitest.Driver) (yes bool) {
	t.Helper()
	uitest.Do(func() {
		on, err := d.Shell().Step()
		if err != nil {
			t.Error(err)
		}
		yes = !on
	})
	return yes
}

func nothing(int64, fingerprint.Print) {}

// While a session is written the window goes on, and the file has what was there when the save was asked for; of
// saves that wait for the same file the last is enough.
func TestSavingIsAJob(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:s-sheet:500")
	opened(t, a, d)
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.blossom"), filepath.Join(dir, "two.blossom")
	h := newHeld()
	rename(a, "first")
	uitest.Do(func() { a.docs.Saving.Files.Write(a.Desk(), two, h.how, nothing) })
	<-h.begun
	uitest.Do(func() { a.docs.Saving.SessionTo(one) })
	rename(a, "second")
	uitest.Do(func() { a.docs.Saving.SessionTo(one) })
	rename(a, "third")
	d.Frames(3)
	if _, _, more := a.docs.Saving.Files.Progress(); exists(one) || exists(two) || more != 1 || a.Desk().Session != "" {
		t.Fatalf("%d are to be written after the first, the session is %q", more, a.Desk().Session)
	}
	h.free <- nil
	rest(t, a, d)
	if n, m := nameIn(t, two), nameIn(t, one); n != "first" || m != "second" {
		t.Errorf("the files have %q and %q", n, m)
	}
	if a.Desk().Session != one || !a.docs.Unsaved() {
		t.Errorf("it is %q, and all saved is %v", a.Desk().Session, !a.docs.Unsaved())
	}
	d.Keys("Ctrl+S")
	rest(t, a, d)
	if nameIn(t, one) != "third" || a.docs.Unsaved() || a.dialogs.Count("question") > 0 {
		t.Errorf("saved again: %q, unsaved %v, asked %v", nameIn(t, one), a.docs.Unsaved(), a.dialogs.Any())
	}
}

// The window closes when what is being saved is there. It stays when that is wanted, and when it cannot be saved.
func TestClosingWaitsForWhatIsSaved(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:s-sheet:500")
	opened(t, a, d)
	path := filepath.Join(t.TempDir(), "one.blossom")
	h := newHeld()
	begun := func() {
		uitest.Do(func() { a.docs.Saving.Files.Write(a.Desk(), path, h.how, nothing) })
		<-h.begun
		d.Close()
		d.Frames(2)
		if closed(t, d) || !d.Has("closing/Keep open") {
			t.Fatal("the window does not wait, or does not say so")
		}
	}
	begun()
	d.Keys("Esc")
	d.Frames(2)
	h.free <- nil
	rest(t, a, d)
	if closed(t, d) || !exists(path) || d.Has("closing/Keep open") {
		t.Fatal("closed, though it was to stay open, or not saved")
	}
	begun()
	h.free <- errors.New("a test")
	d.Wait("it says what is wrong", 10*time.Second, func() bool { return a.troubled() != nil })
	if closed(t, d) {
		t.Fatal("closed without what could not be saved")
	}
	d.Keys("Esc")
	begun()
	h.free <- nil
	for end := time.Now().Add(2 * time.Minute); !closed(t, d); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("saved, and still open")
		}
	}
}

// A window that hangs on a disk can be closed all the same.
func TestClosingNeedNotWait(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:s-sheet:500")
	opened(t, a, d)
	h := newHeld()
	path := filepath.Join(t.TempDir(), "one.blossom")
	uitest.Do(func() { a.docs.Saving.Files.Write(a.Desk(), path, h.how, nothing) })
	<-h.begun
	d.Close()
	d.Frames(2)
	d.ClickOn("closing/Close now")
	if !closed(t, d) {
		t.Error("it waits still")
	}
	d.End() // would hang if that waited
	h.free <- nil
	a.docs.Saving.Files.Wait()
	if exists(path) {
		t.Error("written after all")
	}
}

// A program that is told to end writes what it was asked for first.
func TestTheEndWritesWhatIsAskedFor(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:s-sheet:500")
	opened(t, a, d)
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.blossom"), filepath.Join(dir, "two.blossom")
	h := newHeld()
	uitest.Do(func() {
		a.docs.Saving.Files.Write(a.Desk(), one, h.how, nothing)
		a.docs.Saving.Files.Write(a.Desk(), two, Whole, nothing)
	})
	<-h.begun
	h.free <- nil
	uitest.Do(func() { d.Shell().Close() })
	if !exists(one) || !exists(two) {
		t.Errorf("written: %v, %v", exists(one), exists(two))
	}
}
