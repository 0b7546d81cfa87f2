package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/job/run"
	"blossom/model/work/engine"
	"blossom/render/palette"
	"blossom/render/pngfile"
	"blossom/render/scene"
)

// pictureFlags are the flags of render that are texts to be read.
type pictureFlags struct {
	size, percentiles, background string
	noLegend                      bool
	from                          whatIsDrawn
}

func renderCommand(a *app) *cobra.Command {
	s := settings()
	o := scene.Plan{}
	var f pictureFlags
	var out string
	asJSON := false
	var clash func(string) error
	c := &cobra.Command{
		Use:   "render INPUT... -o OUT.png",
		Short: "Draw a map into a picture, without a window",
		Long: `Makes the map of INPUT as blossom embed does, and draws it. No display is needed. INPUT may also be
what blossom embed wrote, or its coordinates may be given with --coordinates: then nothing is projected.
With --at it is two or three columns of INPUT themselves, through their transforms.
Points are coloured by the first column of labels, else by the first marker, else (with --at, and of a table of
nothing but coordinates) by how densely they lie, on a logarithmic scale, unless --colour says otherwise.`,
		Example: `  blossom render sample.fcs --colour CD4 -o cd4.png
  blossom render demo:cytometry --background dark --size 2400x1800 --zoom 2 -o blood.png
  blossom render sample.fcs --at CD4,CD8 -o cd4-cd8.png
  blossom embed sample.fcs -o map.csv && blossom render sample.fcs --coordinates map.csv --colour CD8 -o cd8.png`,
		Args: args(1, -1),
		RunE: func(c *cobra.Command, paths []string) error {
			s.Input.More = paths[1:]
			if err := f.read(&o); err != nil {
				return err
			}
			if err := s.Check(); err != nil {
				return err
			}
			if err := f.from.check(&s); err != nil {
				return err
			}
			limitThreads(s.Machine.GPU.Threads)
			if err := clash(out); err != nil {
				return err
			}
			inputs := s.Files(append(slices.Clone(paths), f.from.coordinates)...)
			if err := checkOutput(out, knownPicture, inputs...); err != nil {
				return err
			}
			o.Threads = s.Machine.GPU.Threads
			report, end := a.progress()
			defer end()
			m, done, err := makeMap(c.Context(), &s, paths[0], f.from, (&computing{app: a, s: s}).options(report))
			if err != nil {
				return err
			}
			if err := a.savePicture(c.Context(), out, m, o, report, metadata(paths[0], &s, m, done)); err != nil {
				return err
			}
			end()
			if n := m.Outside(); n > 0 && !o.All {
				done.Notes = append(done.Notes, fmt.Sprintf(
					"%d points lie far outside of the map: --all-points fits the picture to them", n))
			}
			done.Output = out
			return a.finish(asJSON, done)
		},
	}
	outputFlag(c, &out, "`OUT.png` to write, or - for standard output")
	fs := c.Flags()
	fs.StringVar(&o.By, "colour", "", "column to colour by, density (of points on the map), or none")
	fs.StringVar(&o.By, "color", "", "the same as --colour")
	fs.StringVar(&o.Look.Palette, "palette", "", strings.Join(palette.Names(), ", "))
	fs.BoolVar(&o.Look.Reverse, "reverse", false, "turn the palette round")
	fs.StringVar(&f.percentiles, "range", "1:99", "percentiles that the ends of the palette stand for")
	fs.StringVar(&f.size, "size", "1600x1200", "of the picture in pixels, `WIDTHxHEIGHT`")
	fs.Float64Var(&o.Scale, "zoom", 1, "pixels per point of length: 2 makes text and points twice as large")
	fs.Float64Var(&o.Look.Size, "point-size", 0, "diameter of points (default: adapts to their density)")
	fs.Float64Var(&o.Look.Opacity, "opacity", 0, "of points, above 0 to 1 (default: adapts to their density)")
	fs.StringVar(&f.background, "background", "light", "`light, dark or transparent`; dark-transparent for dark pages")
	fs.BoolVar(&f.noLegend, "no-legend", false, "leave the legend out")
	fs.BoolVar(&o.Landmarks, "show-landmarks", false, "draw the landmarks and their grid")
	fs.BoolVar(&o.Names, "show-names", false, "write the names of the landmarks")
	fs.StringVar(&o.Title, "title", "", "text above the map")
	fs.BoolVar(&o.All, "all-points", false, "fit the picture to the farthest outliers too")
	fs.StringVar(&f.from.at, "at", "",
		"draw these columns, by name or number, as the axes: `COLUMN,COLUMN` or three for 3D")
	fs.StringVar(&f.from.coordinates, "coordinates", "",
		"`FILE` of blossom embed with the places of the points of INPUT")
	inputFlags(fs, &s)
	landmarkFlags(fs, &s.Origin)
	projectionFlags(fs, &s)
	engineFlags(fs, &s.Machine)
	clash = jsonFlag(c, &asJSON)
	return c
}

// read fills the options from the flags that are texts.
func (f *pictureFlags) read(o *scene.Plan) error {
	wrong := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	w, h, _ := strings.Cut(strings.ToLower(f.size), "x")
	var err1, err2 error
	o.Width, err1 = strconv.Atoi(strings.TrimSpace(w))
	o.Height, err2 = strconv.Atoi(strings.TrimSpace(h))
	if err1 != nil || err2 != nil || o.Width < 1 || o.Height < 1 {
		return wrong("write WIDTHxHEIGHT, for example 1600x1200", "--size %q is not understood", f.size)
	}
	lo, hi, _ := strings.Cut(f.percentiles, ":")
	o.Look.Low, err1 = strconv.ParseFloat(strings.TrimSpace(lo), 64)
	o.Look.High, err2 = strconv.ParseFloat(strings.TrimSpace(hi), 64)
	if l := o.Look; err1 != nil || err2 != nil || !(l.Low >= 0 && l.Low < l.High && l.High <= 100) {
		return wrong("write two percentiles, for example 1:99", "--range %q is not understood", f.percentiles)
	}
	if !(o.Scale >= 0.1 && o.Scale <= 20) {
		return wrong("use 0.1 to 20", "--zoom %g is not possible", o.Scale)
	}
	if !(o.Look.Size >= 0 && o.Look.Size <= 1000) {
		return wrong("use a number above 0", "--point-size %g is not possible", o.Look.Size)
	}
	if !(o.Look.Opacity >= 0 && o.Look.Opacity <= 1) {
		return wrong("use a number above 0 and up to 1", "--opacity %g is not possible", o.Look.Opacity)
	}
	if o.Look.Palette != "" && palette.ByName(o.Look.Palette) == nil {
		return wrong("palettes are "+strings.Join(palette.Names(), ", "), "there is no palette %q", o.Look.Palette)
	}
	switch f.background {
	case "light":
	case "dark":
		o.Dark = true
	case "transparent":
		o.Transparent = true
	case "dark-transparent":
		o.Dark, o.Transparent = true, true
	default:
		return wrong("use light, dark, transparent or dark-transparent", "--background %q is not known", f.background)
	}
	o.Legend, o.Axes, o.Edges = !f.noLegend, true, true
	o.Landmarks = o.Landmarks || o.Names
	o.Flat = scene.Theme(o.Dark).Accent
	return nil
}

// knownPicture refuses other kinds of pictures.
func knownPicture(path string) error {
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".png" {
		return problem.New(path, "use a name that ends in .png", "pictures are written as PNG")
	}
	return nil
}

// metadata is what the picture says of itself: enough to make it again.
func metadata(input string, s *run.Flags, m *scene.Map, done summary) []pngfile.Text {
	how := fmt.Sprintf("%d points, k %d, boost %g, adjust %g, seed %d", m.Data.Points, s.Params.K, s.Params.Boost,
		s.Params.Adjust, s.Input.Seed)
	if done.Engine != "" {
		how += ", engine " + engine.FullName(done.Engine, done.Variant)
		if done.Arranged {
			how += ", landmarks arranged by hand"
		}
	} else { // nothing was projected
		how = fmt.Sprintf("%d points at %s", m.Data.Points, strings.Join(done.Columns, ", "))
	}
	text := []pngfile.Text{
		{Key: "Software", Value: signature()},
		{Key: "Source", Value: filepath.Base(input)},
		{Key: "Comment", Value: how},
	}
	if m.Data.Total > m.Data.Points {
		text = append(text, pngfile.Text{Key: "Disclaimer", Value: fmt.Sprintf("a sample of %d of %d points",
			m.Data.Points, m.Data.Total)})
	}
	return text
}

// savePicture draws the scene and writes it as a PNG.
func (a *app) savePicture(ctx context.Context, path string, m *scene.Map, o scene.Plan,
	report run.Report, text []pngfile.Text) error {
	var progress func(done, total int64)
	if report != nil {
		progress = func(done, total int64) { report("drawing", done, total) }
	}
	img, err := scene.Draw(ctx, m, o, progress)
	if err != nil {
		return err
	}
	return format.AtomicWrite(path, func(w io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return pngfile.Encode(w, img, pngfile.Meta{DPI: 96 * o.Scale, Text: text})
	})
}
