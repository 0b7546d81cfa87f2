package view

import (
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/matrix"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/landmarks/shape"
	"blossom/model/live"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/render"
	"blossom/render/camera"
	"blossom/ui/widget"
)

// Gating is what the views of a document share of gates and live regions.
type Gating struct {
	Keeps  Keeping       // as the user has chosen for what is drawn next
	Deep   Deep          // the same, in 3D
	Chosen population.ID // the population that commands speak of, whose gate has handles; 0: none

	drawn drawing
}

// drawing is a region of two columns that was drawn last, and the selection that came of it.
type drawing struct {
	gate            *population.Gate
	live            *parts.LiveRegion // the same on a map without such axes
	in              population.ID     // the view showed its points alone; 0: all
	selected, among *selection.Set    // among: what was selected before, where only that could be
}

// gated is a view as gates see it.
type gated struct{ v *Scatter }

// axis is a column that is an axis of a view, as it is shown.
type axis struct {
	population.Axis
	shown transform.Func
}

// axes are the axes of a view that has two columns as such; ok is false for any other.
func (g gated) axes() (axes [2]axis, ok bool) {
	v := g.v
	r := v.View.State().Recipe
	if r.Kind != "columns" || len(r.Columns) != 2 || v.dims != 2 {
		return axes, false
	}
	for i, name := range r.Columns {
		c, setting, err := v.View.scene.Map.Column(name)
		if err != nil || c == nil || c.Categories != nil {
			return axes, false
		}
		f := transform.FunctionOf(c, setting)
		axes[i] = axis{population.Axis{Column: name,
			Transform: transform.Column{Op: setting.Op, Params: f.Params}.File()}, f}
	}
	return axes, true
}

// thinned is a region of the screen as it can be a gate on the axes of a view. What is selected is what the gate has
// then. In other views it is as it is.
func (x gated) thinned(r selection.Region) selection.Region {
	if _, ok := x.axes(); !ok {
		return r
	}
	return x.thin(r)
}

// thin is a region of the screen with no more corners than it takes to stay within a point of it, and than gates and
// live regions have.
func (x gated) thin(r selection.Region) selection.Region {
	corners, rectangle := r.Outline()
	if rectangle || len(corners) < 3 {
		return r
	}
	var path [][2]float64
	for _, p := range corners {
		path = append(path, [2]float64{p.X, p.Y})
	}
	path = append(path, path[0])
	for by := float64(x.v.View.scene.Scale); ; by *= 2 {
		if path = shape.Simplify(path, by); len(path) <= population.MostCorners {
			break
		}
	}
	if len(path) < 4 {
		return r
	}
	thin := make([]selection.Point, len(path)-1)
	for i := range thin {
		thin[i] = selection.Point{X: path[i][0], Y: path[i][1]}
	}
	return selection.Lasso(thin)
}

// drawn is a region of the screen, thinned, as a gate on the axes of a view; nil where it is none.
func (x gated) drawn(r selection.Region) *population.Gate {
	v := x.v
	axes, ok := x.axes()
	corners, rectangle := r.Outline()
	if !ok || len(corners) == 0 || len(corners) < 3 && !rectangle {
		return nil
	}
	g := &population.Gate{X: axes[0].Axis, Y: axes[1].Axis, Shape: population.Polygon}
	if rectangle {
		g.Shape = population.Rectangle
	}
	for _, p := range corners {
		at := v.Eye.World(p.X, p.Y)
		g.Path = append(g.Path, [2]float64{at.X, at.Y})
	}
	return g
}

// drew remembers a stroke in a view that came to a selection in a mode, after another.
func (s *Scene) drew(v *Scatter, r selection.Region, m Mode, was *selection.Set) {
	d := drawing{selected: parts.Selection.Of(s.Map.Doc.State()), in: v.among.id}
	if m == Intersect {
		d.among = was
	}
	if m == Replace || m == Intersect || m == Add && was.Empty() {
		d.gate = gated{v}.drawn(r)
	}
	if (m == Replace || m == Add && was.Empty()) && (gated{v}).unlive(s.Hand.Shape) == "" {
		if stroke, ok := (gated{v}).stroke(gated{v}.thin(r), Replace); ok {
			d.live, _ = gated{v}.region(stroke, Replace)
		}
	}
	s.Gating.drawn = d
}

// Drawn is a gate that was drawn last.
type Drawn struct {
	Gate  *population.Gate
	In    population.ID  // the population whose points alone were in sight; 0: all were
	Among *selection.Set // the selection before, where only points of it could be
}

// Enclosed is the gate that was drawn last, as long as what is selected is what came of it; ok is false where none was.
func (s *Scene) Enclosed() (now Drawn, ok bool) {
	d := &s.Gating.drawn
	if d.gate == nil || parts.Selection.Of(s.Map.Doc.State()) != d.selected {
		return Drawn{}, false
	}
	return Drawn{d.gate, d.in, d.among}, true
}

// onAxes are coordinates of a gate on the axes of a view; nil where these are others.
func onAxes(g *population.Gate, axes [2]axis, path [][2]float64) (out []camera.Vec) {
	x, y := 0, 1
	switch {
	case g.X.Column == axes[0].Column && g.Y.Column == axes[1].Column:
	case g.X.Column == axes[1].Column && g.Y.Column == axes[0].Column:
		x, y = 1, 0
	default:
		return nil
	}
	for _, p := range path {
		var at [2]float64
		at[x], at[y] = axes[x].from(g.X, p[0]), axes[y].from(g.Y, p[1])
		out = append(out, camera.Vec{X: at[0], Y: at[1]})
	}
	return out
}

// places are where coordinates of a gate are on the screen; nil where the axes of the view are others.
func (on gated) places(g *population.Gate, axes [2]axis, path [][2]float64) (out []imgui.Vec2) {
	for _, at := range onAxes(g, axes, path) {
		sx, sy, ok := on.v.Eye.Screen(at)
		if !ok {
			return nil
		}
		out = append(out, imgui.Vec2{X: float32(sx), Y: float32(sy)})
	}
	return out
}

// corners are the places of the corners of a gate on the screen; nil where the axes of the view are others.
func (on gated) corners(g *population.Gate, axes [2]axis) []imgui.Vec2 {
	out := on.places(g, axes, g.Corners())
	if len(out) == 0 || g.Shape != population.Quadrant {
		return out
	}
	x, y := 0, 1
	if g.X.Column != axes[0].Column {
		x, y = 1, 0
	}
	return on.quadrant(out[0], g.Path[1][x], g.Path[1][y])
}

// bends is how many pieces a side of a gate is drawn in where the axes are scaled otherwise than when it was drawn: it
// is curved there.
const bends = 24

// outline is the corners of a gate with places between them where its sides are curved.
func (on gated) outline(g *population.Gate, axes [2]axis, corners []imgui.Vec2) []imgui.Vec2 {
	x, y := axes[0], axes[1]
	if g.X.Column != x.Column {
		x, y = y, x
	}
	if g.Shape == population.Quadrant || x.Transform == g.X.Transform && y.Transform == g.Y.Transform {
		return corners
	}
	path, all := make([][2]float64, 0, bends*len(corners)), g.Corners()
	for i, a := range all {
		b := all[(i+1)%len(all)]
		for k := range bends {
			t := float64(k) / bends
			path = append(path, [2]float64{a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1])})
		}
	}
	if out := on.places(g, axes, path); out != nil {
		return out
	}
	return corners
}

// quadrant is the corners of a quadrant within the view: the end of its upright line, its centre, the end of its level
// one, and the corner of the view; nil where none of it is in sight.
func (on gated) quadrant(centre imgui.Vec2, sideX, sideY float64) []imgui.Vec2 {
	r := on.v.Rect()
	far := imgui.Vec2{X: r.X1, Y: r.Y0} // the screen counts downwards
	if sideX < 0 {
		far.X = r.X0
	}
	if sideY < 0 {
		far.Y = r.Y1
	}
	if float64(far.X-centre.X)*sideX <= 0 || float64(centre.Y-far.Y)*sideY <= 0 {
		return nil
	}
	return []imgui.Vec2{{X: centre.X, Y: far.Y}, centre, {X: far.X, Y: centre.Y}, far}
}

// from brings a coordinate from the axis of a gate to this one of the same column, which may be transformed otherwise.
func (a axis) from(of population.Axis, x float64) float64 {
	if of.Transform == a.Transform {
		return x
	}
	return a.shown.Forward(function(of).Inverse(x))
}

// to is from the other way round.
func (a axis) to(of population.Axis, x float64) float64 {
	if of.Transform == a.Transform {
		return x
	}
	return function(of).Forward(a.shown.Inverse(x))
}

// function is the transform of an axis of a gate.
func function(a population.Axis) transform.Func {
	c, err := transform.ParseFile(a.Transform)
	if err != nil {
		return transform.Func{}
	}
	return transform.FunctionOf(nil, c)
}

// gateShown is a gate that can be seen in a view.
type gateShown struct {
	population.Population
	gate    *population.Gate // nil: it is a region of the map
	corners []imgui.Vec2
	outline []imgui.Vec2 // the corners, and places between them where sides are curved
	strokes []int        // how many places of the outline each stroke of a region has
}

// quarter says whether it is a quadrant.
func (g gateShown) quarter() bool { return g.gate != nil && g.gate.Shape == population.Quadrant }

// sides are the lines of its outline, by their ends: of a quadrant two, as the others are the edges of the view.
func (g gateShown) sides() (out [][2]imgui.Vec2) {
	if g.quarter() {
		return [][2]imgui.Vec2{{g.corners[0], g.corners[1]}, {g.corners[1], g.corners[2]}}
	}
	first := 0
	for _, n := range g.strokes {
		for i := range n {
			out = append(out, [2]imgui.Vec2{g.outline[first+i], g.outline[first+(i+1)%n]})
		}
		first += n
	}
	return out
}

// handles are the corners that are moved by hand.
func (g gateShown) handles() []imgui.Vec2 {
	if g.quarter() {
		return g.corners[1:2]
	}
	return g.corners
}

// shown are those that can be seen in the view.
func (on gated) shown() (out []gateShown) {
	tree := on.v.View.scene.Map.Populations().Tree()
	if tree.Len() == 0 {
		return nil
	}
	axes, ok := on.axes()
	for _, p := range tree.All() {
		if on.v.among.id != 0 && on.v.among.id != p.Parent {
			continue
		}
		switch r := p.Rule.(type) {
		case *population.Gate:
			if !ok {
				continue
			}
			if corners := on.corners(r, axes); corners != nil {
				outline := on.outline(r, axes, corners)
				out = append(out, gateShown{p, r, corners, outline, []int{len(outline)}})
			}
		case *population.Region:
			if x := (gateShown{Population: p}); on.shows(r.Of) {
				for _, path := range on.outlines(r) {
					x.corners, x.strokes = append(x.corners, path...), append(x.strokes, len(path))
				}
				if x.outline = x.corners; len(x.corners) > 0 {
					out = append(out, x)
				}
			}
		}
	}
	return out
}

// bounds is the box around the corners of the gates that can be seen in the view, so that a fitted view has all that
// can be moved; ok is false where there are none.
func (on gated) bounds() (b camera.Bounds, ok bool) {
	axes, ok := on.axes()
	if !ok {
		return b, false
	}
	ok = false
	for _, g := range on.shown() {
		if g.gate == nil {
			continue
		}
		for _, at := range onAxes(g.gate, axes, g.gate.Corners()) {
			p := camera.Bounds{Min: at, Max: at}
			if ok {
				p = b.Union(p)
			}
			b, ok = p, true
		}
	}
	return b, ok
}

// mostHandles is how many corners of a gate are moved by hand.
const mostHandles = 64

func init() { RegisterOver(Over{Order: 20, Draw: gatesOver{}.draw, Print: gatesOver{}.print}) }

// gatesOver is the outlines of gates with their names.
type gatesOver struct{}

func (gatesOver) draw(v *Scatter, dl *imgui.DrawList) {
	s, u := v.View.scene, v.View.scene.UI
	gates := gated{v}.shown()
	if len(gates) == 0 {
		return
	}
	now, _ := s.Map.Populations().Now()
	slices.SortStableFunc(gates, func(a, b gateShown) int { // the chosen one last, over the others
		return compareBool(a.ID == s.Gating.Chosen, b.ID == s.Gating.Chosen)
	})
	for _, g := range gates {
		chosen := g.ID == s.Gating.Chosen
		handles := g.handles()
		switch {
		case !s.Hand.Tool.Points || !chosen && !g.quarter():
			handles = nil
		case g.quarter():
		case len(handles) > mostHandles:
			handles = []imgui.Vec2{g.middle()}
		default:
			handles = append(slices.Clone(handles), g.middle())
		}
		sides := g.sides()
		if g.gate == nil {
			sides = clipped(sides, v.Rect())
		}
		u.Gate(dl, sides, v.Rect(), widget.GateOpts{Chosen: chosen, Dashed: g.gate == nil, Handles: handles})
		name, share := g.Name, ""
		if now != nil {
			share = shareOf(now, g.ID, chosen)
		}
		if g.quarter() {
			v.names.add(u.QuadrantName(dl, g.corners[1], g.corners[3], v.Rect(), v.LegendBox, name, share, chosen))
			continue
		}
		v.names.add(u.GateName(dl, g.corners, v.Rect(), name, share, chosen))
	}
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// print adds the outlines and names to a picture.
func (gatesOver) print(v *Scatter, o *render.PictureOptions) {
	sides := render.Lines{Places: matrix.Matrix32{Cols: 2}}
	for _, g := range (gated{v}).shown() {
		high := camera.Vec{Y: math.Inf(-1)}
		lines := g.sides()
		if g.gate == nil {
			lines = widget.Dashes(clipped(lines, v.Rect()), float64(v.View.scene.UI.Pt(4)))
		}
		for _, side := range lines {
			for _, p := range side {
				at := v.Eye.World(float64(p.X), float64(p.Y))
				if at.Y > high.Y {
					high = at
				}
				sides.Places.Data = append(sides.Places.Data, float32(at.X), float32(at.Y))
			}
			n := int32(sides.Places.Rows)
			sides.Places.Rows += 2
			sides.Edges = append(sides.Edges, render.Edge{A: n, B: n + 1, Colour: o.Theme.Text, Width: 1.25})
		}
		if g.quarter() { // in the middle of what is seen of it
			high = v.Eye.World(float64(g.corners[1].X+g.corners[3].X)/2, float64(g.corners[1].Y+g.corners[3].Y)/2)
		}
		o.Words = append(o.Words, render.Word{Text: g.Name, At: []float32{float32(high.X), float32(high.Y)}})
	}
	o.Lines = o.Lines.And(sides)
}

// shareOf is the share of a population of that above it, where it is the chosen one of all points too, and how many
// points it has.
func shareOf(now *live.Populated, id population.ID, chosen bool) string {
	at := now.Tree.Place(id)
	if at < 0 {
		return ""
	}
	n, all := now.Sets[at].Count(), len(now.Values)
	up := now.Tree.Place(now.Tree.All()[at].Parent)
	if up < 0 {
		return widget.Percent(n, all) + "  " + grouped(n)
	}
	share := widget.Percent(n, now.Sets[up].Count()) + "  " + grouped(n)
	if chosen {
		share += "  (" + widget.Percent(n, all) + " of all)"
	}
	return share
}
