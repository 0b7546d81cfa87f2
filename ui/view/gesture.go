package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/widget"
)

// gesture is what goes on between a press and its release, once the cursor has moved further than in a click. Where
// it began is Hand.press, where it is now Hand.Cursor.
type gesture interface {
	start(g *Hand)
	move(g *Hand, from point)
	end(g *Hand, how ending)
	draw(g *Hand, dl *imgui.DrawList, u *widget.UI)
}

// ending is how a gesture ends.
type ending int

const (
	released  ending = iota
	lost             // the window no longer has the mouse: what was done until then stays
	takenBack        // with Esc
)

// still is a gesture that does nothing: a press that only a click can come of, and what other gestures leave out.
type still struct{}

func (still) start(*Hand)                             {}
func (still) move(*Hand, point)                       {}
func (still) end(*Hand, ending)                       {}
func (still) draw(*Hand, *imgui.DrawList, *widget.UI) {}
