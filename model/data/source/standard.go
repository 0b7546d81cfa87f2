package source

import (
	"context"
	"io"
	"os"

	"golang.org/x/term"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// Standard is the name that standard input is opened by: a table of any format that is known by its content.
const Standard = "-"

// Once is a Problem where standard input is named more than once among files to read: it can be read once.
func Once(paths []string) error {
	n := 0
	for _, path := range paths {
		if path == Standard {
			n++
		}
	}
	if n < 2 {
		return nil
	}
	return problem.New("standard input", "save one of the tables as a file and give its name",
		"it is named %d times, and can be read once", n)
}

// standardName is what standard input is called in titles and errors.
const standardName = "standard input"

// readStandard puts in aside into a file of its own, as tables are read in several places at once, and opens that. The
// file is gone when it has been read.
func readStandard(ctx context.Context, in *os.File, o format.Options) (*dataset.Dataset, error) {
	if term.IsTerminal(int(in.Fd())) {
		return nil, problem.New(standardName, "give a table to it, as in `cat table.csv | blossom info -`",
			"is not redirected")
	}
	file, err := os.CreateTemp("", "blossom-input-*")
	if err != nil {
		return nil, problem.Wrap(err, standardName, "make room in "+os.TempDir(), "cannot be put aside (%v)", err)
	}
	defer os.Remove(file.Name())
	given, giving := io.Pipe()
	go func() { // it may wait for bytes that never come
		_, err := io.Copy(giving, in)
		giving.CloseWithError(err)
	}()
	defer context.AfterFunc(ctx, func() { giving.CloseWithError(ctx.Err()) })()
	defer given.Close()
	size, err := io.Copy(file, given)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, problem.Wrap(err, standardName, "make room in "+os.TempDir(), "cannot be put aside (%v)", err)
	}
	if size == 0 {
		return nil, problem.New(standardName, "give a table to it, as in `cat table.csv | blossom info -`", "is empty")
	}
	ds, err := format.Open(ctx, file.Name(), o)
	if err != nil {
		if p := problem.As(err); p != nil && ctx.Err() == nil {
			return nil, problem.Wrap(err, standardName, p.Remedy, "%s", p.What)
		}
		return nil, err
	}
	ds.Path, ds.Name = Standard, standardName
	return ds, nil
}
