package main

import (
	"strings"

	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/maps/density"
	"blossom/render/splat/tally"
)

// cellFlags say how points are drawn: one by one, or counted in cells.
type cellFlags struct{ draw, scale, cell string }

func (o *cellFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&o.draw, "draw", tally.Points, "`"+strings.Join(tally.Names(), "|")+"`: points one by one, or "+
		"cells in the colour of how many points lie in them; with --colour, of their mean, or of the commonest label")
	fs.StringVar(&o.scale, "density-scale", density.Log.Word(), "how counts of points are spread over the palette: "+
		"`log`, linear, or equal (each colour has as many cells)")
	fs.StringVar(&o.cell, "cell", "auto", "`SIZE` of a cell, 2mm or 4px: the side of a square, the width of a hexagon "+
		"(auto: as suits the number of points)")
}

// read puts them into a picture whose size is known.
func (o *cellFlags) read(p *job.Picture) error {
	wrong := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	if err := knownDrawing(o.draw); err != nil {
		return err
	}
	if p.Draw = o.draw; p.Draw == tally.Points {
		p.Draw = ""
	}
	var ok bool
	if p.Counts, ok = density.ScaleNamed(o.scale); !ok {
		return wrong("use log, linear or equal", "--density-scale %q is not known", o.scale)
	}
	if o.cell == "auto" {
		return nil
	}
	const inch, screen = 25.4, 96.0 // a picture without a size on paper has the pixels of a screen
	dpi, scale := screen*p.Zoom, p.Zoom
	if p.Print != nil {
		dpi = p.Print.DPI
		_, _, scale = p.Print.Pixels()
	}
	mm, err := export.ParseLength(o.cell, dpi)
	if err != nil {
		return run.Usage{Err: err}
	}
	if p.Cell = mm / inch * dpi / scale; !(p.Cell <= parts.MostCell) {
		return wrong("use up to 500 points of length", "--cell %s is too large", o.cell)
	}
	return nil
}

// knownDrawing says whether points can be drawn so.
func knownDrawing(name string) error {
	if _, ok := tally.ByID(name); !ok {
		return run.Usage{Err: problem.New("", "use "+problem.OneOf(tally.Names()...),
			"points cannot be drawn as %q", name)}
	}
	return nil
}
