package view

import (
	"context"
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/base/matrix"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/render/camera"
	"blossom/ui/widget"
)

// Straighten is a tool for one stroke: the selected landmarks follow it, and the tool that was there before is back. It
// is chosen by its command, and stands in no strip.
var Straighten = &Tool{ID: "straighten", Title: "Straighten along a stroke",
	Help: "Drag draws where the selected landmarks go", Icon: assets.IconSpline, Landmarks: true, Large: true,
	Options: straightenOptions,
	Press: func(g *Hand) gesture {
		if begun, decided := g.onLandmarks(); decided {
			return begun
		}
		if !g.At.IsMap() {
			return &turn{}
		}
		return &straighten{outline: outline{lasso: true}}
	},
	Click: func(g *Hand) {
		if g.press.mods != 0 {
			g.clickLandmarks() // also more of them can be selected
			return
		}
		g.Host.Said("hold the button and draw a line for the selected landmarks to follow")
	}}

// Along is how landmarks follow a stroke.
type Along struct {
	ByColumn   bool // in the order of the column that the view is coloured by, if it is one of the map's
	ByDistance bool // with gaps in proportion to what orders them
}

// straighten is the stroke that landmarks follow.
type straighten struct{ outline }

func (s *straighten) end(g *Hand, how ending) {
	if how != released {
		return
	}
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	middle := camera.Vec{} // centre of the landmarks: in 3D they come into the plane of the screen through it
	for _, id := range g.Landmarks.Selected {
		p := place(l.Pos.Row(id))
		n := float64(len(g.Landmarks.Selected))
		middle = plus(middle, camera.Vec{X: p.X / n, Y: p.Y / n, Z: p.Z / n})
	}
	stroke := matrix.New(len(s.path), l.Pos.Cols)
	for i, p := range s.path {
		copy(stroke.Row(i), coordinates(l, g.At.Lens().WorldAt(p.x, p.y, middle)))
	}
	along := landmark.Along{ByDistance: g.Along.ByDistance}
	if dim := g.orderDim(); g.Along.ByColumn && dim >= 0 {
		along.Values = make([]float32, len(g.Landmarks.Selected))
		for i, id := range g.Landmarks.Selected {
			along.Values[i] = l.Codebook.Row(id)[dim]
		}
	}
	ids := slices.Clone(g.Landmarks.Selected)
	if n := len(ids); g.Host.Job == nil || n*n*l.Codebook.Cols <= straightAtOnce {
		g.straightened(l.Straighten(ids, stroke, along))
		return
	}
	g.Host.Job(Straighten.Title, func(context.Context) (func(), error) {
		moved, err := l.Straighten(ids, stroke, along)
		return func() {
			if parts.Landmarks.Of(g.Landmarks.Doc.State()) != l {
				g.Host.Said("the landmarks changed meanwhile; draw the line again")
				return
			}
			g.straightened(moved, err)
		}, nil
	})
}

// straightAtOnce is how many differences of coordinates may be looked at within a frame to find a spanning tree.
const straightAtOnce = 1 << 23

// straightened puts landmarks where they follow a stroke, as one entry of the history, or says why they cannot.
func (g *Hand) straightened(l *landmark.Set, err error) {
	done := g.Landmarks.edit(Straighten.Title, true, func(*landmark.Set) (*landmark.Set, error) { return l, err })
	if done && g.Host.Finished != nil {
		g.Host.Finished()
	}
}

// orderDim is the dimension of the codebook that the view is coloured by, or -1.
func (g *Hand) orderDim() int {
	if g.Host.Colour == nil || g.Landmarks.Doc == nil {
		return -1
	}
	name := g.Host.Colour()
	for dim, col := range parts.Transform.Of(g.Landmarks.Doc.State()).MapColumns() {
		if g.Landmarks.Doc.Data.Columns[col].Name == name {
			return dim
		}
	}
	return -1
}

// draw shows the stroke, and where landmarks come to lie on it.
func (s *straighten) draw(g *Hand, dl *imgui.DrawList, u *widget.UI) {
	t := u.Theme()
	whole := 0.0
	for i := 1; i < len(s.path); i++ {
		dl.AddLineV(vec(s.path[i-1]), vec(s.path[i]), uint32(t.Accent), u.Pt(2))
		whole += math.Hypot(s.path[i].x-s.path[i-1].x, s.path[i].y-s.path[i-1].y)
	}
	n := len(g.Landmarks.Selected)
	if n < 2 || whole == 0 || g.Along.ByDistance || whole < 4*float64(u.Pt(1))*float64(n) {
		return // where there is no room, or gaps are known only at the end
	}
	gone, next := 0.0, 0
	for i := 1; i < len(s.path) && next < n; i++ {
		a, b := s.path[i-1], s.path[i]
		d := math.Hypot(b.x-a.x, b.y-a.y)
		for next < n && whole*float64(next)/float64(n-1) <= gone+d+1e-9 {
			f := 0.0
			if d > 0 {
				f = (whole*float64(next)/float64(n-1) - gone) / d
			}
			at := vec(point{a.x + f*(b.x-a.x), a.y + f*(b.y-a.y)})
			dl.AddCircleFilledV(at, u.Pt(3.5), uint32(t.Panel), 16)
			dl.AddCircleV(at, u.Pt(3.5), uint32(t.Accent), 16, u.Pt(1.5))
			next++
		}
		gone += d
	}
}

// straightenOptions says in what order landmarks follow the stroke.
func straightenOptions(s *Stage, r widget.Rect, _ string) {
	s.Scene.UI.OptionsBar("options", r, func(o *widget.Options) {
		h := &s.hand
		order, gaps := 0, 0
		items := []widget.Option{{Label: "Along their spanning tree"}}
		if h.orderDim() >= 0 {
			items = append(items, widget.Option{Label: "By " + s.Active().colouredBy()})
			if h.Along.ByColumn {
				order = 1
			}
		}
		if o.Choice("Order", items, &order, false) {
			h.Along.ByColumn = order == 1
		}
		if h.Along.ByDistance {
			gaps = 1
		}
		far := "Gaps as far as they are apart"
		if order == 1 {
			far = "Gaps by their values"
		}
		if o.Choice("Gaps", []widget.Option{{Label: "Even gaps"}, {Label: far}}, &gaps, false) {
			h.Along.ByDistance = gaps == 1
		}
		o.Count(grouped(len(h.Landmarks.Selected)), "landmarks follow the stroke")
		if o.Button("Cancel", widget.ButtonOpts{Tip: "Leave them as they are (Esc)"}) && h.Host.Finished != nil {
			h.Host.Finished()
		}
	})
}

// colouredBy is the title of the column of the data that the view is coloured by.
func (v *View) colouredBy() string {
	name := v.Look().Column
	for _, c := range v.scene.Map.Doc.Data.Columns {
		if c.Name == name {
			return c.Short()
		}
	}
	return name
}
