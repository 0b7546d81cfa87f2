// Package heat is the heat map of the landmarks, a kind of view: a row for each landmark, a column for each column of
// the map. Rows are in the order of average linkage of their codebook vectors, with its tree beside them. What the
// mouse is on, and what is selected, is so in the maps too.
package heat

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/order"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
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

func init() {
	view.RegisterKind(view.Kind{ID: "heat", Title: "Heat map of landmarks", Icon: assets.IconLayers, Order: 10,
		Help: "A row for each landmark, a column for each column of the map, rows in the order of their similarity",
		New:  func(v *view.View) view.Content { return newContent(v) }})
}

// Settings are what a session keeps of a heat map.
type Settings struct {
	Common bool    `json:"common,omitempty"` // one scale for all columns, in place of one for each
	Top    float64 `json:"top,omitempty"`    // the rows in sight; Span 0: all
	Span   float64 `json:"span,omitempty"`
}

// content is a heat map in a view.
type content struct {
	*view.View
	settings Settings
	box      view.Box
	ratio    float64

	values work.Values
	rows   *work.Value[rowsKey, *order.Tree]
	clock  time.Time

	numbers
	drawn  heat.Map // layout of the numbers in their order
	of     drawnKey
	at     []int32 // the row of each landmark
	layout heat.Layout
	laid   bool
	picked stroke
}

// numbers are what the cells show.
type numbers struct {
	set   *landmark.Set
	table *transform.Table
}

// rowsKey is what the order of rows depends on.
type rowsKey struct {
	code revision.Revision
	g    int
}

// drawnKey is what cells and names depend on.
type drawnKey struct {
	code, names, table, tree revision.Revision
	common                   bool
}

func newContent(v *view.View) *content {
	c := &content{View: v, ratio: 1}
	c.values = work.Values{Jobs: v.Scene().Map.Values.Jobs, Clock: func() time.Time { return c.clock }}
	c.rows = work.Keep[rowsKey, *order.Tree](&c.values, work.Policy{Title: "Order of the landmarks", Quiet: true,
		Finish: true, Silent: true, Share: 5, Remedy: "show the heat map again"})
	v.Settings(&c.settings)
	return c
}

// Label names the view.
func (c *content) Label() (title, note string) {
	return "Landmarks", fmt.Sprintf("%s x %d columns", widget.Grouped(c.Scene().Map.Landmarks().Len()),
		len(c.MapColumns()))
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
	{"each column", "From the lowest to the highest landmark of each column", false},
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
	})
}

// Place tells where the map is drawn.
func (c *content) Place(b view.Box, ratio float64, _ bool) { c.box, c.ratio = b, ratio }

// Update brings the map up to the landmarks.
func (c *content) Update(now time.Time) {
	m := c.Scene().Map
	c.clock = now
	c.values.Serve()
	c.set, c.table = m.Landmarks(), m.Table()
	if len(c.table.Cols) != c.set.Codebook.Cols {
		c.of = drawnKey{} // a changed transform is on its way
		return
	}
	x := c.set.Codebook
	if c.rows.Want(rowsKey{c.set.CodeRev, x.Rows}) && (c.rows.Rested() || c.rows.Of().g != x.Rows) {
		c.rows.Make(work.Ops(3*x.Rows*x.Rows*max(x.Cols, 1)), func(ctx context.Context,
			_ func(done, total int64)) (*order.Tree, error) {
			return order.Of(ctx, x)
		})
	}
	key := drawnKey{c.set.CodeRev, c.set.NameRev, c.table.Rev, c.rows.Rev(), c.settings.Common}
	if key != c.of {
		c.of = key
		c.fill()
	}
}

// fill makes what is drawn: cells in the order of rows, and their names.
func (c *content) fill() {
	x, d := c.set.Codebook, &c.drawn
	leaves := c.leaves()
	c.at = make([]int32, x.Rows)
	for row, id := range leaves {
		c.at[id] = int32(row)
	}
	shown, ends := c.numbers, c.scale(c.settings.Common) // a picture under way keeps what it was begun with
	*d = heat.Map{Rows: x.Rows, Cols: x.Cols, Hover: -1, Columns: d.Columns[:0]}
	for _, col := range c.table.Cols {
		d.Columns = append(d.Columns, c.Data().Columns[col].Short())
	}
	d.Share = func(row, col int) float64 {
		x, lo, hi := shown.value(int(leaves[row]), col), ends[col][0], ends[col][1]
		if x == x && !(hi > lo) {
			return 0.5
		}
		return (x - lo) / (hi - lo)
	}
	d.Name = func(row int) string { return shown.title(int(leaves[row])) }
	d.Low, d.High = "lowest of its column", "highest"
	if c.settings.Common && len(ends) > 0 && ends[0][0] <= ends[0][1] {
		d.Low, d.High = widget.FigureOf(ends[0][0], 3), widget.FigureOf(ends[0][1], 3)
	}
	if tree := c.tree(); tree != nil {
		d.Joins = joins(tree, c.at)
	}
}

// tree is the order of the rows or an older one of as many; nil: there is none.
func (c *content) tree() *order.Tree {
	if tree, _ := c.rows.Now(); tree != nil && len(tree.Leaves) == c.set.Len() {
		return tree
	}
	return nil
}

// leaves are the landmarks from the top: in the order of the tree, or of an older one of as many until it is there.
func (c *content) leaves() []int32 {
	if tree := c.tree(); tree != nil {
		return tree.Leaves
	}
	out := make([]int32, c.set.Len())
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

// value is what the transform gives of a landmark in a column, before scaling and weight; NaN: a weight of 0 keeps the
// column out of the landmarks.
func (c *numbers) value(id, col int) float64 {
	if k := c.table.Factor[col]; k != 0 {
		return float64(c.set.Codebook.Row(id)[col]) / k
	}
	return math.NaN()
}

// scale is the ends of the palette for each column, or for all in common; a column without a value has them crossed.
func (c *numbers) scale(common bool) [][2]float64 {
	out := make([][2]float64, c.set.Codebook.Cols)
	all := [2]float64{math.Inf(1), math.Inf(-1)}
	for col := range out {
		e := [2]float64{math.Inf(1), math.Inf(-1)}
		for id := range c.set.Len() {
			if x := c.value(id, col); x-x == 0 {
				e = [2]float64{min(e[0], x), max(e[1], x)}
			}
		}
		out[col] = e
		all = [2]float64{min(all[0], e[0]), max(all[1], e[1])}
	}
	if common {
		for col := range out {
			out[col] = all
		}
	}
	return out
}

// title is how a landmark is called.
func (c *numbers) title(id int) string {
	if c.set.Names != nil && c.set.Names[id] != "" {
		return c.set.Names[id]
	}
	return fmt.Sprintf("landmark %d", id+1)
}

// Draw has nothing to draw beforehand.
func (c *content) Draw(bool) {}

// Stir says whether the order is on its way: pictures and files wait for it.
func (c *content) Stir() view.Stir {
	return view.Stir{Moving: c.of != (drawnKey{}) && !c.rows.Fresh() && c.rows.Err() == nil}
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
	leaves, hand := c.leaves(), c.Scene().Hand
	d.Marked = func(row int) bool {
		_, is := slices.BinarySearch(hand.Landmarks.Selected, int(leaves[row]))
		return is
	}
	d.Hover = -1
	if hand.Hover >= 0 && hand.Hover < len(c.at) {
		d.Hover = int(c.at[hand.Hover])
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
		text := "No landmarks yet. Make some in the Train panel."
		if len(c.MapColumns()) == 0 {
			text = "No column is in the map. Take some in, in the Data panel."
		} else if c.set != nil && c.set.Len() > 0 {
			text = "The landmarks are on their way into the changed space."
		}
		c.laid = false
		u.Centred(dl, widget.Rect(c.box), text)
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
		return problem.New("", "train landmarks, or show something else in its view", "the heat map is empty")
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
func (c *content) Free() { c.rows.Drop() }
