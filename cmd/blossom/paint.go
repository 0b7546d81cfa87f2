//go:build cgo && !static

package main

import (
	"context"
	"io"
	"math"
	"strings"

	"blossom/model/document/parts"
	"blossom/model/job"
	"blossom/model/landmarks/graph"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/render/pen"
	"blossom/render/pen/figure"
	"blossom/render/scene"
	"blossom/render/splat/tally"
)

func init() { job.Painter = paint }

// paint draws a picture.
func paint(ctx context.Context, p *job.Picture, d *job.Drawn, threads int,
	progress func(done, total int64)) (func(io.Writer) error, error) {
	err := knownPalette(p.Palette)
	if err == nil {
		err = knownDrawing(p.Draw)
	}
	if err != nil {
		return nil, err
	}
	plan := planOf(p)
	if plan.On.Format, err = figure.Of(p.Output); err != nil {
		return nil, err
	}
	plan.On.Paper = paperOf(p, &plan)
	figure.Tell(&plan.On.Paper, d.Text)
	file, err := fileOf(ctx, p, d, plan, threads, progress)
	if err != nil {
		return nil, err
	}
	return func(w io.Writer) error { return file.Encode(w, plan.On.Paper) }, nil
}

// fileOf is the picture of one map, or a page of several.
func fileOf(ctx context.Context, p *job.Picture, d *job.Drawn, plan scene.Plan, threads int,
	progress func(done, total int64)) (figure.File, error) {
	var all wholes
	if len(d.Panels) == 0 {
		m, err := mapOf(ctx, p, d, &all)
		if err != nil {
			return nil, err
		}
		d.Outside = m.Outside()
		return scene.Draw(ctx, m, plan, threads, progress)
	}
	var panels []scene.Panel
	for _, x := range d.Panels {
		m, err := mapOf(ctx, &x.Picture, x.Drawn, &all)
		if err == nil {
			err = knownPalette(x.Picture.Palette)
		}
		if err != nil {
			return nil, err
		}
		d.Outside = max(d.Outside, m.Outside())
		panels = append(panels, scene.Panel{Title: x.Picture.Title, Map: m, Plan: planOf(&x.Picture)})
	}
	return scene.DrawPage(ctx, panels, plan, threads, progress)
}

// mapOf is what a picture shows.
func mapOf(ctx context.Context, p *job.Picture, d *job.Drawn, all *wholes) (*scene.Map, error) {
	m := &scene.Map{Data: d.Data, Cols: d.Columns, Spec: d.Spec, Embedding: d.Places, Landmarks: d.Landmarks}
	if k := embedding.ByID(p.Embedding.Kind); k != nil {
		m.Title = k.Title
	}
	if d.Axes != nil {
		var err error
		if m, err = scene.At(ctx, d.Data, d.Spec, d.Axes); err != nil {
			return nil, err
		}
	}
	if g := p.Graph; g != nil && m.Landmarks.Len() > 0 && (g.Shade || g.Edges == parts.EdgesAlways) {
		over := graph.Of(g.Choice, m.Landmarks)
		m.Graph = &over
	}
	m.Whole = all.of(d, p)
	m.Keep(d.Among)
	return m, nil
}

// planOf is how a picture is drawn.
func planOf(p *job.Picture) scene.Plan {
	dark := strings.HasPrefix(p.Background, "dark")
	plan := scene.Plan{By: p.Colour, And: p.And, Spread: p.Scale, All: p.AllPoints,
		Contours: p.Contours != parts.NoContours,
		Look: scene.Look{Palette: p.Palette, Reverse: p.Reverse, Low: p.Percentiles[0], High: p.Percentiles[1],
			From: p.Ends[0], To: p.Ends[1], Inks: p.Inks,
			Raw: p.Scale != transform.SpreadMap, Size: p.PointSize, Opacity: p.Opacity,
			Tally: tallyOf(p.Drawing)},
		Options: scene.Options{Width: p.Size[0], Height: p.Size[1], Scale: p.Zoom, Dark: dark,
			White: p.Background == "white", Transparent: strings.HasSuffix(p.Background, "transparent"),
			Flat: scene.Theme(dark).Accent, Landmarks: p.Landmarks || p.Names, Edges: edged(p),
			Names: p.Names, Axes: true, Title: p.Title, Legend: scene.LegendOptions{Shown: !p.NoLegend},
			Lines: scene.LineOptions{Alone: p.Contours == parts.ContoursAlone, Shares: p.ContourLabels}}}
	if plan.Look.Tally.Cells() && plan.By == "" { // they say how many points they have
		plan.By = scene.NoColour
	}
	plan.Shade = p.Graph != nil && p.Graph.Shade
	plan.On.Shapes = p.Shapes
	plan.On.Wall = scene.Wall{Columns: p.Wall.Columns, Across: p.Wall.Across, Together: p.Wall.Together,
		Letters: p.Wall.Letters, Own: len(p.Wall.Moments) > 0}
	if p.Print != nil {
		plan.Width, plan.Height, plan.Scale = p.Print.Pixels()
	}
	plan.Aim = scene.Aim{Box: scene.BoxOf(p.Box), Turn: p.Turn * math.Pi / 180}
	if p.Centre != nil {
		plan.Look.Centred, plan.Look.Centre = true, *p.Centre
	}
	return plan
}

// edged says whether edges lie between the landmarks of a picture: nobody works on them there.
func edged(p *job.Picture) bool { return p.Graph == nil || p.Graph.Edges == parts.EdgesAlways }

// tallyOf is how points become cells.
func tallyOf(d parts.Drawing) tally.Settings {
	t := tally.Settings{Mode: d.Draw, Scale: d.Counts, Size: d.Cell, Smooth: d.Smooth,
		Median: d.Show == parts.ShowMedian}
	t.Share, _ = d.Share()
	return t
}

// paperOf is the paper of a picture, with the sizes of its plan.
func paperOf(p *job.Picture, plan *scene.Plan) pen.Paper {
	paper := pen.Paper{Pixels: [2]int{plan.Width, plan.Height}, Points: plan.Scale, Title: p.Title}
	if p.Print != nil {
		paper.Width, paper.Height = p.Print.Width, p.Print.Height
	} else {
		paper.Width, paper.Height = pen.OnScreen(plan.Width, p.Zoom), pen.OnScreen(plan.Height, p.Zoom)
	}
	return paper
}
