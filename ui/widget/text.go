package widget

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Span is a piece of a line of text. The zero Color is the theme's text.
type Span struct {
	Text  string
	Face  Face
	Color Color
	Gap   float32 // points of space before it
}

// Rich draws pieces of text in one line, cut at the width that is left, and returns its width in points.
func (u *UI) Rich(spans ...Span) float32 {
	p := imgui.CursorScreenPos()
	h, tallest := float32(0), Body
	for _, s := range spans {
		if l := u.Line(s.Face); l > h {
			h, tallest = l, s.Face
		}
	}
	x, end := p.X, p.X+u.avail()
	dl := u.dl()
	for _, s := range spans {
		x += u.Pt(s.Gap)
		c := s.Color
		if c == 0 {
			c = u.theme.Text
		}
		x += u.textIn(dl, s.Face, u.beside(Rect{x, p.Y, max(end, x), p.Y + h}, s.Face, tallest), 0, c, s.Text)
	}
	imgui.Dummy(imgui.Vec2{X: max(x-p.X, 1), Y: h})
	return (x - p.X) / u.scale
}

// RichWidth returns the width of the spans in points.
func (u *UI) RichWidth(spans ...Span) float32 {
	w := float32(0)
	for _, s := range spans {
		w += u.Pt(s.Gap) + u.Width(s.Face, s.Text)
	}
	return w / u.scale
}

// Label draws a line of text.
func (u *UI) Label(s string) { u.Rich(Span{Text: s}) }

// Muted draws a line of muted text.
func (u *UI) Muted(s string) { u.Rich(Span{Text: s, Color: u.theme.Muted}) }

// Note draws a line of small muted text.
func (u *UI) Note(s string) { u.Rich(Span{Text: s, Face: Small, Color: u.theme.Muted}) }

// Heading draws a line of strong text.
func (u *UI) Heading(s string) { u.Rich(Span{Text: s, Face: Strong}) }

// Wrapped draws text over as many lines as it needs.
func (u *UI) Wrapped(f Face, c Color, s string) {
	if s == "" {
		return
	}
	if c == 0 {
		c = u.theme.Text
	}
	w := max(u.avail(), u.Pt(20))
	s = u.broken(f, s, w)
	font, px := u.font(f)
	size := font.CalcTextSizeAV(px, 1e30, w, s, nil)
	p := imgui.CursorScreenPos()
	addWrapped(u.dl(), font, px, imgui.Vec2{X: u.snap(p.X), Y: u.snap(p.Y)}, uint32(c), s, w)
	imgui.Dummy(imgui.Vec2{X: max(size.X, 1), Y: size.Y})
}

// Bullet draws text as one of a list: behind a dot, with all its lines below each other.
func (u *UI) Bullet(f Face, c Color, s string) {
	p, indent := imgui.CursorScreenPos(), u.Pt(14)
	u.DrawText(u.dl(), f, p.X, p.Y+u.Line(f)/2, c, "•")
	imgui.IndentV(indent)
	u.Wrapped(f, c, s)
	imgui.UnindentV(indent)
}

// LabelValue draws a muted label at the left and a value at the right of one line.
func (u *UI) LabelValue(label, value, tip string) {
	x := u.still(label, u.avail(), u.Pt(20), tip, false)
	shown, _ := split(label)
	w := u.textIn(u.dl(), Body, Rect{x.X0, x.Y0, x.X0 + x.W()*0.6, x.Y1}, 0, u.theme.Muted, shown)
	u.textIn(u.dl(), Number, Rect{x.X0 + w + u.Pt(8), x.Y0, x.X1, x.Y1}, 1, u.theme.Text, value)
}

// Separator draws a hairline with a little space around.
func (u *UI) Separator() {
	u.space(6)
	p := imgui.CursorScreenPos()
	u.fill(u.dl(), R(p.X, u.snap(p.Y), u.avail(), u.hair()), u.theme.Border, 0)
	u.space(7)
}

// KeyCaps draws a shortcut ("Ctrl+Shift+Z") as key caps, at the right end of the line if right is set,
// and returns their width in points.
func (u *UI) KeyCaps(shortcut string, right bool) float32 {
	w := u.keysWidth(shortcut)
	p := imgui.CursorScreenPos()
	x := p.X
	if right {
		x += max(u.avail()-w, 0)
	}
	u.keys(u.dl(), x, p.Y+u.Pt(10), shortcut, u.theme.Control, u.theme.Muted)
	imgui.Dummy(imgui.Vec2{X: max(x-p.X+w, 1), Y: u.Pt(20)})
	return w / u.scale
}

// keyParts cuts a shortcut into its keys; the last one may be the plus itself.
func keyParts(shortcut string) []string {
	switch {
	case shortcut == "":
		return nil
	case shortcut == "+":
		return []string{"+"}
	case strings.HasSuffix(shortcut, "++"):
		return append(strings.Split(strings.TrimSuffix(shortcut, "++"), "+"), "+")
	}
	return strings.Split(shortcut, "+")
}

func (u *UI) keysWidth(shortcut string) float32 {
	w := float32(0)
	for i, s := range keyParts(shortcut) {
		if i > 0 {
			w += u.Pt(3)
		}
		w += max(u.Width(Small, s)+u.Pt(10), u.Pt(18))
	}
	return w
}

func (u *UI) keys(dl *imgui.DrawList, x, y float32, shortcut string, fill, ink Color) {
	for i, s := range keyParts(shortcut) {
		if i > 0 {
			x += u.Pt(3)
		}
		w := max(u.Width(Small, s)+u.Pt(10), u.Pt(18))
		box := R(u.snap(x), u.snap(y-u.Pt(9)), w, u.Pt(18))
		u.fill(dl, box, fill, u.Pt(4))
		u.textIn(dl, Small, box.Inset(u.Pt(2), 0), 0.5, ink, s)
		x += w
	}
}

// Sentence makes a sentence of a phrase of an error. A name at its beginning stays as it is: one of names, or a word
// that looks like the name of a file.
func Sentence(s string, names ...string) string {
	if s == "" {
		return ""
	}
	out := s
	if !beginsWithName(s, names) {
		r := []rune(s)
		out = strings.ToUpper(string(r[0])) + string(r[1:])
	}
	if last := out[len(out)-1]; last != '.' && last != '!' && last != '?' {
		out += "."
	}
	return out
}

// beginsWithName says whether a phrase begins with one of names, or with a word that has a dot, a line or a slash
// inside, as names of files do.
func beginsWithName(s string, names []string) bool {
	for _, n := range names {
		if n != "" && strings.HasPrefix(s, n) {
			return true
		}
	}
	word, _, _ := strings.Cut(s, " ")
	word = strings.TrimRight(word, ".,:;!?…")
	return strings.ContainsAny(word, "._/\\")
}
