// Package source opens what a map is made of: a file of any format that can be read, several of them as
// one table, or a demo data set that stands for a file.
package source

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/data/format"
	"blossom/model/data/match"
)

// demoSeed draws the demo data sets that stand for a file: the seed of a command or a window belongs to
// sampling and training, and must not change the data.
const demoSeed = 1

// Resolve returns the name that path is opened by: "demo:NAME" for the bare name of a demo data set where
// there is no such file, else path itself.
func Resolve(path string) string {
	if _, known := demo.ByName(path); known {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return "demo:" + path
		}
	}
	return path
}

// Generated says whether path stands for a demo data set rather than a file.
func Generated(path string) bool {
	_, _, is, _ := demo.Parse(path)
	return is
}

// Read opens a file, "-" for standard input, "demo:NAME[:POINTS]", or the bare name of a demo data set. Of a demo data
// set only the points that o asks for are made; they are those of the whole. The error is a Problem, or ctx's.
func Read(ctx context.Context, path string, o format.Options) (*dataset.Dataset, error) {
	if path == Standard {
		return readStandard(ctx, os.Stdin, o)
	}
	path = Resolve(path)
	name, points, isDemo, err := demo.Parse(path)
	if err != nil {
		return nil, err
	}
	if !isDemo {
		return format.Open(ctx, path, o)
	}
	if points == 0 {
		points = demo.DefaultPoints
	}
	rows, err := dataset.SampleRows(int64(points), o.MaxPoints, o.Sample, o.Seed)
	if err != nil {
		return nil, err
	}
	ds, err := demo.Rows(ctx, name, points, rows, demoSeed)
	if err != nil {
		return nil, err
	}
	ds.Path = path // with its number of points, so that the same is found again under this name
	return ds, nil
}

// Outlines is All, but of files that can be read by ranges of their rows it reads no values, and the table is an
// outline (dataset.Rows). The error is dataset.ErrWhole where they cannot be one table so.
func Outlines(ctx context.Context, paths []string, m match.How, o format.Options) (*dataset.Dataset, error) {
	read := func(ctx context.Context, path string, o format.Options) (*dataset.Dataset, error) {
		ds, err := (*dataset.Dataset)(nil), dataset.ErrWhole
		if path != Standard && !Generated(Resolve(path)) {
			ds, err = format.Outline(ctx, path, o)
		}
		if errors.Is(err, dataset.ErrWhole) && len(paths) > 1 {
			return Read(ctx, path, o)
		}
		return ds, err
	}
	if len(paths) == 1 {
		ds, err := read(ctx, paths[0], o)
		if err != nil {
			return nil, err
		}
		return m.Panel.On(ds), nil
	}
	plan, err := compare(ctx, paths, m, o, read)
	if err != nil {
		return nil, err
	}
	return plan.Join(ctx)
}

// All opens several files as one table, with their columns matched as m says (see match.New). Of a sample each gives
// the same share. The progress is in thousandths of a file.
func All(ctx context.Context, paths []string, m match.How, o format.Options) (*dataset.Dataset, error) {
	if len(paths) == 1 {
		ds, err := Read(ctx, paths[0], o)
		if err != nil {
			return nil, err
		}
		return m.Panel.On(ds), nil
	}
	plan, err := Compare(ctx, paths, m, o)
	if err != nil {
		return nil, err
	}
	return plan.Join(ctx)
}

// Unread is the error of one of several files that cannot be read.
type Unread struct {
	Path string
	Err  error
}

func (u *Unread) Error() string { return u.Err.Error() }
func (u *Unread) Unwrap() error { return u.Err }

// missing says whether there is no file at a path: its name is wrong, and it is not damaged.
func missing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// Compare reads several files and matches their columns; Join makes one table of them.
func Compare(ctx context.Context, paths []string, m match.How, o format.Options) (*match.Plan, error) {
	return compare(ctx, paths, m, o, Read)
}

// compare is Compare of files that read reads.
func compare(ctx context.Context, paths []string, m match.How, o format.Options, read func(context.Context, string,
	format.Options) (*dataset.Dataset, error)) (*match.Plan, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	each := o
	if o.MaxPoints > 0 {
		each.MaxPoints = max(1, o.MaxPoints/len(paths))
	}
	var tables []*dataset.Dataset
	var were []string
	for i, path := range paths {
		if o.Progress != nil {
			each.Progress = func(done, total int64) {
				if total > 0 {
					o.Progress(1000*int64(i)+1000*done/total, 1000*int64(len(paths)))
				}
			}
		}
		ds, err := read(ctx, path, each)
		switch {
		case err == nil:
			tables, were = append(tables, ds), append(were, path)
		case o.Damaged == nil || ctx.Err() != nil || missing(path) ||
			len(tables) == 0 && i == len(paths)-1, !o.Damaged(path, err):
			return nil, &Unread{path, err}
		}
	}
	if o.MaxPoints > 0 && len(were) < len(paths) { // the others share what it would have had
		o.Damaged = nil
		return compare(ctx, were, m, o, read)
	}
	return match.New(tables, m), nil
}
