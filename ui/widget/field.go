package widget

import (
	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// typing is the field that is being typed into.
type typing struct {
	id     imgui.ID // 0: none
	text   string   // text of a number; in a text field the one before
	start  bool
	whole  bool // clicks on a number select all of it, as long as the last is held: it has no words
	coming int  // for so many frames a field that was clicked may take to have the keyboard
}

// fieldComes is how many frames a field may take to have the keyboard, once it was clicked.
const fieldComes = 4

// valueBox draws a number that becomes a text field when it is clicked.
func (u *UI) valueBox(box Rect, v *float64, p Param, tip string, e *Edit) {
	id := imgui.IDStr("value")
	wanted := !p.Disabled && u.stop(id)
	if u.typing.id == id && u.typeNumber(box, v, p, e) {
		return
	}
	x := u.hit("value", box.W(), box.H(), tip, p.Disabled)
	t := &u.theme
	u.fill(u.dl(), x.Rect, x.fade(x.tone(t.Control, t.Hover, t.Press)), u.Pt(5))
	ink, shown, text := t.Text, *v, ""
	if p.special(*v) { // the chip says the word
		ink, shown, text = t.Muted, p.Now, "–"
	}
	room := x.Inset(u.Pt(6), 0)
	if shown != 0 || !p.special(*v) {
		text = p.fit(shown, func(s string) bool { return u.Width(Number, s) <= room.W() })
	}
	u.textIn(u.dl(), Number, room, 1, x.fade(ink), text)
	if x.hovered {
		imgui.SetMouseCursor(imgui.MouseCursorTextInput)
	}
	if x.focused {
		u.ring(u.dl(), x.Rect, u.Pt(5))
		u.arrows(v, p, e)
	}
	if x.pressed || wanted {
		u.typing.id, u.typing.text, u.typing.start = id, p.format(*v), true
		if p.special(*v) {
			u.typing.text = p.Zero
		}
		u.typing.coming = fieldComes
		u.env.Within(0)
	}
}

// typeNumber draws the field of a number that is being typed. Enter or leaving the field takes it over
// if it is a number, clamped; garbage and Esc bring the old one back. It reports whether typing goes on.
func (u *UI) typeNumber(box Rect, v *float64, p Param, e *Edit) bool {
	u.typing.whole = imgui.MouseClickedCount(imgui.MouseButtonLeft) > 1 ||
		u.typing.whole && imgui.IsMouseDown(imgui.MouseButtonLeft)
	_, done, cancelled := u.inputIn("##type", "", box, &u.typing.text, Number, 6, u.typing.start, nil)
	u.mark("value", box)
	u.typing.start = false
	e.Active = true
	u.tab(u.typing.id)
	if !done {
		return true
	}
	u.typing.id, u.typing.whole = 0, false
	if nv, ok := p.Parse(u.typing.text); ok && !cancelled && nv != *v {
		*v = nv
		e.Changed, e.Committed = true, true
	}
	u.env.Within(0)
	return true // its place is taken in this frame
}

// inputIn draws an ImGui text field in a box. done: it was left, by Enter, Esc, Tab or a click elsewhere.
func (u *UI) inputIn(label, hint string, box Rect, s *string, f Face, pad float32, focus bool,
	complete func(string) string) (edited, done, cancelled bool) {
	place(box.X0, box.Y0)
	u.PushFont(f)
	imgui.PushStyleVarVec2(imgui.StyleVarFramePadding, imgui.Vec2{X: u.Pt(pad), Y: max((box.H()-u.Line(f))/2, 0)})
	imgui.PushStyleVarFloat(imgui.StyleVarFrameRounding, u.Pt(5))
	imgui.PushStyleColorU32(imgui.ColFrameBg, uint32(u.theme.Control))
	if focus {
		imgui.SetKeyboardFocusHere()
		u.typing.coming = fieldComes
	}
	u.shown(f, *s) // so that what is typed has its font
	imgui.SetNextItemWidth(box.W())
	flags, completed := imgui.InputTextFlags(imgui.InputTextFlagsAutoSelectAll), imgui.InputTextCallback(nil)
	if u.typing.whole {
		flags |= imgui.InputTextFlagsCallbackAlways
		completed = func(d imgui.InputTextCallbackData) int {
			d.SelectAll()
			return 0
		}
	}
	if complete != nil {
		flags |= imgui.InputTextFlagsCallbackCompletion
		completed = func(d imgui.InputTextCallbackData) int {
			if d.EventFlag() == imgui.InputTextFlagsCallbackCompletion {
				d.DeleteChars(0, d.BufTextLen())
				d.InsertChars(0, complete(*s))
			}
			return 0
		}
	}
	edited = imgui.InputTextWithHint(label, hint, s, flags, completed)
	if imgui.IsItemActive() {
		u.typing.coming = 0
		u.keepTyping()
		u.stroke(u.dl(), box, u.theme.Accent, u.Pt(5), u.Pt(1.5))
	}
	if imgui.IsItemDeactivated() {
		done, cancelled = true, imgui.IsKeyPressedBool(imgui.KeyEscape)
	}
	imgui.PopStyleColor()
	imgui.PopStyleVarV(2)
	u.PopFont()
	return edited, done, cancelled
}

// keepTyping has no key leave the field that is typed into which ImGui moves the focus by: arrows, pages, and Alt, that
// would open a menu bar, of which there is none. Many keyboards write with that.
func (u *UI) keepTyping() {
	const everyDirection = 0xf
	imgui.CurrentContext().SetActiveIdUsingNavDirMask(everyDirection)
	for _, k := range []imgui.Key{imgui.KeyLeftAlt, imgui.KeyRightAlt, imgui.KeyPageUp, imgui.KeyPageDown} {
		imgui.InternalSetKeyOwner(k, imgui.ItemID())
	}
}

// FieldOpts are the details of a text field.
type FieldOpts struct {
	Hint   string  // shown while empty
	Icon   string  // at the left
	Tip    string  //
	Width  float32 // points; 0: all that is left
	Focus  bool    // take the keyboard in this frame
	Height float32 // points; 0: 26
	// Complete returns a text with more of it, for Tab; nil: Tab goes to the next control.
	Complete func(text string) string
}

// TextField draws a one-line text field. Committed is set when it is left with another text than it was
// entered with; Esc brings the old text back.
func (u *UI) TextField(label string, s *string, o FieldOpts) Edit {
	var e Edit
	_, name := split(label)
	w, h := u.avail(), u.Pt(26)
	if o.Width > 0 {
		w = min(u.Pt(o.Width), w)
	}
	if o.Height > 0 {
		h = u.Pt(o.Height)
	}
	p := imgui.CursorScreenPos()
	box := R(p.X, p.Y, u.snap(w), u.snap(h))
	old := *s
	pad := float32(9)
	if o.Icon != "" {
		pad = 28
	}
	wanted := u.stop(imgui.IDStr("##" + name))
	edited, done, _ := u.inputIn("##"+name, o.Hint, box, s, Body, pad, o.Focus || wanted, o.Complete)
	id := imgui.ItemID()
	if imgui.IsItemActive() && o.Complete == nil {
		u.tab(id)
	}
	if imgui.IsItemActivated() {
		u.typing.id, u.typing.text = id, old
	}
	e.Active = imgui.IsItemActive()
	e.Changed = edited
	if done && u.typing.id == id {
		e.Entered = u.Entered()
		e.Committed = *s != u.typing.text
		u.typing.id = 0
	}
	if o.Icon != "" {
		u.icon(u.dl(), box.X0+u.Pt(15), box.Center().Y, 14, u.theme.Muted, o.Icon)
	}
	u.mark(label, box)
	u.tip(hit{Rect: box, id: id, hovered: imgui.IsItemHovered() && !e.Active}, o.Tip)
	return e
}

// SearchField is a TextField with a magnifying glass.
func (u *UI) SearchField(label, hint string, s *string, focus bool) Edit {
	return u.TextField(label, s, FieldOpts{Hint: hint, Icon: assets.IconSearch, Focus: focus})
}

// NumberField draws a parameter's row without a track: label and value box.
func (u *UI) NumberField(label string, v *float64, p Param, tip string) Edit {
	var e Edit
	before := *v
	*v = p.Clamp(*v)
	e.Changed = *v != before
	shown, name := split(label)
	start := imgui.CursorScreenPos()
	w, h := u.avail(), u.snap(u.Pt(rowHeight))
	vw := min(u.Pt(96), w*0.5)
	u.Group(name, func() {
		x := u.still("label", w-vw-u.Pt(8), h, tip, p.Disabled)
		u.textIn(u.dl(), Body, x.Rect, 0, x.fade(u.theme.Muted), shown)
		if x.double {
			u.reset(v, p, &e)
		}
		place(start.X+w-vw, start.Y)
		u.valueBox(R(start.X+w-vw, start.Y, vw, h), v, p, tip, &e)
	})
	u.mark(label, R(start.X, start.Y, w, h))
	return e
}
