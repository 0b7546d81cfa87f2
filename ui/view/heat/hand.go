package heat

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/render/heat"
	"blossom/ui/widget"
)

// stroke is a press on the rows, or on the bar beside them.
type stroke struct {
	on   bool
	bar  bool
	from int     // the row of the press
	held float64 // where the bar was taken: rows from the top of the window to the mouse
}

// Fit shows all rows.
func (c *content) Fit(bool) { c.show(heat.Window{}) }

// Reset shows all rows.
func (c *content) Reset() { c.show(heat.Window{}) }

// Glide scrolls by shares of the rows in sight. GlideZoom shows fewer of them.
func (c *content) Glide(_, dy float64) {
	w := c.window().In(c.drawn.Rows)
	w.Top -= dy * w.Span
	c.show(w)
}

// GlideZoom shows fewer rows, or more.
func (c *content) GlideZoom(factor float64) { c.show(c.window().Zoom(factor, 0.5, c.drawn.Rows)) }

func (c *content) window() heat.Window {
	return heat.Window{Top: c.settings.Top, Span: c.settings.Span}
}

// show puts rows into sight, here and in the heat maps that are linked with this one.
func (c *content) show(w heat.Window) {
	c.see(w)
	for _, v := range c.Linked() {
		if o, ok := v.Content().(*content); ok {
			o.see(w)
		}
	}
}

func (c *content) see(w heat.Window) {
	w = w.In(c.drawn.Rows)
	if w.Span >= float64(c.drawn.Rows) {
		w = heat.Window{} // all, however many there will be
	}
	c.settings.Top, c.settings.Span = w.Top, w.Span
	c.Scene().UI.Again()
}

// mouse does what the mouse does on the map: the wheel shows fewer rows, with Shift it scrolls; a press selects, a drag
// several rows, Shift adds and Alt takes away.
func (c *content) mouse() {
	io, hand := imgui.CurrentIO(), c.Scene().Hand
	at := imgui.MousePos()
	x := (float64(at.X) - float64(c.box.X0)) * c.ratio
	y := (float64(at.Y) - float64(c.box.Y0)) * c.ratio
	down := imgui.IsMouseDown(imgui.MouseButtonLeft)
	if c.picked.on {
		if down {
			c.drag(y)
			return
		}
		c.picked = stroke{}
	}
	if hand.Active() || !imgui.IsWindowHovered() || !widget.Rect(c.box).Has(at) {
		return
	}
	if wheel := float64(io.MouseWheel()); wheel != 0 {
		share := (y - c.layout.Cells.Y0) / max(c.layout.Cells.H(), 1)
		if io.KeyShift() {
			c.Glide(0, 0.15*wheel)
		} else {
			c.show(c.window().Zoom(math.Pow(1.2, wheel), min(max(share, 0), 1), c.drawn.Rows))
		}
	}
	if b := c.layout.Bar(); !b.Empty() && x >= b.X0-4 && x < b.X1+4 && y >= b.Y0 && y < b.Y1 {
		if imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
			w := c.window().In(c.drawn.Rows)
			row := (y - b.Y0) / b.H() * float64(c.drawn.Rows)
			held := row - w.Top
			if held < 0 || held > w.Span {
				held = w.Span / 2
			}
			c.picked = stroke{on: true, bar: true, held: held}
			c.drag(y)
		}
		return
	}
	row, col, ok := c.layout.At(x, y)
	if !ok {
		return
	}
	id := int(c.leaves()[row])
	c.subject.hover(id)
	c.drawn.Hover = row
	c.Scene().UI.Tip(widget.R(at.X, at.Y, 1, 1), c.numbers.tip(id, c.column(col)))
	if imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
		c.picked = stroke{on: true, from: row}
		c.pick(row, true)
	}
}

// drag goes on with a press.
func (c *content) drag(y float64) {
	if c.picked.bar {
		b, w := c.layout.Bar(), c.window().In(c.drawn.Rows)
		w.Top = (y-b.Y0)/max(b.H(), 1)*float64(c.drawn.Rows) - c.picked.held
		c.show(w)
		return
	}
	row, _ := c.layout.RowAt(y)
	c.pick(row, false)
}

// pick chooses what the rows from that of the press to another stand for.
func (c *content) pick(to int, first bool) {
	lo, hi := min(c.picked.from, to), max(c.picked.from, to)
	var rows []int
	for _, id := range c.leaves()[min(lo, c.drawn.Rows-1):min(hi+1, c.drawn.Rows)] {
		rows = append(rows, int(id))
	}
	c.subject.pick(rows, first)
}
