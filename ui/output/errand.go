package output

import (
	"cmp"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/ui/desk"
	"blossom/ui/documents"
)

// errand is something that the program itself makes of the session of what is open, in a process of its own, as a
// window draws nothing else meanwhile: a film, a report.
type errand struct {
	what    string   // "Filming", as the status bar says it
	command []string // words of the program before a session, -o and --progress
	args    func(*desk.Desk) []string
	stage   string // whose progress counts; "": that of all, one after the other
	failed  string // the problem, with %s for the program's own words
	name    string // the session's, where the file says it; "": any
}

// send has an errand done once nothing is stale, and path written.
func (o *Output) send(path string, e errand) {
	if o.Documents.IsInput(path) {
		return
	}
	program, err := o.self()
	if err != nil {
		o.w.Fail(problem.Wrap(err, path, "use blossom "+e.command[0], "the program does not know where it is"))
		return
	}
	o.WhenFresh(func() {
		d := o.w.Desk()
		d.Stage.Keep()
		d.Map.Keep()
		doc, args := d.Doc.Snapshot(d.Doc.State()), []string(nil)
		if e.args != nil {
			args = e.args(d)
		}
		args = append(args, engineArgs(o.Engines)...)
		o.jobs.Start(e.what+" "+filepath.Base(path), func(ctx context.Context, at *work.Job) (func(), error) {
			err := e.do(ctx, &o.children, program, doc, path, args, o.Version, at.Report)
			return func() { o.Documents.Wrote("", path) }, err
		})
	})
}

// engineArgs are the flags by which the program computes as the window does.
func engineArgs(of *engine.Chooser) []string {
	name, o := of.Elsewhere()
	args := []string{"--engine", name}
	if o.Variant != "" {
		args = append(args, "--variant", engine.FullName(name, o.Variant))
	}
	if o.Threads > 0 {
		args = append(args, "--threads", strconv.Itoa(o.Threads))
	}
	if o.Device == 0 && len(o.Beside) == 0 {
		return args
	}
	var cards []string
	for _, card := range append([]int{o.Device}, o.Beside...) {
		cards = append(cards, strconv.Itoa(card))
	}
	return append(args, "--device", strings.Join(cards, ","))
}

// self is the path of the program.
func (o *Output) self() (string, error) {
	if o.Program != "" {
		return o.Program, nil
	}
	return os.Executable()
}

// do runs the program on the session of a document, in a folder of its own. The error is a Problem in the words of
// that program, or ctx's.
func (e errand) do(ctx context.Context, c *children, program string, doc *state.Document, path string, args []string,
	version string, report func(done, total int64)) error {
	folder, err := os.MkdirTemp("", "blossom-"+e.command[0]+"-")
	if err != nil {
		return problem.Wrap(err, path, "make room, or set TMPDIR to another folder",
			"there is no place for a session beside it (%v)", plain.Reason(err))
	}
	defer os.RemoveAll(folder)
	of := filepath.Join(folder, cmp.Or(e.name, "window"+session.Extension))
	s, err := documents.Whole(doc, of, "blossom "+version, time.Now())
	if err == nil {
		err = format.AtomicWrite(of, func(w io.Writer) error { return s.Write(w) })
	}
	if err != nil {
		return err
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	said := &told{report: report, stage: e.stage}
	err = c.run(ctx, child{program: program, args: slices.Concat(e.command, []string{of, "-o", full, "--progress"},
		args)}, said)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return problem.Wrap(err, path, "try blossom "+e.command[0]+" with the saved session", e.failed, said.last(err))
	}
	return nil
}
