package widget

import (
	"math"
	"strconv"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Sizes of a matrix of numbers, in points.
const (
	matrixName = 148 // the names of the rows
	matrixCell = 62  // at least
	matrixWide = 92  // and at most, where there is room
	matrixRow  = 24
)

// MatrixOpts say what a matrix of numbers holds.
type MatrixOpts struct {
	Names  []string // both rows and columns have them
	Titles []string // the same in full
	Param  Param    // describes each number
	// Step is by how much a number changes where it is dragged by a point, or moved by a key.
	Step     float64
	Tip      func(row, col int) string
	Diagonal string // tooltip of the diagonal, which is locked
	Disabled bool
}

// MatrixEdit is what the user did to a number of a matrix.
type MatrixEdit struct {
	Edit
	Row, Col int
	Value    float64
}

// Matrix draws a square of numbers in r, which scrolls under its names where it is larger. A number is dragged to the
// sides, ten times finer with Shift, and taken back with Esc; a click types over it. The larger it is, the stronger is
// its ground.
func (u *UI) Matrix(name string, r Rect, value func(row, col int) float64, o MatrixOpts) (out MatrixEdit) {
	out.Row = -1
	if r.Empty() {
		return out
	}
	m := matrix{u: u, o: o, value: value, out: &out, n: len(o.Names)}
	left, head := u.snap(u.Pt(matrixName)), u.snap(u.Pt(matrixRow))
	in := Rect{r.X0 + left, r.Y0 + head, r.X1, r.Y1}
	if in.Empty() || m.n == 0 {
		return out
	}
	room := (in.W() - imgui.CurrentStyle().ScrollbarSize()) / float32(m.n)
	m.w, m.h = u.snap(min(max(room, u.Pt(matrixCell)), u.Pt(matrixWide))), head
	u.Group(name, func() {
		place(in.X0, in.Y0)
		imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{})
		imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
		imgui.BeginChildStrV("##numbers", imgui.Vec2{X: in.W(), Y: in.H()}, 0,
			imgui.WindowFlagsNoBackground|imgui.WindowFlagsHorizontalScrollbar)
		at := imgui.Vec2{X: imgui.ScrollX(), Y: imgui.ScrollY()}
		m.numbers(in, at)
		imgui.EndChild()
		imgui.PopStyleVarV(2)
		m.names(r, in, at)
	})
	u.mark(name, r)
	return out
}

// matrix is a matrix while it is drawn.
type matrix struct {
	u     *UI
	o     MatrixOpts
	n     int
	w, h  float32 // the size of a cell
	value func(row, col int) float64
	out   *MatrixEdit
	over  [2]int // the cell under the mouse, from 1
}

// cell is the place of a number.
func (m *matrix) cell(in Rect, at imgui.Vec2, row, col int) Rect {
	return R(in.X0-at.X+m.w*float32(col), in.Y0-at.Y+m.h*float32(row), m.w, m.h)
}

// numbers draws the numbers that are in sight.
func (m *matrix) numbers(in Rect, at imgui.Vec2) {
	end := m.cell(in, at, m.n-1, m.n-1)
	for i := range m.n {
		for j := range m.n {
			box := m.cell(in, at, i, j)
			if box.Y1 < in.Y0 || box.Y0 > in.Y1 || box.X1 < in.X0 || box.X0 > in.X1 {
				continue
			}
			hair := m.u.hair()
			m.u.Group(strconv.Itoa(i)+"/"+strconv.Itoa(j), func() {
				m.number(i, j, Rect{box.X0 + hair, box.Y0 + hair, box.X1 - hair, box.Y1 - hair})
			})
		}
	}
	place(end.X1, end.Y1)
	imgui.Dummy(imgui.Vec2{})
}

// number draws one of them.
func (m *matrix) number(row, col int, box Rect) {
	u, t := m.u, &m.u.theme
	v, p := m.value(row, col), m.o.Param
	p.Disabled = p.Disabled || m.o.Disabled || row == col
	place(box.X0, box.Y0)
	if row == col {
		x := u.still("value", box.W(), box.H(), m.o.Diagonal, false)
		u.textIn(u.dl(), Number, x.Inset(u.Pt(6), 0), 1, t.Faint, p.Text(v))
		return
	}
	id := imgui.IDStr("value")
	wanted := !p.Disabled && u.stop(id)
	e, was := Edit{}, v
	if u.typing.id == id && u.typeNumber(box, &v, p, &e) {
		if same, ok := p.Parse(digits(was)); ok && v == same {
			v, e.Changed, e.Committed = was, false, false // it was left as it was
		}
		m.tell(row, col, v, e)
		return
	}
	x := u.hit("value", box.W(), box.H(), m.o.Tip(row, col), p.Disabled)
	moved := m.drag(x, &v, p, &e)
	u.fill(u.dl(), x.Rect, m.ground(v), u.Pt(3))
	if !x.off && (x.hovered || x.active) {
		u.stroke(u.dl(), x.Rect, t.Accent, u.Pt(3), u.hair())
		imgui.SetMouseCursor(imgui.MouseCursorResizeEW)
	}
	if x.hovered || x.active {
		m.over = [2]int{row + 1, col + 1}
	}
	ink, text := t.Text, p.fit(v, func(s string) bool { return u.Width(Number, s) <= x.W()-u.Pt(8) })
	if v == 0 {
		ink, text = t.Faint, "0"
	}
	u.textIn(u.dl(), Number, x.Inset(u.Pt(6), 0), 1, x.fade(ink), Minus(text))
	if x.focused {
		u.ring(u.dl(), x.Rect, u.Pt(3))
		m.arrows(&v, p, &e)
	}
	if (x.pressed && !moved || wanted) && !p.Disabled {
		u.typing.id, u.typing.text, u.typing.start = id, digits(v), true
		u.typing.coming = fieldComes
		u.env.Within(0)
	}
	m.tell(row, col, v, e)
}

// digits is a number as it is typed over, with more digits than are shown.
func digits(v float64) string { return strconv.FormatFloat(v, 'g', 7, 64) }

// arrows moves a number that has the keyboard focus by a step, by ten with Shift.
func (m *matrix) arrows(v *float64, p Param, e *Edit) {
	m.u.taken.now.number = true
	n := float64(arrowSteps(imgui.KeyLeftArrow, imgui.KeyRightArrow))
	if imgui.CurrentIO().KeyShift() {
		n *= 10
	}
	if nv := p.quantize(*v + n*m.o.Step); n != 0 && nv != *v {
		*v, e.Changed, e.Committed = nv, true, true
	}
}

// drag moves a number with the mouse, and says whether it has moved since the press. A press alone moves nothing.
func (m *matrix) drag(x hit, v *float64, p Param, e *Edit) (moved bool) {
	u := m.u
	step := m.o.Step / float64(u.Pt(1))
	knob := func(v float64) float32 { return float32(v / step) }
	if u.grab(x, *v) {
		u.drag.grip = knob(*v) - imgui.MousePos().X
	}
	set := func(nv float64) {
		if nv != *v {
			*v, e.Changed = nv, true
		}
	}
	switch {
	case u.cancelled(x):
		set(u.drag.start[0])
	case u.holds(x):
		if nv := p.quantize(float64(u.fine(knob(*v))) * step); imgui.IsMouseDraggingV(imgui.MouseButtonLeft, u.Pt(3)) ||
			*v != u.drag.start[0] {
			set(nv)
		}
	}
	e.Active = x.active
	if was, dropped := u.drop(x); dropped {
		moved = *v != was.start[0] || was.over
		e.Committed = *v != was.start[0]
	}
	return moved
}

// ground is the colour behind a number: the stronger, the more light it stands for; another one below zero.
func (m *matrix) ground(v float64) Color {
	t := &m.u.theme
	ink := t.Accent
	if v < 0 {
		ink = t.Warning
	}
	if v == 0 {
		return t.Row
	}
	return t.Row.Mix(ink, 0.08+0.5*float32(math.Sqrt(min(math.Abs(v)/100, 1))))
}

// tell takes over what was done to a number.
func (m *matrix) tell(row, col int, v float64, e Edit) {
	if e.Changed || e.Committed || e.Active {
		*m.out = MatrixEdit{Edit: e, Row: row, Col: col, Value: v}
	}
}

// names draws those of the rows and of the columns; those of the number under the mouse are strong.
func (m *matrix) names(r, in Rect, at imgui.Vec2) {
	u, t, dl := m.u, &m.u.theme, m.u.dl()
	ink := func(strong bool) Color {
		if strong {
			return t.Text
		}
		return t.Muted
	}
	clip := func(a Rect, draw func()) {
		dl.PushClipRectV(a.Min(), a.Max(), true)
		draw()
		dl.PopClipRect()
	}
	head, side := Rect{in.X0, r.Y0, in.X1, in.Y0}, Rect{r.X0, in.Y0, in.X0, in.Y1}
	for i := range m.n {
		c := m.cell(in, at, i, i)
		top := Rect{c.X0 + u.Pt(4), head.Y0, c.X1 - u.Pt(4), head.Y1}
		left := Rect{side.X0 + u.Pt(4), c.Y0, side.X1 - u.Pt(10), c.Y1}
		if seen := (Rect{max(c.X0, head.X0), head.Y0, min(c.X1, head.X1), head.Y1}); !seen.Empty() {
			place(seen.X0, seen.Y0)
			u.still("column"+strconv.Itoa(i), seen.W(), seen.H(), m.o.Titles[i], false)
		}
		clip(head, func() { u.textIn(dl, Small, top, 1, ink(m.over[1] == i+1), m.o.Names[i]) })
		clip(side, func() { u.textIn(dl, Body, left, 0, ink(m.over[0] == i+1), m.o.Titles[i]) })
	}
	u.fill(dl, R(r.X0, u.snap(in.Y0)-u.hair(), r.W(), u.hair()), t.Border, 0)
}
