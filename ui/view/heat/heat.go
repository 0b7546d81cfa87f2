// Package heat is heat maps, kinds of views: a row for each landmark or population, a column for each column of the
// map. Rows are in the order of average linkage of their numbers, with its tree beside them. What the mouse is on, and
// what is selected, is so in the maps too.
package heat

import (
	"context"
	"image/color"
	"math"
	"slices"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/order"
	"blossom/model/work"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/heat"
	"blossom/render/palette"
	"blossom/render/pen"
	"blossom/render/scene"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// register adds a kind of view that is a heat map of some subject.
func register(k view.Kind, of func(*view.View) subject) {
	k.New = func(v *view.View) view.Content { return newContent(v, of(v)) }
	view.RegisterKind(k)
}

// Settings are what a session keeps of a heat map.
type Settings struct {
	Common bool    `json:"common,omitempty"` // one scale for all columns, in place of one for each
	Alike  bool    `json:"alike,omitempty"`  // columns that are alike stand together, in place of the order of the data
	Top    float64 `json:"top,omitempty"`    // the rows in sight; Span 0: all
	Span   float64 `json:"span,omitempty"`
}

// content is a heat map in a view.
type content struct {
	*view.View
	subject  subject
	settings Settings
	box      view.Box
	ratio    float64

	values work.Values
	rows   *work.Value[rowsKey, *order.Tree]
	cols   *work.Value[drawnKey, *order.Tree] // the tree of columns that stand by their likeness
	clock  time.Time

	numbers numbers  // nil: there are none
	count   int      // rows of them
	drawn   heat.Map // layout of the numbers in their order
	of      drawnKey
	at      []int32 // where each row of the numbers stands
	layout  heat.Layout
	laid    bool
	picked  stroke
}

// rowsKey is what the order of rows depends on.
type rowsKey struct {
	values revision.Revision
	n      int
}

// drawnKey is what cells and names depend on.
type drawnKey struct {
	key
	tree   revision.Revision // tree of the rows
	cols   revision.Revision // tree of the columns; 0: they stand as in the data
	common bool
}

func newContent(v *view.View, of subject) *content {
	c := &content{View: v, subject: of, ratio: 1}
	c.values = work.Values{Jobs: v.Scene().Map.Values.Jobs, Clock: func() time.Time { return c.clock }}
	c.rows = work.Keep[rowsKey, *order.Tree](&c.values, work.Policy{Title: "Order of the rows", Quiet: true,
		Finish: true, Silent: true, Share: 5, Remedy: "show the heat map again"})
	c.cols = work.Keep[drawnKey, *order.Tree](&c.values, work.Policy{Title: "Order of the columns", Quiet: true,
		Finish: true, Silent: true, Share: 5, Remedy: "show the heat map again"})
	v.Settings(&c.settings)
	return c
}

// Label names the view.
func (c *content) Label() (title, note string) {
	return c.subject.label()
}

// Head names the view, and how columns are scaled.
func (c *content) Head(o widget.HeaderOpts) widget.HeaderOpts {
	o.Name, o.Note = c.Label()
	if c.rows.Busy() {
		o.Note += " · finding their order"
	}
	o.By = scales[0].title
	if c.settings.Common {
		o.By = scales[1].title
	}
	return o
}

// scales are the ways to scale columns.
var scales = []struct {
	title, help string
	common      bool
}{
	{"each column", "Each column has the palette for itself", false},
	{"all columns alike", "From the lowest to the highest value of all columns, as the transform gives them", true},
}

// Hit draws the menu of scales.
func (c *content) Hit(h widget.HeaderHit) {
	u, menu := c.Scene().UI, "heat"+c.ID.Key()
	if h.Part == widget.HeaderColour {
		u.OpenMenuUnder(menu, h.Under)
	}
	u.ContextMenu(menu, func() {
		for _, s := range scales {
			if u.MenuItem("Scale "+s.title, widget.MenuOpts{Checked: s.common == c.settings.Common, Tip: s.help}) {
				c.settings.Common = s.common
				c.Keep()
			}
		}
		u.MenuSeparator()
		if u.MenuItem("Columns by likeness", widget.MenuOpts{Checked: c.settings.Alike,
			Tip: "Columns that are alike in these rows stand together, by average linkage; else as in the data"}) {
			c.settings.Alike = !c.settings.Alike
			c.Keep()
		}
	})
}

// Place tells where the map is drawn.
func (c *content) Place(b view.Box, ratio float64, _ bool) { c.box, c.ratio = b, ratio }

// Update brings the map up to its subject.
func (c *content) Update(now time.Time) {
	c.clock = now
	c.values.Serve()
	numbers, of := c.subject.update()
	if numbers == nil {
		c.numbers, c.count, c.of = nil, 0, drawnKey{}
		return
	}
	x := numbers.vectors()
	if x.Rows != c.count {
		c.of = drawnKey{}
	}
	c.numbers, c.count = numbers, x.Rows
	if c.rows.Want(rowsKey{of.values, x.Rows}) && (c.rows.Rested() || c.rows.Of().n != x.Rows) {
		c.rows.Make(work.Ops(3*x.Rows*x.Rows*max(x.Cols, 1)), func(ctx context.Context,
			_ func(done, total int64)) (*order.Tree, error) {
			return order.Of(ctx, x)
		})
	}
	key := drawnKey{key: of, tree: c.rows.Rev(), common: c.settings.Common}
	if c.settings.Alike {
		c.compareColumns(drawnKey{key: of, common: c.settings.Common})
		key.cols = c.cols.Rev()
	}
	if key != c.of {
		c.of = key
		c.fill()
	}
}

// compareColumns has the columns put into an order in which those stand together that are coloured alike.
func (c *content) compareColumns(of drawnKey) {
	ends := c.numbers.scale(c.settings.Common)
	if !c.cols.Want(of) || !c.cols.Rested() && c.cols.Rev() != 0 {
		return
	}
	shares := matrix.Matrix32{Rows: len(ends), Cols: c.count, Data: make([]float32, len(ends)*c.count)}
	for col, e := range ends {
		for row := range c.count {
			shares.Data[col*c.count+row] = float32(share(c.numbers.value(row, col), e))
		}
	}
	c.cols.Make(work.Ops(3*shares.Rows*shares.Rows*max(shares.Cols, 1)), func(ctx context.Context,
		_ func(done, total int64)) (*order.Tree, error) {
		return order.Of(ctx, shares)
	})
}

// share is where a value lies between the ends of its palette, the middle where it has none.
func share(x float64, ends [2]float64) float64 {
	if x != x || !(ends[1] > ends[0]) {
		return 0.5
	}
	return min(max((x-ends[0])/(ends[1]-ends[0]), 0), 1)
}

// column is the column of the numbers that stands at a place.
func (c *content) column(at int) int {
	if c.of.cols != 0 {
		if tree, _ := c.cols.Now(); tree != nil && at < len(tree.Leaves) && len(tree.Leaves) == c.drawn.Cols {
			return int(tree.Leaves[at])
		}
	}
	return at
}

// fill makes what is drawn: cells in the order of rows, and their names.
func (c *content) fill() {
	shown, d := c.numbers, &c.drawn // a picture under way keeps what it was begun with
	leaves := c.leaves()
	c.at = make([]int32, c.count)
	for row, id := range leaves {
		c.at[id] = int32(row)
	}
	ends := shown.scale(c.settings.Common)
	names := shown.columns()
	*d = heat.Map{Rows: c.count, Cols: len(ends), Hover: -1, Columns: names}
	cols := make([]int, len(ends))
	for at := range cols {
		cols[at] = c.column(at)
	}
	if len(names) == len(cols) {
		d.Columns = make([]string, len(cols))
		for at, col := range cols {
			d.Columns[at] = names[col]
		}
	}
	d.Share = func(row, at int) float64 {
		x := shown.value(int(leaves[row]), cols[at])
		if x != x {
			return x
		}
		return share(x, ends[cols[at]])
	}
	d.Name = func(row int) string { return shown.title(int(leaves[row])) }
	d.Low, d.High = shown.ends(c.settings.Common)
	if tree := c.tree(); tree != nil {
		d.Joins = joins(tree, c.at)
	}
}

// tree is the order of the rows or an older one of as many; nil: there is none.
func (c *content) tree() *order.Tree {
	if tree, _ := c.rows.Now(); tree != nil && len(tree.Leaves) == c.count {
		return tree
	}
	return nil
}

// leaves are the rows from the top: in the order of the tree, or of an older one of as many until it is there.
func (c *content) leaves() []int32 {
	if tree := c.tree(); tree != nil {
		return tree.Leaves
	}
	out := make([]int32, c.count)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// joins are the joins of a tree at the rows of its leaves.
func joins(tree *order.Tree, at []int32) []heat.Join {
	n := len(at)
	places, heights := make([]float64, n+len(tree.Joins)), make([]float64, n+len(tree.Joins))
	for i, row := range at {
		places[i] = float64(row) + 0.5
	}
	most := 0.0
	for i, j := range tree.Joins {
		places[n+i] = (places[j.A] + places[j.B]) / 2
		heights[n+i] = j.Height
		most = max(most, j.Height)
	}
	out := make([]heat.Join, len(tree.Joins))
	for i, j := range tree.Joins {
		out[i] = heat.Join{A: places[j.A], B: places[j.B], AtA: heights[j.A] / max(most, 1e-300),
			AtB: heights[j.B] / max(most, 1e-300), At: j.Height / max(most, 1e-300)}
	}
	slices.SortStableFunc(out, func(a, b heat.Join) int { // the highest last
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	})
	return out
}

// Draw has nothing to draw beforehand.
func (c *content) Draw(bool) {}

// Stir says whether the order is on its way: pictures and files wait for it.
func (c *content) Stir() view.Stir {
	columns := c.settings.Alike && !c.cols.Fresh() && c.cols.Err() == nil
	return view.Stir{Moving: c.of != (drawnKey{}) && (columns || !c.rows.Fresh() && c.rows.Err() == nil)}
}

// ready completes what is drawn by what changes in every frame: the colours, what is selected, what the mouse is on.
func (c *content) ready(dark bool) {
	look, d := c.Look(), &c.drawn
	p := palette.ByName(look.Palette)
	if p == nil || p.Kind == palette.Categorical {
		p = palette.Default()
	}
	if dark {
		p = palette.OnDark(p)
	}
	d.Colour = p.At
	if look.Reverse {
		d.Colour = func(t float64) color.NRGBA { return p.At(1 - t) }
	}
	leaves := c.leaves()
	d.Marked = func(row int) bool { return c.subject.marked(int(leaves[row])) }
	d.Hover = -1
	if over := c.subject.hovered(); over >= 0 && over < len(c.at) {
		d.Hover = int(c.at[over])
	}
	d.Window = heat.Window{Top: c.settings.Top, Span: c.settings.Span}
}

// ink is the colours beside the cells.
func ink(t render.Theme) heat.Ink {
	return heat.Ink{Ground: t.Background, Text: t.Text, Dim: t.TextDim, Line: t.Line, Accent: t.Accent}
}

// Present draws the map and lets the mouse work on it.
func (c *content) Present(dl *imgui.DrawList) {
	s := c.Scene()
	u := s.UI
	if c.of == (drawnKey{}) || c.drawn.Rows == 0 || c.drawn.Cols == 0 {
		c.laid = false
		u.Centred(dl, widget.Rect(c.box), c.subject.empty())
		return
	}
	c.ready(s.Dark)
	p := view.NewPen(u, dl, c.box, c.ratio, float64(s.Scale)*s.Ratio)
	w, h := c.PictureSize()
	if c.layout, c.laid = c.drawn.Lay(p, float64(w), float64(h)); !c.laid {
		return
	}
	c.mouse()
	c.drawn.Window = heat.Window{Top: c.settings.Top, Span: c.settings.Span}
	if c.layout, c.laid = c.drawn.Lay(p, float64(w), float64(h)); c.laid {
		c.drawn.Paint(p, c.layout, ink(s.Theme))
		s.Spare(widget.Rect{X0: c.box.X0, Y0: c.box.Y0, X1: c.box.X1,
			Y1: c.box.Y0 + float32(c.layout.Cells.Y0/c.ratio)}) // the names of the columns
	}
}

// PictureSize is the size of the view in framebuffer pixels.
func (c *content) PictureSize() (w, h int) {
	return max(1, int(math.Round(float64(c.box.W())*c.ratio))), max(1, int(math.Round(float64(c.box.H())*c.ratio)))
}

// Picture says how a picture for a file shows the map: as the window does. It is an error where there is nothing to
// show, and where its rows could not be ordered.
func (c *content) Picture(o scene.Options) (render.PictureOptions, error) {
	fonts, err := scene.Fonts()
	out := render.PictureOptions{Width: o.Width, Height: o.Height, Scale: o.Scale, Theme: o.Theme(),
		Transparent: o.Transparent, Title: o.Title, Fonts: fonts, View: camera.NewFlat(o.Width, o.Height)}
	if err == nil {
		err = c.lack()
	}
	if err != nil {
		return out, err
	}
	c.ready(o.Dark)
	m := c.drawn
	m.Hover = -1
	out.Over = append(out.Over, func(p pen.Pen, w, h float64) {
		if l, ok := m.Lay(p, w, h); ok {
			m.Paint(p, l, ink(out.Theme))
		}
	})
	return out, nil
}

// lack says why there is no picture of the map; nil: there is one.
func (c *content) lack() error {
	if c.of == (drawnKey{}) || c.drawn.Rows == 0 || c.drawn.Cols == 0 {
		return problem.New("", "show something else in its view", "the heat map is empty")
	}
	if err := c.rows.Err(); err != nil {
		return err
	}
	if c.tree() == nil {
		return problem.New("", "wait until they are, then export again", "the rows of the heat map are not ordered yet")
	}
	return nil
}

// Keep puts the settings into the document.
func (c *content) Keep() { c.SetSettings(c.settings) }

// Free ends what is being computed.
func (c *content) Free() {
	c.rows.Drop()
	c.cols.Drop()
	c.subject.free()
}
