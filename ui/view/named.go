package view

import (
	"image/color"
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/render/camera"
	"blossom/render/pen"
	"blossom/ui/widget"
)

// named is the places of the names that stand over points in a frame: what is taken hold of keeps clear of them.
type named []widget.Rect

// add notes the place of a name, if one was written.
func (n *named) add(r widget.Rect) {
	if r.X1 > r.X0 && r.Y1 > r.Y0 {
		*n = append(*n, r)
	}
}

// noting is a pen of the window that notes where it writes names: texts with a rim.
type noting struct {
	ink
	names *named
}

func (k noting) Haloed(f pen.Face, x, middle float64, c, rim color.NRGBA, s string) {
	k.ink.Haloed(f, x, middle, c, rim, s)
	w, h := k.Width(f, s), f.Size()*k.scale
	*k.names = append(*k.names, k.rect(pen.Box(x, middle-h/2, x+w, middle+h/2)))
}

// beside is the place nearest to p at which a disc of a radius covers no name and lies within a box; p if there is
// none, or none of the names is near.
func (n named) beside(p imgui.Vec2, radius float32, within widget.Rect) imgui.Vec2 {
	disc := func(p imgui.Vec2) widget.Rect {
		return widget.Rect{X0: p.X, Y0: p.Y, X1: p.X, Y1: p.Y}.Inset(-radius, -radius)
	}
	free := func(p imgui.Vec2) bool { return !slices.ContainsFunc(n, disc(p).Overlaps) }
	if free(p) {
		return p
	}
	best, least, inside := p, math.Inf(1), within.Inset(radius, radius)
	for _, b := range n {
		x, y := min(max(p.X, b.X0), b.X1), min(max(p.Y, b.Y0), b.Y1)
		for _, q := range [4]imgui.Vec2{{X: x, Y: b.Y0 - radius}, {X: x, Y: b.Y1 + radius},
			{X: b.X0 - radius, Y: y}, {X: b.X1 + radius, Y: y}} {
			if d := math.Hypot(float64(q.X-p.X), float64(q.Y-p.Y)); d < least && inside.Has(q) && free(q) {
				best, least = q, d
			}
		}
	}
	return best
}

// clear is a place of the map in a view, moved on the screen so far that a grip there covers no name.
func (n named) clear(v *Scatter, p camera.Vec) camera.Vec {
	u := v.View.scene.UI
	sx, sy, ok := v.Eye.Screen(p)
	if !ok || u == nil || len(n) == 0 {
		return p
	}
	at := imgui.Vec2{X: float32(sx), Y: float32(sy)}
	to := n.beside(at, u.Pt(widget.GripRadius+3), v.Rect())
	if to == at {
		return p
	}
	return v.Eye.WorldAt(float64(to.X), float64(to.Y), p)
}
