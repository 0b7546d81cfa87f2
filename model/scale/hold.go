package scale

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"blossom/model/base/plain"
)

// A process that has the parts of a folder made holds it: a lock of the operating system, which goes with the process
// however it ends. Others see by it that something goes on, and may ask it to end. Where several make the same parts,
// which they may, the next one holds it when one has ended. In a folder without locks it looks as if nothing went on.
const (
	heldFile = "runner.lock"
	stopFile = "runner.stop" // while it is there, who holds the folder ends

	holdsWithin = 100 * time.Millisecond
)

// looksEvery is after how long who holds or follows a folder looks at it again.
var looksEvery = 500 * time.Millisecond

// Hold holds the folder until release is called. The context that it returns ends with ctx, and when somebody asks for
// that (Stop).
func (p *Plan) Hold(ctx context.Context) (inner context.Context, release func()) {
	inner, cancel := context.WithCancel(ctx)
	stop := filepath.Join(p.folder, stopFile)
	if !Held(p.folder) { // else who is asked to end has not seen it yet
		_ = os.Remove(stop)
	}
	l := flock.New(filepath.Join(p.folder, heldFile), flock.SetPermissions(0o666))
	soon, enough := context.WithTimeout(ctx, holdsWithin)
	_, _ = l.TryLockContext(soon, holdsWithin/10) // who looks whether it is held may do so right now
	enough()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-inner.Done():
				return
			case <-time.After(looksEvery):
			}
			_, _ = l.TryLock() // who has held it before may have ended
			if _, err := os.Lstat(stop); err == nil {
				cancel()
			}
		}
	}()
	return inner, func() {
		cancel()
		<-done
		_ = l.Close()
		if !Held(p.folder) {
			_ = os.Remove(stop)
		}
	}
}

// Held says whether something has the parts of a folder made.
func Held(folder string) bool {
	path := filepath.Join(folder, heldFile)
	if _, err := os.Lstat(path); err != nil {
		return false
	}
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer l.Close()
	ok, err := l.TryRLock() // shared, so that two who look do not see each other
	return err == nil && !ok
}

// Stop asks what has the parts of a folder made to end, wherever it is. What is made stays. The error is a Problem.
func Stop(folder string) error {
	path := filepath.Join(folder, stopFile)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return plain.Problem(err, path)
	}
	return nil
}
