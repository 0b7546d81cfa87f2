package view

import (
	"slices"

	"blossom/model/document/parts"
	"blossom/render/camera"
)

// carry moves the selected landmarks with the hand.
type carry struct {
	still
	grab camera.Vec // from the press to the landmark taken
}

// take begins to carry the landmark under the press, with those selected if it is one of them.
func (g *Hand) take() gesture {
	p := place(parts.Landmarks.Of(g.Landmarks.Doc.State()).Pos.Row(g.press.id))
	if !slices.Contains(g.Landmarks.Selected, g.press.id) {
		g.Landmarks.Selected = []int{g.press.id}
	}
	return &carry{grab: minus(p, g.At.Lens().WorldAt(g.press.at.x, g.press.at.y, p))}
}

func (*carry) start(g *Hand) {
	name := "Move landmark"
	if len(g.Landmarks.Selected) > 1 {
		name = "Move landmarks"
	}
	g.Landmarks.Doc.Begin(name)
}

// move keeps the grabbed spot under the cursor.
func (c *carry) move(g *Hand, _ point) {
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	if !g.Landmarks.Doc.Open() || g.press.id >= l.Len() {
		return // taken back meanwhile (undo in mid-drag)
	}
	p := place(l.Pos.Row(g.press.id))
	d := minus(plus(g.At.Lens().WorldAt(g.Cursor.x, g.Cursor.y, p), c.grab), p)
	if d == (camera.Vec{}) {
		return
	}
	moved, err := l.Move(g.Landmarks.Selected, coordinates(l, d))
	if err != nil {
		return // beyond what a position can be: the landmark stays behind the hand
	}
	g.Landmarks.Doc.Change(parts.Landmarks.With(moved.Arranged()))
}

func (*carry) end(g *Hand, how ending) {
	if how == takenBack {
		g.Landmarks.Doc.Cancel()
		return
	}
	g.Landmarks.Doc.Commit()
}
