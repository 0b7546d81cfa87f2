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
type cellFlags struct{ draw, scale, cell, smooth, show string }

func (o *cellFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&o.draw, "draw", tally.Points, "`"+strings.Join(tally.Names(), "|")+"`: points one by one, or "+
		"cells in the colour of how many points lie in them; with --colour, of their mean, or of the commonest label")
	fs.StringVar(&o.scale, "density-scale", density.Log.Word(), "how counts of points are spread over the palette: "+
		"`log`, linear, or equal (each colour has as many cells)")
	fs.StringVar(&o.cell, "cell", "auto", "`SIZE` of a cell, 2mm or 4px: the side of a square, the width of a hexagon "+
		"(auto: as suits the number of points)")
	fs.StringVar(&o.smooth, "smooth", "none", "`WIDTH` of a Gaussian (its standard deviation, 1mm or 3px) that "+
		"counts of --draw density are smoothed by, and the sums of a column")
	fs.StringVar(&o.show, "cells-show", "mean", "what cells show of --colour: the `mean or median` of numbers, or "+
		"share:LABEL, which part of their points has a label (default: the mean, the commonest label)")
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
	if p.Show = o.show; o.show == "mean" {
		p.Show = ""
	} else if p.Drawing.Sane().Show != p.Show || p.Show == parts.ShowShare {
		return wrong("use mean, median or share:LABEL", "--cells-show %q is not known", o.show)
	}
	var err error
	if o.smooth != "none" {
		if m, _ := tally.ByID(p.Draw); !m.Smooths {
			return wrong("add --draw density, or leave it out", "--smooth is of squares that points are counted in")
		}
		if p.Smooth, err = o.length(p, "smooth", o.smooth); err != nil {
			return err
		}
	}
	if o.cell != "auto" {
		p.Cell, err = o.length(p, "cell", o.cell)
	}
	return err
}

// leastCell is how small a cell or a Gaussian is at least, in points of length: a hundredth of a pixel of a screen.
const leastCell = 0.01

// length is a length of a flag in points of a picture whose size is known.
func (o *cellFlags) length(p *job.Picture, flag, text string) (float64, error) {
	const inch, screen = 25.4, 96.0 // a picture without a size on paper has the pixels of a screen
	dpi, scale := screen*p.Zoom, p.Zoom
	if p.Print != nil {
		dpi = p.Print.DPI
		_, _, scale = p.Print.Pixels()
	}
	mm, err := export.ParseLength(text, dpi)
	if err != nil {
		return 0, run.Usage{Err: err}
	}
	points := mm / inch * dpi / scale
	if points > 0 && points < leastCell {
		return 0, run.Usage{Err: problem.New("", "use 0.01 points of length or more",
			"--%s %s is too small", flag, text)}
	}
	if !(points <= parts.MostCell) {
		return 0, run.Usage{Err: problem.New("", "use up to 500 points of length", "--%s %s is too large", flag, text)}
	}
	return points, nil
}

// knownDrawing says whether points can be drawn so.
func knownDrawing(name string) error {
	if _, ok := tally.ByID(name); !ok {
		return run.Usage{Err: problem.New("", "use "+problem.OneOf(tally.Names()...),
			"points cannot be drawn as %q", name)}
	}
	return nil
}
