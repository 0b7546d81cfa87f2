package scale

import (
	"context"
	"os"

	"blossom/model/base/pattern"
	"blossom/model/job"
	"blossom/model/job/run"
)

// Again makes the plan of the map that is asked for, of the files of a finished folder, in another folder: all rows are
// embedded again, as they were. The error is a Problem, or ctx's.
func (w *Whole) Again(ctx context.Context, a Asked, folder, program string, report run.Report) (*Plan, error) {
	of, err := Open(w.Folder)
	if err != nil {
		return nil, err
	}
	flags := run.Defaults()
	a.Map(&flags)
	return Prepare(ctx, Wish{Flags: &flags, Want: &job.Embedding{}, Of: of, Folder: folder, Output: of.Output,
		Mixed: of.Mixed, Shown: of.Shown, Program: program}, report)
}

var again = pattern.Of(`-again(-[0-9]+)?$`)

// Beside is a folder beside another one that is not there yet: "out-again" beside "out", "out-again-2" beside both.
func Beside(folder string) string {
	for i := 1; ; i++ {
		path := beside(folder, i)
		if _, err := os.Lstat(path); err != nil {
			return path
		}
	}
}
