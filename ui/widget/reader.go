package widget

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Reader shows a long text in a box that scrolls by itself. It keeps the lines that it broke, and draws those in sight.
type Reader struct {
	text  string
	width float32 // width that the lines are broken for
	face  Face
	lines []string
}

// Draw shows the text in the width that is left and a height in screen units.
func (r *Reader) Draw(u *UI, name string, f Face, text string, height float32) {
	u.Sheet(name, height, func() { r.draw(u, f, text) })
}

func (r *Reader) draw(u *UI, f Face, text string) {
	r.fit(u, f, text, u.avail())
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	clip, h := imgui.NewListClipper(), u.snap(u.Line(f)*1.35)
	clip.BeginV(int32(len(r.lines)), h)
	for clip.Step() {
		for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
			at := imgui.CursorScreenPos()
			u.text(u.dl(), f, at.X, at.Y+h/2, u.theme.Text, r.lines[i])
			imgui.Dummy(imgui.Vec2{X: 1, Y: h})
		}
	}
	clip.End()
	clip.Destroy()
	imgui.PopStyleVar()
}

// fit breaks the text into lines of a width, if that has not been done.
func (r *Reader) fit(u *UI, f Face, text string, width float32) {
	if r.text == text && r.width == width && r.face == f && r.lines != nil {
		return
	}
	r.text, r.width, r.face, r.lines = text, width, f, []string{}
	for line := range strings.Lines(text) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
		if u.Width(f, line) <= width {
			r.lines = append(r.lines, line)
		} else {
			r.lines = append(r.lines, u.wrap(f, line, width)...)
		}
	}
}
