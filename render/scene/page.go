package scene

import (
	"context"
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
		Transparent: p.Transparent, Title: p.Title}
	across := p.On.Wall.Across
	if across == 0 {
		across = int(math.Ceil(math.Sqrt(float64(len(panels)))))
	}
	areas := render.Columns(len(panels), across, render.BelowTitle(p.Title, p.Width, p.Height, p.Scale),
		max(1, int(p.Scale)))
	total := int64(0)
	for i, panel := range panels {
		how := panel.Plan.Options
		how.Width, how.Height, how.Scale, how.Title = areas[i].Dx(), areas[i].Dy(), p.Scale, ""
		how.Dark, how.White, how.Transparent = p.Dark, p.White, p.Transparent
		s, _, free, err := studio.scene(ctx, panel.Map, panel.Plan)
		if err != nil {
			return nil, err
		}
		defer free()
		o, err := s.Picture(how)
		if err == nil {
			err = panel.Map.Whole.put(ctx, &o, s, how)
		}
		if err != nil {
			return nil, err
		}
		sheet.Fonts, o.Shapes = o.Fonts, p.On.Shapes
		cell := render.SheetCell{Rect: areas[i], Title: panel.Title, Picture: o}
		if p.On.Wall.Letters {
			cell.Letter = render.Letter(i)
		}
		sheet.Cells = append(sheet.Cells, cell)
		total += int64(panel.Map.Data.Points)
	}
	return p.On.drawSheet(ctx, studio.r, sheet, func(share float64) {
		if progress != nil {
			progress(int64(share*float64(total)), total)
		}
	})
}
