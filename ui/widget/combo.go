package widget

import (
	"slices"
	"strings"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// ComboItem is an entry of a list to choose from.
type ComboItem struct {
	Name      string
	Secondary string  // smaller, after the name; searched as well
	Note      string  // at the right end
	Group     bool    // a heading, not to be chosen
	Colors    []Color // a strip of colours before the name: a palette
	Bands     bool    // its colours stand beside each other, not in between
}

// ComboOpts are the details of a combo.
type ComboOpts struct {
	Empty    string  // shown when nothing is chosen
	Width    float32 // points; 0: all that is left
	Tip      string
	Disabled bool
}

// comboState is a list that is open.
type comboState struct {
	filter string
	cursor int // index into the shown entries
	fresh  bool
	under  Rect // where a list of its own opens
}

// comboSearch is the length from which a list has a search field.
const comboSearch = 12

// Items makes entries of names.
func Items(names ...string) []ComboItem {
	out := make([]ComboItem, len(names))
	for i, n := range names {
		out[i].Name = n
	}
	return out
}

// Combo draws a field that opens a list, with a search field when it has more than twelve entries;
// *chosen is the index, -1 nothing. It reports whether the choice changed.
func (u *UI) Combo(label string, items []ComboItem, chosen *int, o ComboOpts) bool {
	_, name := split(label)
	w := u.avail()
	if o.Width > 0 {
		w = min(u.Pt(o.Width), w)
	}
	x := u.hit("##"+name, w, u.Pt(26), o.Tip, o.Disabled)
	t := &u.theme
	id := "##combo " + name
	open := imgui.IsPopupOpenStr(id)
	dl := u.dl()
	u.fill(dl, x.Rect, x.fade(x.tone(t.Control, t.Hover, t.Press)), u.Pt(6))
	in := Rect{x.X0 + u.Pt(9), x.Y0, x.X1 - u.Pt(24), x.Y1}
	if *chosen >= 0 && *chosen < len(items) {
		it := items[*chosen]
		s := it.Name
		if it.Secondary != "" {
			s += " — " + it.Secondary
		}
		if len(it.Colors) > 0 {
			in.X0 += u.strip(dl, in, it.Colors, it.Bands, x.fade)
		}
		u.textIn(dl, Body, in, 0, x.fade(t.Text), s)
	} else {
		u.textIn(dl, Body, in, 0, x.fade(t.Faint), o.Empty)
	}
	u.chevron(dl, x.X1-u.Pt(14), x)
	if x.focused || open {
		u.stroke(dl, x.Rect, t.Accent.Alpha(0.65), u.Pt(6), u.Pt(1.5))
	}
	if x.pressed && !open {
		imgui.OpenPopupStr(id)
		*kept[comboState](u, id) = comboState{cursor: -1, fresh: true}
		open = true
	}
	if !open {
		return false
	}
	return u.comboList(id, name, x.Rect, items, chosen)
}

// OpenList opens the list of that name below r: below a button that was clicked.
func (u *UI) OpenList(name string, r Rect) {
	id := "##combo " + name
	imgui.OpenPopupStr(id)
	*kept[comboState](u, id) = comboState{cursor: -1, fresh: true, under: r}
}

// List draws the list of that name while it is open, as Combo does; call it in the same area or group as OpenList. It
// reports whether the choice changed.
func (u *UI) List(name string, items []ComboItem, chosen *int) bool {
	id := "##combo " + name
	if !imgui.IsPopupOpenStr(id) {
		return false
	}
	under := kept[comboState](u, id).under
	under.X1 = max(under.X1, under.X0+u.Pt(220))
	if d := under.X1 - u.env.Size().X + u.Pt(4); d > 0 {
		under.X0, under.X1 = under.X0-d, under.X1-d
	}
	return u.comboList(id, name, under, items, chosen)
}

// strip draws a palette at the left of r and returns the room that it takes.
func (u *UI) strip(dl *imgui.DrawList, r Rect, colors []Color, bands bool, fade func(Color) Color) float32 {
	w := u.snap(min(u.Pt(72), r.W()*0.4))
	h := u.snap(u.Pt(12))
	box := R(u.snap(r.X0), u.snap(r.Center().Y-h/2), w, h)
	shown := make([]Color, len(colors))
	for i, c := range colors {
		shown[i] = fade(c)
	}
	if bands {
		u.bands(dl, box, shown)
	} else {
		u.Gradient(dl, box, shown)
	}
	return w + u.Pt(9)
}

// bands draws colours beside each other into r, at most twelve, with rounded ends.
func (u *UI) bands(dl *imgui.DrawList, r Rect, colors []Color) {
	colors = colors[:min(len(colors), 12)]
	n, round := float32(len(colors)), u.Pt(2.5)
	for i, c := range colors {
		a, b := u.snap(r.X0+r.W()*float32(i)/n), u.snap(r.X0+r.W()*float32(i+1)/n)
		corners := imgui.DrawFlags(imgui.DrawFlagsRoundCornersNone)
		switch {
		case len(colors) == 1:
			corners = imgui.DrawFlagsRoundCornersAll
		case i == 0:
			corners = imgui.DrawFlagsRoundCornersLeft
		case i == len(colors)-1:
			corners = imgui.DrawFlagsRoundCornersRight
		}
		dl.AddRectFilledV(imgui.Vec2{X: a, Y: r.Y0}, imgui.Vec2{X: b, Y: r.Y1}, uint32(c), round, corners)
	}
}

// comboRow is the height of an entry of a list in points, comboMost how many are seen at once.
const (
	comboRow  = 27
	comboMost = 12
)

func (u *UI) comboList(id, name string, under Rect, items []ComboItem, chosen *int) bool {
	st := kept[comboState](u, id)
	shown := st.find(items, *chosen)
	u.comboPlace(under, len(shown), len(items) > comboSearch)
	imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{X: u.Pt(5), Y: u.Pt(5)})
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	defer imgui.PopStyleVarV(2)
	if !imgui.BeginPopupV(id, imgui.WindowFlagsNoMove|imgui.WindowFlagsNoSavedSettings|imgui.WindowFlagsNoScrollbar) {
		return false
	}
	defer imgui.EndPopup()
	u.lower()
	defer func() { u.layers.depth-- }()
	u.underPopup()
	picked := -1
	u.Group(name, func() {
		if len(items) > comboSearch {
			if u.TextField("search", &st.filter, FieldOpts{Hint: "Search", Icon: assets.IconSearch,
				Focus: st.fresh}).Changed {
				st.cursor = -1
				shown = st.find(items, *chosen)
			}
			u.space(6)
		}
		moved := st.keys(items, shown)
		if u.Entered() && st.cursor >= 0 && st.cursor < len(shown) {
			picked = shown[st.cursor]
		}
		if n := u.comboRows(st, items, shown, *chosen, moved); n >= 0 {
			picked = n
		}
		if picked >= 0 {
			imgui.CloseCurrentPopup()
		}
		u.escape()
		st.fresh = false
	})
	if picked < 0 || picked == *chosen {
		return false
	}
	*chosen = picked
	return true
}

// comboPlace places the list of n entries below something, or above it where there is no room.
func (u *UI) comboPlace(under Rect, n int, search bool) {
	h := u.Pt(comboRow)*float32(min(max(n, 1), comboMost)) + u.Pt(10)
	if search {
		h += u.Pt(32)
	}
	win, y := u.env.Size(), under.Y1+u.Pt(4)
	if y+h > win.Y-u.Pt(6) {
		y = max(under.Y0-h-u.Pt(4), u.Pt(4))
	}
	imgui.SetNextWindowPos(imgui.Vec2{X: under.X0, Y: y})
	imgui.SetNextWindowSize(imgui.Vec2{X: max(under.W(), u.Pt(180)), Y: min(h, win.Y-u.Pt(8))})
}

// comboRows draws the entries and returns the one that was clicked, or -1. It scrolls to the cursor where it has moved.
func (u *UI) comboRows(st *comboState, items []ComboItem, shown []int, chosen int, moved bool) (clicked int) {
	imgui.BeginChildStrV("##list", imgui.Vec2{}, 0, 0)
	defer imgui.EndChild()
	if len(shown) == 0 {
		p := imgui.CursorScreenPos()
		u.text(u.dl(), Body, p.X+u.Pt(9), p.Y+u.Pt(13), u.theme.Muted, "Nothing found")
	}
	clicked = -1
	for i, n := range shown {
		it := items[n]
		if it.Group {
			u.MenuTitle(it.Name)
			continue
		}
		imgui.PushIDInt(int32(n))
		if u.Row(it.Name, RowOpts{Secondary: it.Secondary, Note: it.Note, Selected: n == chosen,
			Cursor: i == st.cursor, Colors: it.Colors, Bands: it.Bands}).Clicked {
			clicked = n
		}
		if (i == st.cursor && moved) || (st.fresh && n == chosen) {
			imgui.SetScrollHereYV(0.5)
		}
		imgui.PopID()
	}
	return clicked
}

// find returns the indices of the entries to show, and puts the cursor on the one whose very name is looked for (CD4,
// though CD45 stands before it), the chosen one or the first.
func (st *comboState) find(items []ComboItem, chosen int) []int {
	words := strings.Fields(strings.ToLower(st.filter))
	var shown []int
	first, exact := -1, false
	asked := strings.Join(words, " ")
	for i, it := range items {
		if it.Group {
			if len(words) == 0 {
				shown = append(shown, i)
			}
			continue
		}
		text := strings.ToLower(it.Name + " " + it.Secondary + " " + it.Note)
		if slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			continue
		}
		named := asked != "" && (strings.ToLower(it.Name) == asked || strings.ToLower(it.Secondary) == asked)
		if named && !exact || !exact && (first < 0 || i == chosen) {
			first = len(shown)
		}
		exact = exact || named
		shown = append(shown, i)
	}
	if st.cursor < 0 || st.cursor >= len(shown) {
		st.cursor = first
	}
	return shown
}

// keys moves the cursor by the arrow keys, over headings.
func (st *comboState) keys(items []ComboItem, shown []int) bool {
	dir := arrowSteps(imgui.KeyUpArrow, imgui.KeyDownArrow)
	if dir == 0 {
		return false
	}
	for c := st.cursor + dir; c >= 0 && c < len(shown); c += dir {
		if !items[shown[c]].Group {
			st.cursor = c
			return true
		}
	}
	return false
}
