package job

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/panel"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/run"
	"blossom/model/maps/derived"
)

// readPanel reads the panel of a command line, with which the data are read; nil: there is none.
func readPanel(ctx context.Context, in *run.Input) (*panel.Found, error) {
	if in.Panel == "" {
		return nil, nil
	}
	found, err := panel.Read(ctx, in.Panel)
	if err == nil {
		in.Match.Panel = found.Panel()
	}
	return found, err
}

// putSheets gives a job whose data have been read the panel and the sheet of samples of a command line. What of them
// fits to nothing is a warning of the table.
func (j *Job) putSheets(ctx context.Context, in *run.Input, p *panel.Found) error {
	var now state.State
	var says []string
	if p != nil {
		if err := p.For(j.table); err != nil {
			return err
		}
		parts.Panel.Put(&now, p.Panel())
		says = p.Says(j.table)
	}
	if in.Samples != "" {
		names, _ := sheet.Sheet{}.Of(j.table)
		found, err := sheet.Read(ctx, in.Samples, names, "")
		if err != nil {
			return err
		}
		parts.Samples.Put(&now, found.Sheet)
		if text := found.Says(); text != "" {
			says = append(says, "the sheet of samples has "+text)
		}
	}
	if len(says) > 0 {
		said := *j.table
		said.Warnings = append(slices.Clone(j.table.Warnings), says...)
		j.table = &said
	}
	return j.PutState(now, "panel", "samples")
}

// besideSamples puts the columns of the sheet of samples of the state beside those of the data, once.
func (j *Job) besideSamples(ctx context.Context) error {
	s := parts.SamplesIn(j.State)
	if j.sampled || len(s.Columns()) == 0 {
		return nil
	}
	err := format.Fits(j.table.Path, int64(j.table.Points), int64(len(s.Columns())), format.AvailableMemory(),
		func(rows int64) string {
			return fmt.Sprintf("leave out columns of the sheet of samples, or take %s points with --max-points",
				problem.Grouped(rows))
		})
	if err != nil {
		return err
	}
	table, err := derived.Sampled(ctx, s, j.table)
	if err == nil {
		j.table, j.sampled = table, true
	}
	return err
}

// plainName is how the table of a job calls a column of the sheet of samples that a window calls "sample: NAME"; others
// stay.
func plainName(ds *dataset.Dataset, name string) string {
	k, of, made := derived.Named(ds, name, nil)
	if !made || k.Prefix == "" {
		return name
	}
	if _, err := ds.Find(name); err == nil {
		return name
	}
	if at, err := ds.Find(of); err == nil && strings.EqualFold(ds.Columns[at].Name, of) {
		return of
	}
	return name
}
