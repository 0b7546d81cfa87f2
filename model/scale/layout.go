package scale

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/maps/pyramid"
	"blossom/model/maps/quality"
	"blossom/model/space/transform"
)

// A map of all points together is made of a sample of the rows, in which each row is placed then. So such a plan has
// two stages before its parts: the sample, which is a plan of its own, and the map of it, which the machine makes that
// was started. LayoutFile says that both are there.
const (
	LayoutFile   = "layout.json"
	layoutPlace  = "sample"  // folder of the plan of the sample, until the map is there
	LaidMap      = "map.npy" // positions of the rows of the sample
	LayoutSample = 100_000   // rows of the sample where nothing else is said
	// MostLayout is how many rows a sample may have of which a map is made: the window's file has their positions.
	MostLayout = 4_000_000
)

// laid says what the parts of a plan are placed in.
type laid struct {
	Plan    string         `json:"plan"`   // SHA-256 of the plan
	Sample  string         `json:"sample"` // SHA-256 of the table of the sample
	Map     string         `json:"map"`    // SHA-256 of its positions
	Rows    int            `json:"rows"`   // as the sample has
	Units   int            `json:"units"`  // steps after which the map was done
	Frame   *pyramid.Frame `json:"frame,omitempty"`
	Quality *quality.Whole `json:"quality,omitempty"`
	By      string         `json:"fingerprint"`
	Host    string         `json:"host"`

	sum string // SHA-256 of the file
}

// Layout makes the map that the parts of a plan are placed in.
type Layout struct {
	Of *Plan
	// Make makes what is missing of the plan of the sample, and finishes it. ErrLater: something else will do so.
	Make    func(*Plan) error
	Options job.Options // by which the map is made
}

// read notes what the parts are placed in, if that is there. whole looks at what is in the files.
func (of *Layout) read(ctx context.Context, whole bool) error {
	p := of.Of
	p.laid = nil
	if p.Layout == nil {
		return nil
	}
	text, err := plain.ReadFile(filepath.Join(p.folder, LayoutFile), mostReceipt)
	l := &laid{sum: sumOf(text)}
	if err != nil || json.Unmarshal(text, l) != nil || l.Plan != p.sum || l.Frame != nil && !l.Frame.Sound() {
		return ctx.Err()
	}
	for path, want := range map[string]string{p.Sample(): l.Sample, filepath.Join(p.folder, LaidMap): l.Map} {
		if !isThere(path) {
			return ctx.Err()
		}
		if !whole {
			continue
		}
		switch sum, _, err := p.sums.hash(ctx, path); {
		case err != nil && isFile(path): // it was not read to its end, and may be whole
			return cmp.Or(ctx.Err(), plain.Problem(err, path))
		case err != nil || sum != want:
			return nil
		}
	}
	p.laid, p.Frame = l, l.Frame
	return nil
}

// sampling is the plan of the sample.
func (of *Layout) sampling() (*Plan, error) {
	p := of.Of
	folder := filepath.Join(p.folder, layoutPlace)
	out := &Plan{Format: p.Format, Version: p.Version, Program: p.Program, Mixed: p.Mixed, Shown: p.Shown,
		Fingerprint: Fingerprint(job.Engine{}, p.Program)}
	for _, s := range p.Shards {
		if err := p.unchanged(s); err != nil {
			return nil, err
		}
		if !filepath.IsAbs(s.Path) {
			var err error
			if s.Path, err = from(folder, p.at(s)); err != nil {
				return nil, plain.Problem(err, s.Path)
			}
		}
		out.Shards = append(out.Shards, s)
	}
	for _, j := range p.Jobs {
		file := *p.kind().file(j)
		out.Jobs = append(out.Jobs, &job.Job{Data: []job.File{file}, Match: j.Match, Seed: j.Seed,
			Wanted: []job.Want{&job.Sampled{}}})
	}
	out.over = p.folder
	return out, out.Write(folder)
}

// Lay makes the map, unless it is there or none is needed. The error is a Problem, ctx's, or ErrLater.
func (of *Layout) Lay(ctx context.Context) error {
	p := of.Of
	err := of.read(ctx, true)
	if err != nil || p.Layout == nil || p.laid != nil {
		return err
	}
	err = of.lay(ctx)
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrLater) {
		if of.read(ctx, true) == nil && p.laid != nil { // another has made it meanwhile, and what led to it has gone
			return nil
		}
	}
	return err
}

func (of *Layout) lay(ctx context.Context) error {
	p := of.Of
	sample, err := of.sampling()
	if err != nil {
		return err
	}
	if !sample.merged(ctx) {
		if err := of.Make(sample); err != nil {
			return err
		}
	}
	m, err := ReadManifest(sample.folder)
	switch {
	case err != nil:
		return err
	case m.Shown == 0:
		return problem.New(p.folder, "give files that have some", "there are no rows to make a map of")
	}
	if err := os.Rename(sample.Sample(), p.Sample()); err != nil {
		if sum, _, failed := p.sums.hash(ctx, p.Sample()); failed != nil || sum != m.Merged {
			return plain.Problem(err, p.Sample())
		} // else another has done it
	}
	j, want, err := of.job()
	if err != nil {
		return err
	}
	j.Data[0].SHA256, j.Data[0].Size = m.Merged, sizeOf(p.Sample())
	path := filepath.Join(p.folder, LaidMap)
	written, _ := want.Paths()
	*written[0] = path
	*want.Measure = true
	w, err := job.Execute(ctx, j, of.Options)
	if err != nil {
		return err
	}
	l := &laid{Plan: p.sum, Sample: m.Merged, Rows: m.Shown, Host: host(),
		By: Fingerprint(w.Ran.Engine, of.Options.Program)}
	return of.keep(ctx, l, want.Made())
}

func sizeOf(path string) int64 {
	st, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return st.Size()
}

// job is that which makes the map.
func (of *Layout) job() (j *job.Job, want job.Laying, err error) {
	p := of.Of
	var text bytes.Buffer
	if err := p.Layout.Write(&text); err != nil {
		return nil, want, err
	}
	if j, err = job.Read(&text, p.folder); err != nil {
		return nil, want, err
	}
	j.Data[0] = job.File{Path: p.Sample()}
	want, _ = job.LayingOf(j.Wanted[0])
	return j, want, nil
}

// keep writes what parts are placed in, once its files are there. What has led to it goes away.
func (of *Layout) keep(ctx context.Context, l *laid, m *job.PointsMap) (err error) {
	p := of.Of
	if l.Map, _, err = p.sums.hash(ctx, filepath.Join(p.folder, LaidMap)); err != nil {
		return err
	}
	if f, ok := pyramid.FrameOf(m.Pos); ok && m.Dims == 2 {
		l.Frame = &f
	}
	l.Units = m.Units
	if q := m.Quality; q != nil && q.Queries > 0 && plainNumbers(q.RNX, q.Error, q.Trustworthiness, q.Continuity) {
		l.Quality = q
	}
	text, err := marshal(l)
	if err == nil {
		err = format.AtomicWrite(filepath.Join(p.folder, LayoutFile), func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
	}
	if err == nil {
		_ = os.RemoveAll(filepath.Join(p.folder, layoutPlace)) // who has made it may still write there what it says
	}
	if err == nil {
		err = of.read(ctx, true)
	}
	if err == nil && p.laid == nil {
		err = problem.New(p.folder, "go on: blossom resume "+p.folder, "the map of its sample is not what was written")
	}
	return err
}

func plainNumbers(all ...float64) bool {
	return !slices.ContainsFunc(all, func(x float64) bool { return x-x != 0 })
}

// in is what the receipts of parts have that are placed in it; "": they are placed in nothing of the kind.
func (l *laid) in() string {
	if l == nil {
		return ""
	}
	return l.sum
}

// of has the job of a part know what it is placed in by its hashes.
func (l *laid) of(j *job.Job) {
	p := j.Wanted[0].(*job.Placed)
	j.Data[0].SHA256, p.MapSHA256 = l.Sample, l.Map
}

// flaw says what is wrong with the job of a map of a plan, "" if nothing is.
func (of *Layout) flaw() string {
	p := of.Of
	_, lays := p.Jobs[0].Wanted[0].(*job.Placed)
	if len(p.Layout.Data) != 1 || len(p.Layout.Wanted) != 1 || !lays {
		return "the map that it places rows in is of no sample"
	}
	if _, lays = job.LayingOf(p.Layout.Wanted[0]); !lays || p.Shown < 1 || p.Shown > MostLayout {
		return "the map that it places rows in is none of all points"
	}
	return ""
}

// layOut has a plan whose rows are placed make the map of a sample of them first.
func (w *Wish) layOut(p *Plan) error {
	if w.Layout == nil {
		return nil
	}
	if w.Shown < 1 || w.Shown > MostLayout {
		return run.Usage{Err: problem.New("", fmt.Sprintf("give 1 to %d", MostLayout),
			"a map cannot be made of a sample of %d rows (--shown)", w.Shown)}
	}
	var text bytes.Buffer
	out := *w.Into
	out.Engine = p.Jobs[0].Engine
	out.Data, out.Wanted = []job.File{{Path: SampleFile}}, []job.Want{w.Layout}
	if err := out.Write(&text); err != nil {
		return err
	}
	var err error
	p.Layout, err = job.Read(&text, p.folder)
	return err
}

// LaidIn are the files in a folder of which parts of such a plan are placed.
func LaidIn(folder string) (sample, positions string) {
	return SampleIn(folder), filepath.Join(folder, LaidMap)
}

// print is the print of the points that the map was made of, as a window has them.
func (of *Layout) print(ctx context.Context, j *job.Job) (uint64, error) {
	sample, err := source.Read(ctx, of.Of.Sample(), format.Options{})
	if err != nil {
		return 0, err
	}
	now, _, err := state.Decode(j.State, state.Context{Data: sample, Seed: j.Seed, File: of.Of.folder, Partial: true})
	if err != nil {
		return 0, err
	}
	spec := parts.Transform.Of(now)
	points, err := run.PointsOf(ctx, sample, spec.MapColumns(), spec, transform.Shuffle(sample.Points, j.Seed), nil)
	if err != nil {
		return 0, err
	}
	return points.Table.Print(), nil
}

// show writes the job that a window opens: the map of the sample, with the view that shows it.
func (of *Layout) show(ctx context.Context) error {
	p := of.Of
	j, want, err := of.job()
	if err != nil {
		return err
	}
	j.Data[0] = job.File{Path: SampleFile}
	written, _ := want.Paths()
	*written[0] = ""
	r := want.Recipe
	ds, err := source.Read(ctx, filepath.Join(p.folder, LaidMap), format.Options{})
	if err != nil {
		return err
	}
	pos := matrix.New(ds.Points, r.Dims)
	for c := range min(r.Dims, len(ds.Columns)) {
		for i, v := range ds.Columns[c].Values {
			pos.Row(i)[c] = v
		}
	}
	print, err := of.print(ctx, j)
	if err != nil {
		return err
	}
	units := int64(p.laid.Units)
	done := &parts.Memory{Print: print, Units: units, Outcome: parts.Outcome{Total: units, Rest: true}}
	kept, err := (&parts.Snapshot{Recipe: r, Pos: pos.Data, Memory: done}).Inline()
	if err != nil {
		return err
	}
	views, err := json.Marshal(parts.ViewList{Active: parts.FirstView, Views: []parts.View{
		parts.NewView(parts.FirstView, r)}})
	if err != nil {
		return err
	}
	j.State["snapshots"], j.State["views"] = kept, state.Encoded{Version: 1, Value: views}
	return writeShown(p.folder, p.Frame != nil, j)
}
