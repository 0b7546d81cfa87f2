package job

import (
	"strings"

	"blossom/model/document/parts"
	"blossom/model/maps/derived"
)

// Seen has a picture look as the active view of the session does that the job is from, but for what given says the user
// has asked for: colour, colour-and, palette, reverse, range, colour-scale, centre, point-size, opacity, draw,
// density-scale, cell, smooth, cells-show, contours, contour-labels, all-rows and population. Edges between landmarks
// are as the session shows them. A picture that cannot have the view's colours says so.
func (j *Job) Seen(p *Picture, given func(name string) bool) {
	if j.had.session {
		Sights{j}.seenAs(p, j.had.views.Active, given)
	}
}

// seenAs has a picture look as a view does.
func (j Sights) seenAs(p *Picture, view string, given func(name string) bool) {
	j.seenPoints(p, view, given)
	chosen := parts.Graph.Of(j.had.state)
	p.Graph = &chosen
	look := lookOf(j.had.views, j.had.looks, view)
	if look == nil {
		return
	}
	seenDrawing(p, look.Drawing, given)
	column := look.Column
	if given("colour") || given("color") {
		column = p.Colour
	} else {
		_, err := j.table.Find(plainName(j.table, column))
		switch kind, _, made := derived.Named(j.table, column, nil); {
		case column == "":
			p.Colour = "none"
		case err == nil:
			p.Colour = plainName(j.table, column)
		case made && kind.Needs&derived.NeedPopulations != 0:
			p.Colour = byPopulations
		case made && kind.Needs&^derived.NeedPositions == 0, strings.HasPrefix(column, "density"):
			p.Colour = "density"
		default:
			j.Note("the session's window colours by " + column + ", which this picture cannot: --colour chooses " +
				"another column")
			return
		}
	}
	if column != look.Column { // the rest is about that
		return
	}
	if !given("palette") {
		p.Palette, p.Inks = look.Palette, look.Inks
	}
	if !given("reverse") {
		p.Reverse = look.Reverse
	}
	if !given("range") {
		p.Percentiles = [2]float64{look.Low, look.High}
		if look.ByValue() && (!given("colour-scale") || p.Scale == look.Spread) { // they are values on that scale
			p.Ends = [2]float64{look.From, look.To}
		}
	}
	if !given("colour-scale") {
		p.Scale = look.Spread
	}
	if !given("centre") && look.Centred {
		p.Centre = &look.Centre
	}
	if !given("colour-and") && look.And != "" {
		j.andSeen(p, look.And)
	}
	if !given("point-size") {
		p.PointSize = look.Size
	}
	if !given("opacity") {
		p.Opacity = look.Opacity
	}
}

// seenDrawing has a picture draw its points as a view does.
func seenDrawing(p *Picture, of parts.Drawing, given func(name string) bool) {
	if given("draw") {
		return // the rest is about that
	}
	p.Draw = of.Draw
	if !given("density-scale") {
		p.Counts = of.Counts
	}
	if !given("cell") {
		p.Cell = of.Cell
	}
	if !given("smooth") {
		p.Smooth = of.Smooth
	}
	if !given("cells-show") {
		p.Show = of.Show
	}
}

// andSeen has a picture coloured by the second column of a view, too, where both are columns of numbers of the data.
func (j Sights) andSeen(p *Picture, second string) {
	for _, name := range []string{p.Colour, second} {
		if i, err := j.table.Find(name); err != nil || len(j.table.Columns[i].Categories) > 0 {
			if p.Colour != byPopulations {
				j.Note("the session's window colours by " + second + ", too, which this picture cannot")
			}
			return
		}
	}
	p.And = second
}

// byPopulations colours a picture by what points are called.
const byPopulations = "populations"

// lookOf is how the points of a view are coloured; nil: nobody has chosen.
func lookOf(views parts.ViewList, looks parts.LookTable, view string) *parts.Look {
	if look, ok := looks[views.LookOf(view)]; ok {
		return &look
	}
	return nil
}
