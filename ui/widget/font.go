package widget

import (
	"unicode/utf8"
	"unsafe"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Face is a font with a size.
type Face uint8

// The faces of the interface.
const (
	Body    Face = iota // labels and running text
	Strong              // panel titles, values that matter
	Medium              // buttons
	Number              // values that change: digits of one width
	Small               // secondary text
	Caption             // ticks and captions
	Status              // the status bar
	StatusStrong
	Title   // dialogs
	Display // the welcome page
	Icon    // an icon of package assets
	IconLarge
	faceCount
)

// Inter's lines are (ascender + descender) / em tall; ImGui's font sizes are line heights, a designer's
// are ems. Lucide's lines are one em.
const (
	interLine   = (2728.0 + 680.0) / 2816.0
	interAscent = 2728.0 / (2728.0 + 680.0)
)

type faceSpec struct {
	file fontFile
	size float32 // em, points
	line float32
}

type fontFile uint8

const (
	regular fontFile = iota
	medium
	semibold
	numbers
	icons
	fileCount
)

var faces = [faceCount]faceSpec{
	Body:         {regular, 13, interLine},
	Strong:       {semibold, 13, interLine},
	Medium:       {medium, 13, interLine},
	Number:       {numbers, 13, interLine},
	Small:        {regular, 11.5, interLine},
	Caption:      {regular, 10.5, interLine},
	Status:       {numbers, 12, interLine},
	StatusStrong: {semibold, 12, interLine},
	Title:        {semibold, 16, interLine},
	Display:      {semibold, 24, interLine},
	Icon:         {icons, 16, 1},
	IconLarge:    {icons, 28, 1},
}

// pixels returns the size to give to ImGui, whole so that glyphs are drawn as they were rasterised.
func (f faceSpec) pixels(scale float32) float32 {
	return float32(int(f.size*f.line*scale + 0.5))
}

// fonts are the fonts of one ImGui context. ImGui rasterises glyphs when they are first drawn, at the
// size and density asked for, so that text is crisp at every scale.
type fonts [fileCount]*imgui.Font

func loadFonts() fonts {
	atlas := imgui.CurrentIO().Fonts()
	add := func(data []byte, merge bool) *imgui.Font {
		cfg := imgui.NewFontConfig()
		defer cfg.Destroy()
		cfg.SetFontDataOwnedByAtlas(false)
		cfg.SetMergeMode(merge)
		return atlas.AddFontFromMemoryTTFV(uintptr(unsafe.Pointer(&data[0])), int32(len(data)), 0, cfg, nil)
	}
	var f fonts
	f[regular] = add(assets.InterRegular, false)
	f[medium] = add(assets.InterMedium, false)
	f[semibold] = add(assets.InterSemiBold, false)
	f[numbers] = add(assets.InterNumbers, false)
	add(assets.InterRegular, true)
	f[icons] = add(assets.LucideIcons, false)
	imgui.CurrentIO().SetFontDefault(f[regular])
	return f
}

func (u *UI) font(f Face) (*imgui.Font, float32) {
	return u.looks.fonts[faces[f].file], faces[f].pixels(u.scale)
}

// PushFont makes ImGui's own widgets use a face until PopFont.
func (u *UI) PushFont(f Face) {
	font, px := u.font(f)
	imgui.PushFont(font, px)
}

// PopFont ends PushFont.
func (u *UI) PopFont() { imgui.PopFont() }

// Width returns the width of a line of text in screen units.
func (u *UI) Width(f Face, s string) float32 {
	if s == "" {
		return 0
	}
	font, px := u.font(f)
	return font.CalcTextSizeAV(px, 1e30, 0, u.shown(f, s), nil).X
}

// Line returns the height of a line of text in screen units.
func (u *UI) Line(f Face) float32 { return faces[f].pixels(u.scale) }

// Fit returns the longest start of s that is at most width wide, with an ellipsis if it is not all of s.
func (u *UI) Fit(f Face, s string, width float32) string {
	width += 0.5 // a box that was measured for this text may have been rounded
	const dots = "…"
	lo, hi := 0, len(s)                       // bytes of s that fit, that do not
	for first := 64; first < hi; first *= 2 { // a long text is looked at as far as it is near the width
		end := first
		for !utf8.RuneStart(s[end]) {
			end--
		}
		if u.Width(f, s[:end]) > width {
			hi = end
			break
		}
	}
	if hi == len(s) && u.Width(f, s) <= width {
		return s
	}
	for lo < hi-1 {
		m := (lo + hi) / 2
		for m > lo && !utf8.RuneStart(s[m]) {
			m--
		}
		if m == lo { // a wide rune between lo and hi
			_, n := utf8.DecodeRuneInString(s[lo:])
			if m = lo + n; m >= hi {
				break
			}
		}
		if u.Width(f, s[:m]+dots) <= width {
			lo = m
		} else {
			hi = m
		}
	}
	if lo == 0 && u.Width(f, dots) > width {
		return ""
	}
	for lo > 0 && s[lo-1] == ' ' {
		lo--
	}
	return s[:lo] + dots
}
