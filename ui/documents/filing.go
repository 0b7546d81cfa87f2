package documents

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"blossom/model/base/problem"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/work"
	"blossom/ui/desk"
)

// Filing writes sessions and recipes to the files that the user has named: each as it was when that was asked for, one
// after the other, in jobs. It is for the main thread.
type Filing struct {
	Jobs  *work.Jobs
	Maker func() string // by which program and engine sessions are made
	Now   func() time.Time
	// Failed is called when what was to be written was not, which the job has said.
	Failed func()

	list    []*filed // the first is being written
	job     *work.Job
	writing sync.WaitGroup
}

// How makes a session of a document.
type How func(d *state.Document, path, program string, now time.Time) (*session.Session, error)

// filed is a document on its way to a file.
type filed struct {
	doc   *state.Document // the document that the user sees
	copy  *state.Document // as it was when the save was asked for
	path  string
	how   How
	made  string // by which program and engine
	at    time.Time
	apply func(bytes int64, p fingerprint.Print) // on the main thread, once it is written
}

// Whole makes a session with its history.
func Whole(d *state.Document, path, program string, now time.Time) (*session.Session, error) {
	if err := opening.KeepTree(d, path); err != nil {
		return nil, err
	}
	return session.Full(d, path, program, now, nil)
}

// Under says whether path is to be written.
func (f *Filing) Under(path string) bool {
	return slices.ContainsFunc(f.list, func(x *filed) bool { return x.path == path })
}

// Write writes the document of d to path as it is now, in the background, and then calls apply.
func (f *Filing) Write(d *desk.Desk, path string, how How, apply func(bytes int64, p fingerprint.Print)) {
	d.Stage.Keep()
	d.Map.Keep() // where a run has come to
	x := &filed{doc: d.Doc, copy: d.Doc.Snapshot(d.Doc.State()), path: path, how: how, made: f.Maker(), at: f.Now(),
		apply: apply}
	for i := 1; i < len(f.list); i++ {
		if o := f.list[i]; o.path == path && o.doc == x.doc { // the later of two that wait for one file is enough
			f.list[i] = x
			return
		}
	}
	if f.list = append(f.list, x); len(f.list) == 1 {
		f.next()
	}
}

// next begins with the first of the list.
func (f *Filing) next() {
	if f.job = nil; len(f.list) == 0 {
		return
	}
	x := f.list[0]
	f.writing.Add(1)
	f.job = f.Jobs.Start("Saving "+filepath.Base(x.path), func(ctx context.Context, j *work.Job) (func(), error) {
		defer f.writing.Done()
		n, err := x.write(ctx, j.Report)
		if err != nil {
			return nil, err
		}
		p, _ := fingerprint.Of(x.path) // without one, nobody is asked about the file
		return func() {
			f.list = f.list[1:]
			x.apply(n, p)
			f.next()
		}, nil
	})
	f.job.Dropped = func() {
		f.Failed()
		if len(f.list) > 0 && f.list[0] == x {
			f.list = f.list[1:]
			f.next()
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

// Busy says whether something is not in its file yet.
func (f *Filing) Busy() bool { return len(f.list) > 0 }

// Progress is the file that is being written, "" for none, how much of it is, 0 to 1, and how many wait after it.
func (f *Filing) Progress() (path string, done float64, more int) {
	if f.job == nil || len(f.list) == 0 {
		return "", 0, 0
	}
	return f.list[0].path, f.job.Fraction(), len(f.list) - 1
}

// Finish writes what is to be written before the program ends.
func (f *Filing) Finish() (errs []error) {
	if f.job == nil {
		return nil
	}
	f.Wait()
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

// Wait returns when nothing is being written, also of what was abandoned.
func (f *Filing) Wait() { f.writing.Wait() }

// Abandon leaves what was to be written.
func (f *Filing) Abandon() {
	if f.job != nil {
		f.job.Cancel()
	}
	f.list, f.job = nil, nil
}

// writeFile writes what of makes, through what through puts before the file.
func writeFile(path string, of func() (*session.Session, error), through func(io.Writer) io.Writer) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return problem.Wrap(err, path, "check the folder's permissions", "the folder cannot be made (%v)", err)
	}
	s, err := of()
	if err != nil {
		return err
	}
	return format.AtomicWrite(path, func(w io.Writer) error { return s.Write(through(w)) })
}
