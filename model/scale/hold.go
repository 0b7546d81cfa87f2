package scale

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"blossom/model/base/plain"
	"blossom/model/data/format"
)

// A process that has the parts of a folder made holds it: a lock of the operating system, which goes with the process
// however it ends. Others see by it that something goes on, and may ask it to end. Where several make the same parts,
// which they may, the next one holds it when one has ended. In a folder without locks it looks as if nothing went on.
const (
	heldFile = "runner.lock"
	stopFile = "runner.stop" // when it says something else than before, who has parts of the folder made ends

	holdsWithin = 100 * time.Millisecond
)

// looksEvery is after how long who holds or follows a folder looks at it again.
var looksEvery = 500 * time.Millisecond

// ErrStopped is why a context of Hold has ended when somebody has asked for that.
var ErrStopped = fmt.Errorf("another window or command has asked for it: %w", context.Canceled)

// Hold holds the folder until release is called. The context that it returns ends with ctx, and when somebody asks for
// that (Stop), by ErrStopped.
func (p *Plan) Hold(ctx context.Context) (inner context.Context, release func()) {
	inner, end := context.WithCancelCause(ctx)
	cancel := func() { end(nil) }
	stop, path := filepath.Join(p.folder, stopFile), filepath.Join(p.folder, heldFile)
	before := wordIn(stop)              // others have been asked by it
	if isThere(path) && !isFile(path) { // a pipe would be waited for, a link lead elsewhere
		return inner, cancel
	}
	l := flock.New(path, flock.SetPermissions(0o666))
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
			if word := wordIn(stop); word != "" && word != before {
				end(ErrStopped)
			}
		}
	}()
	return inner, func() {
		cancel()
		<-done
		_ = l.Close()
	}
}

// Stopped is err, or ErrStopped where that is why the context of Hold has ended.
func Stopped(inner context.Context, err error) error {
	if errors.Is(err, context.Canceled) && errors.Is(context.Cause(inner), ErrStopped) {
		return ErrStopped
	}
	return err
}

// wordIn is what a file says that asks to end; "": there is none. Each time it is another.
func wordIn(path string) string {
	if !isFile(path) {
		return ""
	}
	text, err := plain.ReadFile(path, mostReceipt)
	if err != nil {
		return ""
	}
	return string(text)
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// isFile says whether it is a plain file itself, and no link to one.
func isFile(path string) bool {
	st, err := os.Lstat(path)
	return err == nil && st.Mode().IsRegular()
}

// Held says whether something has the parts of a folder made.
func Held(folder string) bool {
	path := filepath.Join(folder, heldFile)
	if !isFile(path) {
		return false
	}
	l := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer l.Close()
	ok, err := l.TryRLock() // shared, so that two who look do not see each other
	return err == nil && !ok
}

// Stop asks what has the parts of a folder made to end, wherever it is. What is made stays. The error is a Problem.
func Stop(folder string) error {
	return format.AtomicWrite(filepath.Join(folder, stopFile), func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s %d %d\n", host(), os.Getpid(), time.Now().UnixNano())
		return err
	})
}
