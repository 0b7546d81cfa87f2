package widget

import "github.com/AllenDang/cimgui-go/imgui"

// SplitterHit is what the user does to a splitter.
type SplitterHit struct {
	Active   bool    // it is dragged; Pos is set
	Pos      float32 // where its middle is wanted
	Moved    bool    // Pos is set by the keyboard
	Released bool    // a drag has ended: one change of the settings
	Double   bool    // double click: even
}

// Splitter draws what parts two regions: a thin line in the middle of grab, which takes hold of it, over what lies
// there. columns: the regions are beside each other. It can be moved by the arrow keys.
func (u *UI) Splitter(name string, grab Rect, columns bool, tip string) SplitterHit {
	var out SplitterHit
	t := &u.theme
	u.Area(name, grab, AreaOpts{Clear: true}, func() {
		u.layers.splitters = append(u.layers.splitters, imgui.InternalCurrentWindow())
		place(grab.X0, grab.Y0)
		x := u.hit("##bar", grab.W(), grab.H(), tip, false)
		c := grab.Center()
		at, mouse, cursor := c.X, imgui.MousePos().X, imgui.MouseCursor(imgui.MouseCursorResizeEW)
		back, on := imgui.KeyLeftArrow, imgui.KeyRightArrow
		if !columns {
			at, mouse, cursor = c.Y, imgui.MousePos().Y, imgui.MouseCursor(imgui.MouseCursorResizeNS)
			back, on = imgui.KeyUpArrow, imgui.KeyDownArrow
		}
		if x.hovered || x.active {
			imgui.SetMouseCursor(cursor)
		}
		d := &u.drag
		if u.grab(x, float64(at)) {
			d.grip, d.over = at-mouse, d.over || x.double
		}
		out.Double = x.double
		switch {
		case u.cancelled(x):
			out.Moved, out.Pos = true, float32(d.start[0])
		case x.active && u.holds(x):
			out.Active, out.Pos = true, mouse+d.grip
		}
		if was, dropped := u.drop(x); dropped {
			out.Released = !was.over
		}
		if x.focused {
			if by := arrowSteps(back, on); by != 0 {
				out.Moved, out.Pos = true, at+u.Pt(8)*float32(by)
			}
		}
		line, ink := u.hair(), t.Border
		if x.hovered || x.active || x.focused {
			line, ink = u.snap(u.Pt(2)), x.tone(t.Accent, t.Accent, t.Accent)
		}
		r := Rect{grab.X0, u.snap(c.Y - line/2), grab.X1, u.snap(c.Y-line/2) + line}
		if columns {
			r = Rect{u.snap(c.X - line/2), grab.Y0, u.snap(c.X-line/2) + line, grab.Y1}
		}
		u.fill(u.dl(), r, ink, 0)
	})
	return out
}

// Widths of a side bar in points.
const (
	SideLeast = 240
	SideUsual = 308
	SideMost  = 480
)

// SideEdge draws the left edge of a side bar in side, which is dragged to make it wider or narrower; *width, in points,
// is what to remember. A double click brings the usual width back.
func (u *UI) SideEdge(name string, side Rect, width *float32) Edit {
	g := u.Pt(4)
	x := u.Splitter(name, Rect{side.X0 - g, side.Y0, side.X0 + g, side.Y1}, true, "")
	return u.edge(x, width, (side.X1-x.Pos)/u.scale, SideUsual, SideLeast, SideMost)
}

// edge keeps a size within its bounds and changes it as a splitter at the edge of what has it is moved.
func (u *UI) edge(x SplitterHit, size *float32, wanted, usual, least, most float32) (e Edit) {
	to := *size
	switch {
	case x.Double:
		to = usual
	case x.Active || x.Moved:
		to = wanted
	}
	if to = max(min(to, most), least); to != *size {
		*size, e.Changed = to, true
		u.env.Within(0)
	}
	e.Active = x.Active
	e.Committed = x.Released || (x.Double || x.Moved) && e.Changed
	return e
}
