package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/work/engine"
)

// Beginning is where landmarks begin that are trained: on a grid, on a shape, at some of the points, or along them.
type Beginning struct {
	SOM      string `json:"som,omitempty"`       // a grid: "20x20"
	Topology string `json:"topology,omitempty"`  // grid cells: "rect" or "hex"
	Shape    string `json:"som_shape,omitempty"` // the file of a shape
	KMeans   int    `json:"kmeans,omitempty"`    // so many of the points
	Along    int    `json:"along,omitempty"`     // so many landmarks along the points
	Dims     int    `json:"dims,omitempty"`      // dimensions of KMeans' places, and of a flat shape that lies in space
}

// Check says what is wrong with a beginning, as a Usage error.
func (b Beginning) Check() error {
	given := 0
	for _, on := range []bool{b.SOM != "", b.Shape != "", b.KMeans != 0, b.Along != 0} {
		if on {
			given++
		}
	}
	switch {
	case given > 1:
		return usage("give one of som, som_shape, kmeans, along", "landmarks can begin in one way only")
	case b.KMeans < 0 || b.KMeans > landmark.MaxLandmarks:
		return usage(fmt.Sprintf("use 1 to %d", landmark.MaxLandmarks), "%d centres are not possible", b.KMeans)
	case b.Along < 0 || b.Along > landmark.MaxLandmarks:
		return usage(fmt.Sprintf("use 1 to %d", landmark.MaxLandmarks), "%d landmarks are not possible", b.Along)
	case b.Dims != 0 && b.Dims != 2 && b.Dims != 3:
		return usage("use 2 or 3", "a map has 2 or 3 dimensions, not %d", b.Dims)
	}
	if b.SOM != "" {
		if _, err := landmark.ParseShape(b.SOM); err != nil {
			return Usage{err}
		}
	}
	_, err := landmark.ParseTopology(cmp.Or(b.Topology, plainTopology))
	if err != nil {
		return Usage{err}
	}
	return nil
}

// Zero says that nothing is said of where landmarks begin.
func (b Beginning) Zero() bool { return b == Beginning{} }

// set makes the landmarks that a training of points begins with. Of points of which the pool has some it may be
// landmark.ErrAll.
func (b Beginning) set(ctx context.Context, from landmark.Pool, seed uint64) (*landmark.Set, error) {
	switch {
	case b.Along > 0 && from.Of != nil:
		return nil, landmark.ErrAll
	case b.Along > 0:
		return landmark.StartAlong(ctx, from.X, b.Along, 2, seed)
	case b.Shape != "":
		return onShape(ctx, from, b.Shape, b.Dims, seed)
	case b.KMeans > 0:
		return from.KMeans(ctx, b.KMeans, max(2, b.Dims), seed)
	}
	shape, err := landmark.ParseShape(b.SOM)
	if err != nil {
		return nil, Usage{err}
	}
	topology, err := landmark.ParseTopology(cmp.Or(b.Topology, plainTopology))
	if err != nil {
		return nil, Usage{err}
	}
	return from.Grid(ctx, shape, topology, seed)
}

// Plain says whether nothing is asked of landmarks that are trained here: they are those that a window begins with.
func (s *Origin) Plain() bool {
	return s.SOM == "" && s.SOMShape == "" && s.KMeans == 0 && s.Algorithm == "" && s.Topology == plainTopology &&
		s.dims() == 2 && !s.EqualSamples
}

// Training is where landmarks for a table begin, and how they are trained, as the settings say: the parameters that are
// asked for, or are a demo's; others will suit the points.
func (s *Origin) Training(ds *dataset.Dataset) (Beginning, parts.TrainingChoice, error) {
	var own demo.Start // a demo's, where nothing else is asked for
	if s.Plain() {
		own = demo.StartOf(ds.Path)
	}
	b, c := Beginning{}, parts.TrainingChoice{Algorithm: cmp.Or(s.Algorithm, own.Algorithm), Even: s.EqualSamples}
	if c.Algorithm == "" {
		c.Algorithm = train.DefaultID(s.KMeans > 0)
	}
	switch {
	case own.Along:
		side := landmark.SideFor(ds.Points)
		b.Along = side * side
	case s.SOMShape != "":
		b.Shape, b.Dims = s.SOMShape, s.Dims
		own.Values = alongEdges(c.Algorithm)
	case s.KMeans > 0:
		b.KMeans, b.Dims = s.KMeans, s.dims()
	default:
		side := landmark.SideFor(ds.Points)
		shape := landmark.ShapeFor(side*side, s.dims())
		if s.SOM != "" {
			var err error
			if shape, err = landmark.ParseShape(s.SOM); err != nil {
				return b, c, Usage{err}
			}
		}
		topology, err := landmark.ParseTopology(s.Topology)
		if err != nil {
			return b, c, Usage{err}
		}
		b.SOM, b.Topology = shape.String(), topology.String()
	}
	a, ok := train.ByID(c.Algorithm)
	if !ok {
		return b, c, usage("use "+problem.OneOf(append(train.IDs(false), train.IDs(true)...)...),
			"--algorithm %q is not known", c.Algorithm)
	}
	var err error
	c.Values, err = s.values(a, own.Values)
	return b, c, err
}

// Train makes landmarks for the points, as c says: from a beginning, or, where that says nothing, from those of set.
// Parameters that c does not say are those that suit the points. samples says which samples are evened out, where c
// wants that.
func Train(ctx context.Context, p *Points, r engine.Resident, b Beginning, set *landmark.Set,
	c parts.TrainingChoice, samples sheet.Sheet, seed uint64, report Report) (*landmark.File, error) {
	t, err := StartTraining(ctx, p, r, b, set, c, samples, seed)
	if err != nil {
		return nil, err
	}
	_, err = step.ToRest(ctx, t, 256, 20*time.Millisecond, func(p step.Progress, _ time.Duration) error {
		if report != nil {
			report("training", p.Done, p.Total)
		}
		return nil
	})
	if err != nil {
		return nil, named(err, p.Data.Path)
	}
	return t.File()
}

// Training is a training under way. It is a stepper.
type Training struct {
	train.Trainer
	p    *Points
	set  *landmark.Set
	file *landmark.File
}

// StartTraining begins what Train does.
func StartTraining(ctx context.Context, p *Points, r engine.Resident, b Beginning, set *landmark.Set,
	c parts.TrainingChoice, samples sheet.Sheet, seed uint64) (*Training, error) {
	x := p.Table.X
	if p.Table.Invalid == x.Rows {
		return nil, problem.New(p.Data.Path, "give a table with at least one point", "there are no points to train on")
	}
	a, in, out, err := p.begin(ctx, landmark.Pool{X: x}, b, set, c, seed)
	if err != nil {
		return nil, err
	}
	in.X = x
	useEngine(&in, r)
	c.Evenly(&in, samples, p.Data, p.Table)
	t, err := a.New(in, out.Values)
	if err != nil {
		return nil, named(err, p.Data.Path)
	}
	return &Training{t, p, out.Set, out}, nil
}

// begin is the algorithm of a training, what it starts from, but for the points, and the file that will come of it.
func (p *Points) begin(ctx context.Context, from landmark.Pool, b Beginning, set *landmark.Set,
	c parts.TrainingChoice, seed uint64) (a train.Algorithm, in train.Input, out *landmark.File, err error) {
	out = p.File(nil)
	out.Method, out.Seed = c.Algorithm, seed
	if !b.Zero() {
		if set, err = b.set(ctx, from, seed); err != nil {
			return a, in, nil, named(err, p.Data.Path)
		}
		out.Shape, out.Topology = b.SOM, b.Topology
	}
	a, ok := train.ByID(c.Algorithm)
	if !ok {
		return a, in, nil, problem.New("", "use "+problem.OneOf(append(train.IDs(false), train.IDs(true)...)...),
			"there is no training %q", c.Algorithm)
	}
	out.Set, out.Values = set, train.Values(a.ID, p.Data.Points, set.Pos)
	maps.Copy(out.Values, c.Values)
	in = train.Input{Codebook: set.Codebook, Pos: set.Pos, Pinned: set.Pinned, Edges: set.Edges, Seed: seed}
	return a, in, out, nil
}

// Landmarks are those that it has come to.
func (t *Training) Landmarks() (*landmark.Set, error) {
	set, err := t.set.WithCodebook(t.Codebook().Clone())
	if err != nil {
		return nil, named(err, t.p.Data.Path)
	}
	return set, nil
}

// File is the file of the landmarks that it has come to.
func (t *Training) File() (f *landmark.File, err error) {
	t.file.Set, err = t.Landmarks()
	return t.file, err
}

// File is the file of landmarks of the points.
func (p *Points) File(set *landmark.Set) *landmark.File {
	return &landmark.File{Set: set, Columns: export.Dimensions(p.view, p.Table), Mixes: export.Mixes(p.view, p.Table),
		Scaled: p.Spec.Scale, Source: filepath.Base(p.Data.Path), Points: p.Data.Points}
}

// dims is the number of coordinates of a map that is made here.
func (s *Origin) dims() int {
	if s.SOM != "" {
		if shape, err := landmark.ParseShape(s.SOM); err == nil {
			return shape.Dims()
		}
	}
	return max(2, s.Dims)
}

// values are the parameters of the training that the flags say, over own.
func (s *Origin) values(a train.Algorithm, own step.Values) (step.Values, error) {
	v := step.Values{}
	maps.Copy(v, own)
	known := map[string]step.Param{}
	for _, p := range a.Params {
		known[p.ID] = p
	}
	set := func(id, flag string, x float64) error {
		p, ok := known[id]
		if !ok {
			return usage("leave it out", "%s means nothing to --algorithm %s", flag, a.ID)
		}
		if c := p.Clamp(x); c != x {
			return usage(short(p.Min)+" to "+short(p.Max)+" is possible", "%s %g is out of range", flag, x)
		}
		v[id] = x
		return nil
	}
	if s.Epochs > 0 {
		if err := set("epochs", "--epochs", s.Epochs); err != nil {
			return nil, err
		}
	}
	if s.Neighbourhood != "" {
		along := 0.0
		if s.Neighbourhood == AlongEdges {
			along = 1
		}
		if err := set("along", "--neighbourhood", along); err != nil {
			return nil, err
		}
	}
	for _, f := range []struct{ id, flag, text string }{{"sigma", "--sigma", s.Sigma}, {"alpha", "--alpha", s.Alpha}} {
		from, to, err := fromTo(f.flag, f.text)
		if err != nil {
			return nil, err
		}
		if from != from { // not given
			continue
		}
		if err := set(f.id+"_from", f.flag, from); err != nil {
			return nil, err
		}
		if err := set(f.id+"_to", f.flag, to); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// useEngine offers what the engine can do for training, which is faster than plain Go.
func useEngine(in *train.Input, r engine.Resident) {
	c := r.Caps()
	in.Searcher, in.Summer = c.Searcher, c.Summer
}

// named puts the input's name on a Problem that has none.
func named(err error, file string) error {
	if p, ok := err.(*problem.Problem); ok && p.File == "" {
		return problem.Wrap(p, file, p.Remedy, "%s", p.What)
	}
	return err
}
