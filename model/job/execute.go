package job

import (
	"cmp"
	"context"
	"errors"
	"image/color"
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/run"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// Options are of the machine and of the moment; none is in a job.
type Options struct {
	Engine  engine.Options // threads, cards and kernels; a variant is named by the job
	Changed bool           // files of the data may be others than the job was made of
	Program string         // name and version, for files
	Part    bool           // the rows are some of many, of which none need have a place
	// Colour is that of populations, which palettes have; nil: files do not say it.
	Colour func(ink uint8) color.NRGBA
	// Shade is the colour of a share, 0 to 1, of the usual palette; nil: there is none.
	Shade func(share float64) color.NRGBA
	// Labels knows the colours of labels that somebody has chosen some for; nil: files have those of the data.
	Labels parts.Painter
	Report run.Report
}

// Work is a job under way: what has been opened and made for it.
type Work struct {
	*Job
	Options    Options
	Points     *run.Points    // nil until somebody has made them: see Space
	Parts      state.State    // the job's state, decoded
	Ran        Ran            // engine and device, as they were used
	Engines    engine.Chooser // opened
	Landmarks  *landmark.File // from the state, or made meanwhile; nil: there are none
	Notes      []string       // remarks for the user
	Files      format.Files   // files being written: they take their places together, when all is made
	started    time.Time      // the stage under way
	unfinished bool
	resident   engine.Resident // the points on the engine, once somebody has asked
}

// Ran is what has computed a job, and the device that it ran on.
type Ran struct {
	Engine
	Device string
}

// Execute computes what the job wants, in this order, and writes it. The same job on the same engine and variant gives
// the same bytes. It returns what there is to know, also with an error after something was made.
func Execute(ctx context.Context, j *Job, o Options) (*Work, error) {
	w, err := j.execute(ctx, o)
	var usage run.Usage
	if j.name != "" && errors.As(err, &usage) { // then it is wrong in the file, not on the command line
		p := problem.As(err)
		err = problem.Wrap(p, cmp.Or(p.File, j.name), p.Remedy, "%s", inFields(p.What))
	}
	return w, err
}

func (j *Job) execute(ctx context.Context, o Options) (*Work, error) {
	if err := j.Check(); err != nil {
		return nil, err
	}
	if err := j.makeable(); err != nil {
		return nil, err
	}
	if err := run.CheckDevices(j.Engine.Kind, o.Engine.Device, o.Engine.Beside); err != nil {
		return nil, err
	}
	if err := run.CheckKernels(j.Engine.Kind, o.Engine.Knn, o.Engine.Projection); err != nil {
		return nil, err
	}
	w := &Work{Job: j, Options: o, started: time.Now()}
	defer w.Files.Discard()
	machine := o.Engine
	machine.Variant = j.Engine.Variant
	if !j.plain() {
		var err error
		if w.Engines, err = run.OpenEngine(j.Engine.Kind, machine); err != nil {
			return nil, err
		}
		defer w.close()
		if err := (fitting{w}).all(ctx); err != nil {
			return nil, err
		}
	}
	if err := j.read(ctx, &o); err != nil {
		return nil, err
	}
	if err := j.besideSamples(ctx); err != nil {
		return nil, err
	}
	var err error
	if w.Parts, err = decoded(w.Options.Program, j); err != nil {
		return nil, err
	}
	if done, err := makeByRanges(ctx, w, &o); err != nil {
		return nil, err
	} else if done {
		return w, cmp.Or(ctx.Err(), w.Files.Commit())
	}
	for _, want := range j.Wanted {
		if err := want.Make(ctx, w); err != nil {
			if w.unfinished {
				return w, cmp.Or(w.Files.Commit(), err)
			}
			return w, err
		}
	}
	if err := ctx.Err(); err != nil {
		return w, err
	}
	return w, w.Files.Commit()
}

// decoded is the state of a job for its data.
func decoded(program string, j *Job) (state.State, error) {
	ds := j.table
	c := state.Context{Data: ds, Seed: j.Seed, File: ds.Path, Strict: true, Program: program}
	now, _, err := state.Decode(j.State, c)
	if err != nil {
		return now, problem.Wrap(err, cmp.Or(j.name, ds.Path), fileRemedy, "state: %s", problem.As(err).What)
	}
	if _, said := j.State["transform"]; !said { // as in a new document
		parts.Transform.Put(&now, transform.Default(ds))
	}
	return now, nil
}

// In makes relative paths of the job those of a folder.
func (j *Job) In(folder string) {
	for _, f := range j.all() {
		f.Path = inFolder(folder, f.Path)
	}
	for _, w := range j.Wanted {
		out, in := w.Paths()
		for _, path := range slices.Concat(out, in) {
			*path = inFolder(folder, *path)
		}
	}
}

// paint gives labels of a table the colours that the state has for them.
func (w *Work) paint(ds *dataset.Dataset) *dataset.Dataset {
	return parts.Palettes.Of(w.Parts).Painted(ds, w.Options.Labels)
}

// Unfinished says that what was interrupted has been written as far as it had come.
func (w *Work) Unfinished() bool { return w.unfinished }

// Space makes the points, in the order of the rows, if nobody has yet, and brings the landmarks of the state to them.
func (w *Work) Space(ctx context.Context) error { return w.space(ctx, nil) }

// spaceAsWindow makes the points in the order in which a window has them: the same comes of them.
func (w *Work) spaceAsWindow(ctx context.Context) error {
	return w.space(ctx, transform.Shuffle(w.table.Points, w.Seed))
}

// space makes the points in an order (nil: of the rows), if there are none that lie so.
func (w *Work) space(ctx context.Context, order []int32) error {
	if w.Points != nil && (w.Points.Table.Order == nil) == (order == nil) {
		return nil
	}
	w.free()
	w.Points = nil
	return spaceBy(ctx, w, func(cols []int) (*run.Points, error) {
		if w.Options.Part {
			return run.PartOf(ctx, w.table, cols, parts.Transform.Of(w.Parts), order, w.Options.Report)
		}
		return run.PointsOf(ctx, w.table, cols, parts.Transform.Of(w.Parts), order, w.Options.Report)
	})
}

// spaceBy makes the points of the columns of the map, and brings the landmarks of the state to them.
func spaceBy(_ context.Context, w *Work, make func(cols []int) (*run.Points, error)) error {
	spec := parts.Transform.Of(w.Parts)
	cols, err := w.columns(spec.MapColumns())
	if err != nil {
		return err
	}
	if w.Points, err = make(cols); err != nil {
		return err
	}
	if set := parts.Landmarks.Of(w.Parts); set.Len() > 0 && w.Landmarks == nil {
		w.Landmarks = w.Points.File(reordered(set, spec.MapColumns(), cols))
		w.Landmarks.Method, w.Landmarks.Program, w.Landmarks.Seed = "given", w.Options.Program, w.Seed
	}
	return nil
}

// columns are those of the map in the order of the job.
func (w *Work) columns(natural []int) ([]int, error) {
	if len(w.Order) == 0 {
		return natural, nil
	}
	at, cols := w.table.Places(), make([]int, len(w.Order))
	for i, name := range w.Order {
		c, ok := at[name]
		if !ok || !slices.Contains(natural, c) || slices.Contains(cols[:i], c) {
			return nil, problem.New(w.table.Path, "name each column of the map once, or leave order out",
				"the order of the job names %.60q", name)
		}
		cols[i] = c
	}
	if len(cols) != len(natural) {
		return nil, problem.New(w.table.Path, "name each column of the map once, or leave order out",
			"the order of the job names %d columns, and there are %d in the map", len(cols), len(natural))
	}
	return cols, nil
}

// Resident returns the points on the engine, which is the same for all that is wanted.
func (w *Work) Resident(ctx context.Context) (engine.Resident, error) {
	if w.resident != nil {
		return w.resident, nil
	}
	if w.Points == nil {
		if err := w.Space(ctx); err != nil {
			return nil, err
		}
	}
	r, err := w.Engines.Engine().Load(ctx, w.Points.Table.X)
	if err == nil {
		w.resident = r
	}
	return r, err
}

// Map is a map of the points with the landmarks that there are, not yet projected.
func (w *Work) Map() (*run.Map, error) {
	if w.Landmarks == nil {
		return nil, problem.New(w.table.Path, "train some first: landmarks, with som or kmeans",
			"there are no landmarks to make a map with")
	}
	m := run.NewMap(w.Points, w.Engines.Engine())
	m.File = w.Landmarks
	m.Notes = append(m.Notes, w.notes...)
	return m, nil
}

// engineName is the engine and its variant, as files have it.
func (w *Work) engineName() string {
	e := w.Engines.Engine()
	return engine.FullName(e.Name(), e.Variant())
}

// free takes the points from the engine.
func (w *Work) free() {
	if w.resident != nil {
		w.resident.Free()
		w.resident = nil
	}
}

// another goes on with the next engine, where nobody has chosen this one by name: it has none of the points. false:
// there is none, and this one stays.
func (w *Work) another() bool {
	if w.Job.Engine.pinned() {
		return false
	}
	w.free() // the engine is closed
	return w.Engines.Next()
}

func (w *Work) close() {
	w.free()
	e := w.Engines.Engine()
	w.Ran = Ran{Engine{e.Name(), e.Variant()}, e.Device()}
	w.Engines.Close()
}
