package main

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/run"
	"blossom/model/scale"
	"blossom/model/space/transform"
	"blossom/render/palette"
)

// rendering is the command at work.
type rendering struct {
	computing
	p                 *job.Picture
	size, percentiles string
	scale, centre     string
	figure            figureFlags
	cells             cellFlags
	box               string
	view, embedding   string // the session's
}

func renderCommand(a *app) *cobra.Command {
	o := &rendering{computing: computing{app: a, s: settings()}, p: job.NewPicture()}
	c := &cobra.Command{
		Use:   "render INPUT...|--session FILE -o OUT.png|.svg|.pdf",
		Short: "Draw a map into a picture, without a window",
		Long: `Makes the map of INPUT as blossom embed does, and draws it. No display is needed. INPUT may also be
what blossom embed wrote, or its coordinates may be given with --coordinates: then nothing is projected. Of a finished
folder of parts its own map is drawn, with the density of all rows.
With --at it is two or three columns of INPUT themselves, through their transforms, with --positions a map that INPUT
brings: obsm/X_umap of AnnData, columns UMAP_1 and UMAP_2. Labels have the colours that INPUT gives them (uns of
AnnData), unless a --palette is named.
Points are coloured by the first column of labels that parts them into groups, else by the first marker, else (with
--at, and of a table of nothing but coordinates) by how densely they lie, on a logarithmic scale, unless --colour says
otherwise.
With --session they look as in the active view of its window, but for what flags say.`,
		Example: `  blossom render sample.fcs --colour CD4 -o cd4.png
  blossom render demo:cytometry --background dark --size 2400x1800 --zoom 2 -o blood.png
  blossom render sample.fcs --at CD4,CD8 -o cd4-cd8.png
  blossom render sample.fcs --colour CD4 --width 85mm --height 60mm --font 7pt -o figure.pdf
  blossom render cells.h5ad --positions X_umap --colour cell_type -o umap.png
  blossom embed sample.fcs -o map.csv && blossom render sample.fcs --coordinates map.csv --colour CD8 -o cd8.png`,
		RunE: o.run,
	}
	outputFlag(c, &o.p.Output, "`OUT` to write: .png, .svg or .pdf; - for a PNG on standard output")
	own := o.pictureFlags(c.Flags())
	o.flags(c)
	c.Args = func(c *cobra.Command, inputs []string) error { return o.from.args(own...)(c, o.from.named(inputs)) }
	s := &o.s
	inputFlags(c.Flags(), s)
	landmarkFlags(c.Flags(), &s.Origin)
	projectionFlags(c.Flags(), s)
	engineFlags(c.Flags(), &s.Machine)
	return c
}

// pictureFlags say how the picture looks; they go with a session, too.
func (o *rendering) pictureFlags(fs *pflag.FlagSet) (names []string) {
	p := o.p
	fs.StringVar(&p.Colour, "colour", "",
		"column to colour by, density (of points on the map), populations (of the session), or none")
	fs.StringVar(&p.Colour, "color", "", "the same as --colour")
	fs.StringVar(&p.And, "colour-and", "",
		"a second column of numbers to colour by: magenta is high in the first, green in the second")
	fs.StringVar(&o.scale, "colour-scale", "map", "how values are spread over the palette: `map` (as in the map), "+
		"linear, log, asinh, or quantile (by rank)")
	fs.StringVar(&o.centre, "centre", "none",
		"the `value` at which the middle of a diverging palette lies, or none: halfway between its ends")
	fs.StringVar(&p.Palette, "palette", "", strings.Join(palette.Names(), ", "))
	fs.BoolVar(&p.Reverse, "reverse", false, "turn the palette round")
	fs.StringVar(&o.percentiles, "range", "1:99", "percentiles that the ends of the palette stand for")
	fs.StringVar(&o.size, "size", "1600x1200", "of the picture in pixels, `WIDTHxHEIGHT`")
	fs.Float64Var(&p.Zoom, "zoom", p.Zoom, "pixels per point of length: 2 makes text and points twice as large")
	o.figure.add(fs)
	o.cells.add(fs)
	fs.Float64Var(&p.PointSize, "point-size", 0, "diameter of points (default: adapts to their density)")
	fs.Float64Var(&p.Opacity, "opacity", 0, "of points, above 0 to 1 (default: adapts to their density)")
	fs.StringVar(&p.Background, "background", p.Background,
		"`light, white, dark or transparent`; dark-transparent for dark pages")
	fs.BoolVar(&p.NoLegend, "no-legend", false, "leave the legend out")
	fs.BoolVar(&p.Landmarks, "show-landmarks", false,
		"draw the landmarks and their grid, of a session as it shows edges")
	fs.BoolVar(&p.Names, "show-names", false, "write the names of the landmarks")
	fs.StringVar(&p.Title, "title", "", "text above the map, or above all maps of a page")
	fs.BoolVar(&p.AllPoints, "all-points", false, "fit the picture to the farthest outliers too")
	fs.StringVar(&o.box, "box", "", "what is shown: from and to of each axis of the map, `X:X,Y:Y` or three")
	fs.Float64Var(&p.Turn, "turn", 0, "turn a map in 3D about its upright axis by so many `DEGREES`")
	fs.StringVar((*string)(&p.Contours), "contours", "", "lines of equal density, each around a tenth of the points "+
		"more than the one within: `over` the points, alone, or none")
	fs.BoolVar(&p.ContourLabels, "contour-labels", false, "write at each of them which share of the points it encloses")
	fs.StringVar((*string)(&p.AllRows), "all-rows", "", "how densely all rows of a finished folder lie, whose sample "+
		"a session shows: `auto` (in the place of points of one colour, else beneath them), beneath, or none")
	fs.StringVar(&o.view, "view", "", "show what this view of the session shows, as it is zoomed: its `NUMBER` in the "+
		"window, or what it shows, as heat (default: the map, in the colours of the active view)")
	fs.StringVar(&o.embedding, "embedding", "", "show another map of the session: `tsne`, umap, pca")
	fs.StringVar(&p.Sight.Of, "population", "", "draw the points of this population of the session alone, by `NAME` "+
		"or path; none: all (default: as the active view)")
	o.tells(fs)
	fs.BoolVar(&p.NoRecipe, "no-recipe", false,
		"leave out of the file how it was made, which blossom job --from prints")
	fs.StringVar(&p.At, "at", "",
		"draw these columns, by name or number, as the axes: `COLUMN,COLUMN` or three for 3D")
	fs.StringVar((*string)(&p.Placed), "positions", "",
		"draw the points where INPUT itself has them: `NAME` of coordinates that it brings, such as X_umap")
	fs.StringVar(&p.Coordinates, "coordinates", "",
		"`FILE` of blossom embed with the places of the points of INPUT")
	fs.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// run draws a map, or prints the job that does.
func (o *rendering) run(c *cobra.Command, inputs []string) error {
	inputs = o.from.named(inputs)
	if err := o.read(c.Flags()); err != nil {
		return err
	}
	o.ranges = true // where landmarks are trained on all points, these are read once that is known
	o.s.Input.Coloured = []string{o.p.Colour, o.p.And}
	o.from.past = func(j *job.Job, d *state.Document) error {
		if o.figure.moments == "" {
			return nil
		}
		return o.p.OfHistory(c.Context(), j, d, o.figure.moments)
	}
	w, err := o.computed(c.Context(), o.p.Output, inputs, func(report run.Report) (*job.Job, error) {
		j, err := o.from.job(c.Context(), &o.s, inputs, report,
			func(j *job.Job, ctx context.Context, s *run.Flags) error { return j.ForPicture(ctx, s, o.p) })
		if err != nil {
			return nil, err
		}
		if err := o.look(j, c.Flags().Changed); err != nil {
			return nil, err
		}
		if o.from.session != "" {
			job.Sights{Job: j}.Needed(o.p)
		}
		if err := knownPalette(o.p.Palette); err != nil && !c.Flags().Changed("palette") {
			j.Note("the session's palette " + o.p.Palette + " is not known here: the usual one is taken")
			o.p.Palette = ""
		}
		if err := knownDrawing(o.p.Draw); err != nil { // a flag has been looked at
			j.Note("the session draws its points as " + o.p.Draw + ", which is not known here: they are points")
			o.p.Draw = ""
		}
		if o.p.ContourLabels && o.p.Contours == parts.NoContours && !c.Flags().Changed("contours") {
			o.p.Contours = parts.ContoursOver
		}
		j.Want(o.p)
		return j, nil
	}, o.p)
	if w == nil {
		return err
	}
	return o.finish(o.json, ofPicture(w, o.p))
}

// look has the picture show what the session shows, as far as flags do not say otherwise.
func (o *rendering) look(j *job.Job, given func(name string) bool) error {
	sights := job.Sights{Job: j}
	if o.embedding != "" {
		if err := sights.Embedding(o.p, o.embedding); err != nil {
			return err
		}
	}
	switch {
	case len(o.figure.views) > 0:
		return sights.Page(o.p, o.figure.views, given)
	case o.view != "":
		return sights.View(o.p, o.view, given)
	}
	if o.embedding == "" {
		if err := ofFolder(j, o.p, given); err != nil {
			return err
		}
	}
	j.Seen(o.p, given)
	return nil
}

// ofFolder has a picture show the map on which all rows of a finished folder lie, of which the session shows the sample
// on it.
func ofFolder(j *job.Job, p *job.Picture, given func(name string) bool) error {
	if len(j.Data) != 1 {
		return nil
	}
	all, err := scale.WholeOf(j.Data[0].Path)
	if err != nil || all == nil {
		return nil // who draws says what is wrong
	}
	return job.Sights{Job: j}.Own(p, all.Recipe, given)
}

// ofPicture is the summary of a picture.
func ofPicture(w *job.Work, p *job.Picture) summary {
	d := p.Made
	if d.Map != nil {
		out := ofMap(w, p.Output, d.Map)
		out.Notes = w.Notes
		return out
	}
	return summary{Input: w.Data[0].Path, Output: p.Output, Points: d.Data.Points, Total: d.Data.Total,
		Invalid: d.Invalid, Dims: d.Places.Dims, Seed: w.Seed, Notes: w.Notes, Columns: d.Names}
}

// plainWords puts what a picture knows in the place of words that flags have for it.
func (o *rendering) plainWords() {
	p := o.p
	if p.AllRows == "auto" {
		p.AllRows = parts.AllRowsSuit
	}
	if p.Contours == "none" {
		p.Contours = parts.NoContours
	}
	if p.Sight.Of == "none" {
		p.Sight.Of = ""
	}
}

// read reads the flags that are texts, and refuses those that say two things.
func (o *rendering) read(f *pflag.FlagSet) error {
	o.plainWords()
	wrong := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	p := o.p
	w, h, _ := strings.Cut(strings.ToLower(o.size), "x")
	var err1, err2 error
	p.Size[0], err1 = strconv.Atoi(strings.TrimSpace(w))
	p.Size[1], err2 = strconv.Atoi(strings.TrimSpace(h))
	if err1 != nil || err2 != nil || p.Size[0] < 1 || p.Size[1] < 1 {
		return wrong("write WIDTHxHEIGHT, for example 1600x1200", "--size %q is not understood", o.size)
	}
	if err := o.readSizes(f); err != nil {
		return err
	}
	lo, hi, _ := strings.Cut(o.percentiles, ":")
	p.Percentiles[0], err1 = strconv.ParseFloat(strings.TrimSpace(lo), 64)
	p.Percentiles[1], err2 = strconv.ParseFloat(strings.TrimSpace(hi), 64)
	if l := p.Percentiles; err1 != nil || err2 != nil || !(l[0] >= 0 && l[0] < l[1] && l[1] <= 100) {
		return wrong("write two percentiles, for example 1:99", "--range %q is not understood", o.percentiles)
	}
	if err := knownPalette(p.Palette); err != nil {
		return err
	}
	if p.Scale = transform.Spread(o.scale); o.scale == "map" {
		p.Scale = transform.SpreadMap
	}
	if !p.Scale.Known() {
		return wrong("scales are map, linear, log, asinh and quantile", "--colour-scale %q is not known", o.scale)
	}
	if o.centre != "none" {
		at, err := strconv.ParseFloat(strings.TrimSpace(o.centre), 64)
		if err != nil || at-at != 0 {
			return wrong("write a number, or none", "--centre %q is not understood", o.centre)
		}
		p.Centre = &at
	}
	if err := cmp.Or(o.ofSession(f), o.readBox()); err != nil || p.At == "" && p.Placed == "" {
		return err
	}
	way := "--at draws columns as they are"
	if p.At == "" {
		way = "--positions draws points where the input has them"
	}
	for _, name := range []string{"coordinates", "landmarks-hd", "landmarks", "som", "som-shape", "kmeans", "columns",
		"exclude", "scale", "dims", "layout"} {
		if f.Changed(name) {
			return wrong("leave one of them out", "%s, and --%s is for a map", way, name)
		}
	}
	return nil
}

// readSizes reads how large the picture is on paper, and how points are drawn in it.
func (o *rendering) readSizes(f *pflag.FlagSet) error {
	if err := o.figure.read(f, o.p); err != nil {
		return err
	}
	return o.cells.read(o.p)
}

// ofSession refuses what a session alone has, where none is named.
func (o *rendering) ofSession(f *pflag.FlagSet) error {
	for _, name := range []string{"view", "embedding", "moments", "views"} {
		if f.Changed(name) && o.from.session == "" {
			return run.Usage{Err: problem.New("", "give one with --session", "--%s is of a session", name)}
		}
	}
	return nil
}

// readBox reads what is to be shown.
func (o *rendering) readBox() error {
	if o.box == "" {
		return nil
	}
	for _, axis := range strings.Split(o.box, ",") {
		lo, hi, _ := strings.Cut(axis, ":")
		from, err1 := strconv.ParseFloat(strings.TrimSpace(lo), 64)
		to, err2 := strconv.ParseFloat(strings.TrimSpace(hi), 64)
		if err1 != nil || err2 != nil {
			return run.Usage{Err: problem.New("", "write from and to of each axis, for example 0:10,-5:5",
				"--box %q is not understood", o.box)}
		}
		o.p.Box = append(o.p.Box, [2]float64{from, to})
	}
	return nil
}

func knownPalette(name string) error {
	if name != "" && palette.ByName(name) == nil {
		return run.Usage{Err: problem.New("", "palettes are "+strings.Join(palette.Names(), ", "),
			"there is no palette %q", name)}
	}
	return nil
}
