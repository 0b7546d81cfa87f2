package documents

import (
	"context"
	"sync"
	"time"

	"blossom/model/base/revision"
	"blossom/model/data/fingerprint"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// Awaited is the session that a script waits for, of the document that was opened first. It is written soon after
// something has changed, before another document takes the place of that one and when the window closes; nobody is
// asked. Such documents are the script's: they are not saved by themselves beside that, nor among the recent files.
type Awaited struct {
	part
	path string // "": no script waits

	id   revision.Revision // the document's; 0: none has been opened yet
	rest state.State       // how it was when it last made sense as a session
	have bool              // there is such a state
	// saved is what the file holds, and next is when it is written again at the earliest.
	saved stamp
	next  time.Time
	busy  bool
	fails bool // the last save failed, and that was said

	writing sync.WaitGroup // saves in jobs
	err     error          // the last save has failed for this reason
}

// awaitedEvery is how soon a change is in the file: a script that asks a second later has it. Writing takes a tenth of
// a core at most.
const (
	awaitedEvery = time.Second
	awaitedShare = 10
)

// begins is called with each document that becomes the one in the window.
func (w *Awaited) begins() {
	now := w.w.Desk()
	if w.path == "" || now == nil {
		return
	}
	if w.id == 0 {
		w.id = now.Doc.ID
		if now.Session == "" {
			now.Session = w.path
		}
	}
	w.docs.Autosave.Off = w.here() || now.Doc.Within == w.id
}

// here says whether the document that the script waits for is the one in the window.
func (w *Awaited) here() bool {
	now := w.w.Desk()
	return w.path != "" && now != nil && now.Doc.ID == w.id
}

// settle takes the state as one that makes sense as a session, if it does.
func (w *Awaited) settle() {
	if now := w.w.Desk().Doc.State(); parts.Settled(now) {
		w.rest, w.have = now, true
	}
}

// due returns when the file should be written next; ok is false if it has all there is.
func (w *Awaited) due() (at time.Time, ok bool) {
	if !w.here() || w.busy || w.saved == stampOf(w.w.Desk().Doc, true) {
		return time.Time{}, false
	}
	if at = w.next; w.w.Desk().Busy() && w.saved.doc != nil {
		at = at.Add(Every - awaitedEvery)
	}
	return at, true
}

// tick writes the file if it is time to, in a job.
func (w *Awaited) tick(now time.Time) {
	if !w.here() {
		return
	}
	w.settle()
	if at, ok := w.due(); !ok || now.Before(at) || !w.have {
		return
	}
	copied, saved := w.copy()
	w.busy = true
	w.writing.Add(1)
	w.docs.jobs.Quiet(func(context.Context) (func(), error) {
		defer w.writing.Done()
		began := time.Now()
		p, err := w.write(copied, now)
		took := time.Since(began)
		return func() {
			w.busy, w.next = false, w.docs.context.Now().Add(max(awaitedEvery, awaitedShare*took))
			w.wrote(copied, saved, p, err)
		}, nil
	})
}

// copy is the document as it is to be written, and its stamp.
func (w *Awaited) copy() (copied *state.Document, saved stamp) {
	now := w.w.Desk()
	now.Stage.Keep()
	now.Map.Keep() // where a run has come to
	w.settle()
	return now.Doc.Snapshot(w.rest), stampAt(now.Doc, w.rest, true)
}

// write writes the file.
func (w *Awaited) write(d *state.Document, now time.Time) (fingerprint.Print, error) {
	x := filed{copy: d, path: w.path, how: Whole, made: w.docs.Maker(), at: now}
	if _, err := x.write(context.Background(), func(int64, int64) {}); err != nil {
		return fingerprint.Print{}, err
	}
	p, _ := fingerprint.Of(w.path) // without one, nobody is asked about the file
	return p, nil
}

// wrote notes what has been written, or why not: once, until it works again.
func (w *Awaited) wrote(copied *state.Document, saved stamp, p fingerprint.Print, err error) {
	if w.err = err; err != nil {
		if !w.fails {
			w.w.Fail(err)
		}
		w.fails = true
		return
	}
	w.fails, w.saved = false, saved
	if now := w.w.Desk(); w.here() && now.Session == w.path {
		now.Written, now.Saved = p, copied.State().Stamp(false)
	}
}

// now writes the file at once if something has changed, and returns when that is done.
func (w *Awaited) now() {
	w.writing.Wait()
	if !w.here() {
		return
	}
	w.settle()
	if copied, saved := w.copy(); w.have && saved != w.saved {
		p, err := w.write(copied, time.Now())
		w.wrote(copied, saved, p, err)
	}
}

// Err is why the script does not have what it waits for, once the window is closed, or nil.
func (w *Awaited) Err() error { return w.err }
