package ui

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"blossom/model/data/fingerprint"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// filing writes sessions and recipes to the files that the user has named: each as it was when that was asked for, one
// after the other, in jobs. The window closes when all are written, and stays open if one could not be.
type filing struct {
	list    []*filed // the first is being written
	job     *work.Job
	writing sync.WaitGroup
	asked   *desk.Desk // a save of it waits in App.waiting
	closing bool       // the window is to close when the last is written
	shown   string     // the file that the dialog names
}

// filed is a document on its way to a file.
type filed struct {
	doc   *state.Document // that the user sees
	copy  *state.Document // as it was when the save was asked for
	path  string
	how   func(d *state.Document, path, program string, now time.Time) (*session.Session, error)
	made  string // by which program and engine
	at    time.Time
	apply func(bytes int64, p fingerprint.Print) // on the main thread, once it is written
}

// whole makes a session with its history.
func whole(d *state.Document, path, program string, now time.Time) (*session.Session, error) {
	if err := opening.KeepTree(d, path); err != nil {
		return nil, err
	}
	return session.Full(d, path, program, now, nil)
}

// under says whether path is to be written.
func (f *filing) under(path string) bool {
	return slices.ContainsFunc(f.list, func(x *filed) bool { return x.path == path })
}

// file writes the open document to path as it is now, in the background.
func (a *App) file(path string, how func(*state.Document, string, string, time.Time) (*session.Session, error),
	apply func(bytes int64, p fingerprint.Print)) {
	a.desk.Stage.Keep()
	a.desk.Map.Keep() // where a run has come to
	doc, f := a.desk.Doc, &a.files
	x := &filed{doc: doc, copy: doc.Snapshot(doc.State()), path: path, how: how, made: a.maker(), at: a.ctx.Now(),
		apply: apply}
	for i := 1; i < len(f.list); i++ {
		if o := f.list[i]; o.path == path && o.doc == doc { // of two that wait for one file the later is enough
			f.list[i] = x
			return
		}
	}
	if f.list = append(f.list, x); len(f.list) == 1 {
		a.fileNext()
	}
}

// fileNext begins with the first of the list.
func (a *App) fileNext() {
	f := &a.files
	if f.job = nil; len(f.list) == 0 {
		return
	}
	x := f.list[0]
	f.writing.Add(1)
	f.job = a.jobs.Start("Saving "+filepath.Base(x.path), func(ctx context.Context, j *work.Job) (func(), error) {
		defer f.writing.Done()
		n, err := x.write(ctx, j.Report)
		if err != nil {
			return nil, err
		}
		p, _ := fingerprint.Of(x.path) // without one, nobody is asked about the file
		return func() {
			f.list = f.list[1:]
			x.apply(n, p)
			a.fileNext()
		}, nil
	})
	f.job.Dropped = func() {
		if f.closing = false; len(f.list) > 0 && f.list[0] == x {
			f.list = f.list[1:]
			a.fileNext()
		}
	}
}

// write writes the file and returns its size in bytes.
func (x *filed) write(ctx context.Context, report func(done, total int64)) (int64, error) {
	to := &counted{ctx: ctx, report: report}
	err := writeFile(x.path, func() (*session.Session, error) {
		s, err := x.how(x.copy, x.path, x.made, x.at)
		if err == nil {
			to.total = s.Bytes()
		}
		return s, err
	}, func(w io.Writer) io.Writer { to.w = w; return to })
	return to.done, err
}

// counted counts the bytes that go through it, and ends when its context does.
type counted struct {
	ctx         context.Context
	w           io.Writer
	done, total int64
	report      func(done, total int64)
}

func (c *counted) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.w.Write(b)
	c.done += int64(n)
	c.report(min(c.done, c.total), c.total)
	return n, err
}

// filing says whether something that the user wants in a file is not there yet.
func (a *App) filing() bool {
	f := &a.files
	return len(f.list) > 0 || f.asked != nil && f.asked == a.desk && len(a.waiting) > 0
}

// finish writes what is to be written before the program ends.
func (f *filing) finish() (errs []error) {
	if f.job == nil {
		return nil
	}
	f.writing.Wait()
	for i, x := range f.list {
		if i == 0 {
			continue // its job has just ended; what is to be said of it nobody hears any more
		}
		if _, err := x.write(context.Background(), func(int64, int64) {}); err != nil {
			errs = append(errs, err)
		}
	}
	f.list = nil
	return errs
}

// filingDialog is shown while the window waits to close.
func (a *App) filingDialog() {
	f := &a.files
	if f.closing && !a.filing() {
		a.quit()
	}
	open := f.closing
	if !open {
		a.ui.Modal("Filing", &open, widget.ModalOpts{}, nil)
		return
	}
	if len(f.list) > 0 {
		f.shown = f.list[0].path
	}
	chosen := a.ui.Modal("Saving before the window closes##Filing", &open, widget.ModalOpts{Width: 460,
		Buttons: []widget.ModalButton{
			{Label: "Close now", Tip: "Close without writing the file. The work is kept, and offered next time"},
			{Label: "Keep open", Kind: widget.Primary, Tip: "Go on saving, and leave the window open"}}}, func() {
		t := a.ui.Theme()
		a.ui.Wrapped(widget.Strong, t.Text, f.shown)
		a.ui.Space(8)
		done := 0.
		if f.job != nil {
			done = f.job.Fraction()
		}
		a.ui.Progress(float32(done), 0)
		text := "getting ready"
		if done > 0 {
			text = fmt.Sprintf("%.0f %%", 100*done)
		}
		if n := len(f.list); n > 1 {
			text += fmt.Sprintf(", and %d more", n-1)
		}
		a.ui.Space(4)
		a.ui.Wrapped(widget.Body, t.Muted, text)
	})
	a.ctx.Within(50 * time.Millisecond)
	if open {
		return
	}
	f.closing = false
	if chosen == 0 {
		a.abandon()
	}
}

// abandon closes the window without what was to be written.
func (a *App) abandon() {
	f := &a.files
	if f.job != nil {
		f.job.Cancel()
	}
	f.list, f.asked, f.job = nil, nil, nil
	a.quit()
}
