//go:build cgo && !static

package main

import (
	"context"
	"io"
	"strings"

	"blossom/model/document/parts"
	"blossom/model/job"
	"blossom/model/space/transform"
	"blossom/render/pngfile"
	"blossom/render/scene"
)

func init() { job.Painter = paint }

// paint draws a picture as a PNG.
func paint(ctx context.Context, p *job.Picture, d *job.Drawn, threads int,
	progress func(done, total int64)) (func(io.Writer) error, error) {
	if err := knownPalette(p.Palette); err != nil {
		return nil, err
	}
	m := &scene.Map{Data: d.Data, Cols: d.Columns, Spec: d.Spec, Embedding: d.Places, Landmarks: d.Landmarks}
	if d.Axes != nil {
		var err error
		if m, err = scene.At(ctx, d.Data, d.Spec, d.Axes); err != nil {
			return nil, err
		}
	}
	m.Keep(d.Among)
	plan := planOf(p)
	plan.Threads = threads
	img, err := scene.Draw(ctx, m, plan, progress)
	if err != nil {
		return nil, err
	}
	d.Outside = m.Outside()
	meta := pngfile.Meta{DPI: 96 * p.Zoom}
	for _, text := range d.Text {
		meta.Text = append(meta.Text, pngfile.Text{Key: text[0], Value: text[1]})
	}
	return func(w io.Writer) error { return pngfile.Encode(w, img, meta) }, nil
}

// planOf is how a picture is drawn.
func planOf(p *job.Picture) scene.Plan {
	dark := strings.HasPrefix(p.Background, "dark")
	plan := scene.Plan{By: p.Colour, And: p.And, Spread: p.Scale, All: p.AllPoints,
		Contours: p.Contours != parts.NoContours,
		Look: scene.Look{Palette: p.Palette, Reverse: p.Reverse, Low: p.Percentiles[0], High: p.Percentiles[1],
			From: p.Ends[0], To: p.Ends[1], Inks: p.Inks,
			Raw: p.Scale != transform.SpreadMap, Size: p.PointSize, Opacity: p.Opacity},
		Options: scene.Options{Width: p.Size[0], Height: p.Size[1], Scale: p.Zoom, Dark: dark,
			White: p.Background == "white", Transparent: strings.HasSuffix(p.Background, "transparent"),
			Flat: scene.Theme(dark).Accent, Legend: !p.NoLegend, Landmarks: p.Landmarks || p.Names, Edges: true,
			Names: p.Names, Axes: true, Title: p.Title, Alone: p.Contours == parts.ContoursAlone}}
	if p.Centre != nil {
		plan.Look.Centred, plan.Look.Centre = true, *p.Centre
	}
	return plan
}
