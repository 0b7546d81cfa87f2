package widget

import "github.com/AllenDang/cimgui-go/imgui"

// Color is a colour as ImGui packs it: alpha, blue, green, red from the highest byte.
type Color uint32

// Hex makes an opaque colour of 0xRRGGBB.
func Hex(rgb uint32) Color { return RGBA(uint8(rgb>>16), uint8(rgb>>8), uint8(rgb), 255) }

// RGBA makes a colour of four bytes, alpha not multiplied in.
func RGBA(r, g, b, a uint8) Color {
	return Color(uint32(a)<<24 | uint32(b)<<16 | uint32(g)<<8 | uint32(r))
}

// Bytes returns the four channels.
func (c Color) Bytes() (r, g, b, a uint8) {
	return uint8(c), uint8(c >> 8), uint8(c >> 16), uint8(c >> 24)
}

// Alpha returns the colour with its alpha multiplied by f.
func (c Color) Alpha(f float32) Color {
	r, g, b, a := c.Bytes()
	return RGBA(r, g, b, uint8(float32(a)*min(max(f, 0), 1)+0.5))
}

// Mix returns the colour at t between c (0) and d (1).
func (c Color) Mix(d Color, t float32) Color {
	t = min(max(t, 0), 1)
	m := func(x, y uint8) uint8 { return uint8(float32(x)*(1-t) + float32(y)*t + 0.5) }
	r, g, b, a := c.Bytes()
	r2, g2, b2, a2 := d.Bytes()
	return RGBA(m(r, r2), m(g, g2), m(b, b2), m(a, a2))
}

// Vec4 returns the channels in 0 to 1.
func (c Color) Vec4() imgui.Vec4 {
	r, g, b, a := c.Bytes()
	return imgui.Vec4{X: float32(r) / 255, Y: float32(g) / 255, Z: float32(b) / 255, W: float32(a) / 255}
}

// Theme names the colours of the interface by what they are for.
type Theme struct {
	Name    string
	Dark    bool
	Surface Color // under the map
	Panel   Color // menu bar, side bar, cards, menus
	Border  Color // hairlines between regions
	Text    Color
	Muted   Color // labels, notes, icons at rest
	Faint   Color // hints in empty fields, disabled

	Accent      Color // the one strong colour: filled buttons, tracks, checks, links
	AccentHover Color
	AccentPress Color
	AccentText  Color // on Accent
	AccentSoft  Color // selected rows

	Danger     Color
	DangerText Color // on Danger
	Warning    Color
	Good       Color

	Control Color // fill of buttons, fields and tracks at rest
	Hover   Color // the same under the cursor
	Press   Color // the same while pressed
	Row     Color // a row under the cursor
	Shadow  Color // shadow of toasts, menus and cards; alpha is its strength at the edge
	Scrim   Color // over everything behind a dialog
	Tip     Color // tooltips
	TipText Color
}

// quiet is the fill of small pictures of data within text: histograms, boxes.
func (t *Theme) quiet() Color {
	if t.Dark {
		return t.Press.Mix(t.Muted, 0.2)
	}
	return t.Press
}

// Light is the theme for bright rooms and for figures.
func Light() Theme {
	return Theme{
		Name: "Light", Surface: Hex(0xfafafb), Panel: Hex(0xffffff), Border: Hex(0xe2e5ea),
		Text: Hex(0x1b1f26), Muted: Hex(0x687080), Faint: Hex(0xa3aab6),
		Accent: Hex(0x1f6feb), AccentHover: Hex(0x1a62d4), AccentPress: Hex(0x1655b9),
		AccentText: Hex(0xffffff), AccentSoft: Hex(0xe6effd),
		Danger: Hex(0xd1342f), DangerText: Hex(0xffffff), Warning: Hex(0xa56200), Good: Hex(0x1a7f4b),
		Control: Hex(0xf0f2f5), Hover: Hex(0xe5e8ed), Press: Hex(0xd9dde4), Row: Hex(0xf5f6f8),
		Shadow: RGBA(20, 26, 38, 40), Scrim: RGBA(20, 26, 38, 70), Tip: Hex(0x23272e), TipText: Hex(0xf4f5f7),
	}
}

// Dark is the theme for dark rooms.
func Dark() Theme {
	return Theme{
		Name: "Dark", Dark: true, Surface: Hex(0x14161a), Panel: Hex(0x1c1f25), Border: Hex(0x2b3038),
		Text: Hex(0xe6e8ec), Muted: Hex(0x8b93a1), Faint: Hex(0x5b6371),
		Accent: Hex(0x4f9cf9), AccentHover: Hex(0x6badfb), AccentPress: Hex(0x3f8be8),
		AccentText: Hex(0x0b1320), AccentSoft: Hex(0x1f3350),
		Danger: Hex(0xf2685f), DangerText: Hex(0x240806), Warning: Hex(0xe3a23c), Good: Hex(0x4cc38a),
		Control: Hex(0x262a32), Hover: Hex(0x303640), Press: Hex(0x3a414d), Row: Hex(0x22262d),
		Shadow: RGBA(0, 0, 0, 110), Scrim: RGBA(0, 0, 0, 130), Tip: Hex(0x343a45), TipText: Hex(0xeceef1),
	}
}

// apply sets ImGui's own style, for the few controls that it draws (menus, fields, scroll bars), to the
// theme with all sizes at the given scale.
func (t Theme) apply(pt func(float32) float32) {
	s := imgui.CurrentStyle()
	measure(s, pt)
	t.colour(s)
}

// measure sets the lengths of the style.
func measure(s *imgui.Style, pt func(float32) float32) {
	v := func(x, y float32) imgui.Vec2 { return imgui.Vec2{X: pt(x), Y: pt(y)} }
	hair := max(pt(1), 1)
	s.SetFontSizeBase(faces[Body].pixels(pt(1)))
	s.SetFontScaleMain(1)
	s.SetFontScaleDpi(1)
	s.SetDisabledAlpha(0.45)
	s.SetWindowPadding(v(12, 0))
	s.SetWindowRounding(0)
	s.SetWindowBorderSize(0)
	s.SetWindowMinSize(v(8, 8))
	s.SetChildRounding(0)
	s.SetChildBorderSize(0)
	s.SetPopupRounding(pt(8))
	s.SetPopupBorderSize(hair)
	s.SetFramePadding(v(9, 5))
	s.SetFrameRounding(pt(6))
	s.SetFrameBorderSize(0)
	s.SetItemSpacing(v(6, 4))
	s.SetItemInnerSpacing(v(6, 4))
	s.SetCellPadding(v(6, 3))
	s.SetIndentSpacing(pt(16))
	s.SetScrollbarSize(pt(10))
	s.SetScrollbarRounding(pt(5))
	s.SetScrollbarPadding(pt(2))
	s.SetGrabMinSize(pt(16))
	s.SetGrabRounding(pt(5))
	s.SetSeparatorSize(hair)
	s.SetCircleTessellationMaxError(0.12)
	s.SetCurveTessellationTol(0.4)
}

// colour sets the colours of the style.
func (t Theme) colour(s *imgui.Style) {
	var c [62]imgui.Vec4 // Col_COUNT; checked by a test
	none := Color(0)
	for i := range c {
		c[i] = none.Vec4()
	}
	set := func(x Color, where ...imgui.Col) {
		for _, w := range where {
			c[w] = x.Vec4()
		}
	}
	set(t.Text, imgui.ColText, imgui.ColInputTextCursor)
	set(t.Faint, imgui.ColTextDisabled)
	set(t.Panel, imgui.ColWindowBg, imgui.ColPopupBg, imgui.ColMenuBarBg, imgui.ColTitleBg, imgui.ColTitleBgActive)
	set(t.Border, imgui.ColBorder, imgui.ColSeparator, imgui.ColTableBorderLight, imgui.ColTableBorderStrong)
	set(t.Control, imgui.ColFrameBg, imgui.ColButton)
	set(t.Hover, imgui.ColFrameBgHovered, imgui.ColButtonHovered)
	set(t.Control, imgui.ColFrameBgActive)
	set(t.Press, imgui.ColButtonActive)
	set(t.Muted.Alpha(0.35), imgui.ColScrollbarGrab)
	set(t.Muted.Alpha(0.6), imgui.ColScrollbarGrabHovered, imgui.ColScrollbarGrabActive)
	set(t.Accent, imgui.ColCheckMark, imgui.ColSliderGrab, imgui.ColSliderGrabActive,
		imgui.ColPlotLines, imgui.ColPlotHistogram, imgui.ColTextLink)
	// ColNavCursor stays clear: the controls draw their own focus ring.
	set(t.Accent.Alpha(0.3), imgui.ColTextSelectedBg)
	set(t.Control, imgui.ColHeader, imgui.ColHeaderHovered)
	set(t.Hover, imgui.ColHeaderActive)
	set(t.Scrim, imgui.ColModalWindowDimBg, imgui.ColNavWindowingDimBg)
	s.SetColors(&c)
}
