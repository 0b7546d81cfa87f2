package view

import (
	"encoding/json"
	"slices"
	"sort"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/document/parts"
	"blossom/render"
	"blossom/render/scene"
	"blossom/ui/widget"
)

// Kind describes what can fill a view. A kind is registered, and so stands in the menu of every header, in the palette,
// in the split, in sessions and in pictures.
type Kind struct {
	ID    string // as sessions have it
	Title string
	Help  string
	Also  string // other words that the palette finds it by
	Icon  string // from package assets
	Order int    // place in menus, from the top
	New   func(*View) Content
}

// Content is what fills a view. It reads the document and draws into its place in the window.
type Content interface {
	// Label names what is shown, and says a little of it, for pictures.
	Label() (title, note string)
	// Head adds what the header of the view shows: its name, a note, what it is coloured by.
	Head(o widget.HeaderOpts) widget.HeaderOpts
	// Hit does what was done to the parts of the header that are of this kind. It is called in each frame, and may
	// draw menus.
	Hit(h widget.HeaderHit)
	// Place tells where it is drawn, in screen units, with so many framebuffer pixels a unit. Where still, something
	// has come to lie over an edge or has gone, and what is seen stays where it is.
	Place(b Box, ratio float64, still bool)
	// Update brings it up to the document, Draw its pictures up to that; busy: the map moves on.
	Update(now time.Time)
	Draw(busy bool)
	// Present puts it on the window's canvas, and lets the mouse work on it.
	Present(dl *imgui.DrawList)
	// Stir says what is still under way.
	Stir() Stir
	// Fit shows all, Reset all as it began. Glide and GlideZoom move by shares of the view, for the keys.
	Fit(smooth bool)
	Reset()
	Glide(dx, dy float64)
	GlideZoom(factor float64)
	// Picture says how a picture for a file shows it, PictureSize how large it is now, in framebuffer pixels.
	Picture(o scene.Options) (render.PictureOptions, error)
	PictureSize() (w, h int)
	// Keep puts into the document what it keeps there of how it is looked at. Free gives back what it holds of OpenGL.
	Keep()
	Free()
}

// Stir is what is under way in a view.
type Stir struct {
	Moving     bool // its content is on its way
	Unfinished bool // its picture is being drawn
	Flying     bool // its camera moves
}

// ScatterKind is the ID of views of points, which every view begins as.
const ScatterKind = ""

var viewKinds []Kind

// RegisterKind adds a kind of view, from the init of its file, and returns what takes it out again, for tests. It
// panics if the ID is taken.
func RegisterKind(k Kind) (remove func()) {
	if _, taken := kindOf(k.ID); taken || k.ID == ScatterKind {
		panic("view: kind registered twice: " + k.ID)
	}
	viewKinds = append(viewKinds, k)
	sort.SliceStable(viewKinds, func(i, j int) bool { return viewKinds[i].Order < viewKinds[j].Order })
	return func() { viewKinds = slices.DeleteFunc(viewKinds, func(x Kind) bool { return x.ID == k.ID }) }
}

// Kinds returns all kinds but the scatter, which is what embeddings are shown in.
func Kinds() []Kind { return slices.Clone(viewKinds) }

func kindOf(id string) (Kind, bool) {
	i := slices.IndexFunc(viewKinds, func(k Kind) bool { return k.ID == id })
	if i < 0 {
		return Kind{}, false
	}
	return viewKinds[i], true
}

// ShowKind fills a view with another kind, by its ID. What the view was looked at with as another kind is kept.
func (s *Stage) ShowKind(v *View, id string) {
	v.Edit(func(p *parts.View) { p.Kind = id })
	v.fill()
}

// ShowPoints has the view show the points of its embedding.
func (v *View) ShowPoints() { v.Edit(func(p *parts.View) { p.Kind = ScatterKind }) }

// fill makes the content of the kind that the document has for the view. One that nobody knows here is shown as points,
// and kept.
func (v *View) fill() {
	id := v.State().Kind
	if v.content != nil && id == v.kind {
		return
	}
	if v.content != nil && v.content != Content(v.scatter) {
		v.content.Free()
	}
	v.kind, v.content = id, v.scatter
	if k, ok := kindOf(id); ok {
		v.content = k.New(v)
	}
}

// Scatter is the view as one of points, or nil where it shows something else.
func (v *View) Scatter() *Scatter {
	if v.content == Content(v.scatter) {
		return v.scatter
	}
	return nil
}

// Content is what fills the view.
func (v *View) Content() Content { return v.content }

// Settings reads what a kind keeps of a view into to, and leaves that alone where there is nothing, or nothing that can
// be read.
func (v *View) Settings(to any) {
	if raw := v.State().Settings; len(raw) > 0 {
		_ = json.Unmarshal(raw, to) // settings of another program leave the defaults
	}
}

// SetSettings puts what a kind keeps of a view into the document.
func (v *View) SetSettings(from any) {
	raw, err := json.Marshal(from)
	if err != nil {
		v.scene.Fail(err)
		return
	}
	if string(raw) != string(v.State().Settings) {
		v.Edit(func(p *parts.View) { p.Settings = raw })
	}
}

// Scene is what the view shares with the others.
func (v *View) Scene() *Scene { return v.scene }
