package job

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/panel"
	"blossom/model/data/sheet"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/run"
	"blossom/model/maps/derived"
)

// readPanel reads the panel of a command line, with which the data are read; nil: there is none. One that was found in
// a folder is left out where it is wrong.
func readPanel(ctx context.Context, in *run.Input, opened *source.Opened) (*panel.Found, error) {
	if in.Panel == "" {
		return nil, nil
	}
	found, err := panel.Read(ctx, in.Panel)
	if err == nil {
		in.Match.Panel = found.Panel()
	}
	for _, wrong := range []error{err, found.Flaw()} {
		if wrong != nil && opened.Leave(in.Panel, wrong) {
			in.Panel, in.Match.Panel = "", panel.Panel{}
			return nil, nil
		}
	}
	return found, err
}

// damaged are files among several that were left out, because they cannot be read.
type damaged struct {
	paths, says []string
}

func (d *damaged) add(path string, err error) bool {
	d.paths = append(d.paths, path)
	d.says = append(d.says, "left out, as it cannot be read: "+err.Error())
	return true
}

func (d *damaged) has(path string) bool { return slices.Contains(d.paths, path) }

// skippable adds a way out to what is wrong with one of several files: to leave it out.
func skippable(ctx context.Context, err error) error {
	var u *source.Unread
	if ctx.Err() != nil || !errors.As(err, &u) {
		return err
	}
	p := problem.As(err)
	if _, missing := os.Lstat(u.Path); missing != nil || p.Remedy == "" {
		return err
	}
	return problem.Wrap(err, p.File, p.Remedy+", or leave it out with --skip-damaged", "%s", p.What)
}

// warn adds to what the table of the job warns of.
func (j *Job) warn(says ...string) {
	if len(says) == 0 {
		return
	}
	said := *j.table
	said.Warnings = append(slices.Clone(j.table.Warnings), says...)
	j.table = &said
}

// putSheets gives a job whose data have been read the panel and the sheet of samples of a command line, or of a folder
// where they fit. What of them fits to nothing is a warning of the table.
func (j *Job) putSheets(ctx context.Context, in *run.Input, p *panel.Found, opened *source.Opened) error {
	var now state.State
	var says []string
	if p != nil {
		switch err := p.For(j.table); {
		case err == nil:
			parts.Panel.Put(&now, p.Panel())
			says = p.Says(j.table)
		case opened.Leave(in.Panel, err):
			j.Match.Panel = panel.Panel{}
			j.table = j.Match.Panel.On(j.table)
		default:
			return err
		}
	}
	if in.Samples != "" {
		names, _ := sheet.Sheet{}.Of(j.table)
		found, err := sheet.Read(ctx, in.Samples, names, "")
		switch {
		case err == nil:
			parts.Samples.Put(&now, found.Sheet)
			if text := found.Says(); text != "" {
				says = append(says, "the sheet of samples has "+text)
			}
		case !opened.Leave(in.Samples, err):
			return err
		}
	}
	j.warn(append(slices.Clone(opened.Says), says...)...)
	return j.PutState(now, "panel", "samples")
}

// Sheets are the sheet of samples and the panel of a command line that looks at files one by one.
type Sheets struct {
	samples *sheet.Found
	panel   *panel.Found
	warned  []string // remarks about the panel
	fits    bool     // a row of it names a column of a file
}

// ReadSheets reads the sheet and the panel that a command line names for files, or that were found with them. Where
// these are read it is with the panel.
func ReadSheets(ctx context.Context, in *run.Input, opened *source.Opened) (s Sheets, err error) {
	if s.panel, err = readPanel(ctx, in, opened); err != nil || in.Samples == "" {
		return s, err
	}
	var names []string
	for _, path := range opened.Files {
		names = append(names, filepath.Base(path))
	}
	s.samples, err = sheet.Read(ctx, in.Samples, names, "")
	if err != nil && opened.Leave(in.Samples, err) {
		return s, nil
	}
	return s, err
}

// Beside is a file that was read, with the columns of the sheet beside its own.
func (s *Sheets) Beside(ctx context.Context, ds *dataset.Dataset) (*dataset.Dataset, error) {
	if s.panel != nil {
		if err := s.panel.Wrong(ds); err != nil {
			return nil, err
		}
		s.fits = s.fits || s.panel.Fits(ds)
		for _, text := range s.panel.Says(ds) {
			if !slices.Contains(s.warned, text) {
				s.warned = append(s.warned, text)
			}
		}
	}
	if s.samples == nil {
		return ds, nil
	}
	return derived.Sampled(ctx, s.samples.Sheet, ds)
}

// Says is what is to be said of both when the files have been read.
func (s *Sheets) Says() (out []string) {
	if s.samples != nil {
		if text := s.samples.Says(); text != "" {
			out = append(out, "the sheet of samples has "+text)
		}
	}
	if s.panel != nil && !s.fits {
		return append(out, "no row of the panel names a column of the data")
	}
	return append(out, s.warned...)
}

// besideSamples puts the columns of the sheet of samples of the state beside those of the data, once.
func (j *Job) besideSamples(ctx context.Context) error {
	s := parts.SamplesIn(j.State)
	if len(s.Columns()) == 0 || derived.IsSampled(j.table) {
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
	j.table, err = derived.Sampled(ctx, s, j.table)
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
