package view

import "math"

// Box is a rectangle in screen units, y downwards. It converts to a widget.Rect and back.
type Box struct{ X0, Y0, X1, Y1 float32 }

// W is the width.
func (b Box) W() float32 { return b.X1 - b.X0 }

// H is the height.
func (b Box) H() float32 { return b.Y1 - b.Y0 }

// Sizes are lengths in screen units that an arrangement keeps to.
type Sizes struct {
	Line       float32 // width of the line that is drawn between views
	Grab       float32 // width of the strip that takes hold of the line
	MinW, MinH float32 // least size of a view with its header
	Snap       float32 // a bar that is dragged lines up with another from here
}

// SizesAt returns the usual sizes at so many screen units per point.
func SizesAt(scale float32) Sizes {
	pt := func(x float32) float32 { return max(float32(math.Round(float64(x*scale))), 1) }
	return Sizes{Line: pt(1), Grab: pt(8), MinW: pt(240), MinH: pt(180), Snap: pt(6)}
}

// Place is where a view is.
type Place struct {
	View ID
	Box  Box
}

// Bar is what parts two sides of a cut.
type Bar struct {
	Index int  // for Drag and Even
	Rows  bool // it lies between views above each other, and moves up and down
	Line  Box  // the drawn line
	Grab  Box  // the strip that takes hold of it, around the line
}

// Arrangement is where everything of a split is in an area. Boxes of views and lines of bars tile the area.
type Arrangement struct {
	Places []Place
	Bars   []Bar
	Hidden int  // views that are not shown: another is maximised, or there is no room
	Small  bool // there is no room: one view is shown, and its header must offer the others
}

// Arrange finds the places of all views in an area, in whole screen units from its corner, so that pictures lie
// pixel on pixel. With no room for all of them at their least size only the active view is shown (the first one, if
// active is none of them). out is filled anew; its slices are used again.
func (s Split) Arrange(in Box, active ID, z Sizes, out *Arrangement) {
	out.Places, out.Bars, out.Hidden, out.Small = out.Places[:0], out.Bars[:0], 0, false
	if s.root == nil {
		return
	}
	in.X1, in.Y1 = max(in.X0, in.X1), max(in.Y0, in.Y1)
	count := s.root.count()
	w, h := s.root.least(z)
	out.Small = count > 1 && (in.W() < w || in.H() < h)
	if alone := s.alone(active, out.Small); alone != 0 {
		out.Places = append(out.Places, Place{alone, in})
		out.Hidden = count - 1
		return
	}
	k := 0
	s.root.walk(in, z, func(n *node, b Box) {
		if n.a == nil {
			out.Places = append(out.Places, Place{n.view, b})
			return
		}
		first, second := n.cut(b, z)
		bar := Bar{Index: k, Rows: n.rows}
		k++
		if d := z.Grab / 2; n.rows {
			bar.Line = Box{b.X0, first.Y1, b.X1, second.Y0}
			mid := (first.Y1 + second.Y0) / 2
			bar.Grab = Box{b.X0, mid - d, b.X1, mid + d}
		} else {
			bar.Line = Box{first.X1, b.Y0, second.X0, b.Y1}
			mid := (first.X1 + second.X0) / 2
			bar.Grab = Box{mid - d, b.Y0, mid + d, b.Y1}
		}
		out.Bars = append(out.Bars, bar)
	})
}

// alone is the view that is shown without the others, or 0.
func (s Split) alone(active ID, small bool) ID {
	switch {
	case small && s.Has(active):
		return active
	case s.max != 0:
		return s.max
	case small:
		return s.Views()[0]
	}
	return 0
}

// least returns the least size of n.
func (n *node) least(z Sizes) (w, h float32) {
	if n.a == nil {
		return z.MinW, z.MinH
	}
	aw, ah := n.a.least(z)
	bw, bh := n.b.least(z)
	if n.rows {
		return max(aw, bw), ah + z.Line + bh
	}
	return aw + z.Line + bw, max(ah, bh)
}

// within returns the share nearest to one that leaves both sides of a cut of that length (without the line) their
// least sizes; in proportion to these, where there is room for neither.
func (n *node) within(share float64, length float32, z Sizes) float64 {
	a, ah := n.a.least(z)
	b, bh := n.b.least(z)
	if n.rows {
		a, b = ah, bh
	}
	if a+b >= length {
		return float64(a) / float64(a+b)
	}
	return min(max(share, float64(a/length)), 1-float64(b/length))
}

// cut returns the sides of n in b, between them a line.
func (n *node) cut(b Box, z Sizes) (first, second Box) {
	first, second = b, b
	side := func(length float32) float32 {
		length = max(length-z.Line, 0)
		return float32(math.Round(n.within(n.share, length, z) * float64(length)))
	}
	if n.rows {
		first.Y1 = min(b.Y0+side(b.H()), b.Y1)
		second.Y0 = min(first.Y1+z.Line, b.Y1)
	} else {
		first.X1 = min(b.X0+side(b.W()), b.X1)
		second.X0 = min(first.X1+z.Line, b.X1)
	}
	return first, second
}

// walk visits n and all below it with their boxes, a cut before its sides.
func (n *node) walk(b Box, z Sizes, f func(*node, Box)) {
	if n == nil {
		return
	}
	f(n, b)
	if n.a != nil {
		first, second := n.cut(b, z)
		n.a.walk(first, z, f)
		n.b.walk(second, z, f)
	}
}
