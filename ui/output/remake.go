package output

import (
	"context"
	"fmt"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/job/run"
	"blossom/model/scale"
	"blossom/model/work"
	"blossom/ui/desk"
)

// remake is a folder of parts that the program makes in a process of its own, by the runner of another folder, whose
// sample is open.
type remake struct {
	program string
	title   string       // as the status bar says it
	like    *scale.Whole // the other folder
	failed  string       // the problem, with %s for the program's own words
	// plan makes the plan, and says in which folder; nil: it is there.
	plan   func(ctx context.Context, report run.Report) (folder string, err error)
	folder string
	// done reads what was made, and returns what shows it.
	done func(folder string) (func(), error)
}

// remake has the parts of a folder made. There is one at a time.
func (o *Output) remake(r *remake) {
	o.again = o.jobs.Start(r.title, func(ctx context.Context, j *work.Job) (func(), error) {
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
		if err := r.make(ctx, &o.children, j); err != nil {
			return nil, err
		}
		show, err := r.done(r.folder)
		return func() { o.again = nil; show() }, err
	})
	o.again.Dropped = func() {
		if o.again = nil; r.folder != "" { // there is something that can be gone on with
			r.plan = nil
			o.leftOff(r)
		}
	}
}

// make has the parts made that are missing.
func (r *remake) make(ctx context.Context, c *children, j *work.Job) error {
	said := &told{stage: "parts", report: j.Report, remark: func(done, total int64) {
		j.Remark(fmt.Sprintf("%s of %s parts", problem.Grouped(done), problem.Grouped(total)))
	}}
	by := r.like.Placed
	args := []string{"resume", r.folder, "--progress", "--runner", by.Runner}
	for _, x := range by.Args {
		args = append(args, "--runner-args", x)
	}
	if r.like.Skipped > 0 { // as it was allowed then
		args = append(args, "--skip-bad")
	}
	of := child{program: r.program, args: args}
	if !by.Here() {
		of.log = filepath.Join(r.folder, "resume.log")
	}
	err := c.run(ctx, of, said)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return problem.Wrap(err, r.folder, "mend that and go on: blossom resume "+r.folder+" --runner "+by.Runner+
			", or local", r.failed, said.last(err))
	}
	return nil
}

// leftOff says that something of a folder is made, and offers to go on.
func (o *Output) leftOff(r *remake) {
	o.jobs.Aside("Looking at "+r.folder, func(ctx context.Context, _ *work.Job) (func(), error) {
		p, err := scale.Open(r.folder)
		if err != nil {
			return nil, err
		}
		s, err := p.Status(ctx)
		return func() {
			o.w.Note(desk.Note{Sticky: true, Text: fmt.Sprintf("%s has %s of %s parts. blossom resume goes on, at any "+
				"time", filepath.Base(r.folder), problem.Grouped(int64(s.Done)), problem.Grouped(int64(s.Parts))),
				Actions: []desk.Action{{Label: "Go on", Do: func() {
					if o.again == nil {
						o.remake(r)
					}
				}}}})
		}, err
	})
}
