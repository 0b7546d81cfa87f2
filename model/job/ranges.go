package job

import (
	"context"
	"errors"
	"os"
	"slices"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/job/run"
)

// ByRangesFrom is how many bytes files have together at least that are read by ranges of their rows. The same comes of
// less, which is read at once. Tests read small ones by ranges.
var ByRangesFrom int64 = 64 << 20

// rangesOf is what makes all that is wanted while the rows go by, some at a time; nil: it needs all rows at once.
func rangesOf(wants []Want) func(context.Context, *Work) error {
	if len(wants) == 2 { // a map that nothing is written of is made for what is drawn of it
		if e, ok := wants[0].(*Embedding); ok && e.unwritten() {
			wants = wants[1:]
		}
	}
	var makes []func(context.Context, *Work) error
	for _, want := range wants {
		at := slices.IndexFunc(kinds, func(k Kind) bool { return k.ID == want.What() })
		if at < 0 || kinds[at].Ranges == nil {
			return nil
		}
		made := kinds[at].Ranges(want)
		if made == nil {
			return nil
		}
		makes = append(makes, made)
	}
	if makes == nil {
		return nil
	}
	return func(ctx context.Context, w *Work) error {
		for _, made := range makes {
			if err := made(ctx, w); err != nil {
				return err
			}
		}
		return nil
	}
}

// ByRanges says whether all that is wanted can be made of rows that go by, some at a time.
func ByRanges(wants ...Want) bool { return rangesOf(wants) != nil }

// tableOf is the data of a job, without their values if they are to be read by ranges and can be.
func tableOf(ctx context.Context, j *Job, paths []string, o format.Options, ranges bool) (*dataset.Dataset, error) {
	if ranges {
		if ds, err := outline(ctx, j, paths, o); !errors.Is(err, dataset.ErrWhole) {
			return ds, err
		}
	}
	return source.All(ctx, paths, j.Match, o)
}

// outline is the table of large files without their values. The error is dataset.ErrWhole where they are to be read at
// once, as they are small, or nothing reads them otherwise.
func outline(ctx context.Context, j *Job, paths []string, o format.Options) (*dataset.Dataset, error) {
	if len(j.Join) > 0 || j.Subset != nil || len(parts.SamplesIn(j.State).Columns()) > 0 {
		return nil, dataset.ErrWhole
	}
	if !Large(paths) {
		return nil, dataset.ErrWhole
	}
	return source.Outlines(ctx, paths, j.Match, o)
}

// Large says whether files are so large together that they are read by ranges of their rows, where nothing keeps them
// from it.
func Large(paths []string) bool {
	size := int64(0)
	for _, path := range paths {
		if st, err := os.Stat(path); err == nil && !source.Generated(path) {
			size += st.Size()
		}
	}
	return size >= ByRangesFrom
}

// makeByRanges makes what is wanted of an outline. Where that asks for all rows at once, done is false, and they have
// been read.
func makeByRanges(ctx context.Context, w *Work, o *Options) (done bool, err error) {
	if !w.table.Outlined() {
		return false, nil
	}
	if make := rangesOf(w.Wanted); make != nil {
		if err := make(ctx, w); !errors.Is(err, dataset.ErrWhole) {
			return true, err
		}
	}
	w.Files.Discard()
	w.table, w.Points, w.Landmarks = nil, nil, nil
	return false, readBy(ctx, w.Job, o, false)
}

// spaceByRanges prepares the points of an outline, and brings the landmarks of the state to them.
func spaceByRanges(ctx context.Context, w *Work) error {
	return spaceBy(ctx, w, func(cols []int) (*run.Points, error) {
		p, err := run.PointsByRange(ctx, w.table, cols, parts.Transform.Of(w.Parts), w.Options.Report)
		if err == nil {
			p.Part = w.Options.Part
		}
		return p, err
	})
}

// alikeInRanges says whether columns of the data mean the same in each range: labels that are numbers are named by all
// values.
func alikeInRanges(ds *dataset.Dataset) bool {
	return !slices.ContainsFunc(ds.Columns, func(c dataset.Column) bool {
		return c.Role == dataset.Label || c.Categories != nil
	})
}
