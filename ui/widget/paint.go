package widget

import "github.com/AllenDang/cimgui-go/imgui"

// The functions here give a caller who draws on the map by hand the theme's type and shapes.

// DrawText draws a line of text whose left end is x and whose middle is y, screen units, and returns
// its width.
func (u *UI) DrawText(dl *imgui.DrawList, f Face, x, y float32, c Color, s string) float32 {
	u.text(dl, f, x, y, c, s)
	return u.Width(f, s)
}

// HaloText draws text with an edge of another colour around the letters, to be read over points.
func (u *UI) HaloText(dl *imgui.DrawList, f Face, x, y float32, c, halo Color, s string) {
	d := u.Pt(1)
	for _, o := range [8][2]float32{{-d, 0}, {d, 0}, {0, -d}, {0, d}, {-d, -d}, {d, d}, {-d, d}, {d, -d}} {
		u.text(dl, f, x+o[0], y+o[1], halo, s)
	}
	u.text(dl, f, x, y, c, s)
}

// FillRect fills a rectangle with corners of round points.
func (u *UI) FillRect(dl *imgui.DrawList, r Rect, c Color, round float32) {
	u.fill(dl, r, c, u.Pt(round))
}

// ListKeys returns how far the up and down keys move the cursor of a list in this frame.
func (u *UI) ListKeys() int {
	n := 0
	if imgui.IsKeyPressedBool(imgui.KeyDownArrow) {
		n++
	}
	if imgui.IsKeyPressedBool(imgui.KeyUpArrow) {
		n--
	}
	return n
}

// Entered reports whether Enter was pressed in this frame.
func (u *UI) Entered() bool {
	// Without repeats: the Enter that opened a dialog, still held, must not answer it.
	return imgui.IsKeyPressedBoolV(imgui.KeyEnter, false) || imgui.IsKeyPressedBoolV(imgui.KeyKeypadEnter, false)
}

// Lengths of a table of keys, in points.
const (
	keyGap    = 28
	keyLine   = 22
	keyColumn = 280
)

// keyTable is in how many columns of how many lines so many keys stand.
func (u *UI) keyTable(rows int) (columns, each int) {
	columns = min(max(1, int((u.avail()+u.Pt(keyGap))/u.Pt(keyColumn))), 4)
	return columns, (rows + columns - 1) / columns
}

// KeyTableHeight is how high a KeyTable of so many rows is here.
func (u *UI) KeyTableHeight(rows int) float32 {
	_, each := u.keyTable(rows)
	return float32(each) * u.Pt(keyLine)
}

// KeyTable draws pairs of a text and a shortcut in as many columns as there is room for.
func (u *UI) KeyTable(rows [][2]string) {
	p, w := imgui.CursorScreenPos(), u.avail()
	gap, line := u.Pt(keyGap), u.Pt(keyLine)
	columns, each := u.keyTable(len(rows))
	col := (w - gap*float32(columns-1)) / float32(columns)
	dl := u.dl()
	for i, r := range rows {
		x, y := p.X+float32(i/each)*(col+gap), p.Y+float32(i%each)*line
		keys := u.Width(Small, r[1])
		u.textIn(dl, Small, Rect{x + col - keys, y, x + col, y + line}, 1, u.theme.Muted, r[1])
		u.textIn(dl, Body, Rect{x, y, x + col - keys - u.Pt(8), y + line}, 0, u.theme.Text, r[0])
	}
	imgui.Dummy(imgui.Vec2{X: w, Y: float32(each) * line})
}
