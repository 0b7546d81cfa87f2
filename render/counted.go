package render

import (
	"image"
	"math"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/maps/density"
	"blossom/render/palette"
	"blossom/render/splat/tally"
)

// counted is how points become cells: the processor counts them, whoever draws all else. Positions that are on a card
// alone come from there first, which takes a frame's part: of a million points some milliseconds.
type counted struct {
	on     bool // this picture is one of cells
	canvas *tally.Canvas
	style  tally.Style
	table  palette.Table
}

// begin begins a picture of a layer, if that is one of cells.
func (c *counted) begin(l *Layer) {
	if c.on = l.style.Tally.Cells(); !c.on {
		c.canvas = nil // it may be large
		return
	}
	c.start(l.r, l.style)
	c.canvas.Begin(l.proj, l.style.Tally)
}

// start prepares for points of a style.
func (c *counted) start(r *Renderer, s Style) {
	if c.canvas == nil {
		c.canvas = tally.New(r.threads)
	}
	s.Colouring.Fill(&c.table)
	c.style = tally.Style{Opacity: s.Opacity, Table: &c.table, Lookup: s.Colouring.Lookup(),
		DimUnselected: s.DimUnselected, Only: s.Colouring.Only}
}

// draw counts points.
func (c *counted) draw(b *PointBuffer, v *ValueBuffer, s *StateBuffer, from, to int) {
	c.style.Pair = nil
	if v != nil && v.pair.Of[0] != nil {
		c.style.Pair = &v.pair
	}
	c.canvas.Draw(b.splatPoints(v, s), c.style, from, to)
}

// Levels are the places of the counts of the picture's cells on their scale; nil: points are drawn one by one.
func (l *Layer) Levels() *density.Levels {
	if !l.cells.on {
		return nil
	}
	return l.cells.canvas.Levels()
}

// AutoCell returns the size in pixels of cells that suit n points in a viewport of w x h pixels; scale and cover are as
// AutoStyle has them. It changes in steps, so that a map that grows a little keeps its cells.
func AutoCell(how tally.Settings, n, w, h int, scale, cover float64) float64 {
	m, _ := tally.ByID(how.Mode)
	if m.Size == nil || n < 1 {
		return 1
	}
	if !(cover > 0) || math.IsInf(cover, 0) {
		cover = 0.6
	}
	apart := math.Sqrt(float64(w) * float64(h) * cover / float64(n))
	size := m.Size(math.Exp2(math.Round(2*math.Log2(apart))/2), scale)
	if m.Smooths && how.Smooth > 0 { // fine enough for the Gaussian to be seen as one
		size = min(size, max(1, math.Floor(how.Smooth/2)))
	}
	for float64(w)*float64(h)/(size*size) > tally.MostCells {
		size *= 2
	}
	return size
}

// inCells prepares a picture of cells, if it is one, of so many points, whose map takes a share of it. The error says
// that there are too many cells.
func (j *PictureJob) inCells(cover float64, seen int) error {
	t := &j.o.Style.Tally
	if j.counts.on = t.Cells(); !j.counts.on {
		return nil
	}
	if !(t.Size > 0) && j.o.Points != nil {
		t.Size = AutoCell(*t, seen, j.proj.W, j.proj.H, j.o.Scale, cover)
	}
	size := math.Max(1, t.Size)
	if float64(j.proj.W)*float64(j.proj.H)/(size*size) <= tally.MostCells {
		return nil
	}
	return problem.New("", "choose larger cells, or a smaller picture",
		"a picture of %d x %d pixels has too many cells of %.3g pixels", j.proj.W, j.proj.H, size)
}

// count counts up to so many points and returns the share of them that is done; then it lays the cells on the map.
func (j *PictureJob) count(points int) float64 {
	o, c, n := &j.o, &j.counts, 0
	if o.Points != nil {
		n = o.Points.Len()
	}
	if j.next == 0 {
		c.start(j.r, o.Style)
		c.canvas.Begin(j.proj, o.Style.Tally)
	}
	to := n
	if points < n-j.next {
		to = j.next + points
	}
	c.draw(o.Points, o.Values, o.States, j.next, to)
	if j.next = to; to < n {
		return float64(to) / float64(n)
	}
	if o.Legend != nil {
		l := *o.Legend // the caller keeps his own
		o.Legend = &l
	}
	o.Keys = slices.Clone(o.Keys)
	o.Style.Tally.Tell(o.Legend, o.Keys, c.canvas.Levels())
	if patches := j.patches(); patches != nil {
		for _, p := range patches {
			j.mapped.canvas.Polygon(p.Outline, p.Colour)
		}
		return 1
	}
	area := j.frame.area
	img := image.NewRGBA(image.Rect(0, 0, area.Dx(), area.Dy()))
	c.canvas.Resolve(img.Pix, j.groundOfPoints())
	j.mapped.canvas.Picture(rectOf(img.Rect), img)
	return 1
}

// patches are the cells as shapes, for files of lines; nil: they are a picture of pixels. Opaque ones overlap by so
// little that no seam shows between them.
func (j *PictureJob) patches() []tally.Patch {
	if !j.canvas.Seams() {
		return nil
	}
	const lap = 0.15 // points
	patches := j.counts.canvas.Patches()
	for _, p := range patches {
		if p.Colour.A < 255 {
			continue
		}
		cx, cy := 0.0, 0.0
		for _, c := range p.Outline {
			cx, cy = cx+c.X/float64(len(p.Outline)), cy+c.Y/float64(len(p.Outline))
		}
		for i, c := range p.Outline {
			d := math.Hypot(c.X-cx, c.Y-cy)
			grow := 1 + lap*j.o.Scale/d
			p.Outline[i].X, p.Outline[i].Y = cx+(c.X-cx)*grow, cy+(c.Y-cy)*grow
		}
	}
	return patches
}
