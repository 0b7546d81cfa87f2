package main

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
)

// figureFlags say how large a picture is on paper.
type figureFlags struct {
	width, height, font string
	dpi                 float64
	points              string
	wall, views         []string
	moments             string
	across              int
	together, letters   bool
}

func (o *figureFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&o.width, "width", "", "of the picture on paper, in mm, cm, in, pt or px: `85mm` is one column of "+
		"many journals, 174mm two")
	fs.StringVar(&o.height, "height", "", "of the picture on paper: `60mm` (default: three quarters of the width)")
	fs.StringVar(&o.font, "font", "7pt", "size of text on paper, with --width: `7pt`")
	fs.Float64Var(&o.dpi, "dpi", export.UsualDPI, "pixels per inch of what is of pixels, with --width")
	fs.StringVar(&o.points, "points", "pixels", "`pixels or vectors`: in SVG and PDF points are one picture, or "+
		"shapes (up to 50,000)")
	fs.StringSliceVar(&o.wall, "wall", nil, "a page of small maps, each coloured by a column: `CD3,CD4,CD8`; of a "+
		"session also moments")
	fs.StringVar(&o.moments, "moments", "", "a page of small maps of the session's history: `6` moments spread "+
		"evenly, or those of a list of numbers and names, 1,4,now")
	fs.StringSliceVar(&o.views, "views", nil, "a page of the session's views, each as it looks: `1,3`, what they "+
		"show, or all")
	fs.IntVar(&o.across, "across", 0, "`N` maps of a wall stand beside each other (default: as suits)")
	fs.BoolVar(&o.together, "one-range", false, "all maps of a wall have one range of values, or moments one frame, "+
		"else each its own")
	fs.BoolVar(&o.letters, "letters", false, "write a, b, c before the names of the maps of a wall")
}

// read reads the size of a picture, and what its points are.
func (o *figureFlags) read(f *pflag.FlagSet, p *job.Picture) error {
	wrong := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	switch o.points {
	case "pixels":
	case "vectors":
		p.Shapes = true
	default:
		return wrong("use pixels or vectors", "--points %q is not known", o.points)
	}
	if err := o.readPage(f); err != nil {
		return err
	}
	p.Wall = job.Wall{Columns: o.wall, Across: o.across, Together: o.together, Letters: o.letters}
	for _, name := range []string{"across", "one-range", "letters"} {
		if len(o.wall)+len(o.moments)+len(o.views) == 0 && f.Changed(name) {
			return wrong("add --wall CD3,CD4, or leave --"+name+" out", "--%s is of a wall of maps", name)
		}
	}
	if o.width == "" {
		for _, name := range []string{"height", "font", "dpi"} {
			if f.Changed(name) {
				return wrong("add --width 85mm, or leave --"+name+" out",
					"--%s is of a picture that has a width on paper", name)
			}
		}
		return nil
	}
	for _, name := range []string{"size", "zoom"} {
		if f.Changed(name) {
			return wrong("leave one of them out", "--width is the size on paper, and --%s one in pixels", name)
		}
	}
	size := export.Print{DPI: o.dpi}
	var err error
	if size.Width, err = export.ParseLength(o.width, o.dpi); err != nil {
		return run.Usage{Err: err}
	}
	size.Height = size.Width * 3 / 4
	if o.height != "" {
		if size.Height, err = export.ParseLength(o.height, o.dpi); err != nil {
			return run.Usage{Err: err}
		}
	}
	number, unit := strings.CutSuffix(strings.ToLower(strings.TrimSpace(o.font)), "pt")
	if size.Font, err = strconv.ParseFloat(strings.TrimSpace(number), 64); err != nil || !unit {
		return wrong("write points: 7pt", "--font %q is not understood", o.font)
	}
	p.Print = &size
	return nil
}

// readPage reads what stands on a page, which is of one kind.
func (o *figureFlags) readPage(f *pflag.FlagSet) error {
	said := ""
	for _, name := range []string{"wall", "moments", "views"} {
		if !f.Changed(name) {
			continue
		}
		if said != "" {
			return run.Usage{Err: problem.New("", "leave one of them out", "--%s and --%s both say what is on the page",
				said, name)}
		}
		said = name
	}
	if len(o.wall) == 1 && o.wall[0] == "moments" && f.Changed("session") {
		o.wall, o.moments = nil, "9"
	}
	return nil
}
