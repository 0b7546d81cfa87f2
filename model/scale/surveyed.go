package scale

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/data/source"
	"blossom/model/job"
	"blossom/model/job/run"
)

// columnsFolder is where parts tell of the columns of the files.
const columnsFolder = "columns"

// Survey has parts look at the columns of large files, which the flags of the training know from then on, so that the
// program that was started need not read them: tables of them are the same to the last bit. Of small files, and of
// those that are not read by ranges of their rows, it does nothing.
func (t *Training) Survey(ctx context.Context) error {
	in := &t.Flags.Input
	paths, err := Files(ctx, t.Paths)
	if err != nil || in.SkipDamaged || in.Samples != "" || !job.Large(paths) {
		return err
	}
	plan, err := t.surveying(ctx)
	if err == nil {
		err = t.write(plan, plan.folder)
	}
	if err == nil {
		err = t.have(ctx, plan, 0, 0, "columns")
	}
	if err != nil {
		return err
	}
	told, err := columnsIn(plan.mergedFile(), plan.Shards)
	if err != nil {
		return t.gone(plan, err)
	}
	if err := os.RemoveAll(filepath.Join(plan.folder, partsFolder)); err != nil { // as large as what is merged
		return err
	}
	tables := map[string]*dataset.Dataset{}
	o := in.Options()
	for i, s := range plan.Shards {
		if told[i] == nil {
			continue
		}
		open := func(ctx context.Context, kept []bool) (*dataset.Dataset, error) {
			if err := plan.unchanged(s); err != nil {
				return nil, err
			}
			return itself(ctx, paths[i], o, kept)
		}
		tables[paths[i]] = told[i].Table(paths[i], open)
	}
	t.surveyed = plan
	in.Known = func(path string) (*dataset.Dataset, error) { return tables[path], nil }
	return nil
}

// surveying is the plan of looking at the columns: files are read as the flags say, and nothing is made of them.
func (t *Training) surveying(ctx context.Context) (*Plan, error) {
	w, flags := t.Wish, *t.Flags
	flags.Origin, flags.Space = run.Defaults().Origin, run.Space{}
	flags.Input.Panel, flags.Input.Match = "", match.How{} // who puts them together matches columns
	w.Flags, w.Want, w.Output, w.Shown, w.Folder = &flags, &job.Surveyed{}, columnsExt, 0,
		filepath.Join(t.Folder, columnsFolder)
	w.Most = 0 // a file is told of as a whole
	asked := t.Flags.Input.Reading
	w.State = func(j *job.Job, _ context.Context, _ *run.Flags) error {
		r := &j.Data[0].Reading // a file is recognised anew, and says of it what it says to one machine
		r.Separator, r.Header = asked.Separator, asked.Header
		return nil
	}
	p, err := w.planned(ctx, t.Report)
	if err == nil {
		p.folder = w.Folder
	}
	return p, err
}

// unsurveyed says which file is another than the one whose columns were looked at.
func (t *Training) unsurveyed() error {
	if t.surveyed == nil {
		return nil
	}
	for _, s := range t.surveyed.Shards {
		if err := t.surveyed.unchanged(s); err != nil {
			return err
		}
	}
	return nil
}

// itself is the table of a file, of which columns are kept as float64 as others have found.
func itself(ctx context.Context, path string, o format.Options, kept []bool) (*dataset.Dataset, error) {
	o.Kept = kept
	ds, err := format.Outline(ctx, path, o)
	if errors.Is(err, dataset.ErrWhole) {
		return source.Read(ctx, path, o)
	}
	return ds, err
}
