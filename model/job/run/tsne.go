package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/quality"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// TSNE says how a map of all points is made by t-SNE, beside Settings.
type TSNE struct {
	tsne.Options
	Accuracy   string // fast, normal, fine
	Start      string // StartPCA, StartRandom, StartEmbedSOM, or a file of n x dims positions
	StartAs    string // fresh: made small, keep: as it is, without exaggeration
	Neighbours string // exact, auto
	At         string // a file of n x dims positions: evaluated, and nothing moved
	Into       string // the file of reference points, in whose
	Map        string // map (a file of n x dims positions) new points are placed
	Keep       bool   // what there is when it is interrupted
	Measure    bool   // R_NX and trustworthiness in the end

	free  bool    // nobody has said a Theta
	given *Points // that the map is made of; nil: those of the input
}

// Where a map starts.
const (
	StartPCA      = "pca"
	StartRandom   = "random"
	StartEmbedSOM = "embedsom"
)

// DefaultTSNE are the settings of a command line without flags. An infinite Theta is one that suits the dimensions.
func DefaultTSNE() TSNE {
	t := TSNE{Options: tsne.Defaults(), Accuracy: "normal", Start: StartPCA, StartAs: "fresh", Neighbours: "auto"}
	t.Theta = math.Inf(1)
	return t
}

// Files are the files that are read beside those of Settings.
func (t *TSNE) Files() []string {
	files := []string{t.At, t.Into, t.Map}
	if t.StartFile() != "" {
		files = append(files, t.Start)
	}
	return files
}

// Free says whether nobody has said a Theta: it suits the dimensions.
func (t *TSNE) Free() bool { return t.free || math.IsInf(t.Theta, 1) }

// StartFile is the file that a map begins from, "" if it begins otherwise.
func (t *TSNE) StartFile() string {
	if slices.Contains([]string{StartPCA, StartRandom, StartEmbedSOM}, t.Start) {
		return ""
	}
	return t.Start
}

// Check fills in what depends on the dimensions and says what is wrong, before any file is touched.
func (t *TSNE) Check(s *Settings) error {
	if err := s.Check(); err != nil {
		return err
	}
	if t.Dims = s.Dims; t.Dims == 0 {
		t.Dims = 2
	}
	if t.free = math.IsInf(t.Theta, 1); t.free {
		t.Theta = tsne.DefaultsIn(t.Dims).Theta
	}
	t.Seed = s.Seed
	a, err := tsne.ParseAccuracy(t.Accuracy)
	if err != nil {
		return Usage{err}
	}
	t.Options.Accuracy = a
	switch {
	case t.StartAs != "fresh" && t.StartAs != "keep":
		return usage("use fresh or keep", "--start-as %q is not known", t.StartAs)
	case t.Neighbours != "exact" && t.Neighbours != "auto":
		return usage("use exact or auto", "--neighbours %q is not known", t.Neighbours)
	case (t.Into == "") != (t.Map == ""):
		return usage("give both: the reference's points, and its map", "--into and --map belong together")
	case t.Into != "" && t.At != "":
		return usage("give one of them", "--into places new points, --at looks at given ones")
	case t.StartAs == "keep" && (t.Start == StartRandom || t.Start == StartPCA):
		return usage("give --start a file or embedsom, or leave --start-as out",
			"--start-as keep keeps the size of a map that is there, --start %s has none", t.Start)
	}
	if t.StartAs == "keep" {
		t.Until = 0
	}
	if err := t.Validate(); err != nil {
		return Usage{err}
	}
	return nil
}

// Stage is what took a time.
type Stage struct {
	Name    string
	Seconds float64
}

// TSNEMap is a map by t-SNE, or what was asked about one.
type TSNEMap struct {
	Points          *Points
	Dims            int
	Pos             []float32 // rows of the input x Dims; NaN for points with a missing or infinite value
	Forces          []float32 // of TSNE.At, rows x 2 Dims: attraction, then repulsion; nil: not asked for
	KL, Z           float64   // NaN: there is none
	Quality         *quality.Whole
	Placed          bool // new points were put into a frozen map
	Units           int
	Method          string
	Perplexity      float64 // NaN: there is none
	Recall          float64 // of the neighbours; 1: exact
	Interrupted     bool    // Pos is what there was by then
	Stages          []Stage
	Notes           []string
	Engine, Variant string
	Device          string
}

func (m *TSNEMap) note(format string, args ...any) {
	m.Notes = append(m.Notes, fmt.Sprintf(format, args...))
}

// mapper makes a TSNEMap.
type mapper struct {
	s       *Settings
	t       *TSNE
	report  Report
	engines engine.Chooser
	out     *TSNEMap
	started time.Time
	rows    []int32 // of the input, that are valid
	x       matrix.Matrix32
}

// Run reads the input and makes its map, or does what else the settings say. With Keep an interrupted map comes with
// the error of the context.
func (t *TSNE) Run(ctx context.Context, s *Settings, path string, report Report) (*TSNEMap, error) {
	if err := t.Check(s); err != nil {
		return nil, err
	}
	m := &mapper{s: s, t: t, report: report, started: time.Now(), out: &TSNEMap{Dims: t.Dims, KL: math.NaN(),
		Z: math.NaN(), Perplexity: math.NaN(), Recall: 1}}
	var err error
	if m.engines, err = s.Engines(); err != nil {
		return nil, err
	}
	defer m.engines.Close()
	if t.Into != "" {
		err = m.place(ctx, path)
	} else {
		err = m.make(ctx, path)
	}
	if err != nil && !m.out.Interrupted {
		return nil, named(err, path)
	}
	e := m.engines.Engine()
	m.out.Engine, m.out.Variant, m.out.Device = e.Name(), e.Variant(), e.Device()
	return m.out, err
}

// On is Run of points that are there.
func (t *TSNE) On(ctx context.Context, s *Settings, p *Points, report Report) (*TSNEMap, error) {
	own := *t
	own.given = p
	return own.Run(ctx, s, p.Data.Path, report)
}

// lap ends a stage.
func (m *mapper) lap(name string) {
	now := time.Now()
	m.out.Stages = append(m.out.Stages, Stage{name, now.Sub(m.started).Seconds()})
	m.started = now
}

// read reads a table and puts it in the space of its map.
func (m *mapper) read(ctx context.Context, path string) error {
	if p := m.t.given; p != nil {
		return m.have(ctx, p.Data, p, nil)
	}
	ds, err := m.s.Read(ctx, path, m.report)
	if err != nil {
		return err
	}
	c, err := m.s.Choose(ctx, ds, Given{})
	if err != nil {
		return err
	}
	return m.take(ctx, ds, c)
}

// take makes the points of a table, and the matrix of those that are valid.
func (m *mapper) take(ctx context.Context, ds *dataset.Dataset, c Chosen) error {
	p, err := PointsOf(ctx, ds, c.Cols, c.Spec, m.report)
	if err != nil {
		return err
	}
	return m.have(ctx, ds, p, c.Notes)
}

// have takes points that are there.
func (m *mapper) have(ctx context.Context, ds *dataset.Dataset, p *Points, notes []string) error {
	m.out.Notes = append(m.out.Notes, ds.Warnings...)
	if ds.Total > ds.Points {
		m.out.note("a sample of %d of %d points", ds.Points, ds.Total)
	}
	m.out.Points = p
	m.out.Notes = slices.Concat(m.out.Notes, p.lost(), notes)
	if m.rows, m.x = valid(p.Table.X); len(m.rows) < ds.Points {
		m.out.note("%d of %d points have a missing or infinite value and no place on the map", ds.Points-len(m.rows),
			ds.Points)
	}
	m.lap("read")
	return ctx.Err()
}

// valid returns the rows of x that are finite, which are x itself where all are.
func valid(x matrix.Matrix32) (rows []int32, out matrix.Matrix32) {
	for i := range x.Rows {
		if knn.Finite(x.Row(i)) {
			rows = append(rows, int32(i))
		}
	}
	if len(rows) == x.Rows {
		return rows, x
	}
	out = matrix.New(len(rows), x.Cols)
	for at, i := range rows {
		copy(out.Row(at), x.Row(int(i)))
	}
	return rows, out
}

// load opens points on the engine. Where "auto" has chosen one that cannot make maps, the next is tried.
func (m *mapper) load(ctx context.Context, x matrix.Matrix32, wanted bool) (engine.Resident, error) {
	for {
		e := m.engines.Engine()
		r, err := e.Load(ctx, x)
		if err != nil {
			return nil, err
		}
		if c := r.Caps(); !wanted || c.TSNE != nil {
			return r, nil
		}
		r.Free()
		if orAuto(m.s.Engine) != engine.Auto {
			return nil, usage("use --engine auto", "engine %s makes no maps by t-SNE", e.Name())
		}
		if !m.engines.Next() {
			return nil, engine.ErrNoEngine()
		}
	}
}

// make makes the map of a table, or looks at a given one.
func (m *mapper) make(ctx context.Context, path string) error {
	if err := m.read(ctx, path); err != nil {
		return err
	}
	r, err := m.load(ctx, m.x, true)
	if err != nil {
		return err
	}
	defer r.Free()
	var start []float32
	if m.t.At != "" {
		if start, err = m.positions(ctx, m.t.At, true); err != nil {
			return err
		}
	}
	if err := m.method(r.Caps().TSNE); err != nil {
		return err
	}
	if err := m.fits(path); err != nil {
		return err
	}
	p, err := m.affinities(ctx, r)
	if err != nil {
		return err
	}
	if m.t.At == "" {
		if start, err = m.start(ctx, r); err != nil {
			return err
		}
	}
	l, err := tsne.Start(ctx, r.Caps().TSNE, p, start, m.t.Options)
	if err != nil {
		return err
	}
	defer l.Close()
	if m.t.At != "" {
		return m.evaluate(ctx, l, start)
	}
	stopped := m.form(ctx, l)
	if stopped != nil && !(m.t.Keep && errors.Is(stopped, context.Canceled)) {
		return stopped
	}
	m.out.Interrupted = stopped != nil
	ctx = context.WithoutCancel(ctx) // what there is is kept
	target := embedsom.NewHostTarget(m.x.Rows, m.t.Dims)
	if err := l.Positions(ctx, target); err != nil {
		return err
	}
	m.out.Pos = m.scatter(target.Data, m.t.Dims)
	at := tsne.Evaluation{}
	if err := l.Evaluate(ctx, &at); err != nil {
		return err
	}
	m.out.Units, m.out.Method = l.Units(), string(at.Method)
	if m.x.Rows > 1 { // of fewer there are no pairs
		m.out.KL, m.out.Z = at.KL, at.Z
	}
	if m.out.Interrupted {
		m.out.note("interrupted after %d units: what there was by then is kept", l.Units())
		return stopped
	}
	if most := m.t.Total; most > 0 && l.Units() < most {
		m.out.note("it came to rest after %d of %d units", l.Units(), most)
	}
	m.lap("layout")
	return m.measure(ctx, target.Data)
}

// method says whether the engine has the one that is asked for.
func (m *mapper) method(d tsne.Device) error {
	has := d.Traits(m.t.Dims).Methods
	if m.t.Method == "" || m.t.Method == tsne.Auto || slices.Contains(has, m.t.Method) {
		return nil
	}
	names := []string{string(tsne.Auto)}
	for _, name := range has {
		names = append(names, string(name))
	}
	return usage("use "+problem.OneOf(names...), "--repulsion %s: engine %s has no such method in %d dimensions",
		m.t.Method, m.engines.Engine().Name(), m.t.Dims)
}

// available says how much memory is free; tests set it.
var available = format.AvailableMemory

// fits says what does not fit into memory, before any is taken.
func (m *mapper) fits(path string) error {
	err := tsne.Fits(m.x.Rows, m.x.Cols, m.t.Dims, m.t.Perplexity, false, available(), fewerPoints)
	return named(err, path)
}

// fewerPoints is what to do where so many points fit into memory.
func fewerPoints(n int) string {
	return fmt.Sprintf("take a sample with --max-points %d --sample random", n)
}

// affinities finds neighbours, and what they are worth.
func (m *mapper) affinities(ctx context.Context, r engine.Resident) (*tsne.Sparse, error) {
	used, k := tsne.Allowed(m.x.Rows, m.t.Perplexity)
	if used != m.t.Perplexity && m.x.Rows > 1 {
		m.out.note("a perplexity of %g needs %d points; %d allow %.4g", m.t.Perplexity,
			int(math.Ceil(3*m.t.Perplexity))+1, m.x.Rows, used)
	}
	caps := r.Caps()
	var assign knn.Assign
	if caps.Searcher != nil {
		assign = caps.Searcher.Nearest
	}
	near, err := knn.Auto(ctx, m.x, caps.Neighbours, assign, knn.Plan{K: k, Exact: m.t.Neighbours == "exact",
		Seed: m.s.Seed, Progress: m.report})
	if err != nil {
		return nil, err
	}
	if m.out.Recall = near.Recall; !near.Exact {
		m.out.note("%.1f %% of the neighbours were found, in the nearest %d of %d groups of points; "+
			"--neighbours exact finds all", 100*near.Recall, near.Probe, near.Cells)
	}
	m.lap("neighbours")
	p, err := tsne.SparseOf(ctx, near.Lists, m.t.Perplexity)
	if err != nil {
		return nil, err
	}
	if m.x.Rows > 1 {
		m.out.Perplexity = p.Perplexity
	}
	m.lap("affinities")
	return p, nil
}

// start is where the points begin.
func (m *mapper) start(ctx context.Context, r engine.Resident) (y []float32, err error) {
	n, dims := m.x.Rows, m.t.Dims
	switch m.t.Start {
	case StartPCA:
		y, err = tsne.PCAStart(ctx, m.x, dims, m.s.Seed)
	case StartRandom:
		y = tsne.RandomStart(n, dims, m.s.Seed)
	case StartEmbedSOM:
		if y, err = m.embed(ctx, r); err == nil && m.t.StartAs == "fresh" {
			y = tsne.SmallStart(y, dims, m.s.Seed)
		}
	default:
		if y, err = m.positions(ctx, m.t.Start, true); err == nil && m.t.StartAs == "fresh" {
			if spot(y, dims) {
				m.out.note("all points of %s lie at one place, from which noise parts them: it says nothing of "+
					"where they begin", m.t.Start)
			}
			y = tsne.SmallStart(y, dims, m.s.Seed)
		}
	}
	m.lap("start")
	return y, err
}

// spot says whether two or more places are all the same.
func spot(y []float32, dims int) bool {
	for i := dims; i < len(y); i++ {
		if y[i] != y[i-dims] {
			return false
		}
	}
	return len(y) > dims
}

// embed is the EmbedSOM map of the points, with landmarks as the settings say, or a map of 20 x 20.
func (m *mapper) embed(ctx context.Context, r engine.Resident) ([]float32, error) {
	s := *m.s
	s.Dims = m.t.Dims
	p := *m.out.Points
	table := *p.Table
	table.X, table.Invalid = m.x, 0
	p.Table = &table
	b, how, err := s.Training(p.Data)
	if err != nil {
		return nil, err
	}
	l, err := Train(ctx, &p, r, b, nil, how, s.Seed, m.report)
	if err != nil {
		return nil, err
	}
	dst, err := project(ctx, r, l.Set, s.Params, m.x.Rows, m.report)
	if err != nil {
		return nil, err
	}
	return dst.Data, nil
}

// positions reads a table of coordinates with a row for each row of the input, or for each valid one, and returns
// those of the valid ones. own says that the dimensions are those that were asked for.
func (m *mapper) positions(ctx context.Context, path string, own bool) ([]float32, error) {
	ds, err := format.Open(ctx, path, format.Options{})
	if err != nil {
		return nil, err
	}
	all, dims := whole(ds), len(ds.Columns)
	if dims != 2 && dims != 3 || own && path != m.t.At && dims != m.t.Dims {
		return nil, problem.New(path, fmt.Sprintf("give a table of %d columns", m.t.Dims),
			"it has %s, the map %d dimensions", problem.Count(dims, "column"), m.t.Dims)
	}
	if path == m.t.At {
		m.t.Dims, m.out.Dims = dims, dims
		if m.t.free {
			m.t.Theta = tsne.DefaultsIn(dims).Theta
		}
	}
	n := m.out.Points.Data.Points
	if all.Rows != n && all.Rows != len(m.rows) {
		return nil, problem.New(path, "give a table with a row for each point",
			"it has %d rows, and there are %d points", all.Rows, n)
	}
	y := make([]float32, 0, len(m.rows)*dims)
	for at, i := range m.rows {
		if all.Rows != n {
			i = int32(at)
		}
		if !knn.Finite(all.Row(int(i))) {
			return nil, problem.New(path, "give finite numbers for all points that have finite values",
				"row %d has no place on the map", i+1)
		}
		y = append(y, all.Row(int(i))...)
	}
	if path == m.t.At || own && m.t.StartAs == "keep" { // else they are made small
		return y, named(tsne.CheckPlaces(y, len(m.rows), dims), path)
	}
	return y, nil
}

// scatter puts what belongs to valid points in the rows of the input; others get NaN.
func (m *mapper) scatter(v []float32, cols int) []float32 {
	n := m.out.Points.Data.Points
	if len(m.rows) == n {
		return v
	}
	out := slices.Repeat([]float32{float32(math.NaN())}, n*cols)
	for at, i := range m.rows {
		copy(out[int(i)*cols:], v[at*cols:(at+1)*cols])
	}
	return out
}

// form does the units, with KL in the progress.
func (m *mapper) form(ctx context.Context, l *tsne.Layout) error {
	stage := "layout"
	shown := time.Time{}
	for units := 1; ; {
		begun := time.Now()
		p, err := l.Step(ctx, units)
		if err != nil {
			return err
		}
		took := time.Since(begun)
		if m.report != nil {
			if time.Since(shown) > 500*time.Millisecond && took < 300*time.Millisecond {
				at := tsne.Evaluation{}
				if err := l.Evaluate(ctx, &at); err != nil {
					return err
				}
				stage, shown = fmt.Sprintf("layout · KL %.3f", at.KL), time.Now()
			}
			m.report(stage, p.Done, p.Total)
		}
		if p.Rest {
			return nil
		}
		switch { // it changes nothing in the result
		case took < 40*time.Millisecond:
			units *= 2
		case took > 160*time.Millisecond:
			units = max(1, units/2)
		}
	}
}

// evaluate says how a given map lies.
func (m *mapper) evaluate(ctx context.Context, l *tsne.Layout, y []float32) error {
	dims := m.t.Dims
	at := tsne.Evaluation{Attraction: make([]float32, len(y)), Repulsion: make([]float32, len(y))}
	if err := l.Evaluate(ctx, &at); err != nil {
		return err
	}
	both := make([]float32, 0, 2*len(y))
	for i := 0; i < len(y); i += dims {
		both = append(append(both, at.Attraction[i:i+dims]...), at.Repulsion[i:i+dims]...)
	}
	m.out.Forces, m.out.Pos = m.scatter(both, 2*dims), m.scatter(y, dims)
	m.out.Method = string(at.Method)
	if m.x.Rows > 1 {
		m.out.KL, m.out.Z = at.KL, at.Z
	}
	m.lap("evaluate")
	return m.measure(ctx, y)
}

// measure says how well neighbours are kept.
func (m *mapper) measure(ctx context.Context, y []float32) (err error) {
	if !m.t.Measure {
		return nil
	}
	find := func(ctx context.Context, x matrix.Matrix32, q knn.Query, out *knn.Lists) error {
		r, err := m.engines.Engine().Load(ctx, x)
		if err != nil {
			return err
		}
		defer r.Free()
		return ask(ctx, r.Caps().Neighbours, x, q, out)
	}
	w := quality.Work{Threads: m.s.Threads, Progress: m.report.Stage("quality"), Find: find}
	if m.x.Rows > quality.Exact {
		w.Sample = transform.Shuffle(m.x.Rows, m.s.Seed)[:quality.Queries]
	}
	m.out.Quality, err = quality.Among(ctx, m.x, y, m.t.Dims, w)
	m.lap("quality")
	return err
}
