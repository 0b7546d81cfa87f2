package widget

import "github.com/AllenDang/cimgui-go/imgui"

// Sheet is a box of a height in screen units, in the width that is left, which scrolls what body draws.
func (u *UI) Sheet(name string, height float32, body func()) {
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{X: u.Pt(10), Y: u.Pt(8)})
	imgui.BeginChildStrV("##"+name, imgui.Vec2{Y: height}, imgui.ChildFlagsAlwaysUseWindowPadding, 0)
	imgui.PopStyleVar()
	p, s := imgui.WindowPos(), imgui.WindowSize()
	box, dl := R(p.X, p.Y, s.X, s.Y), u.dl()
	u.mark(name, box)
	dl.PushClipRectFullScreen()
	u.stroke(dl, box, u.theme.Border, u.Pt(6), u.hair())
	dl.PopClipRect()
	body()
	imgui.EndChild()
}

// SheetTop scrolls the sheet that is being drawn so that what is drawn next is at its top.
func (u *UI) SheetTop() { imgui.SetScrollHereYV(0) }

// Indented draws body further to the right, by points.
func (u *UI) Indented(by float32, body func()) {
	imgui.IndentV(u.Pt(by))
	body()
	imgui.UnindentV(u.Pt(by))
}
