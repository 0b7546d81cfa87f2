package tour

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/ui/widget"
)

// Lengths of the card, in points.
const (
	cardWide = 400
	cardPad  = 16
	cardEdge = 12 // between the card and the edge of the views
)

// Area is the name of the card among the areas of the window.
const Area = "tour"

// Draw draws the card of the step over the foot of the views, which lie in room, and a ring around what it points at:
// not while a dialog or a menu is open, which would lie below that.
func (t *Tour) Draw(room widget.Rect, covered bool) {
	if !t.on || t.Desk() == nil {
		return
	}
	u := t.UI
	if !covered && !t.Done() {
		if r, ok := t.Target(); ok {
			u.Spotlight(r)
		}
	}
	w := min(u.Pt(cardWide), room.W()-u.Pt(2*cardEdge))
	h := t.height
	if h == 0 {
		h = u.Pt(150)
	}
	r := widget.R(float32(int(room.X0+(room.W()-w)/2)), float32(int(room.Y1-h-u.Pt(cardEdge))), w, h)
	u.Area(Area, r, widget.AreaOpts{Card: true, PadX: cardPad, PadY: 13}, func() {
		t.body()
		// The last line is followed by the space between items, which the padding stands for.
		end := imgui.ItemRectMax().Y - imgui.WindowPos().Y + u.Pt(13)
		if end != t.height {
			t.height = end
			u.Refresh()
		}
	})
}

// body draws what the card says.
func (t *Tour) body() {
	u := t.UI
	s, at, of := t.Step()
	if s == nil {
		t.last()
		return
	}
	t.head(s.Title, fmt.Sprintf("%d of %d", at+1, of))
	u.Space(5)
	u.Wrapped(widget.Body, u.Theme().Text, s.Words)
	if first := s.need(t.Desk()); first != "" && !t.Done() {
		u.Space(5)
		u.Wrapped(widget.Body, u.Theme().Warning, first)
	}
	if s.Keys != "" {
		u.Space(4)
		u.Wrapped(widget.Small, u.Theme().Muted, "Keys: "+s.Keys)
	}
	u.Space(9)
	if u.Button("Back", widget.ButtonOpts{Icon: assets.IconArrowLeft, Disabled: at == 0, Tip: "The step before"}) {
		t.Back()
	}
	u.Same()
	skip, kind := "Skip##skip", widget.Secondary
	if t.Done() {
		skip, kind = "Next##skip", widget.Primary
	}
	if u.Button(skip, widget.ButtonOpts{Kind: kind, Tip: "The next step, done or not"}) {
		t.Skip()
	}
	t.endButton("End tour##end", widget.Ghost)
}

// head draws the title of the card, what is done, and how far the tour is.
func (t *Tour) head(title, far string) {
	u := t.UI
	spans := []widget.Span{{Text: title, Face: widget.Strong}}
	if t.Done() {
		spans = append(spans,
			widget.Span{Text: assets.IconCircleCheck, Face: widget.Icon, Color: u.Theme().Good, Gap: 7},
			widget.Span{Text: "Done", Face: widget.Medium, Color: u.Theme().Good, Gap: 4})
	}
	u.Rich(spans...)
	if far != "" {
		end := widget.Span{Text: far, Face: widget.Number, Color: u.Theme().Muted}
		u.SameRight(u.RichWidth(end))
		u.Rich(end)
	}
}

// last is what the card says when all steps are behind.
func (t *Tour) last() {
	u := t.UI
	t.head("That was the tour", "")
	u.Space(5)
	u.Wrapped(widget.Body, u.Theme().Text, "Ctrl+P finds every command, ? shows all keys, and the manual has a "+
		"tutorial for each kind of data. Nothing of the tour is kept.")
	u.Space(9)
	if u.Button("Read on##manual", widget.ButtonOpts{Icon: assets.IconBookOpen,
		Tip: "End the tour and open the tutorials of the manual"}) {
		t.Manual()
	}
	u.Same()
	if u.Button("Back", widget.ButtonOpts{Icon: assets.IconArrowLeft, Tip: "The step before"}) {
		t.Back()
	}
	t.endButton("End tour##end", widget.Primary)
}

// endButton draws the button that ends the tour at the right of the line.
func (t *Tour) endButton(label string, kind widget.ButtonKind) {
	u := t.UI
	u.SameRight(u.Width(widget.Body, "End tour")/u.Pt(1) + 22)
	if u.Button(label, widget.ButtonOpts{Kind: kind,
		Tip: "Back to what was open before; nothing of the tour is kept\tEsc"}) {
		t.End()
	}
}
