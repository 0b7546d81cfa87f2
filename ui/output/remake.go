package output

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/job/run"
	"blossom/model/scale"
	"blossom/model/work"
	"blossom/ui/desk"
)

// remake is a folder of parts of a sample that is shown, or will be, which the program makes in a process of its own.
type remake struct {
	program string
	title   string       // as the status bar says it
	by      scale.Placed // makes the parts
	skip    bool         // parts that cannot be made are left out
	failed  string       // the problem, with %s for the program's own words
	hands   hands
	// plan makes the plan, and says in which folder; nil: it is there.
	plan   func(ctx context.Context, report run.Report) (folder string, err error)
	folder string
	// done reads what was made, and returns what shows it.
	done func(folder string) (func(), error)
}

// hands are those that have the parts of a remake made.
type hands int

const (
	ours    hands = iota // the program is started for it
	others               // something was started before, here or elsewhere, and is followed
	whoever              // nobody that can be seen from here, and that is waited for
)

// AllRows has all rows of folders of parts placed, called or counted, whose samples are shown.
type AllRows struct {
	of  *Output
	job *work.Job // it does so, one at a time; nil: nothing does
}

// remake has the parts of a folder made.
func (a *AllRows) remake(r *remake) {
	a.job = a.of.jobs.Start(r.title, func(ctx context.Context, j *work.Job) (func(), error) {
		if r.plan != nil {
			var err error
			r.folder, err = r.plan(ctx, func(_ string, done, total int64) {
				j.Remark(fmt.Sprintf("planning, %d of %s", done, problem.Count(int(total), "part")))
			})
			if err != nil {
				r.folder = ""
				return nil, err
			}
		}
		if err := r.make(ctx, &a.of.children, j); err != nil {
			return nil, err
		}
		show, err := r.done(r.folder)
		return func() { a.job = nil; show() }, err
	})
	a.job.Dropped = func() {
		if a.job = nil; r.folder != "" { // there is something that can be gone on with
			r.plan = nil
			a.leftOff(r)
		}
	}
}

// make has the parts made that are missing, or sees how others do it.
func (r *remake) make(ctx context.Context, c *children, j *work.Job) error {
	of := func(done, total int64) {
		j.Remark(fmt.Sprintf("%s of %s parts", problem.Grouped(done), problem.Grouped(total)))
	}
	if r.hands != ours {
		return r.follow(ctx, c, func(done, total int64) { j.Report(done, total); of(done, total) })
	}
	said := &told{stage: "parts", report: j.Report, remark: of}
	args := []string{"resume", r.folder, "--progress", "--runner", r.by.Runner}
	for _, x := range r.by.Args {
		args = append(args, "--runner-args", x)
	}
	if r.skip {
		args = append(args, "--skip-bad")
	}
	process := child{program: r.program, args: args}
	if !r.by.Here() {
		process.log = r.log()
	}
	err := c.run(ctx, process, said)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return r.wrong(err, said)
}

// log is what a process says to that outlives the window.
func (r *remake) log() string { return filepath.Join(r.folder, "resume.log") }

// wrong is what went wrong with a process, as it has said it.
func (r *remake) wrong(err error, said *told) error {
	if err == nil {
		return nil
	}
	remedy := "mend that and go on: blossom resume " + r.folder
	if !r.by.Here() {
		remedy += " --runner " + r.by.Runner + ", or local"
	}
	words := strings.TrimPrefix(said.last(err), r.folder+": ") // which the problem names
	return problem.Wrap(err, r.folder, remedy, r.failed, words)
}

// stopsWithin is how long what makes parts elsewhere is waited for that was asked to end.
const stopsWithin = 20 * time.Second

// follow waits until others have made the parts. When ctx ends they are asked to end, but where the window goes.
func (r *remake) follow(ctx context.Context, c *children, report func(done, total int64)) error {
	b, err := scale.BegunIn(ctx, r.folder)
	if err == nil && b == nil {
		err = problem.New(r.folder, "ask who has removed it", "has no plan any more")
	}
	if err != nil {
		return err
	}
	err = b.Follow(ctx, r.hands == whoever, report)
	switch {
	case ctx.Err() != nil && !c.left() && scale.Held(r.folder):
		if err := scale.Stop(r.folder); err != nil {
			return err
		}
		inner, enough := context.WithTimeout(context.Background(), stopsWithin)
		defer enough()
		_ = b.Follow(inner, false, report)
		return ctx.Err()
	case err != nil || b.Phase == scale.Ended || r.hands == whoever:
		return err
	}
	said := &told{report: report}
	if text, err := plain.ReadFile(r.log(), mostLog); err == nil {
		_, _ = said.Write(text)
	}
	return r.wrong(errors.New(cmp.Or(b.Status.Why(), "what made the parts has ended")), said)
}

// mostLog is how much of a log is looked at for what went wrong.
const mostLog = 1 << 24

// leftOff says that something of a folder is made, and offers to go on.
func (a *AllRows) leftOff(r *remake) {
	a.of.jobs.Aside("Looking at "+r.folder, func(ctx context.Context, _ *work.Job) (func(), error) {
		b, err := scale.BegunIn(ctx, r.folder)
		if b == nil || err != nil {
			return nil, err
		}
		return func() { a.tellLeft(r, b) }, nil
	})
}

// tellLeft says how much is made, and offers to go on.
func (a *AllRows) tellLeft(r *remake, b *scale.Begun) {
	a.of.w.Note(desk.Note{Sticky: true, Text: fmt.Sprintf("%s has %s of %s parts. blossom resume goes on, at any time",
		filepath.Base(r.folder), problem.Grouped(int64(b.Status.Done)), problem.Grouped(int64(b.Status.Parts))),
		Actions: []desk.Action{{Label: "Go on", Do: func() { a.goOn(r) }}}})
}

// goOn has the program make what is missing.
func (a *AllRows) goOn(r *remake) {
	program, err := a.of.self()
	switch {
	case err != nil:
		a.of.w.Fail(problem.Wrap(err, r.folder, "use blossom resume", "the program does not know where it is"))
	case a.job == nil:
		r.program, r.hands = program, ours
		a.remake(r)
	}
}
