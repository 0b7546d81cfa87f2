package view

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/matrix"
	"blossom/model/document/parts"
	"blossom/model/landmarks/shape"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// arrange sizes or turns the selected landmarks by a grip of the frame around them.
type arrange struct {
	still
	grip  int
	was   shape.Frame
	frame shape.Frame // now
	at    []shape.Vec // where the landmarks were, as the frame sees them
	ids   []int
}

// frameOfSelected is the frame around the selected landmarks in a view; ok is false for less than two.
func (g *Hand) frameOfSelected(at Ground) (f shape.Frame, ok bool) {
	if a, on := g.gesture.(*arrange); on && g.press.moved {
		return a.frame, true
	}
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	if g.Locked || len(g.Landmarks.Selected) < 2 || g.Landmarks.Selected[len(g.Landmarks.Selected)-1] >= l.Len() ||
		at == nil || !at.HasLandmarks() {
		return f, false
	}
	first := place(l.Pos.Row(g.Landmarks.Selected[0]))
	f = shape.Frame{Centre: vecTo(first), Axes: planeOf(at, first)}
	var lo, hi shape.Vec
	for _, id := range g.Landmarks.Selected {
		q := f.In(vecTo(place(l.Pos.Row(id))))
		for c, x := range q {
			lo[c], hi[c] = min(lo[c], x), max(hi[c], x)
		}
	}
	var middle shape.Vec
	for c := range middle {
		middle[c] = (lo[c] + hi[c]) / 2
		f.Size[c] = hi[c] - lo[c]
	}
	f.Centre = f.Out(middle)
	return f, true
}

// grab begins to size or turn the selected landmarks if the press is on a grip of their frame; nil if it is not.
func (g *Hand) grab() gesture {
	if g.press.mods.Has(shell.Ctrl) || g.press.mods.Has(shell.Alt) || g.UI == nil {
		return nil
	}
	f, ok := g.frameOfSelected(g.At)
	if !ok {
		return nil
	}
	grips, ok := g.gripsOf(g.At, g.UI, f)
	if !ok {
		return nil
	}
	grip := grips.GripAt(vec(g.press.at), float32(g.Reach))
	if grip < 0 {
		return nil
	}
	return &arrange{grip: grip, was: f, frame: f}
}

func (a *arrange) start(g *Hand) {
	name := "Scale landmarks"
	if a.grip == widget.Knob {
		name = "Rotate landmarks"
	}
	a.ids = append(a.ids[:0], g.Landmarks.Selected...)
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	for _, id := range a.ids {
		a.at = append(a.at, a.was.In(vecTo(place(l.Pos.Row(id)))))
	}
	g.Landmarks.Doc.Begin(name)
}

func (a *arrange) move(g *Hand, _ point) {
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	if !g.Landmarks.Doc.Open() || a.ids[len(a.ids)-1] >= l.Len() {
		return // taken back meanwhile (undo in mid-drag)
	}
	whole := g.keys.Has(shell.Shift)
	if a.grip == widget.Knob {
		a.frame = turned(a.was, angle(local(g.At, a.was, g.Cursor))-angle(local(g.At, a.was, g.press.at)), whole)
	} else {
		x, y := widget.GripSide(a.grip)
		a.frame = resized(a.was, x, y, dragged(g, a.was, x, y), whole)
	}
	pos := matrix.New(len(a.ids), l.Pos.Cols)
	for r, p := range a.at {
		for c := range 2 {
			if a.was.Size[c] != 0 {
				p[c] *= a.frame.Size[c] / a.was.Size[c]
			}
		}
		to := a.frame.Out(p)
		for c := range pos.Row(r) {
			pos.Row(r)[c] = float32(to[c])
		}
	}
	moved, err := l.SetPos(a.ids, pos)
	if err != nil {
		return
	}
	g.Landmarks.Doc.Change(parts.Landmarks.With(moved.Arranged()))
}

func (a *arrange) end(g *Hand, how ending) {
	if how == takenBack {
		g.Landmarks.Doc.Cancel()
		return
	}
	g.Landmarks.Doc.Commit()
}

func init() { RegisterOver(Over{Order: 10, Draw: selectedOver{}.draw}) }

// selectedOver is the frame around the selected landmarks.
type selectedOver struct{}

func (selectedOver) draw(v *Scatter, dl *imgui.DrawList) {
	g := v.View.scene.Hand
	if !g.Tool.Handles {
		return
	}
	f, ok := g.frameOfSelected(v)
	if !ok {
		return
	}
	grips, ok := g.gripsOf(v, v.View.scene.UI, f)
	if !ok {
		return
	}
	lit := -1
	if a, on := g.gesture.(*arrange); on {
		lit = a.grip
	} else if g.At == Ground(v) && !g.Active() {
		lit = grips.GripAt(vec(g.Cursor), float32(g.Reach))
	}
	v.View.scene.UI.Frame(dl, &grips, lit)
	v.View.scene.UI.Mark("selected frame", boxOf(&grips))
}
