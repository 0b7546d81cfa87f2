package widget

import (
	"unsafe"

	"github.com/AllenDang/cimgui-go/imgui"
)

// DrawUpright writes a line that runs upwards from bottom, around x: ImGui writes level lines only, so that one is
// written at the corner of the window and its corners are turned.
func (u *UI) DrawUpright(dl *imgui.DrawList, f Face, x, bottom float32, c Color, s string) {
	if s == "" {
		return
	}
	dl.PushClipRectFullScreen() // nothing of it may be left out where it is written first
	defer dl.PopClipRect()
	_, px := u.font(f)
	before := dl.VtxBuffer().Size
	u.text(dl, f, 0, px/2, c, s)
	all := dl.VtxBuffer()
	if all.Size <= before {
		return
	}
	size := unsafe.Sizeof(*all.Data.CData)
	x, bottom = u.snap(x-px/2), u.snap(bottom)
	for i := before; i < all.Size; i++ {
		p := (*imgui.Vec2)(unsafe.Add(unsafe.Pointer(all.Data.CData), uintptr(i)*size)) // its place comes first
		p.X, p.Y = x+p.Y, bottom-p.X
	}
}
