package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"blossom/model/data/dataset"
	"blossom/model/job/export"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// Map is a finished map: the points, the landmarks, and where every point went.
type Map struct {
	Points    *Points
	File      *landmark.File // the landmarks with what they need to be used again
	Embedding *embedsom.HostTarget
	Engine    string // that computed it
	Variant   string // of the engine, "" where there is one
	Device    string
	Notes     []string // what the user should know
}

// Train reads the input and returns landmarks for it, without projecting.
func (s *Settings) Train(ctx context.Context, path string, report Report) (*Map, error) {
	return s.run(ctx, path, false, report)
}

// Embed reads the input, gets the landmarks as the settings say, and projects every point, in the
// order of the rows.
func (s *Settings) Embed(ctx context.Context, path string, report Report) (*Map, error) {
	return s.run(ctx, path, true, report)
}

func (s *Settings) run(ctx context.Context, path string, project bool, report Report) (*Map, error) {
	k, err := s.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	ds, err := s.Read(ctx, path, report)
	if err != nil {
		return nil, err
	}
	return k.make(ctx, ds, project, report)
}

// Maker makes maps: an engine, and the landmarks if they came from files. It is opened before the
// input is read, because all in it is small and can be wrong.
type Maker struct {
	s       *Settings
	engines engine.Chooser
	hd      *dataset.Dataset // of --landmarks-hd, for the names of its columns
	set     *landmark.Set    // of files, nil: to be trained
	file    *landmark.File   // of --landmarks
}

// Open checks the settings, opens the engine and reads the landmarks. Close the Maker in the end.
func (s *Settings) Open(ctx context.Context) (*Maker, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	name, variant, err := engine.Pin(s.Engine, s.GPU.Variant)
	if err != nil {
		return nil, Usage{err}
	}
	options := s.GPU
	options.Threads, options.Variant = s.Threads, variant
	engines, err := engine.Open(name, options)
	if err != nil {
		return nil, s.engineError(err)
	}
	k := &Maker{s: s, engines: engines}
	switch {
	case s.LandmarksHD != "":
		k.hd, k.set, err = s.readMatrices(ctx)
	case s.Landmarks != "":
		if k.file, err = s.readTrained(); err == nil {
			k.set = k.file.Set
		}
	}
	if err != nil {
		k.Close()
		return nil, err
	}
	return k, nil
}

// engineError says whether err is about an engine that exists but not here, which is no wrong usage.
func (s *Settings) engineError(err error) error {
	if slices.Contains(engine.Names(), orAuto(s.Engine)) {
		return err
	}
	return Usage{err}
}

// Close frees the engine.
func (k *Maker) Close() { k.engines.Close() }

// Embed makes the map of a table.
func (k *Maker) Embed(ctx context.Context, ds *dataset.Dataset, report Report) (*Map, error) {
	return k.make(ctx, ds, true, report)
}

func (k *Maker) make(ctx context.Context, ds *dataset.Dataset, project bool, report Report) (*Map, error) {
	s, e := k.s, k.engines.Engine()
	m := &Map{Engine: e.Name(), Variant: e.Variant(), Device: e.Device(), File: k.file}
	m.Notes = append(m.Notes, ds.Warnings...)
	if ds.Total > ds.Points {
		m.note("a sample of %d of %d points", ds.Points, ds.Total)
	}
	var err error
	var set *landmark.Set // nil: to be trained
	if m.Points, set, err = k.choose(ctx, ds, report); err != nil {
		return nil, err
	}
	m.Notes = append(m.Notes, k.spaceNotes(m.Points)...)
	if n := m.Points.Table.Invalid; n > 0 {
		m.note("%d of %d points have a missing or infinite value and no place on the map", n, ds.Points)
	}
	resident, err := e.Load(ctx, m.Points.Table.X)
	if err != nil {
		return nil, err
	}
	defer resident.Free()

	if set == nil {
		t, err := s.train(ctx, m.Points, resident, report)
		if err != nil {
			return nil, err
		}
		set, m.File = t.set, s.fileOf(m.Points, t)
		m.File.Engine = engine.FullName(m.Engine, m.Variant)
	} else if m.File == nil {
		m.File = s.fileOf(m.Points, &trained{set: set, method: "given"})
	}
	if k := s.Params.K; k > set.Len() {
		m.note("--k %d is more than the %d landmarks: all of them are used", k, set.Len())
	}
	if note := ArrangedNote(set); note != "" {
		m.note("%s", note)
	}
	if project {
		m.Embedding, err = s.project(ctx, resident, set, ds.Points, report)
	}
	return m, err
}

func (m *Map) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// choose picks the columns for the source of landmarks at hand and makes the points. The set is that of the files,
// where the points are, nil if there is none.
func (k *Maker) choose(ctx context.Context, ds *dataset.Dataset, report Report) (*Points, *landmark.Set, error) {
	s, set := k.s, k.set
	var cols []int
	var spec transform.Spec
	var err error
	switch {
	case k.hd != nil:
		if cols, spec, err = s.givenColumns(ctx, ds, k.hd); err == nil {
			set, err = toZero(k.hd, set, cols, spec)
		}
	case k.file != nil:
		cols, spec, err = s.trainedColumns(ctx, ds, k.file)
	default:
		cols, spec, err = s.ownColumns(ctx, ds)
	}
	if err != nil {
		return nil, nil, err
	}
	p, err := points(ctx, ds, cols, spec, report)
	return p, set, err
}

// spaceNotes says what was chosen on the user's behalf of how columns become dimensions.
func (k *Maker) spaceNotes(p *Points) []string {
	s, of := k.s, ""
	switch {
	case k.hd != nil:
		of = "input is taken as it is with --landmarks-hd"
	case k.file != nil:
		of = "landmarks were trained on values that are not"
	}
	notes := s.compensationNotes(p.Data, p.Spec, p.Cols, of)
	if lost := p.Table.Lost(p.Data); len(lost) > 0 {
		names := p.Data.Columns[lost[0]].Name
		if more := len(lost) - 1; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		notes = append(notes, "values that differ are taken for equal in "+names+", as 7 digits are kept of each: "+
			"bring them near zero with --transform linear:FACTOR:OFFSET, or leave --transform out")
	}
	if of == "" {
		notes = append(notes, s.scaleNotes(p)...)
		if left := p.Data.LeftOut(p.Cols, false); left != "" && s.Columns == "" {
			notes = append(notes, "left out of the map: "+left+"; --columns takes them in")
		}
	}
	return notes
}

// scaleNotes says whether the columns of a map that is trained here were scaled without being asked to, or might be.
func (s *Settings) scaleNotes(p *Points) []string {
	plain := p.Spec.Clone()
	for _, c := range p.Cols {
		plain.Columns[c].Op = transform.None
	}
	share, few := transform.WantsScale(p.Data, plain, p.Cols)
	switch {
	case !few || s.Scale:
		return nil
	case p.Spec.Scale:
		return []string{"scaled to unit deviation because " + share.Text(p.Data) +
			"; --scale=none leaves columns as they are"}
	case slices.ContainsFunc(p.Cols, func(c int) bool { return p.Spec.Columns[c].Op != transform.None }):
		return nil
	}
	return []string{share.Text(p.Data) + " and makes the map almost alone; --scale divides columns by their deviation"}
}

// chunk is the number of points between two looks at the context and at the progress bar.
const chunk = 1 << 16

// project runs both stages over all points.
func (s *Settings) project(ctx context.Context, r engine.Resident, set *landmark.Set, n int,
	report Report) (*embedsom.HostTarget, error) {
	dst := embedsom.NewHostTarget(n, set.Pos.Cols)
	for from := 0; from < n; from += chunk {
		at := engine.Range{From: from, To: min(n, from+chunk)}
		if err := r.Neighbours(ctx, set, s.Params, at); err != nil {
			return nil, err
		}
		if err := r.Project(ctx, set, s.Params, dst, at); err != nil {
			return nil, err
		}
		if report != nil {
			report("projecting", int64(at.To), int64(n))
		}
	}
	return dst, ctx.Err()
}

// Coordinates returns the embedding as a table with the columns embedsom1, embedsom2 and so on.
func (m *Map) Coordinates(ctx context.Context) (*dataset.Dataset, error) {
	ds, err := export.Coordinates(ctx, export.EmbedSOM, m.Embedding.Data, m.Embedding.M, nil)
	if err == nil {
		ds.Metadata = map[string]string{export.EngineKey: engine.FullName(m.Engine, m.Variant)}
		if m.File.Set.ByHand {
			ds.Metadata[export.ArrangedKey] = "by hand"
		}
	}
	return ds, err
}

// Reason is the cause of a failed file operation without the path, which the message has already.
func Reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// short writes a bound of a parameter for people.
func short(x float64) string {
	if math.IsInf(x, 1) {
		return "any number"
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}
