package panel

import (
	"slices"

	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/render/pen/figure"
	"blossom/ui/desk"
	"blossom/ui/view"
)

// form is what is chosen for pictures, as the rows have it.
type form struct {
	picture desk.Picture
	format  int // an index of figure.Formats
	moments int // on a page of the history
}

// usualMoments is how many moments a page has.
const usualMoments = 6

// formOf is the form of a choice that a document keeps.
func formOf(c parts.FigureChoice) form {
	f := form{moments: usualMoments, format: max(0, slices.IndexFunc(figure.Formats(), func(f figure.Format) bool {
		return f.Ending == c.Ending
	})), picture: desk.Picture{Width: 2400, Height: 1800, Scale: 2, Print: export.Print{Width: export.Columns[0].Width,
		Height: 64, DPI: export.UsualDPI, Font: export.UsualFont}}}
	p := &f.picture
	p.Size = desk.Size(max(0, slices.Index(parts.FigureSizes, c.Size)))
	if b := c.Pixels; b != (parts.FigureBox{}) {
		p.Width, p.Height, p.Scale = b.Width, b.Height, b.Scale
	}
	if c.Paper != (parts.FigurePaper{}) {
		p.Print = export.Print(c.Paper)
	}
	p.White, p.Transparent = c.Ground == parts.WhiteGround, c.Ground == parts.NoGround
	p.Shapes, p.Title, p.Bare = c.Shapes, c.Title, c.Bare
	p.All, p.Columns, p.Letters = c.Page, c.Columns, c.Letters
	for _, key := range c.Without {
		p.Leave(view.ParseID(key), true)
	}
	if c.Moments > 0 {
		f.moments = c.Moments
	}
	return f
}

// choice is what a document keeps of a form.
func (f form) choice() parts.FigureChoice {
	p := f.picture
	c := parts.FigureChoice{Ending: figure.Formats()[f.format].Ending, Size: parts.FigureSizes[p.Size],
		Pixels: parts.FigureBox{Width: p.Width, Height: p.Height, Scale: p.Scale}, Paper: parts.FigurePaper(p.Print),
		Shapes: p.Shapes, Title: p.Title, Bare: p.Bare, Page: p.All, Columns: p.Columns, Letters: p.Letters,
		Moments: f.moments}
	switch {
	case p.White:
		c.Ground = parts.WhiteGround
	case p.Transparent:
		c.Ground = parts.NoGround
	}
	for _, id := range p.Without {
		if id != 0 {
			c.Without = append(c.Without, id.Key())
		}
	}
	return c
}
