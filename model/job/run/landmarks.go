package run

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// readMatrices reads --landmarks-hd and --landmarks-ld.
func (s *Settings) readMatrices(ctx context.Context) (hd *dataset.Dataset, set *landmark.Set, err error) {
	hd, err = format.Open(ctx, s.LandmarksHD, format.Options{})
	if err != nil {
		return nil, nil, err
	}
	ld, err := format.Open(ctx, s.LandmarksLD, format.Options{})
	if err != nil {
		return nil, nil, err
	}
	if hd.Points != ld.Points {
		return nil, nil, problem.New(s.LandmarksLD, "give one position for each landmark",
			"it has %d rows, and %s has %d", ld.Points, s.LandmarksHD, hd.Points)
	}
	if n := len(ld.Columns); n != 2 && n != 3 {
		return nil, nil, problem.New(s.LandmarksLD, "give a table of 2 or 3 columns", "positions with %d coordinates",
			n)
	}
	if hd.Points > landmark.MaxLandmarks {
		return nil, nil, problem.New(s.LandmarksHD, "use fewer landmarks", "%d landmarks are more than %d", hd.Points,
			landmark.MaxLandmarks)
	}
	pos := whole(ld)
	for i, v := range pos.Data {
		if v-v != 0 {
			return nil, nil, problem.New(s.LandmarksLD, "give every landmark finite numbers",
				"landmark %d has the coordinate %g", i/pos.Cols+1, v)
		}
	}
	set, err = landmark.New(whole(hd), pos)
	if err != nil {
		p := problem.As(err)
		return nil, nil, problem.Wrap(err, s.LandmarksHD, p.Remedy, "%s", p.What)
	}
	return hd, set, s.checkDims(set, s.LandmarksLD)
}

// whole returns all columns as a matrix.
func whole(ds *dataset.Dataset) matrix.Matrix32 {
	all := make([]int, len(ds.Columns))
	for i := range all {
		all[i] = i
	}
	return ds.Matrix(all)
}

// toZero moves columns of the map, and the landmarks with them, to 0 where float32 would run the values of the
// landmarks together: 1e9 and 1e9 + 1 are one number there. No distance changes. What is moved follows from the
// landmarks alone, so that each point falls where it would among any others.
func toZero(hd *dataset.Dataset, set *landmark.Set, cols []int, spec transform.Spec) (*landmark.Set, error) {
	if spec.Scale { // then landmarks are in units of the points' deviation
		return set, nil
	}
	code, moved := set.Codebook.Clone(), false
	for j, i := range cols {
		t := transform.ToZero(&hd.Columns[j])
		if t.Op == transform.None || spec.Columns[i].Op != transform.None {
			continue
		}
		spec.Columns[i], moved = spec.Columns[i].WithTransform(t), true
		f := transform.FunctionOf(&hd.Columns[j], t)
		for row, x := range hd.Columns[j].Exact {
			code.Row(row)[j] = float32(f.Forward(x))
		}
	}
	if !moved {
		return set, nil
	}
	return set.WithCodebook(code)
}

// readTrained reads --landmarks.
func (s *Settings) readTrained() (*landmark.File, error) {
	in, err := os.Open(s.Landmarks)
	if err != nil {
		return nil, problem.Wrap(err, s.Landmarks, "give a file that blossom train has written",
			"cannot be read (%v)", Reason(err))
	}
	defer in.Close()
	info, err := in.Stat()
	if err == nil && !info.Mode().IsRegular() {
		return nil, problem.New(s.Landmarks, "give a file that blossom train has written", "not a regular file")
	}
	f, err := landmark.Read(in, s.Landmarks)
	if err != nil {
		return nil, err
	}
	return f, s.checkDims(f.Set, s.Landmarks)
}

// checkDims compares --dims with the positions of landmarks that came from a file.
func (s *Settings) checkDims(set *landmark.Set, file string) error {
	if s.Dims != 0 && s.Dims != set.Pos.Cols {
		return Usage{problem.New(file, "leave --dims out", "positions have %d coordinates, --dims says %d",
			set.Pos.Cols, s.Dims)}
	}
	return nil
}

// trained is what training leaves: the landmarks, and how they were made.
type trained struct {
	set    *landmark.Set
	shape  string
	topo   string
	method string
	values step.Values
}

// train makes landmarks for the points: a self-organizing map on a grid, or k-means.
func (s *Settings) train(ctx context.Context, p *Points, r engine.Resident, report Report) (*trained, error) {
	x := p.Table.X
	if p.Table.Invalid == x.Rows {
		return nil, problem.New(p.Data.Path, "give a table with at least one point", "there are no points to train on")
	}
	var own demo.Start // a demo's, where nothing else is asked for
	if s.SOM == "" && s.SOMShape == "" && s.KMeans == 0 && s.Algorithm == "" && s.Topology == Defaults().Topology &&
		s.dims() == 2 {
		own = demo.StartOf(p.Data.Path)
	}
	out := &trained{method: cmp.Or(s.Algorithm, own.Algorithm)}
	if out.method == "" {
		out.method = train.DefaultID(s.KMeans > 0)
	}
	var err error
	if own.Along {
		side := landmark.SideFor(x.Rows)
		out.set, err = landmark.StartAlong(ctx, x, side*side, 2, s.Seed)
	} else if s.SOMShape != "" {
		if out.set, err = s.onShape(ctx, x); err == nil {
			own.Values = alongEdges(out.method)
		}
	} else if s.KMeans > 0 {
		out.set, err = landmark.StartKMeans(ctx, x, s.KMeans, s.dims(), s.Seed)
	} else {
		shape := landmark.ShapeFor(landmark.DefaultSide*landmark.DefaultSide, s.dims())
		if s.SOM != "" {
			if shape, err = landmark.ParseShape(s.SOM); err != nil {
				return nil, Usage{err}
			}
		}
		topology, topologyErr := landmark.ParseTopology(s.Topology)
		if topologyErr != nil {
			return nil, Usage{topologyErr}
		}
		out.shape, out.topo = shape.String(), topology.String()
		out.set, err = landmark.StartGrid(ctx, x, shape, topology, s.Seed)
	}
	if err != nil {
		return nil, named(err, p.Data.Path)
	}
	a, ok := train.ByID(out.method)
	if !ok {
		return nil, usage("use "+problem.OneOf(append(train.IDs(false), train.IDs(true)...)...),
			"--algorithm %q is not known", out.method)
	}
	if out.values, err = s.values(a, x.Rows, out.set.Pos, own.Values); err != nil {
		return nil, err
	}
	in := train.Input{X: x, Codebook: out.set.Codebook, Pos: out.set.Pos, Pinned: out.set.Pinned,
		Edges: out.set.Edges, Seed: s.Seed}
	useEngine(&in, r)
	code, err := runTraining(ctx, a, in, out.values, report)
	if err != nil {
		return nil, named(err, p.Data.Path)
	}
	if out.set, err = out.set.WithCodebook(code); err != nil {
		return nil, named(err, p.Data.Path)
	}
	return out, nil
}

// dims is the number of coordinates of a map that is made here.
func (s *Settings) dims() int {
	if s.SOM != "" {
		if shape, err := landmark.ParseShape(s.SOM); err == nil {
			return shape.Dims()
		}
	}
	return max(2, s.Dims)
}

// values are the parameters of the training: what the flags say, and for the rest what suits the
// number of points and landmarks, and a demo.
func (s *Settings) values(a train.Algorithm, n int, pos matrix.Matrix32, own step.Values) (step.Values, error) {
	v := train.Values(a.ID, n, pos)
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

// runTraining steps until rest. The length of a step follows the measured time, for a lively progress
// bar and a quick Ctrl-C; it changes nothing in the result.
func runTraining(ctx context.Context, a train.Algorithm, in train.Input, v step.Values,
	report Report) (matrix.Matrix32, error) {
	t, err := a.New(in, v)
	if err != nil {
		return matrix.Matrix32{}, err
	}
	for units := 256; ; {
		start := time.Now()
		p, err := t.Step(ctx, units)
		if err != nil {
			return matrix.Matrix32{}, err
		}
		if report != nil {
			report("training", p.Done, p.Total)
		}
		if p.Rest {
			return t.Codebook().Clone(), nil
		}
		switch d := time.Since(start); {
		case d < 20*time.Millisecond:
			units *= 2
		case d > 80*time.Millisecond:
			units = max(1, units/2)
		}
	}
}

// named puts the input's name on a Problem that has none.
func named(err error, file string) error {
	if p, ok := err.(*problem.Problem); ok && p.File == "" {
		return problem.Wrap(p, file, p.Remedy, "%s", p.What)
	}
	return err
}

// fileOf makes the landmark file of a training.
func (s *Settings) fileOf(p *Points, t *trained) *landmark.File {
	return &landmark.File{Set: t.set, Columns: export.Dimensions(p.view, p.Table), Mixes: export.Mixes(p.view, p.Table),
		Scaled: p.Spec.Scale, Shape: t.shape, Topology: t.topo,
		Method: t.method, Values: t.values, Seed: s.Seed, Source: filepath.Base(p.Data.Path), Points: p.Data.Points,
		Program: s.Program}
}
