package documents

import (
	"context"
	"os"
	"sync"
	"time"

	"blossom/model/base/problem"
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
	// saves is how many were begun, and last the newest of those that are noted: a job may end after a later save.
	saves, last int

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
	x := w.begin()
	if x.saved == w.saved { // the change makes no sense as a session yet
		w.next = now.Add(awaitedEvery)
		return
	}
	w.busy = true
	w.writing.Add(1)
	w.docs.jobs.Quiet(func(context.Context) (func(), error) {
		defer w.writing.Done()
		began := time.Now()
		p, err := w.write(x.copy, now)
		took := time.Since(began)
		return func() {
			w.busy, w.next = false, w.docs.context.Now().Add(max(awaitedEvery, awaitedShare*took))
			w.wrote(x, p, err)
		}, nil
	})
}

// awaitedSave is the document as it is to be written, its stamp, and which save of all that is.
type awaitedSave struct {
	copy  *state.Document
	saved stamp
	n     int
}

// begin begins a save.
func (w *Awaited) begin() awaitedSave {
	now := w.w.Desk()
	now.Stage.Keep()
	now.Map.Keep() // where a run has come to
	w.settle()
	w.saves++
	return awaitedSave{now.Doc.Snapshot(w.rest), stampAt(now.Doc, w.rest, true), w.saves}
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

// wrote notes what has been written, or why not: once, until it works again. Of a save before the last that is noted
// already there is nothing to note.
func (w *Awaited) wrote(x awaitedSave, p fingerprint.Print, err error) {
	if x.n < w.last {
		return
	}
	w.last = x.n
	if w.err = err; err != nil {
		if !w.fails {
			w.w.Fail(err)
		}
		w.fails = true
		return
	}
	w.fails, w.saved = false, x.saved
	if now := w.w.Desk(); w.here() && now.Session == w.path {
		now.Written, now.Saved = p, x.copy.State().Stamp(false)
	}
}

// now writes the file at once if something has changed, and returns when that is done.
func (w *Awaited) now() {
	w.writing.Wait()
	if !w.here() {
		return
	}
	w.settle()
	if x := w.begin(); w.have && x.saved != w.saved {
		p, err := w.write(x.copy, time.Now())
		w.wrote(x, p, err)
	}
}

// Err is why the script does not have what it waits for, once the window is closed, or nil.
func (w *Awaited) Err() error {
	if w.err != nil || w.path == "" || w.saved.doc != nil {
		return w.err
	}
	if _, err := os.Lstat(w.path); err == nil { // it is what was to be opened
		return nil
	}
	return problem.New(w.path, "open it again, and close the window when the data is there",
		"is not written: the window was closed before the data was open")
}
