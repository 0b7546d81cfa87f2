package scene

import (
	"context"
	"image"
	"math"

	"blossom/render"
	"blossom/render/pen/figure"
)

// Panel is one of several maps on a page, with what it is called above it. Its plan says how it looks; size, ground
// and medium are those of the page.
type Panel struct {
	Title string
	Map   *Map
	Plan  Plan
}

// DrawPage draws a page of maps, as Draw does one: Wall of the plan's medium says how they stand, and Aim of each panel
// what it shows.
func DrawPage(ctx context.Context, panels []Panel, p Plan, threads int,
	progress func(done, total int64)) (figure.File, error) {
	studio, err := Open(threads)
	if err != nil {
		return nil, err
	}
	defer studio.Close()
	sheet := render.SheetOptions{Width: p.Width, Height: p.Height, Scale: p.Scale, Theme: p.Theme(),
		Transparent: p.Transparent, Title: p.Title, Own: p.On.Wall.Own}
	across := p.On.Wall.Across
	if across == 0 {
		across = int(math.Ceil(math.Sqrt(float64(len(panels)))))
	}
	areas := render.Columns(len(panels), across, render.BelowTitle(p.Title, p.Width, p.Height, p.Scale),
		max(1, int(p.Scale)))
	total, scenes := int64(0), make([]Scene, len(panels))
	for i, panel := range panels {
		s, _, free, err := studio.scene(ctx, panel.Map, panel.Plan)
		if err != nil {
			return nil, err
		}
		defer free()
		scenes[i] = s
		total += int64(panel.Map.Data.Points)
	}
	cell := func(i int, in image.Rectangle) (out render.SheetCell, err error) {
		how := panels[i].Plan.Options
		how.Width, how.Height, how.Scale, how.Title = in.Dx(), in.Dy(), p.Scale, ""
		how.Dark, how.White, how.Transparent = p.Dark, p.White, p.Transparent
		out.Title = panels[i].Title
		if out.Picture, err = scenes[i].Picture(how); err == nil {
			err = panels[i].Map.Whole.put(ctx, &out.Picture, scenes[i], how)
		}
		out.Picture.Shapes = p.On.Shapes
		if p.On.Wall.Letters {
			out.Letter = render.Letter(i)
		}
		return out, err
	}
	if sheet.Fonts, err = Fonts(); err == nil {
		err = sheet.Fill(areas, cell)
	}
	if err != nil {
		return nil, err
	}
	return p.On.drawSheet(ctx, studio.r, sheet, func(share float64) {
		if progress != nil {
			progress(int64(share*float64(total)), total)
		}
	})
}
