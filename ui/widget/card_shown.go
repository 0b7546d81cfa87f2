package widget

import "github.com/AllenDang/cimgui-go/imgui"

// imageHeight is the height of what stands for the image of a card, in points.
func (c *Card) imageHeight() float32 {
	switch {
	case c.Image != nil && c.Size.X > 0:
		return min(cardImage, (CardWidth-2*cardPad)*c.Size.Y/c.Size.X) + cardSpace
	case c.Pending:
		return cardImage + cardSpace
	case c.Missing != "":
		return cardNote
	}
	return 0
}

// shownHeight is the height of the image and the text of a card, in points.
func (u *UI) shownHeight(c *Card) float32 {
	h := c.imageHeight()
	if n := len(u.cardWords(c)); n > 0 {
		h += cardLine*float32(n) + cardSpace
	}
	return h
}

// cardWords are the lines of the text of a card.
func (u *UI) cardWords(c *Card) []string {
	if c.Words == "" {
		return nil
	}
	const most = 1200 // bytes of a text that are looked at
	words, cut := c.Words, len(c.Words) > most
	if cut {
		words = u.Fit(Small, words[:most], cardLines*u.Pt(CardWidth))
	}
	lines := u.wrap(Small, words, u.Pt(CardWidth-2*cardPad))
	if len(lines) > cardLines {
		lines, cut = lines[:cardLines], true
	}
	if cut {
		lines[len(lines)-1] += "…"
	}
	return lines
}

// cardShown draws the image and the text of a card.
func (u *UI) cardShown(dl *imgui.DrawList, r Rect, c *Card) {
	t := &u.theme
	in := Rect{r.X0 + u.Pt(cardPad), u.snap(r.Y0 + u.Pt(c.head())), r.X1 - u.Pt(cardPad), r.Y1}
	if c.Image == nil && c.Missing != "" {
		u.textIn(dl, Small, R(in.X0, in.Y0, in.W(), u.Pt(cardNote)), 0, t.Muted, c.Missing)
	}
	if c.Image != nil && c.Size.X > 0 && c.Size.Y > 0 {
		k := min(in.W()/c.Size.X, u.Pt(cardImage)/c.Size.Y)
		w, h := u.snap(k*c.Size.X), u.snap(k*c.Size.Y)
		x, y := u.snap(in.X0+(in.W()-w)/2), in.Y0
		dl.AddImageV(*c.Image, imgui.Vec2{X: x, Y: y}, imgui.Vec2{X: x + w, Y: y + h}, imgui.Vec2{},
			imgui.Vec2{X: 1, Y: 1}, 0xffffffff)
		u.stroke(dl, R(x, y, w, h), t.Border, 0, u.hair())
	}
	y := in.Y0 + u.Pt(c.imageHeight())
	for _, line := range u.cardWords(c) {
		u.textIn(dl, Small, R(in.X0, y, in.W(), u.Pt(cardLine)), 0, t.Text, line)
		y += u.Pt(cardLine)
	}
}
