package view

import (
	"image/color"
	"slices"
	"strconv"
	"time"

	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/selection"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/render/scene"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Scene is what all views of a document share in a frame.
type Scene struct {
	Map      *live.Map
	UI       *widget.UI
	Renderer *render.Renderer
	Hand     *Hand
	States   *render.StateBuffer // which points are selected
	Dim      bool                // some are: the others stand back
	Hover    *Hover
	Scale    float32 // screen units per point
	Ratio    float64 // framebuffer pixels per screen unit
	Theme    render.Theme
	Dark     bool
	Fail     func(error)
	Gating   Gating

	parent      parent
	options     widget.Rect // bar with the options of a tool, over the views; empty: there are none
	halo        halo
	one         [1]int
	gripPoints  func() []int32 // some of the points that are selected
	linked      func() []*View
	legends     []*legend.Legend // legends of the views before this one, in this frame
	spare       []widget.Rect    // rectangles that nothing may cover in this frame: see Spare
	lit, asked  lit
	colours     columnMenu
	populations ofMenu
}

// told says whether a view before this one shows the same legend, and remembers that it is shown now.
func (s *Scene) told(l *legend.Legend) bool {
	if slices.ContainsFunc(s.legends, l.Same) {
		return true
	}
	s.legends = append(s.legends, l)
	return false
}

// Spare says, in a frame, that messages are not to lie over a place of a view, as over the names of what is below.
func (s *Scene) Spare(r widget.Rect) { s.spare = append(s.spare, r) }

// Spared are the places of this frame that messages are not to lie over.
func (s *Scene) Spared() []widget.Rect { return s.spare }

// pixels is pixels per point.
func (s *Scene) pixels() float64 { return float64(s.Scale) * s.Ratio }

// SetSelection selects points, as one entry of the history.
func (s *Scene) SetSelection(name string, set *selection.Set) {
	s.Map.Doc.Do(name, func(now *state.State) { parts.Select(now, set) })
}

// SelectNamed selects points that have a name, as one entry of the history: Shift adds them and Alt takes them away;
// where they are what is selected it lets go of them.
func (s *Scene) SelectNamed(name string, set *selection.Set) {
	old, title := parts.Selection.Of(s.Map.Doc.State()), "Select "+name
	io := imgui.CurrentIO()
	switch {
	case io.KeyShift():
		set, title = selection.Union(old, set), "Add "+name+" to the selection"
	case io.KeyAlt():
		set, title = selection.Subtract(old, set), "Take "+name+" from the selection"
	case selection.Equal(old, set):
		set, title = selection.None(s.Map.Doc.Data.Points), "Select nothing"
	}
	s.SetSelection(title, selection.Replace(old, set))
}

// View is a place of the window, which one of the kinds fills.
type View struct {
	ID    ID
	scene *Scene
	// Header is where the view's header is, room that of what it shows, area the place of both.
	Header     widget.Rect
	area, room Box

	kind    string
	content Content
	scatter *Scatter // kept while another kind is shown: panels speak of it, and it comes back as it was
}

// Scatter is a view that shows the points of an embedding: a camera, a picture, and what lies over it.
type Scatter struct {
	View    *View
	Eye     *Eye
	Colours Colours

	field    *live.Embedding
	dims     int
	free     bool            // its axes have units of their own
	target   embedsom.Target // the target of the picture's embedding
	picture  picture
	settling bool
	began    int           // how often its embedding had begun anew
	unfit    bool          // the embedding is new, and its points have not been there to be fitted
	fitted   camera.Bounds // when it was fitted the last time
	axes     axesOver
	graph    graphOver
	tree     treeOver
	contours contourOver
	allRows  allRowsOver
	words    words
	among    among
	// LegendBox is where the legend lies; empty: there is none.
	LegendBox widget.Rect
	key       legendOver
	quality   qualityOver
	ran       runText
	middle    middleOf
	names     named // in the frame that was drawn last
}

// Lens implements Ground, Glide and GlideZoom Content.
func (v *Scatter) Lens() *Eye               { return v.Eye }
func (v *Scatter) Glide(dx, dy float64)     { v.Eye.Glide(dx, dy) }
func (v *Scatter) GlideZoom(factor float64) { v.Eye.GlideZoom(factor) }

// middleOf is the box of the middle of the points, kept until they change.
type middleOf struct {
	bounds camera.Bounds
	known  bool
	of     uint64 // the changes of positions that it is of
	to     int    // the points looked at
}

// Key is the ID as the document's parts have it.
func (id ID) Key() string { return strconv.Itoa(int(id)) }

// ParseID reads a Key; 0 is none.
func ParseID(key string) ID {
	n, err := strconv.ParseUint(key, 10, 32)
	if err != nil {
		return 0
	}
	return ID(n)
}

// New returns a view of the scene.
func New(id ID, scene *Scene) *View {
	v := &View{ID: id, scene: scene}
	v.scatter = &Scatter{View: v, Eye: NewEye(2)}
	v.scatter.picture.layer = scene.Renderer.NewLayer()
	keepColours(&scene.Map.Values, &v.scatter.Colours)
	keepContours(&scene.Map.Values, &v.scatter.contours)
	keepAllRows(&scene.Map.Values, &v.scatter.allRows)
	v.fill()
	return v
}

// Free gives back what the view holds of OpenGL.
func (v *View) Free() {
	if v.Scatter() == nil {
		v.content.Free()
	}
	v.scatter.Free()
}

// Free gives back what the picture holds of OpenGL, and what colours it.
func (v *Scatter) Free() {
	v.picture.free()
	v.among.free()
	v.Colours.value.Drop()
	v.contours.value.Drop()
	v.allRows.value.Drop()
}

// lie puts the view in a place, its header at the top and what it shows below that and below a bar, if that is there.
func (v *View) lie(at Box, header float32, bar widget.Rect) {
	v.area, v.room = at, at
	v.Header = widget.Rect{X0: at.X0, Y0: at.Y0, X1: at.X1, Y1: min(at.Y0+header, at.Y1)}
	v.room.Y0 = v.Header.Y1
	if bar.Overlaps(widget.Rect(v.room)) {
		v.room.Y0 = bar.Y1
	}
	v.room.Y0 = min(v.room.Y0, v.room.Y1-1)
}

// Area is the place of the view with its header.
func (v *View) Area() widget.Rect { return widget.Rect(v.area) }

// Room is where what the view shows stands: below its header, and below a bar of options that lies over it.
func (v *View) Room() widget.Rect { return widget.Rect(v.room) }

// State is the view as the document has it.
func (v *View) State() parts.View { return parts.Views.Of(v.scene.Map.Doc.State()).Get(v.ID.Key()) }

// Look is how the view's points are coloured and drawn: its own look, or the active view's where it is linked.
func (v *View) Look() parts.Look {
	s := v.scene.Map.Doc.State()
	l := parts.Views.Of(s)
	return parts.Looks.Of(s).Get(l.LookOf(v.ID.Key()))
}

// Edit changes what the view shows, which is no entry of the history.
func (v *View) Edit(change func(*parts.View)) {
	id := v.ID.Key()
	v.scene.Map.Doc.Look(func(s *state.State) {
		parts.Views.Put(s, parts.Views.Of(*s).Edit(id, change))
	})
}

// Field is the embedding in the view.
func (v *Scatter) Field() *live.Embedding { return v.field }

// Points is the buffer of positions, or nil while there is none.
func (v *Scatter) Points() *render.PointBuffer {
	if v.field == nil {
		return nil
	}
	p, _ := v.field.Target().(*render.PointBuffer)
	return p
}

// IsMap says whether the view shows EmbedSOM, where the landmarks are.
func (v *Scatter) IsMap() bool { return v.field != nil && v.field == v.View.scene.Map.EmbedSOM() }

// Arranged says whether points lie where somebody has moved landmarks to by hand.
func (v *Scatter) Arranged() bool {
	return v.IsMap() && parts.Landmarks.Of(v.View.scene.Map.Doc.State()).ByHand
}

// HasLandmarks says whether landmarks can be seen, and grabbed, in the view.
func (v *Scatter) HasLandmarks() bool { return v.IsMap() && v.View.State().Landmarks }

// Update brings the view up to its state in the document: embedding, camera, colours. To be called before Draw.
func (v *Scatter) Update(now time.Time) {
	v.refresh()
	v.Eye.Update(now)
}

func (v *Scatter) refresh() {
	s := v.View.State()
	field := v.View.scene.Map.Embedding(s.Recipe)
	fresh := field != v.field || field.Target() != v.target
	v.field, v.target = field, field.Target()
	if dims := field.Dims(); dims != v.dims || fresh {
		v.dims = dims
		v.Eye.SetDims(dims)
		v.free = freeAxes(v.View.scene.Map, s.Recipe)
		v.Eye.SetFree(v.free)
		v.Eye.Moved, v.middle.known, v.unfit = false, false, true
		v.picture.renew()
		v.Fit(false)
		v.Eye.Load(s.Camera)
	}
	if n := field.Began(); n != v.began {
		v.began = n
		if !fresh { // it lies elsewhere than what the user has looked at
			v.Eye.Moved, v.middle.known, v.unfit = false, false, true
		}
	}
	v.Eye.SetTurntable(s.Turntable)
	v.among.update(v)
	v.Colours.update(v.View.scene.Map, v.View.Look(), v.IsMap())
}

// Keep puts the camera into the document, for sessions.
func (v *Scatter) Keep() {
	if v.Eye.Flying() || v.field == nil {
		return
	}
	now := v.Eye.Kept().Sane()
	if v.View.State().Camera != now {
		v.View.Edit(func(s *parts.View) { s.Camera = now })
	}
}

// Colouring is how points are coloured now.
func (v *Scatter) Colouring() palette.Colouring {
	return scene.Colouring(v.Colours.Values, sceneLook(v.View.Look()), v.View.scene.Dark, color.NRGBA{})
}

// Style is how points look now: as the user set it, or adapted to how many are drawn.
func (v *Scatter) Style() render.Style {
	w, h := v.Eye.Cam.Viewport()
	scale, look := v.View.scene.pixels(), v.View.Look()
	// The embedding of a view that has just been made comes with the next frame.
	shown := v.View.scene.Map.Table().X.Rows
	if v.field != nil {
		shown = v.among.count(v.field.Placed())
	}
	size, opacity := render.AutoStyle(shown, w, h, scale, v.cover())
	if look.Size > 0 {
		size = float32(look.Size * scale)
	}
	if look.Opacity > 0 {
		opacity = float32(look.Opacity)
	}
	cells := sceneLook(look).Cells(v.Colours.Values, scale)
	if cells.Cells() {
		if opacity = float32(look.Opacity); !(cells.Size > 0) {
			cells.Size = render.AutoCell(cells, shown, w, h, scale, v.cover())
		}
	}
	c := v.Colouring()
	if l := v.View.scene.lit; l.label > 0 && l.column == v.Colours.Column && c.Labels > 0 {
		c.Only = l.label
	}
	return render.Style{Size: size, Opacity: opacity, Colouring: c, DimUnselected: v.View.scene.Dim,
		Ground: render.Haze(c, v.View.scene.Theme), Tally: cells}
}

// Drawn is the diameter of a point, or the size of a cell that points are counted in, in points of the screen, and its
// opacity, also where they adapt.
func (v *Scatter) Drawn() (size, opacity float64) {
	s := v.Style()
	if s.Tally.Cells() {
		return s.Tally.Size / v.View.scene.pixels(), float64(s.Opacity)
	}
	return float64(s.Size) / v.View.scene.pixels(), float64(s.Opacity)
}

// cover returns the share of the picture that the map takes: of the landmarks' box, which does not tremble.
func (v *Scatter) cover() float64 {
	if v.IsMap() {
		l := v.View.scene.Map.Landmarks()
		if b, ok := camera.BoundsOf(l.Pos.Data, l.Pos.Cols); ok {
			return render.Cover(v.Eye.Cam, b)
		}
		return 0
	}
	if b, ok := v.Extent(); ok {
		return render.Cover(v.Eye.Cam, b)
	}
	return 0
}

// Data is the table behind the view.
func (v *View) Data() *dataset.Dataset { return v.scene.Map.Doc.Data }

// MapColumns is the columns of the table that make the map.
func (v *View) MapColumns() []int { return v.scene.Map.Table().Cols }
