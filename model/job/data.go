package job

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/job/export"
	"blossom/model/job/run"
)

// File is a data file, and how it is read.
type File struct {
	Path    string  `json:"path"`             // or demo:NAME
	Size    int64   `json:"size,omitempty"`   // bytes; 0: it is no file
	Rows    int     `json:"rows,omitempty"`   // in all, also of a sample; 0: of several files, nobody has counted
	SHA256  string  `json:"sha256,omitempty"` // hexadecimal, where it is known
	Reading Reading `json:"reading"`
	// among those joined: it is gates, of which columns are made, see run.Gates
	Gates string `json:"gates,omitempty"`

	written time.Time // when it was last written, as it was read; zero: nobody has looked
}

// Reading is how a file is read. What it leaves open is found out from the content, as it was.
type Reading struct {
	dataset.Reading
	Part  int   `json:"part,omitempty"`  // number of the data set in a file that holds several, from 1
	From  int64 `json:"from,omitempty"`  // the first row that is read, from 0, with Count
	Count int64 `json:"count,omitempty"` // how many rows are read from there; 0: all of the file
	// Span is where these rows lie in the file, see format.Parted; nil: nobody knows.
	Span      *format.Span `json:"span,omitempty"`
	MaxPoints int          `json:"max_points,omitempty"` // limit for all files together; 0: all
	Sample    string       `json:"sample,omitempty"`     // "first" or "random", with MaxPoints
	Seed      uint64       `json:"seed,omitempty"`       // seed of a random sample
}

// options are those of readers.
func (r Reading) options() format.Options {
	o := format.Options{Part: max(0, r.Part-1), Reading: r.Reading, MaxPoints: r.MaxPoints, Sample: r.Sample,
		Seed: r.Seed, From: r.From, Count: r.Count, Span: r.Span}
	if o.Sample == "" {
		o.Sample = dataset.SampleFirst
	}
	return o
}

// readingOf is the other way.
func readingOf(o format.Options) Reading {
	r := Reading{Reading: o.Reading, MaxPoints: o.MaxPoints, From: o.From, Count: o.Count, Span: o.Span}
	if o.Part > 0 {
		r.Part = o.Part + 1
	}
	if o.MaxPoints > 0 {
		r.Sample = o.Sample
	}
	if r.Sample == dataset.SampleRandom {
		r.Seed = o.Seed
	}
	return r
}

// found takes what was recognised where nothing is said of it: a reader of another version may recognise it otherwise.
func (r *Reading) found(f dataset.Reading) {
	r.Separator, r.Header = cmp.Or(r.Separator, f.Separator), cmp.Or(r.Header, f.Header)
}

// chosen takes which matrix and columns of a file were read, so that a job reads the same.
func (r *Reading) chosen(f dataset.Reading) {
	r.Modality, r.Matrix, r.Genes = cmp.Or(r.Modality, f.Modality), cmp.Or(r.Matrix, f.Matrix), f.Genes
}

func (r Reading) equal(o Reading) bool {
	return r.Reading.Equal(o.Reading) && r.Part == o.Part && r.From == o.From && r.Count == o.Count &&
		sameSpan(r.Span, o.Span) && r.MaxPoints == o.MaxPoints && r.Sample == o.Sample && r.Seed == o.Seed
}

// sameSpan says whether both are the same, or unknown.
func sameSpan(a, b *format.Span) bool { return a == b || a != nil && b != nil && *a == *b }

// check says what is wrong with a file without touching it. It has the file's name.
func (f *File) check() error {
	bad := func(remedy, format string, args ...any) error {
		return problem.New(f.Path, remedy, format, args...)
	}
	sum, err := hex.DecodeString(f.SHA256)
	switch r := f.Reading; {
	case f.Gates != "" && f.Gates != gatesLabel && f.Gates != gatesAll:
		return bad("use label or all", "gates %.40q are not known", f.Gates)
	case strings.TrimSpace(f.Path) == "":
		return bad("name a file, or demo:NAME", "a file of the data has no path")
	case f.Size < 0 || f.Rows < 0:
		return bad("leave size and rows out where they are not known", "%d bytes and %d rows are not possible", f.Size,
			f.Rows)
	case f.SHA256 != "" && (err != nil || len(sum) != 32):
		return bad("leave it out, or give 64 hexadecimal digits", "its sha256 %.80q is none", f.SHA256)
	case r.From < 0 || r.Count < 0 || r.From > 0 && r.Count == 0 || r.Span != nil && r.Count == 0:
		return bad("give the first row, from 0, and how many", "from %d and count %d are not possible", r.From, r.Count)
	case r.Part < 0 || r.MaxPoints < 0:
		return bad("count parts from 1, and points", "part %d and max_points %d are not possible", r.Part, r.MaxPoints)
	case r.Sample != "" && r.Sample != dataset.SampleFirst && r.Sample != dataset.SampleRandom:
		return bad("use first or random", "the sample %.80q is not known", r.Sample)
	}
	if err := format.CheckReading(f.Reading.Reading); err != nil {
		p := problem.As(err)
		return bad(p.Remedy, "%s", p.What)
	}
	return nil
}

// Describe reads files as one table, and returns a job of it that has no state and wants nothing. A hash of the whole
// files is taken if hash says so.
func Describe(ctx context.Context, in run.Input, paths []string, hash bool, report run.Report) (*Job, error) {
	o := in.Options()
	o.Progress = report.Stage("reading")
	opened, err := source.Expand(ctx, paths)
	if err != nil {
		return nil, err
	}
	paths = opened.Files
	opened.With(in.Samples, in.Panel)
	in.Samples, in.Panel = opened.Samples, opened.Panel
	said, err := readPanel(ctx, &in, &opened)
	if err != nil {
		return nil, err
	}
	j := &Job{Match: in.Match}
	for _, path := range paths {
		if _, _, _, err := demo.Parse(path); err != nil {
			return nil, run.Usage{Err: err}
		}
		if session.Is(path) {
			return nil, problem.New(path, "give it with --session, or open it in the window (blossom FILE)",
				"is a session or a picture, not a table of points")
		}
		j.Data = append(j.Data, describe(path, o))
	}
	skipped := damaged{}
	if in.SkipDamaged {
		o.Damaged = skipped.add
	}
	ranges := in.ByRanges && !in.SkipDamaged && in.Samples == "" && len(in.Join) == 0 && in.Gates.Path == ""
	if j.table, err = tableOf(ctx, j, paths, o, ranges); err != nil {
		return nil, skippable(ctx, err)
	}
	j.Data = slices.DeleteFunc(j.Data, func(f File) bool { return skipped.has(f.Path) })
	j.warn(skipped.says...)
	if len(j.Data) == 1 {
		j.Data[0].Rows = j.table.Total
		j.Data[0].Reading.chosen(j.table.Reading)
		j.Data[0].Reading.found(j.table.Found)
	}
	for _, path := range in.Join {
		j.Join = append(j.Join, describe(path, format.Options{Sample: dataset.SampleFirst}))
	}
	if in.Gates.Path != "" {
		j.Join = append(j.Join, gatesFile(in.Gates))
	}
	if err := j.joinTables(ctx, report); err != nil {
		return nil, err
	}
	if err := j.putSheets(ctx, &in, said, &opened); err != nil {
		return nil, err
	}
	if err = j.besideSamples(ctx); err != nil || !hash {
		return j, err
	}
	left, err := j.Hash(ctx, report)
	j.Note(left...)
	return j, err
}

// all are the files of the data, and those that are joined to them.
func (j *Job) all() (files []*File) {
	for i := range j.Data {
		files = append(files, &j.Data[i])
	}
	for i := range j.Join {
		files = append(files, &j.Join[i])
	}
	return files
}

// Table is the data, read as the job says; nil before somebody has read it.
func (j *Job) Table() *dataset.Dataset { return j.table }

// read opens the data, without their values where what is wanted can be made by ranges.
func (j *Job) read(ctx context.Context, o *Options) error {
	return readBy(ctx, j, o, ByRanges(j.Wanted...))
}

// readBy opens the data. Files that are not those of the job are refused, unless o says that they may have changed.
func readBy(ctx context.Context, j *Job, o *Options, ranges bool) error {
	if j.table != nil {
		return nil
	}
	var paths []string
	for i := range j.Data {
		if f := &j.Data[i]; !f.Reading.equal(j.Data[0].Reading) {
			return problem.New(f.Path, "give all files of a table the same reading", "it is read otherwise than %s",
				j.Data[0].Path)
		}
		paths = append(paths, j.Data[i].Path)
	}
	for _, f := range j.all() {
		if source.Generated(f.Path) || f.Path == source.Standard {
			if o.Changed {
				f.Size, f.Rows, f.SHA256 = 0, 0, ""
			}
			continue
		}
		if err := f.same(ctx, f.Path, o); err != nil {
			return err
		}
	}
	read := j.Data[0].Reading.options()
	read.Progress = o.Report.Stage("reading")
	j.Match.Panel = parts.PanelIn(j.State)
	ds, err := tableOf(ctx, j, paths, read, ranges)
	if err != nil {
		return err
	}
	if f := &j.Data[0]; len(j.Data) == 1 && f.Rows > 0 && f.Rows != ds.Total {
		return problem.New(paths[0], another, "it has %d rows, the job was made of %d", ds.Total, f.Rows)
	} else if len(j.Data) == 1 {
		f.Rows = ds.Total
	}
	j.table = ds
	if err := j.joinTables(ctx, o.Report); err != nil || j.Subset == nil {
		return err
	}
	j.table, err = j.Subset.Take(ctx, j.table, nil, cmp.Or(j.name, paths[0]))
	return err
}

// another is what to do where a file is not the one that a job was made of.
const another = "give the file that the job was made of, or --changed to take this one"

// same says whether the file at path is the one that a job was made of, as far as it says. Where it may be another,
// what the job says of it is made true.
func (f *File) same(ctx context.Context, path string, o *Options) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return problem.Wrap(err, path, "put it there, or change the path in the job",
			"the data of the job is not there")
	case plain.Check(path) != nil:
		return plain.Check(path)
	case err != nil: // who reads it says what is wrong
		return nil
	}
	f.written = info.ModTime()
	switch {
	case o.Changed:
		f.Size, f.Rows, f.SHA256 = info.Size(), 0, ""
		return nil
	case f.Size > 0 && info.Size() != f.Size:
		return problem.New(path, another, "it has %d bytes, the job was made of %d", info.Size(), f.Size)
	case f.SHA256 == "":
		return nil
	}
	print, err := fingerprint.Whole(ctx, path, o.Report.Stage("hashing"))
	if err == nil && print.Whole != strings.ToLower(f.SHA256) {
		err = problem.New(path, another, "its content is not what it was when the job was made (SHA-256)")
	}
	return err
}

// rewritten says whether it was written since it was read.
func (f *File) rewritten() bool {
	info, err := os.Stat(f.Path)
	return err == nil && (info.Size() != f.Size || !f.written.IsZero() && !info.ModTime().Equal(f.written))
}

// look notes the size of a plain file, and when it was written.
func (f *File) look() {
	if source.Generated(f.Path) {
		return
	}
	if info, err := os.Stat(f.Path); err == nil && info.Mode().IsRegular() {
		f.Size, f.written = info.Size(), info.ModTime()
	}
}

// inFolder is where a file of a job is whose paths are of a folder.
func inFolder(folder, path string) string {
	if folder == "" || path == "" || path == "-" || filepath.IsAbs(path) || source.Generated(path) {
		return path
	}
	in := filepath.Join(folder, path)
	if export.IsFolder(path) {
		in += string(filepath.Separator)
	}
	return in
}
