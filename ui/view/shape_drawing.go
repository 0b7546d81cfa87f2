package view

import (
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/shape"
	"blossom/render/camera"
	"blossom/ui/widget"
)

// Drawing is the shape that the Draw map tool is about. Nothing of it is in the document until it is placed: it is a
// ghost over the map, or none yet, only what the next one will be like.
type Drawing struct {
	Shape shape.Shape
	On    bool // there is a ghost
	// Replace takes the place of the map, else it is added to it. Train finds the codebook of what replaces the map by
	// training on the shape, else it comes from the neighbours on the map.
	Replace, Train bool

	// The window does these for the tool.
	Place            func() // makes the ghost landmarks of the map
	Open, Save, Load func() // a shape from a file, the shape to one, a picture

	net     *shape.Net
	err     error
	piece   copied
	corners []camera.Vec // corners of an outline that is being clicked together
	screen  []imgui.Vec2 // where the ghost's landmarks are, kept from frame to frame
	seen    []bool
	path    []imgui.Vec2
}

// Count is the number of landmarks of the ghost; 0 without one, or with one that cannot be placed.
func (d *Drawing) Count() int {
	if !d.On || d.err != nil || d.net == nil {
		return 0
	}
	return len(d.net.At)
}

// Net is what the ghost is made of; ok is false where there is nothing to place, and err may say why.
func (d *Drawing) Net() (net *shape.Net, ok bool, err error) {
	if !d.On {
		return nil, false, nil
	}
	return d.net, d.err == nil, d.err
}

// Sketching says whether there is something that Esc takes away and Enter goes on with.
func (d *Drawing) Sketching() bool { return d.On || len(d.corners) > 0 }

// Cancel takes the ghost away. It returns whether there was one.
func (d *Drawing) Cancel() bool {
	was := d.Sketching()
	d.On, d.net, d.err, d.corners = false, nil, nil, nil
	return was
}

// copied is the codebook of the landmarks that a piece was made of, in the space of those days.
type copied struct {
	of    *shape.Piece
	code  matrix.Matrix32
	space revision.Revision
}

// Codebook is that of the landmarks of which the ghost is a copy; ok is false where it is no copy, or the space is
// another.
func (d *Drawing) Codebook(space revision.Revision) (code matrix.Matrix32, ok bool) {
	p := d.piece
	return p.code, p.of != nil && p.of == d.Shape.Piece && p.space == space && p.code.Rows == d.Count()
}

// kind is the kind of the shape.
func (d *Drawing) kind() shape.Kind {
	k, _ := shape.ByID(d.Shape.Kind)
	return k
}

// make makes the ghost's landmarks anew after a change.
func (d *Drawing) make() {
	if d.On {
		d.net, d.err = d.Shape.Net()
	}
}

// put changes the shape and shows it.
func (d *Drawing) put(s shape.Shape) {
	d.Shape, d.On, d.corners = s, true, nil
	d.make()
}

// drawing is the drawing, with a shape to begin with.
func (g *Hand) drawing() *Drawing {
	d := &g.Draw
	if d.Shape.Kind == "" {
		d.Shape.Kind = shape.Kinds()[0].ID
	}
	if d.Shape.Spacing == 0 {
		d.Shape.Spacing = usualSpacing(parts.Landmarks.Of(g.Landmarks.Doc.State()))
	}
	if d.Shape.Frame.Axes == ([3]shape.Vec{}) {
		d.Shape.Frame.Axes = shape.Upright()
	}
	return d
}

// usualSpacing is how far landmarks of a map are from their nearest neighbours, in the median, to two digits.
func usualSpacing(l *landmark.Set) float64 {
	const sample = 200
	var all []float64
	every := max(1, l.Len()/sample)
	for i := 0; i < l.Len(); i += every {
		best := math.Inf(1)
		p := l.Pos.Row(i)
		for j := range l.Len() {
			d := 0.0
			for c, x := range l.Pos.Row(j) {
				d += float64(x-p[c]) * float64(x-p[c])
			}
			if j != i && d > 0 && d < best {
				best = d
			}
		}
		if !math.IsInf(best, 1) {
			all = append(all, math.Sqrt(best))
		}
	}
	if len(all) == 0 {
		return 1
	}
	slices.Sort(all)
	x := all[len(all)/2]
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Round(x/unit) * unit
}

// SetShape shows a shape that was read from a file; one that would be out of sight goes to the middle of the view.
func (g *Hand) SetShape(s shape.Shape) {
	d := g.drawing()
	if g.Map != nil {
		if c := vecOf(s.Frame.Centre); !g.inSight(c) {
			s.Frame.Centre = vecTo(g.middle())
		}
	}
	if k, _ := shape.ByID(s.Kind); k.Solid && g.Map != nil && !g.Map.Lens().Solid() {
		d.Replace = true
	}
	d.put(s)
}

// SetMask shows the silhouette of a picture in the middle of the view.
func (g *Hand) SetMask(m *shape.Mask) {
	d := g.drawing()
	s := d.Shape
	s.Kind, s.Mask = "silhouette", m
	if g.Map != nil {
		s = g.sized(s, g.middle())
	}
	d.put(s)
}

// sized gives a shape a frame of a good size around a place of the map, which is in sight.
func (g *Hand) sized(s shape.Shape, at camera.Vec) shape.Shape {
	b := g.Map.Lens().Sight()
	span := shape.Vec(vecTo(minus(g.Map.Lens().WorldAt(b.X1, b.Y1, at), g.Map.Lens().WorldAt(b.X0, b.Y0, at))))
	f := shape.Frame{Axes: planeOf(g.Map, at), Centre: vecTo(at)}
	q := f.In(f.Move(span).Centre)
	side := 0.4 * min(math.Abs(q[0]), math.Abs(q[1]))
	f.Size = shape.Vec{side, side}
	if m := s.Mask; m != nil && s.Kind == "silhouette" {
		wide := float64(m.W) / float64(m.H)
		f.Size = shape.Vec{side * min(1, wide), side * min(1, 1/wide)}
	}
	s.Frame = f
	if k, _ := shape.ByID(s.Kind); k.Size != nil {
		return s.Sized()
	}
	return s.Fitted()
}

// middle is the place of the map in the middle of the view.
func (g *Hand) middle() camera.Vec {
	b := g.Map.Lens().Sight()
	return g.Map.Lens().World((b.X0+b.X1)/2, (b.Y0+b.Y1)/2)
}

func (g *Hand) inSight(p camera.Vec) bool {
	x, y, ok := g.Map.Lens().Screen(p)
	b := g.Map.Lens().Sight()
	return ok && x > b.X0 && x < b.X1 && y > b.Y0 && y < b.Y1
}

// Limits are a place of the screen, in its units.
type Limits struct{ X0, Y0, X1, Y1 float64 }

// planeOf are the axes of the plane through a place in which the hand draws: that of a flat map, or the one that faces
// the eye.
func planeOf(at Ground, through camera.Vec) [3]shape.Vec {
	if at == nil || !at.Lens().Solid() {
		return shape.Upright()
	}
	sx, sy, ok := at.Lens().Screen(through)
	if !ok {
		return shape.Upright()
	}
	const far = 100
	o := at.Lens().WorldAt(sx, sy, through)
	x := unit(minus(at.Lens().WorldAt(sx+far, sy, through), o))
	y := unit(minus(at.Lens().WorldAt(sx, sy-far, through), o))
	if x == (shape.Vec{}) || y == (shape.Vec{}) {
		return shape.Upright()
	}
	dot := x[0]*y[0] + x[1]*y[1] + x[2]*y[2]
	y = unit(camera.Vec{X: y[0] - dot*x[0], Y: y[1] - dot*x[1], Z: y[2] - dot*x[2]})
	return [3]shape.Vec{x, y, {x[1]*y[2] - x[2]*y[1], x[2]*y[0] - x[0]*y[2], x[0]*y[1] - x[1]*y[0]}}
}

func unit(v camera.Vec) shape.Vec {
	l := math.Sqrt(v.X*v.X + v.Y*v.Y + v.Z*v.Z)
	if !(l > 0) {
		return shape.Vec{}
	}
	return shape.Vec{v.X / l, v.Y / l, v.Z / l}
}

func vecOf(v shape.Vec) camera.Vec { return camera.Vec{X: v[0], Y: v[1], Z: v[2]} }
func vecTo(v camera.Vec) shape.Vec { return shape.Vec{v.X, v.Y, v.Z} }

// local is the place of the screen as a frame sees it, in the plane of its centre.
func local(at Ground, f shape.Frame, p point) shape.Vec {
	return f.In(vecTo(at.Lens().WorldAt(p.x, p.y, vecOf(f.Centre))))
}

// gripsOf are the grips of a frame on the screen; ok is false where it has no place there.
func (g *Hand) gripsOf(at Ground, u *widget.UI, f shape.Frame) (grips widget.Grips, ok bool) {
	cx, cy, ok := at.Lens().Screen(vecOf(f.Centre))
	if !ok || u == nil {
		return grips, false
	}
	var half, dir [2]imgui.Vec2
	b := at.Lens().Sight()
	far := math.Hypot(b.X1-b.X0, b.Y1-b.Y0)
	// A length of the world that is some 100 units of the screen there, so that directions are exact.
	world := at.Lens().WorldAt(cx+100, cy, vecOf(f.Centre))
	l := math.Sqrt(square(minus(world, vecOf(f.Centre))))
	for a := range half {
		var away shape.Vec
		away[a] = l
		x, y, ok := at.Lens().Screen(vecOf(f.Out(away)))
		if !ok {
			return grips, false
		}
		d := math.Hypot(x-cx, y-cy)
		if d == 0 {
			return grips, false
		}
		dir[a] = imgui.Vec2{X: float32((x - cx) / d), Y: float32((y - cy) / d)}
		h := min(math.Abs(f.Size[a])/2/l*d, 50*far)
		half[a] = dir[a].Mul(float32(h))
	}
	return u.GripsOf(imgui.Vec2{X: float32(cx), Y: float32(cy)}, half[0], half[1], dir[0], dir[1]), true
}

func square(v camera.Vec) float64 { return v.X*v.X + v.Y*v.Y + v.Z*v.Z }

// resized is a frame whose handle (hx, hy: which sides it moves) has come to q, seen from the frame as it was: the
// opposite side stays. keep keeps the proportions. Beyond the opposite side the frame is mirrored.
func resized(f shape.Frame, hx, hy int, q shape.Vec, keep bool) shape.Frame {
	h := [2]int{hx, hy}
	var w, was, anchor [2]float64
	for a, side := range h {
		was[a] = math.Abs(f.Size[a])
		anchor[a] = -float64(side) * was[a] / 2
		w[a] = was[a]
		if side != 0 {
			w[a] = (q[a] - anchor[a]) * float64(side)
		}
	}
	if keep {
		factor := 0.0
		for a, side := range h {
			if side != 0 && was[a] > 0 && math.Abs(w[a]/was[a]) > math.Abs(factor) {
				factor = w[a] / was[a]
			}
		}
		for a, side := range h {
			w[a] = was[a] * math.Abs(factor)
			if side != 0 && (q[a]-anchor[a])*float64(side) < 0 {
				w[a] = -w[a]
			}
		}
	}
	var centre shape.Vec
	for a, side := range h {
		centre[a] = anchor[a] + float64(side)*w[a]/2
		f.Size[a] = w[a] * math.Copysign(1, f.Size[a])
	}
	f.Centre = f.Out(centre)
	return f
}

// turned is a frame turned by degrees; whole says to steps of 15 degrees.
func turned(f shape.Frame, degrees float64, whole bool) shape.Frame {
	if f.Flat() {
		to := f.Turn() + degrees
		if whole {
			to = math.Round(to/15) * 15
		}
		f.Axes = shape.Turned(to)
		return f
	}
	if whole {
		degrees = math.Round(degrees/15) * 15
	}
	return f.TurnBy(degrees)
}

// angle is the direction of a place of a frame's plane from its centre, in degrees.
func angle(q shape.Vec) float64 { return math.Atan2(q[1], q[0]) * 180 / math.Pi }

// Fits says why the ghost cannot be placed on the map as it is, or nil.
func (g *Hand) Fits() error {
	d := &g.Draw
	net, ok, err := d.Net()
	if !ok {
		return err
	}
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	switch {
	case d.Replace:
	case net.Solid && l.Dims() == 2 && l.Len() > 0:
		return problem.New("", "replace the map with it", "the map is flat, and a %s needs three dimensions",
			d.kind().Title)
	case l.Len()+len(net.At) > shape.Most:
		return problem.New("", "remove some, or raise the spacing",
			"the map has %d landmarks, and with %d more there were more than the %d that it takes", l.Len(),
			len(net.At), shape.Most)
	}
	return nil
}

// closeOutline makes an outline of the corners that were clicked. It returns whether there were any.
func (g *Hand) closeOutline() bool {
	d := &g.Draw
	if len(d.corners) == 0 {
		return false
	}
	s := d.Shape
	f := shape.Frame{Centre: vecTo(d.corners[0]), Axes: planeOf(g.Map, d.corners[0])}
	var path [][2]float64
	for _, c := range d.corners {
		q := f.In(vecTo(c))
		path = append(path, [2]float64{q[0], q[1]})
	}
	s.Frame = f
	if len(path) < 3 {
		g.Host.Said("an outline needs at least three corners")
		return true
	}
	s, err := s.Trace(path)
	if err != nil {
		g.Host.Said(err.Error())
		d.corners = nil
		return true
	}
	d.put(s)
	return true
}

// Confirm closes the polygon or the outline that is being clicked together, or places the ghost.
func (g *Hand) Confirm() {
	if g.polygon.close(g) || g.closeOutline() {
		return
	}
	if g.Draw.On && g.Draw.Place != nil {
		g.Draw.Place()
	}
}

// cut makes the piece of the landmarks ids the ghost, a little aside.
func (g *Hand) cut(ids []int) {
	d := g.drawing()
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	if len(ids) == 0 || g.Map == nil {
		return
	}
	index := map[int32]int32{}
	var at []shape.Vec
	for i, id := range ids {
		index[int32(id)] = int32(i)
		at = append(at, vecTo(place(l.Pos.Row(id))))
	}
	var edges [][2]int32
	for _, e := range l.Edges {
		a, in := index[e[0]]
		b, also := index[e[1]]
		if in && also {
			edges = append(edges, [2]int32{min(a, b), max(a, b)})
		}
	}
	s := d.Shape
	s.Kind, s.Values = "piece", step.Values{}
	s.Frame = shape.Frame{Axes: planeOf(g.Map, vecOf(at[0]))}
	s = s.Cut(at, edges)
	d.piece = copied{of: s.Piece, code: matrix.New(len(ids), l.Codebook.Cols), space: l.Space}
	for i, id := range ids {
		copy(d.piece.code.Row(i), l.Codebook.Row(id))
	}
	c := vecOf(s.Frame.Centre)
	if sx, sy, ok := g.Map.Lens().Screen(c); ok {
		s.Frame.Centre = vecTo(g.Map.Lens().WorldAt(sx+3*g.Reach, sy+3*g.Reach, c))
	}
	d.put(s)
}
