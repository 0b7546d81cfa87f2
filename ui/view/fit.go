package view

import (
	"math"
	"slices"

	"blossom/model/maps/derived"
	"blossom/render"
	"blossom/render/camera"
)

// Fit shows all points, and all corners of gates.
func (v *Scatter) Fit(smooth bool) {
	if b, ok := v.Extent(); ok {
		all := b
		if gates, any := (gated{v}).bounds(); any {
			all = b.Union(gates)
		}
		v.Eye.Cam.SetLimits(all)
		v.fit(all, smooth)
		v.unfit, v.fitted = false, b
	}
}

// fit shows all of a box beside the legend.
func (v *Scatter) fit(b camera.Bounds, smooth bool) {
	v.Eye.Fit(b, v.margins(b), smooth)
	v.key.fit = v.key.room(v, b)
}

// Reset shows the map as it began: all of it, 3D from where a new camera looks.
func (v *Scatter) Reset() {
	if o := v.Eye.orbit(); o != nil {
		o.Reset()
		v.Eye.Turned = false
	}
	v.Fit(true)
}

// FitLandmarks shows the landmarks, before there are points.
func (v *Scatter) FitLandmarks() {
	if b, ok := v.landmarkBounds(); ok {
		v.fit(b, false)
		v.Eye.Cam.SetLimits(b)
	}
}

// Seek keeps the maps in sight whose landmarks move changes all at once, as a step through the history does: a map that
// was in sight and is no longer, or is a speck, is fitted. One into which the user has gone stays as it is.
func (s *Stage) Seek(move func()) {
	was := make(map[*Scatter]bool, len(s.shown))
	for _, v := range s.scatters {
		was[v] = v.landmarksInSight()
	}
	move()
	for _, v := range s.scatters {
		if was[v] && !v.landmarksInSight() {
			if b, ok := v.landmarkBounds(); ok {
				v.Eye.Cam.SetLimits(b)
				v.fit(b, true)
			}
		}
	}
}

// leastSeen is the part of the landmarks, and of the view's height or width, that a map in sight has.
const leastSeen, leastSide = 0.7, 0.15

// landmarksInSight says whether the view is one of a map and shows most of its landmarks, not all on a speck.
func (v *Scatter) landmarksInSight() bool {
	if !v.IsMap() || v.Eye.Box.W() <= 0 || v.Eye.Box.H() <= 0 {
		return false
	}
	l := v.View.scene.Map.Landmarks()
	b, seen := v.Eye.Sight(), 0
	var lo, hi [2]float64
	for i := range l.Len() {
		x, y, ok := v.Eye.Screen(place(l.Pos.Row(i)))
		if !ok || x < b.X0 || x > b.X1 || y < b.Y0 || y > b.Y1 {
			continue
		}
		if seen == 0 {
			lo, hi = [2]float64{x, y}, [2]float64{x, y}
		}
		lo = [2]float64{min(lo[0], x), min(lo[1], y)}
		hi = [2]float64{max(hi[0], x), max(hi[1], y)}
		seen++
	}
	wide, high := hi[0]-lo[0] > leastSide*(b.X1-b.X0), hi[1]-lo[1] > leastSide*(b.Y1-b.Y0)
	return seen > 0 && float64(seen) >= leastSeen*float64(l.Len()) && (wide || high || l.Len() == 1)
}

func (v *Scatter) landmarkBounds() (camera.Bounds, bool) {
	if !v.IsMap() {
		return camera.Bounds{}, false
	}
	l := v.View.scene.Map.Landmarks()
	return camera.BoundsOf(l.Pos.Data, l.Pos.Cols)
}

// margins is the room in pixels that a fitted map leaves at the sides, and for the legend.
func (v *Scatter) margins(b camera.Bounds) camera.Margins {
	k := v.Eye.Ratio
	return render.FitMargins(k*float64(v.Eye.Box.W()), k*float64(v.Eye.Box.H()), v.View.scene.pixels()).
		Plus(v.key.room(v, b))
}

// Follow keeps a map that is still forming in the picture, until the user takes the view. It moves the camera
// only when the map has outgrown it or become small in it, so that the picture does not tremble.
func (v *Scatter) Follow(busy bool) {
	v.settling = v.settling || busy // also in flight: a map may come to rest meanwhile
	if v.View.scene.Hand.Active() {
		v.Eye.Land() // nothing may move under the user's hands
	}
	if v.Eye.Moved || v.View.scene.Hand.Active() || v.field == nil {
		return
	}
	if v.rescaled() || v.IsMap() && v.View.scene.Map.Landmarks().ByHand {
		return
	}
	b, ok := v.Extent()
	if !ok {
		return
	}
	if v.settling && leapt(v.fitted, b) {
		v.Fit(false) // it grows faster than the camera flies, as a map does that begins small
	} else if v.Eye.Flying() {
		return
	}
	if v.unfit || v.fits(b) || v.settling && !busy {
		v.Fit(!v.unfit)
	}
	v.settling = busy
}

// refitted is how many frames after another scale of the interface a map is fitted: its legend has been laid out then.
const refitted = 2

// rescaled fits a map, which the user has not moved, after another scale of the interface, with what stands over it as
// large as it is now; one that was arranged by hand, too. It says whether that is going on.
func (v *Scatter) rescaled() bool {
	f := &v.Eye.framing
	if f.fits == 0 {
		return false
	}
	if f.fits--; f.fits == 0 {
		v.Fit(false)
	} else {
		v.View.scene.UI.Again()
	}
	return true
}

// fits says whether the map has outgrown the view or become small in it, or its legend takes another room.
func (v *Scatter) fits(b camera.Bounds) bool {
	l := v.key.room(v, b)
	if v.key.moved(v, l) {
		return true
	}
	if v.Eye.Solid() {
		first := v.middle.to > 0 && v.middle.known && !v.settling && v.Eye.Saved().Span == 0
		return first || v.settling && outgrown(v.fitted, b)
	}
	x0, y0, _ := v.Eye.Screen(camera.Vec{X: b.Min.X, Y: b.Max.Y})
	x1, y1, _ := v.Eye.Screen(camera.Vec{X: b.Max.X, Y: b.Min.Y})
	edge := render.FitMargin * float64(v.View.scene.Scale) / 4
	if min(v.Eye.Box.W(), v.Eye.Box.H()) < 500*v.View.scene.Scale {
		edge /= 4
	}
	k := v.Eye.Ratio
	w, h := float64(v.Eye.Box.W())-(l.Left+l.Right)/k, float64(v.Eye.Box.H())-(l.Top+l.Bottom)/k
	left, top := float64(v.Eye.Box.X0)+l.Left/k, float64(v.Eye.Box.Y0)+l.Top/k
	over := edge
	if !v.View.scene.options.Empty() {
		over = -1 // the bar takes the margin: that is no reason to move
	}
	outside := x0 < left+edge || y0 < top+over || x1 > left+w-edge || y1 > top+h-edge
	small := x1-x0 < 0.75*w && y1-y0 < 0.75*h
	return outside || small
}

// outgrown says whether b is much larger or smaller than the box a that was fitted, or lies elsewhere.
func outgrown(a, b camera.Bounds) bool {
	was, is := extent(a), extent(b)
	return is > 0 && (is > 1.2*was || is < 0.6*was || apart(a.Min, b.Min)+apart(a.Max, b.Max) > was)
}

// leapt says whether b is another size than the box a that was fitted.
func leapt(a, b camera.Bounds) bool {
	was, is := extent(a), extent(b)
	return is > 0 && (is > 1.6*was || is < 0.3*was)
}

func extent(b camera.Bounds) float64 { return apart(b.Min, b.Max) }

func apart(p, q camera.Vec) float64 {
	return math.Sqrt((p.X-q.X)*(p.X-q.X) + (p.Y-q.Y)*(p.Y-q.Y) + (p.Z-q.Z)*(p.Z-q.Z))
}

// Extent returns the box of the map: of all points but the outermost ones (derived.Tail), so that a few outliers do not
// make the rest a speck, and of all landmarks that are there.
func (v *Scatter) Extent() (camera.Bounds, bool) {
	b, ok := v.landmarkBounds()
	p, some := v.pointBounds()
	switch {
	case some && ok:
		b = b.Union(p)
	case some:
		b = p
	}
	return b, ok || some
}

// pointBounds is robustBounds, computed when positions have changed.
func (v *Scatter) pointBounds() (camera.Bounds, bool) {
	p := v.Points()
	if p == nil {
		return camera.Bounds{}, false
	}
	n := min(v.field.Shown(), BoundsSample)
	if c := p.Changes(); c != v.middle.of || n != v.middle.to || !v.middle.known {
		v.middle.of, v.middle.to = c, n
		v.middle.bounds, v.middle.known = robustBounds(p, n, freeAxes(v.View.scene.Map, v.View.State().Recipe))
	}
	return v.middle.bounds, v.middle.known
}

// BoundsSample is how many points a view looks at to fit a map.
const BoundsSample = 4000

// robustBounds returns the box of the middle of the first points, in all coordinates; of all of them along axes of
// their own, unless these are far out.
func robustBounds(p *render.PointBuffer, n int, free bool) (b camera.Bounds, ok bool) {
	data, dims := p.Host(), p.Dims()
	n = min(n, BoundsSample, p.Len())
	if !p.Known(n) {
		return b, false
	}
	var at [3][BoundsSample]float32
	count := 0
	for i := range n {
		row := data[i*dims : (i+1)*dims]
		if slices.ContainsFunc(row, func(x float32) bool { return x-x != 0 }) {
			continue
		}
		for c, x := range row {
			at[c][count] = x
		}
		count++
	}
	if count == 0 {
		return b, false
	}
	x0, x1 := middle(at[0][:count], free)
	y0, y1 := middle(at[1][:count], free)
	b = camera.Bounds{Min: camera.Vec{X: x0, Y: y0}, Max: camera.Vec{X: x1, Y: y1}}
	if dims == 3 {
		b.Min.Z, b.Max.Z = middle(at[2][:count], free)
	}
	return b, true
}

// middle returns the bounds of v without the outermost values on both sides, derived.Tail of them; with all an end
// stays that is no further out than a third of what is between. It sorts v.
func middle(v []float32, all bool) (lo, hi float64) {
	slices.Sort(v)
	cut := int(float64(len(v))*derived.Tail + 0.5)
	lo, hi = float64(v[cut]), float64(v[len(v)-1-cut])
	far := (hi - lo) / 3
	if first := float64(v[0]); all && lo-first <= far {
		lo = first
	}
	if last := float64(v[len(v)-1]); all && last-hi <= far {
		hi = last
	}
	return lo, hi
}
