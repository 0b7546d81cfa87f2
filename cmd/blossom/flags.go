package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
	"blossom/model/work/engine"
)

// float32Var is a flag that is a float32 in the settings.
type float32Var struct{ to *float32 }

func (v float32Var) String() string {
	if v.to == nil {
		return ""
	}
	return fmt.Sprintf("%g", *v.to)
}
func (v float32Var) Type() string { return "float" }
func (v float32Var) Set(text string) error {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 32)
	if err != nil {
		return fmt.Errorf("%q is not a number", text)
	}
	*v.to = float32(x)
	return nil
}

// intVar is a whole number that may be left out.
type intVar struct{ to **int }

func (v intVar) Type() string   { return "int" }
func (v intVar) String() string { return optional(v.to) }
func (v intVar) Set(text string) error {
	x, err := strconv.Atoi(strings.TrimSpace(text))
	*v.to = &x
	return err
}

// floatVar is a number that may be left out.
type floatVar struct{ to **float64 }

func (v floatVar) Type() string   { return "float64" }
func (v floatVar) String() string { return optional(v.to) }
func (v floatVar) Set(text string) error {
	x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	*v.to = &x
	return err
}

// optional is a value that may be left out, as text.
func optional[T any](to **T) string {
	if to == nil || *to == nil {
		return ""
	}
	return fmt.Sprint(**to)
}

// inputFlags are the flags of every subcommand that reads a table.
func inputFlags(f *pflag.FlagSet, s *run.Flags) {
	f.StringVar(&s.Space.Columns, "columns", "",
		"columns of the map, by name or number from 1: `a,b,3-7` (default: the markers)")
	f.StringVar(&s.Space.Exclude, "exclude", "", "columns to leave out: `a,b`")
	f.Var(transformsVar{&s.Space.Transforms}, "transform",
		transform.Known()+" for all columns, NAME=asinh:5 for one; repeat or use commas. Channels of a "+
			"logarithmic amplifier ($PnE) are made linear first")
	f.Var(scaleVar{&s.Space}, "scale", "divide each column by its standard deviation, with `=robust` by that without "+
		"outliers; =none: not even where few columns would make the map alone")
	f.Lookup("scale").NoOptDefVal = "deviation"
	f.StringVar(&s.Space.Compensation, "compensation", "",
		"`auto, file, none`, or a file with the matrix of spillover: "+
			"CSV, TSV, FCS, Gating-ML or FlowJo (default: auto, the input's own, where landmarks are trained here)")
	f.StringVar(&s.Space.Fill, "fill", "", "`how` a missing value of a column of the map is filled: "+
		transform.FillHelp()+" (default: the point is left out)")
	f.StringSliceVar(&s.Input.Join, "join", nil,
		"columns of the table in `FILE` beside those of the input, by row: labels, coordinates; repeat or use commas")
	gateFlags(f, &s.Input.Gates)
	sampleFlags(f, &s.Input)
	sheetFlags(f, &s.Input.Samples, &s.Input.Panel)
	skipFlag(f, &s.Input.SkipDamaged)
	matchFlag(f, &s.Input)
	readingFlags(f, &s.Input.Reading)
}

// sheetFlags name what is known of samples and of columns.
func sheetFlags(f *pflag.FlagSet, samples, panel *string) {
	f.StringVar(samples, "samples", "", "a `SHEET` of the samples: a text table whose column file_name names the "+
		"files; its other columns become labels, or numbers to colour by")
	f.StringVar(panel, "panel", "", "a `SHEET` of the columns: fcs_colname, antigen, and marker_class: type in the "+
		"map, state and none to colour by")
}

// skipFlag leaves damaged files out.
func skipFlag(f *pflag.FlagSet, to *bool) {
	f.BoolVar(to, "skip-damaged", false, "leave out files among several that cannot be read, and say so")
}

// gateFlags bring gates of other programs.
func gateFlags(f *pflag.FlagSet, g *run.Gates) {
	f.StringVar(&g.Path, "gates", "", "gates of another program in `FILE`, Gating-ML 2.0 or a workspace of FlowJo: a "+
		"column of labels, the deepest gate of each point")
	f.BoolVar(&g.All, "gates-all", false, "with --gates, a column of 0 and 1 of each gate, too")
}

// besideFlags write the columns of the input, too.
func besideFlags(f *pflag.FlagSet, to *job.Beside) {
	f.BoolVar(&to.WithData, "with-data", false, "write the columns of INPUT too, before those that are made")
	f.BoolVar(&to.Append, "append", false, "write the columns of INPUT as they are, then coordinates, the nearest "+
		"landmark and the populations of a session")
	f.Var(splitVar{to}, "split", "write a file of each input into the folder OUT, with its rows, called BASE_blossom")
	f.Lookup("split").NoOptDefVal = "true"
	valuesFlag(f, &to.Values, "with --with-data, which `values` of the columns: %s (default: raw)")
}

// splitVar is --split: a file of each input.
type splitVar struct{ to *job.Beside }

func (v splitVar) Type() string { return "bool" }
func (v splitVar) String() string {
	return strconv.FormatBool(v.to != nil && v.to.Each == export.EachFile)
}
func (v splitVar) Set(text string) error {
	on, err := strconv.ParseBool(text)
	if v.to.Each = ""; on {
		v.to.Each = export.EachFile
	}
	return err
}

// transformsVar are transforms as they are typed, which settings have as files do.
type transformsVar struct{ to *[]string }

func (v transformsVar) Type() string { return "strings" }
func (v transformsVar) String() string {
	if v.to == nil {
		return ""
	}
	return strings.Join(*v.to, ",")
}
func (v transformsVar) Set(text string) error {
	list, err := csv.NewReader(strings.NewReader(text)).Read()
	for _, one := range list {
		*v.to = append(*v.to, transform.FileSetting(one))
	}
	return err
}

// folder is an output that --split makes a folder, as such.
func folder(f *pflag.FlagSet, output *string) error {
	switch {
	case !f.Changed("split") || f.Lookup("split").Value.String() != "true" || *output == "":
	case f.Changed("max-points"):
		return run.Usage{Err: problem.New("", "take all points, or leave --split out",
			"a file of each input has all of its rows (--split), and --max-points takes some")}
	case *output == "-":
		return run.Usage{Err: problem.New("", "name a folder with -o", "--split writes several files")}
	case format.Writable(*output) == nil && !export.IsFolder(*output):
		return run.Usage{Err: problem.New(*output, "name a folder with -o; files have the extensions of the inputs",
			"--split writes several files")}
	case !export.IsFolder(*output):
		*output += string(os.PathSeparator)
	}
	return nil
}

// valuesFlag says which values of columns are written.
func valuesFlag(f *pflag.FlagSet, to *transform.Values, help string) {
	f.StringVar((*string)(to), "values", "", fmt.Sprintf(help, strings.Join(transform.AllValues, ", ")))
}

// matchFlag says how the columns of several files are matched.
func matchFlag(f *pflag.FlagSet, s *run.Input) {
	f.StringVar(&s.Match.By, "match", match.Antigen,
		"columns of several files by `antigen` (then detector, then place), detector, or name")
}

// scaleVar is --scale: alone, "deviation"; else robust or none, or what a switch takes.
type scaleVar struct{ s *run.Space }

func (v scaleVar) String() string {
	switch {
	case v.s == nil || !v.s.Scale:
		return ""
	case v.s.Robust:
		return "robust"
	}
	return "deviation"
}
func (v scaleVar) Type() string { return "how" }
func (v scaleVar) Set(text string) error {
	text = strings.ToLower(strings.TrimSpace(text))
	on, err := strconv.ParseBool(text)
	switch {
	case text == "robust":
		v.s.Scale, v.s.Robust, v.s.Unscaled = true, true, false
	case text == "none", err == nil && !on:
		v.s.Scale, v.s.Robust, v.s.Unscaled = false, false, true
	case text == "deviation", err == nil:
		v.s.Scale, v.s.Robust, v.s.Unscaled = true, false, false
	default:
		return fmt.Errorf("%q is not deviation, robust or none", text)
	}
	return nil
}

// sampleFlags choose rows.
func sampleFlags(f *pflag.FlagSet, s *run.Input) {
	f.IntVar(&s.MaxPoints, "max-points", 0, "read at most `N` points (default: all)")
	f.StringVar(&s.Sample, "sample", s.Sample, "which points --max-points takes: `first or random`")
	f.Uint64Var(&s.Seed, "seed", s.Seed, "seed of sampling and training: the same seed gives the same result")
	f.Var(partVar{&s.Part, &s.Reading.Modality}, "part",
		"which data set of a file that holds several, `N` from 1; of an h5mu file also its name")
}

// partVar counts from 1 for people and from 0 inside.
type partVar struct {
	to   *int
	name *string
}

func (v partVar) String() string {
	if v.to == nil {
		return ""
	}
	return fmt.Sprint(*v.to + 1)
}
func (v partVar) Type() string { return "N" }
func (v partVar) Set(text string) error {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err == nil && n < 1 || text == "" || strings.ContainsAny(text[:1], "+-0123456789 ") && err != nil {
		return fmt.Errorf("%q is not a number from 1", text)
	}
	if err != nil {
		*v.name = text
		return nil
	}
	*v.to = n - 1
	return nil
}

// landmarkFlags choose where landmarks come from.
func landmarkFlags(f *pflag.FlagSet, s *run.Origin) {
	f.StringVar(&s.LandmarksHD, "landmarks-hd", "",
		"codebook: a `FILE` with a row for each landmark; the input is then taken as it is")
	f.StringVar(&s.LandmarksLD, "landmarks-ld", "", "positions: a `FILE` with 2 or 3 columns, a row for each landmark")
	f.StringVar(&s.Landmarks, "landmarks", "", "a `FILE` that blossom train has written")
	trainingFlags(f, s)
}

// trainingFlags say how landmarks are trained.
func trainingFlags(f *pflag.FlagSet, s *run.Origin) {
	f.StringVar(&s.SOM, "som", "",
		"train a self-organizing map of this size: `20x20` (default, less for fewer than 4,000 points), 7x7x7")
	f.StringVar(&s.SOMShape, "som-shape", "",
		"train it on the shape in `FILE` instead, along its edges: saved by the Draw map tool, or see docs/shapes.md")
	f.StringVar(&s.Topology, "topology", s.Topology, "of the grid: `rect or hex`")
	f.IntVar(&s.KMeans, "kmeans", 0, "train `G` landmarks by k-means instead")
	f.StringVar(&s.Algorithm, "algorithm", "",
		problem.OneOf(train.IDs(false)...)+" with --som, "+problem.OneOf(train.IDs(true)...)+
			" with --kmeans (default: the first)")
	f.Float64Var(&s.Epochs, "epochs", 0, "how often each point is visited (default: "+train.Lengths()+")")
	f.StringVar(&s.Sigma, "sigma", "", "neighbourhood in grid units, `FROM:TO` (default: falls from half of the grid)")
	f.StringVar(&s.Alpha, "alpha", "", "learning rate, `FROM:TO`")
	f.BoolVar(&s.EqualSamples, "equal-samples", false,
		"train on equally many points of each of several files (default: on all as they are)")
	f.StringVar(&s.Layout, "layout", "", "how the trained landmarks are laid out on the map: "+
		problem.OneOf(run.Layouts()...)+" (default: tsne, where the map has four and more columns and nothing else is "+
		"asked of landmarks; else none)")
	f.StringVar(&s.Neighbourhood, "neighbourhood", "",
		"what --sigma measures: distances on the `map or edges` of its net (default: edges of a --som-shape, else map)")
}

// projectionFlags are the parameters of EmbedSOM, and the kernels that compute it.
func projectionFlags(f *pflag.FlagSet, s *run.Flags) {
	f.IntVar(&s.Params.K, "k", s.Params.K, "nearest landmarks that take part for each point")
	f.Var(float32Var{&s.Params.Boost}, "boost", "how much more near landmarks count than far ones, up to 20")
	f.Var(float32Var{&s.Params.Adjust}, "adjust", "how much less pairs count whose positions are far apart")
	kernelFlags(f, &s.Machine.GPU.Knn, &s.Machine.GPU.Projection)
	dimsFlag(f, &s.Origin)
}

func dimsFlag(f *pflag.FlagSet, s *run.Origin) {
	f.IntVar(&s.Dims, "dims", 0, "dimensions of the map, `2 or 3` (default 2, or as the landmarks have it)")
}

// engineFlags choose what computes.
func engineFlags(f *pflag.FlagSet, s *run.Machine) {
	computeFlags(f, s)
	devicesFlag(f, &s.GPU.Device, &s.GPU.Beside)
}

// computeFlags are engineFlags but for the card.
func computeFlags(f *pflag.FlagSet, s *run.Machine) {
	f.StringVar(&s.Engine, "engine", s.Engine,
		problem.OneOf(engine.Names()...)+"; blossom doctor lists those that work here")
	variantFlag(f, &s.GPU.Variant)
	threadsFlag(f, &s.GPU.Threads)
}

// variantFlag pins an instruction set or a family of kernels; engine.Pin reads it.
func variantFlag(f *pflag.FlagSet, to *string) {
	f.StringVar(to, "variant", "",
		"pin an instruction set or a family of kernels: `cpu/avx2` (default: the fastest; "+
			"blossom doctor --json lists them)")
}

// deviceFlag chooses among several cards; run.CheckDevice looks at it.
func deviceFlag(f *pflag.FlagSet, to *int) {
	f.IntVar(to, "device", 0, "which NVIDIA card, `N` from 0, where there are several; blossom doctor lists them")
}

// devicesFlag is deviceFlag where several cards may do it together; run.CheckDevices looks at them.
func devicesFlag(f *pflag.FlagSet, first *int, beside *[]int) {
	f.Var(devicesVar{first, beside}, "device",
		"which NVIDIA card, `N` from 0, where there are several, or which of them together: 0,1, or all")
}

// devicesVar is a card and others beside it.
type devicesVar struct {
	first  *int
	beside *[]int
}

func (v devicesVar) String() string {
	if v.first == nil {
		return "0"
	}
	text := strconv.Itoa(*v.first)
	for _, d := range *v.beside {
		text += "," + strconv.Itoa(d)
	}
	return text
}

func (v devicesVar) Set(text string) error {
	if text == "all" {
		*v.first, *v.beside = 0, engine.Cards()[1:]
		return nil
	}
	var all []int
	for part := range strings.SplitSeq(text, ",") {
		d, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return fmt.Errorf("%q is no number of a card, no list of them like 0,1, and not all", text)
		}
		all = append(all, d)
	}
	*v.first, *v.beside = all[0], all[1:]
	return nil
}

func (v devicesVar) Type() string { return "cards" }

// kernelFlags choose the kernels of an engine that has several; run.CheckKernels looks at them.
func kernelFlags(f *pflag.FlagSet, knn, projection *string) {
	f.StringVar(knn, "knn", "", "`NAME` of the engine's kernel for neighbours, for comparisons (default: the fastest)")
	f.StringVar(projection, "projection", "",
		"`NAME` of the engine's kernel for positions, for comparisons (default: the fastest)")
}

// threadsFlag adds --threads; limitThreads heeds it before the command runs.
func threadsFlag(f *pflag.FlagSet, to *int) {
	f.IntVar(to, "threads", 0, "processor threads to use (default: all)")
}

// limitThreads keeps what is not an engine (reading, statistics, training) to --threads too.
func limitThreads(threads int) {
	if threads > 0 && threads < runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(threads)
	}
}

// settings are the flags of a command line without any.
func settings() run.Flags {
	s := run.Defaults()
	s.Machine.GPU.GL = offscreen
	return s
}

// signature is this program's name and version, for files.
func signature() string { return "blossom " + version }

// outputFlag adds -o, whose absence checkOutput tells.
func outputFlag(c *cobra.Command, to *string, help string) {
	c.Flags().StringVarP(to, "output", "o", "", help)
}
