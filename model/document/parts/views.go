package parts

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/maps/derived"
	"blossom/model/work/embedding"
)

// FirstView is the ID of the view that every document begins with.
const FirstView = "1"

// View is a place of the window that shows an embedding, or something else of another kind.
type View struct {
	ID string `json:"id"`
	// Kind is what the view shows, as the window names it; "": the points of the embedding. Settings are the kind's.
	Kind     string           `json:"kind,omitempty"`
	Settings json.RawMessage  `json:"settings,omitempty"`
	Recipe   embedding.Recipe `json:"embedding"`
	Camera   Camera           `json:"camera"`
	// Shown over the points.
	Landmarks bool `json:"landmarks"`
	Names     bool `json:"names"`             // names of landmarks are shown
	NoWords   bool `json:"noWords,omitempty"` // names of populations are not
	Legend    bool `json:"legend"`
	// LegendAt is how the legend stands there.
	LegendAt  LegendAt `json:"legendAt,omitzero"`
	Axes      bool     `json:"axes"`
	Turntable bool     `json:"turntable"` // 3D only: turns about the vertical axis only
	// Linked views zoom and pan together, and have one look: that of the first of them.
	Linked bool `json:"linked,omitempty"`
	// Tree: the spanning tree of the points is drawn over them.
	Tree bool `json:"tree,omitempty"`
	// Contours: lines of equal density are drawn over the points of a flat map, or in their place.
	Contours Contours `json:"contours,omitempty"`
	// ContourLabels: the lines say which share of the points lies within.
	ContourLabels bool `json:"contourLabels,omitempty"`
	// AllRows is how it shows how densely all rows of a finished folder lie, of which the points are a sample.
	AllRows AllRows `json:"allRows,omitempty"`
	// The population whose points it shows alone, 0: all points. One that is gone is as none.
	Of population.ID `json:"of,omitempty"`
}

// LegendAt is how a legend stands in its view. The zero value is the lower left corner.
type LegendAt struct {
	Folded bool `json:"folded,omitempty"` // its title alone
	// X and Y are where, 0 to 1: from the left to the right and from the foot to the head.
	X float64 `json:"x,omitempty"`
	Y float64 `json:"y,omitempty"`
	// Room is whether a map that is fitted leaves room for it.
	Room LegendRoom `json:"room,omitempty"`
}

// Unmoved says whether nobody has said how the legend is to stand over the map.
func (l LegendAt) Unmoved() bool { return !l.Folded && l.X == 0 && l.Y == 0 && l.Room != LegendOver }

// LegendRoom says whether a map that is fitted leaves room for the legend.
type LegendRoom string

// Room for legends.
const (
	RoomThatSuits LegendRoom = "" // always for a list of names; for a bar where the map stays about as large
	LegendBeside  LegendRoom = "beside"
	LegendOver    LegendRoom = "over"
)

// sane returns the place, in the corner where its numbers are none.
func (l LegendAt) sane() LegendAt {
	if !(l.X >= 0 && l.X <= 1 && l.Y >= 0 && l.Y <= 1) {
		l.X, l.Y = 0, 0
	}
	if l.Room != LegendBeside && l.Room != LegendOver {
		l.Room = RoomThatSuits
	}
	return l
}

// Contours is how a view shows lines of equal density.
type Contours string

// Contours of a view.
const (
	NoContours    Contours = ""
	ContoursOver  Contours = "over"  // over the points
	ContoursAlone Contours = "alone" // in their place
)

// AllContours are those that there can be.
var AllContours = []Contours{NoContours, ContoursOver, ContoursAlone}

// AllRows is how a view shows how densely all rows lie that its points are a sample of.
type AllRows string

// Ways to show all rows.
const (
	AllRowsSuit    AllRows = ""        // in the place of points that would say no more, else beneath them
	AllRowsBeneath AllRows = "beneath" // beneath the points
	NoAllRows      AllRows = "none"    // not at all
)

// WaysOfAllRows are those that there can be.
var WaysOfAllRows = []AllRows{AllRowsSuit, AllRowsBeneath, NoAllRows}

// Camera is where a view looks; its meaning is the window's. All zero: it fits what there is.
type Camera struct {
	X     float64    `json:"x"` // place of the centre
	Y     float64    `json:"y"`
	Z     float64    `json:"z,omitempty"`
	Scale float64    `json:"scale,omitempty"` // 2D: screen units per world unit
	Span  float64    `json:"span,omitempty"`  // 3D: world units that the smaller side of the view covers
	Turn  [4]float64 `json:"turn,omitzero"`   // 3D: a quaternion w, x, y, z
}

// Set says whether the camera has been put somewhere.
func (c Camera) Set() bool { return c.Scale > 0 || c.Span > 0 }

// Sane returns the camera, or one that fits where its numbers are none that a view can look with: not finite, which
// no file can hold, or so far from what positions are that drawing would overflow.
func (c Camera) Sane() Camera {
	const far = 1e100 // squares and quotients of it are finite
	for _, x := range [...]float64{c.X, c.Y, c.Z, c.Scale, c.Span, c.Turn[0], c.Turn[1], c.Turn[2], c.Turn[3]} {
		if !(math.Abs(x) <= far) {
			return Camera{}
		}
	}
	for _, x := range []float64{c.Scale, c.Span} {
		if x != 0 && !(x >= 1/far) {
			return Camera{}
		}
	}
	return c
}

// NewView returns a view of an embedding as views begin.
func NewView(id string, r embedding.Recipe) View {
	return View{ID: id, Recipe: r, Landmarks: true, Legend: true, Axes: true, Turntable: true}
}

// ViewList is the views of a document, one to four, and how they lie. It is never changed in place.
type ViewList struct {
	Views  []View          `json:"views"`
	Active string          `json:"active"`
	Layout json.RawMessage `json:"layout,omitempty"` // the window's own
	// Hidden are the populations whose points no view shows. One that is gone hides none.
	Hidden []population.ID `json:"hidden,omitempty"`
}

// MaxViews is how many views there may be.
const MaxViews = 4

// Views is what the window shows. Its changes are no entries of the history.
var Views = state.Register(state.Kind[ViewList]{
	ID: "views", Title: "Views", Version: 1, View: true,
	Default: oneView,
	Equal: func(a, b ViewList) bool {
		return a.Active == b.Active && slices.Equal(a.Layout, b.Layout) && slices.Equal(a.Hidden, b.Hidden) &&
			slices.EqualFunc(a.Views, b.Views, func(x, y View) bool {
				same := x.Recipe.Equal(y.Recipe)
				x.Recipe, y.Recipe = embedding.Recipe{}, embedding.Recipe{}
				return same && x.equal(y)
			})
	},
	Encode: encode[ViewList],
	Decode: decodeViews,
})

func oneView() ViewList {
	return ViewList{Views: []View{NewView(FirstView, embedding.EmbedSOM())}, Active: FirstView}
}

// equal compares all but the recipe.
func (v View) equal(o View) bool {
	return v.ID == o.ID && v.Camera == o.Camera && v.Landmarks == o.Landmarks && v.Names == o.Names &&
		v.NoWords == o.NoWords &&
		v.Legend == o.Legend && v.LegendAt == o.LegendAt && v.Axes == o.Axes && v.Turntable == o.Turntable &&
		v.Linked == o.Linked && v.Tree == o.Tree && v.Contours == o.Contours &&
		v.ContourLabels == o.ContourLabels && v.AllRows == o.AllRows && v.Of == o.Of &&
		v.Kind == o.Kind && bytes.Equal(v.Settings, o.Settings)
}

// decodeViews reads the views. One that cannot be shown (an unknown embedding, a column that is gone)
// shows EmbedSOM instead, and a list that is damaged is that of a new document, which is noted: how a map was
// looked at is no reason to lose it.
func decodeViews(raw json.RawMessage, _ int, c state.Context) (ViewList, error) {
	l, err := readViews(raw, c)
	if err != nil {
		return oneView(), leftOut(c, "its views are left out", err)
	}
	return l, nil
}

func readViews(raw json.RawMessage, c state.Context) (ViewList, error) {
	var l ViewList
	if err := decode(raw, "the views", &l); err != nil {
		return l, err
	}
	if len(l.Views) == 0 || len(l.Views) > MaxViews {
		return l, problem.New(c.File, remedy, "it has %d views", len(l.Views))
	}
	for i := range l.Views {
		v := &l.Views[i]
		if v.ID == "" || slices.ContainsFunc(l.Views[:i], func(o View) bool { return o.ID == v.ID }) {
			return l, problem.New(c.File, remedy, "its views have no names of their own")
		}
		v.Camera, v.LegendAt = v.Camera.Sane(), v.LegendAt.sane()
		if !slices.Contains(AllContours, v.Contours) {
			v.Contours = NoContours
		}
		if !slices.Contains(WaysOfAllRows, v.AllRows) {
			v.AllRows = AllRowsSuit
		}
		if err := embedding.Check(v.Recipe, c.Data, madeOf(c.Data)); err != nil {
			if c.Note != nil {
				c.Note("a view shows EmbedSOM in place of what it showed: " + problem.As(err).What)
			}
			v.Recipe, v.Camera = embedding.EmbedSOM(), Camera{}
		}
	}
	if !slices.ContainsFunc(l.Views, func(v View) bool { return v.ID == l.Active }) {
		l.Active = l.Views[0].ID
	}
	l.Hidden = l.Hidden[:min(len(l.Hidden), population.Most)]
	return l, nil
}

// madeOf knows the columns that can be made of data and its embeddings.
func madeOf(data *dataset.Dataset) func(name string) bool {
	return func(name string) bool {
		_, _, ok := derived.Named(data, name, embedding.Sources())
		return ok
	}
}

// Get returns the view of an ID, or the first.
func (l ViewList) Get(id string) View {
	for _, v := range l.Views {
		if v.ID == id {
			return v
		}
	}
	return l.Views[0]
}

// Hide returns the list with the points of a population hidden, or shown again.
func (l ViewList) Hide(id population.ID, hidden bool) ViewList {
	was := l.Hidden
	l.Hidden = slices.DeleteFunc(slices.Clone(was), func(o population.ID) bool { return o == id })
	if hidden {
		l.Hidden = append(l.Hidden, id)
	}
	if len(l.Hidden) == 0 {
		l.Hidden = nil
	}
	return l
}

// LookOf returns the ID of the view whose look a view has: its own, or where it is linked the first linked one's.
func (l ViewList) LookOf(id string) string {
	if !l.Get(id).Linked {
		return id
	}
	for _, v := range l.Views {
		if v.Linked {
			return v.ID
		}
	}
	return id
}

// Edit returns the list with a changed view.
func (l ViewList) Edit(id string, change func(*View)) ViewList {
	l.Views = slices.Clone(l.Views)
	for i := range l.Views {
		if l.Views[i].ID == id {
			change(&l.Views[i])
		}
	}
	return l
}
