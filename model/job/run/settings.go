package run

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/layout"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// Flags are what the shared flags of the command line say, by what they are about.
type Flags struct {
	Input   Input
	Space   Space
	Origin  Origin
	Params  embedsom.Params
	Machine Machine
}

// Input is how a table is read.
type Input struct {
	More      []string  // further files, which are one table with the input
	Match     match.How // how columns of further files are matched
	Join      []string  // tables whose columns stand beside those of the input, row by row
	Gates     Gates     // gates of another program, whose columns stand behind all
	MaxPoints int       // 0: all
	Sample    string    // "first" or "random"
	Part      int       // which data set of a file that holds several, from 0
	Seed      uint64
	Samples   string // a sheet of the samples, "": none
	Panel     string // a panel of the columns, "": none
	// SkipDamaged leaves out files among several that cannot be read, which is said.
	SkipDamaged bool
	// ByRanges: what is wanted can be made while the rows go by, so that the values of a large file need not be kept.
	ByRanges bool
	// Known are the tables of files that are read by ranges, of which somebody has told already: see format.Options.
	Known    func(path string) (*dataset.Dataset, error)
	Reading  dataset.Reading // how tables are read
	Wanted   []string        // names of columns that Space.Columns asks for, see Flags.Check
	Coloured []string        // names that points are coloured by
}

// Space is how columns become dimensions.
type Space struct {
	Columns string `json:"columns,omitempty"` // as dataset.MapColumns takes them
	Exclude string `json:"exclude,omitempty"` // the same
	// as files have them: "asinh:150" for all columns, "CD3=asinh:5" for one
	Transforms []string `json:"transforms,omitempty"`
	Scale      bool     `json:"scale,omitempty"`  // to unit deviation
	Robust     bool     `json:"robust,omitempty"` // which is, if Scale, that without outliers
	// Unscaled is asked for; else a map that is trained here is scaled where few columns would make it.
	Unscaled bool `json:"unscaled,omitempty"`
	// Compensation is CompensationAuto, CompensationFile, CompensationNone, or the path of a matrix; "": as auto.
	Compensation string   `json:"compensation,omitempty"`
	given        []string // remarks on the matrix that was read from there
	// Fill is one of transform.FillWords: how a gap is filled; "": points with one are left out of the map.
	Fill string `json:"fill,omitempty"`
}

// Origin is where landmarks come from: one of four places, or they are trained here.
type Origin struct {
	LandmarksHD, LandmarksLD string // matrices
	Landmarks                string // a file written by `blossom train`
	// Made are the landmarks of such a file, where they are at hand; MadeOf says where from.
	Made          *landmark.File
	MadeOf        string
	SOM           string // "20x20", "" is the default grid where nothing else is asked for
	SOMShape      string // the file of a shape that is trained on in the place of a grid
	Neighbourhood string // which landmarks are neighbours in training: OnMap, AlongEdges, or as suits it
	Topology      string
	Algorithm     string  // a train.Algorithm ID, "": the default with SOM or KMeans
	KMeans        int     // number of centres, 0: a map
	TrainOn       int     // how many random points landmarks are trained on, 0: all
	Epochs        float64 // 0: the algorithm's own
	Sigma, Alpha  string  // "FROM:TO", "" for the algorithm's own
	EqualSamples  bool    // each file has as many points in the training as any other
	Layout        string  // a layout.Algorithm ID by which they are laid out; "" or NoLayout: as they are
	Dims          int     // 0: as the landmarks have it, else 2
}

// Machine is what computes.
type Machine struct {
	Engine string         // its name, "auto" for the best
	GPU    engine.Options // threads, variant, card, kernels and OpenGL
}

// NoLayout leaves landmarks where training has them.
const NoLayout = "none"

// Layouts are what --layout can be.
func Layouts() []string {
	ids := []string{NoLayout}
	for _, a := range layout.All() {
		ids = append(ids, a.ID)
	}
	return ids
}

// OfAll says whether landmarks are trained on all points.
func (s *Origin) OfAll() bool { return s.Landmarks == "" && s.LandmarksHD == "" && s.TrainOn == 0 }

// ByPasses says whether landmarks are trained on all points by an algorithm that has them go by in each epoch.
func (s *Origin) ByPasses() bool {
	a, _ := train.ByID(cmp.Or(s.Algorithm, train.DefaultID(s.KMeans > 0)))
	return s.OfAll() && a.Pass != nil
}

// LaidOut is the ID of the layout; "": none.
func (s *Origin) LaidOut() string {
	if s.Layout == NoLayout {
		return ""
	}
	return s.Layout
}

// Words of --neighbourhood.
const (
	OnMap      = "map"   // landmarks that lie near on the map
	AlongEdges = "edges" // landmarks with few edges between them
)

// Defaults are the flags of a command line without any.
func Defaults() Flags {
	return Flags{Input: Input{Sample: dataset.SampleFirst, Seed: 1}, Origin: Origin{Topology: plainTopology},
		Params: embedsom.Defaults(), Machine: Machine{Engine: engine.Auto}}
}

// plainTopology is that of grids of which nothing is said.
const plainTopology = "rect"

// Usage marks an error as a wrong command line rather than a failure of the work.
type Usage struct{ Err error }

func (u Usage) Error() string { return u.Err.Error() }
func (u Usage) Unwrap() error { return u.Err }

// Wrong makes a Problem about the wishes a wrong usage; errors of the work are not.
func Wrong(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return Usage{err}
}

// usage returns a Usage error.
func usage(remedy, format string, args ...any) error {
	return Usage{problem.New("", remedy, format, args...)}
}

// mostThreads is more than any machine has cores: each of them has memory of its own.
const mostThreads = 4096

// Check says what is wrong with the flags themselves, before any file is touched.
func (f *Flags) Check() error {
	for _, check := range []func() error{f.Input.Check, f.Machine.Check, f.Space.Check, f.checkParams, f.Origin.Check} {
		if err := check(); err != nil {
			return err
		}
	}
	if f.Origin.TrainOn > 0 && f.Input.MaxPoints > 0 {
		return usage("give one of them",
			"--max-points takes some points for all that is done, --train-on for the training alone")
	}
	for name := range strings.SplitSeq(f.Space.Columns, ",") {
		if name = strings.TrimSpace(name); name != "" {
			f.Input.Wanted = append(f.Input.Wanted, name)
		}
	}
	return nil
}

// Files are all files that a command reads: the given ones and those of the flags. Names that are no file (demo:NAME,
// "") may be among them.
func (f *Flags) Files(inputs ...string) []string {
	o := &f.Origin
	return append(slices.Concat(inputs, f.Input.Join), f.Input.Samples, f.Input.Panel, f.Input.Gates.Path,
		o.LandmarksHD,
		o.LandmarksLD, o.Landmarks, o.SOMShape, f.Space.Compensation)
}

// Check says what is wrong with the reading.
func (s *Input) Check() error {
	if s.Sample != dataset.SampleFirst && s.Sample != dataset.SampleRandom {
		return usage("use --sample first or --sample random", "--sample %q is not known", s.Sample)
	}
	if err := s.Match.Check(); err != nil {
		return Usage{err}
	}
	if s.MaxPoints < 0 {
		return usage("give a number of points", "--max-points %d is negative", s.MaxPoints)
	}
	if err := format.CheckReading(s.Reading); err != nil {
		return Usage{err}
	}
	if s.Gates.All && s.Gates.Path == "" {
		return usage("name the file of the gates: --gates FILE", "--gates-all needs gates")
	}
	if s.Part < 0 {
		return usage("count parts from 1", "--part must be 1 or more")
	}
	return nil
}

// Options are those of readers.
func (s *Input) Options() format.Options {
	return format.Options{MaxPoints: s.MaxPoints, Sample: s.Sample, Seed: s.Seed, Part: s.Part, Reading: s.Reading,
		Wanted: s.Wanted, Coloured: s.Coloured, Known: s.Known}
}

// Check says what is wrong with the transforms.
func (s *Space) Check() error {
	if words := transform.FillWords(); s.Fill != "" && !slices.Contains(words, s.Fill) {
		return usage("use "+strings.Join(words, " or ")+", or leave it out", "--fill %q is not known", s.Fill)
	}
	for _, t := range s.Transforms {
		if _, _, err := transform.ParseFileSetting(t); err != nil {
			return Usage{err}
		}
	}
	return nil
}

func (f *Flags) checkParams() error {
	if err := f.Params.Check(); err != nil {
		p := problem.As(err)
		return usage(p.Remedy, "--%s", p.What)
	}
	return nil
}

// Check says what is wrong with what computes.
func (m *Machine) Check() error {
	if n := m.GPU.Threads; n < 0 || n > mostThreads {
		what := "negative"
		if n > 0 {
			what = fmt.Sprintf("more than %d", mostThreads)
		}
		return usage("leave it out to use all cores", "--threads %d is %s", n, what)
	}
	if err := CheckDevices(m.Engine, m.GPU.Device, m.GPU.Beside); err != nil {
		return err
	}
	if _, _, err := engine.Pin(m.Engine, m.GPU.Variant); err != nil {
		return Usage{err}
	}
	return CheckKernels(m.Engine, m.GPU.Knn, m.GPU.Projection)
}

// checkSource says what is wrong with what landmarks are made of.
func (s *Origin) checkSource() error {
	sources := 0
	for _, given := range []bool{s.LandmarksHD != "", s.Landmarks != "", s.SOM != "",
		s.SOMShape != "", s.KMeans != 0} {
		if given {
			sources++
		}
	}
	switch {
	case sources > 1:
		return usage("give one of --landmarks-hd, --landmarks, --som, --som-shape, --kmeans",
			"landmarks can come from one place only")
	case s.TrainOn < 0:
		return usage("give a number of points", "--train-on %d is negative", s.TrainOn)
	case s.TrainOn > 0 && (s.LandmarksHD != "" || s.Landmarks != ""):
		return usage("leave it out", "--train-on is of landmarks that are trained here, not of those of a file")
	}
	return nil
}

// Check says what is wrong with where landmarks come from.
func (s *Origin) Check() error {
	if s.Dims != 0 && s.Dims != 2 && s.Dims != 3 {
		return usage("use --dims 2 or --dims 3", "a map has 2 or 3 dimensions, not %d", s.Dims)
	}
	if (s.LandmarksHD == "") != (s.LandmarksLD == "") {
		return usage("give both, in the same order of landmarks", "--landmarks-hd and --landmarks-ld belong together")
	}
	if err := s.checkSource(); err != nil {
		return err
	}
	if s.KMeans < 0 || s.KMeans > landmark.MaxLandmarks {
		return usage(fmt.Sprintf("use 1 to %d", landmark.MaxLandmarks), "--kmeans %d is not possible", s.KMeans)
	}
	if s.SOMShape == "-" {
		return usage("save the shape as a file and give its name", "a shape cannot come from standard input")
	}
	if s.Layout != "" && !slices.Contains(Layouts(), s.Layout) {
		return usage("use "+problem.OneOf(Layouts()...), "--layout %q is not known", s.Layout)
	}
	if s.LaidOut() != "" && (s.LandmarksHD != "" || s.Landmarks != "") {
		return usage("leave it out", "--layout is of landmarks that are trained here, not of those of a file")
	}
	if n := s.Neighbourhood; n != "" && n != OnMap && n != AlongEdges {
		return usage("use "+problem.OneOf(OnMap, AlongEdges), "--neighbourhood %q is not known", n)
	}
	if s.SOM != "" {
		shape, err := landmark.ParseShape(s.SOM)
		if err != nil {
			return Usage{err}
		}
		if s.Dims != 0 && s.Dims != shape.Dims() {
			return usage("for three dimensions write --som 7x7x7 --dims 3",
				"a grid of %s has %d dimensions, --dims says %d", shape, shape.Dims(), s.Dims)
		}
	}
	if _, err := landmark.ParseTopology(s.Topology); err != nil {
		return Usage{err}
	}
	if s.SOMShape != "" && s.Topology != plainTopology {
		return usage("leave it out", "--topology is for a grid; a shape has edges of its own")
	}
	if s.Epochs < 0 || s.Epochs != s.Epochs || math.IsInf(s.Epochs, 0) {
		return usage("use a number above 0", "--epochs %g is not possible", s.Epochs)
	}
	for _, f := range []struct{ name, text string }{{"--sigma", s.Sigma}, {"--alpha", s.Alpha}} {
		if _, _, err := fromTo(f.name, f.text); err != nil {
			return err
		}
	}
	return nil
}

// fromTo reads "FROM:TO", or one number for both. Empty text gives NaN twice.
func fromTo(flag, text string) (from, to float64, err error) {
	if strings.TrimSpace(text) == "" {
		return math.NaN(), math.NaN(), nil
	}
	a, b, two := strings.Cut(text, ":")
	if !two {
		b = a
	}
	from, err1 := strconv.ParseFloat(strings.TrimSpace(a), 64)
	to, err2 := strconv.ParseFloat(strings.TrimSpace(b), 64)
	if err1 != nil || err2 != nil || !(from > 0) || !(to > 0) || math.IsInf(from, 0) || math.IsInf(to, 0) {
		return 0, 0, usage("write FROM:TO with numbers above 0, for example "+flag+" 10:0.5",
			"%s %q is not understood", flag, text)
	}
	return from, to, nil
}
