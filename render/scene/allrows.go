package scene

import (
	"image"
	"image/color"
	"math"

	"blossom/model/maps/density"
	"blossom/model/maps/pyramid"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/colour"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/render/splat/tally"
)

// AllRows is how densely all rows lie that the points of a scene are a sample of, behind these or in their place.
type AllRows struct {
	Frame  pyramid.Frame
	Region *pyramid.Region // cells that are seen
	Scale  density.Scale
	Table  *palette.Table
	// Opacity is below 1 where points have moved on, and the rows are where they were.
	Opacity float64

	levels *density.Levels
}

// fadedRows is the opacity of rows that are where points were.
const fadedRows = 0.35

// AllRowsOf is how a look has the rows of a region. By itself the density has the colours of counts, with points above
// it a grey that these stand out from. Faded: the points have moved on.
func AllRowsOf(f pyramid.Frame, r *pyramid.Region, look Look, dark, beneath, faded bool) *AllRows {
	a := &AllRows{Frame: f, Region: r, Scale: look.Tally.Scale, Table: new(palette.Table), Opacity: 1,
		levels: look.Tally.Scale.Levels(r.Counts)}
	if faded {
		a.Opacity = fadedRows
	}
	if !beneath {
		c := countsOf(look, dark)
		c.Fill(a.Table)
		return a
	}
	grey := Theme(dark).TextDim
	for i := range a.Table {
		grey.A = uint8(math.Round(255 * (0.2 + 0.6*min(1, float64(i)/(palette.Entries-1)))))
		a.Table[i] = grey
	}
	return a
}

// countsOf is how a look paints counts.
func countsOf(look Look, dark bool) palette.Colouring {
	s := look.Settings()
	s.Dark = dark
	return colour.Counts(s)
}

// mostCells is how many times the root of the number of rows a frame shows of cells along a side: where there are few
// rows, smaller cells would be empty or have one.
const mostCells = 4

// Seen are the cells that a picture shows of so many rows, none of them smaller than a pixel.
func Seen(f pyramid.Frame, rows int64, p camera.Projection) pyramid.Span {
	low, high, ok := boxOf(p)
	if !ok {
		return pyramid.Span{}
	}
	suits := f.Side / (mostCells * math.Sqrt(float64(max(1, rows))))
	return f.Of(low, high, max(suits, (high[0]-low[0])/float64(max(1, p.W))))
}

// SeenIn are those of the level whose sides have so many cells.
func SeenIn(f pyramid.Frame, p camera.Projection, side int) pyramid.Span {
	low, high, ok := boxOf(p)
	if !ok {
		return pyramid.Span{}
	}
	return f.Of(low, high, f.Side/float64(side))
}

// boxOf is the box of what a picture of a flat map shows.
func boxOf(p camera.Projection) (low, high [2]float64, ok bool) {
	if p.Reference > 0 || p.M[0] == 0 || p.M[5] == 0 {
		return low, high, false
	}
	at := func(axis int, clip float64) float64 {
		return (clip-float64(p.M[12+axis]))/float64(p.M[5*axis]) + float64(p.Origin[axis])
	}
	for i := range low {
		a, b := at(i, -1), at(i, 1)
		low[i], high[i] = min(a, b), max(a, b)
	}
	return low, high, true
}

// Backdrop paints the rows as a projection shows them.
func (a *AllRows) Backdrop(p camera.Projection) *image.RGBA {
	r := a.Region
	side := a.Frame.Side / float64(r.Side)
	k := tally.Known{X: a.Frame.X + float64(r.X)*side, Y: a.Frame.Y + float64(r.Y)*side, Cell: side, Cols: r.Cols,
		Rows: r.Rows, Counts: r.Counts}
	return k.Paint(p, a.levels, a.Table, a.Opacity)
}

// Key says what the colours mean.
func (a *AllRows) Key(t render.Theme) legend.Key {
	marks := tally.Marks(a.levels)
	k := legend.Key{Title: "all rows: points per square, " + a.Scale.Word(),
		Ends: [2]string{marks[0].Text, marks[len(marks)-1].Text}}
	for i := range 33 {
		c := a.Table[i*(palette.Entries-1)/32]
		c.A = uint8(math.Round(float64(c.A) * a.Opacity))
		k.Ramp = append(k.Ramp, over(c, color.NRGBA{t.Background.R, t.Background.G, t.Background.B, 255}))
	}
	return k
}
