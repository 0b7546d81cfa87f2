package view

import (
	"context"
	"image"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/maps/pyramid"
	"blossom/model/work"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/scene"
	"blossom/ui/widget"
)

// allRowsOver is how densely all rows of a finished folder lie, behind the points of a view or in their place.
type allRowsOver struct {
	value *work.Value[allRowsSpan, *pyramid.Region]
	now   allRowsKey
	shown *scene.AllRows // nil: they are not shown
}

// allRowsKey is what their picture depends on, beside the camera.
type allRowsKey struct {
	region revision.Revision // 0: there is none
	alone  bool              // they stand in the place of the points
	faded  bool              // they are where the points were
	dark   bool
	look   string
}

// allRowsSpan is which cells of them are read, and of which folder.
type allRowsSpan struct {
	pyramid.Span
	of *pyramid.Pyramid
}

// keptBlock is how many cells more of them are read than are seen, at the edges.
const keptBlock = 128

func keepAllRows(all *work.Values, a *allRowsOver) {
	a.value = work.Keep[allRowsSpan, *pyramid.Region](all, work.Policy{Title: "Density of all rows", Quiet: true,
		Background: true, Finish: true, Remedy: "open the folder again"})
}

// of is the folder whose rows the view can show; nil: there is none, or it shows something else.
func (a *allRowsOver) of(v *Scatter) *live.AllRows {
	all := live.AllRowsOf(v.View.scene.Map)
	if all == nil || all.Density == nil || v.dims != 2 || !all.On(v.field) || v.among.states != nil ||
		v.View.State().AllRows == parts.NoAllRows {
		return nil
	}
	return all
}

// update brings what is shown up to the view.
func (a *allRowsOver) update(v *Scatter) {
	all := a.of(v)
	if all == nil {
		a.now, a.shown = allRowsKey{}, nil
		return
	}
	s, look := v.View.scene, sceneLook(v.View.Look())
	frame := all.Density.Frame
	span := scene.Seen(frame, all.Density.Inside, v.Eye.Cam.Projection()).Widened(keptBlock)
	if a.value.Want(allRowsSpan{span, all.Density}) {
		cost := work.Aside // reading a file may take long
		if all.Density.Has(span) {
			cost = 8 * work.Ops(span.Cols*span.Rows)
		}
		a.value.Make(cost, func(ctx context.Context, _ func(done, total int64)) (*pyramid.Region, error) {
			return all.Density.Read(ctx, span)
		})
	}
	key := allRowsKey{region: a.value.Rev(), faded: all.Footing() == live.Moved, dark: s.Dark,
		look: look.Palette + "|" + look.Tally.Scale.Word()}
	if look.Reverse {
		key.look += "|reversed"
	}
	key.alone = v.View.State().AllRows == parts.AllRowsSuit && !key.faded && v.Colours.Values == nil && !s.Dim
	if key == a.now {
		return
	}
	a.now, a.shown = key, nil
	if r, ok := a.value.Now(); ok && key.region != 0 {
		a.shown = scene.AllRowsOf(frame, r, look, s.Dark, !key.alone, key.faded)
	}
}

// alone says whether they stand in the place of the points.
func (a *allRowsOver) alone() bool { return a.shown != nil && a.now.alone }

// reading says whether they are on their way.
func (a *allRowsOver) reading() bool { return a.value.Busy() }

// put puts them behind the points of a picture that has begun.
func (a *allRowsOver) put(l *render.Layer, v *Scatter) {
	if a.shown != nil {
		l.BehindPicture(a.shown.Backdrop(v.Eye.Cam.Projection()))
	}
}

// print puts them into a picture for a file, which may show more than the view: in the cells of the view, with its
// colours.
func (a *allRowsOver) print(v *Scatter, o *render.PictureOptions) {
	all := a.of(v)
	if a.shown == nil || all == nil {
		return
	}
	shown, frame := *a.shown, all.Density.Frame
	o.Backdrop = func(p camera.Projection) *image.RGBA {
		now := shown
		r, err := all.Density.Read(context.Background(), scene.SeenIn(frame, p, shown.Region.Side))
		if err == nil { // else what the view has of them: its failure was told there
			now.Region = r
		}
		return now.Backdrop(p)
	}
	o.Bare = o.Bare || a.alone()
	if o.Legend != nil || v.View.State().Legend {
		o.Keys = append(o.Keys, shown.Key(o.Theme))
	}
	if text := a.words(v); o.Note != "" {
		o.Note += " · " + text
	} else {
		o.Note = text
	}
}

// words say how many of the rows are points, and what the density is of; "": nothing is to be said.
func (a *allRowsOver) words(v *Scatter) string {
	all := a.of(v)
	if all == nil || a.shown == nil {
		return ""
	}
	of := ""
	if a.now.faded {
		if of = scene.SavedMap; all.ByLandmarks() {
			of = scene.SavedLandmarks
		}
	}
	return scene.SampleNote(v.View.scene.Map.Doc.Data.Points, all.Rows, of)
}

// remakes is what makes the density of all rows anew.
const remakes = "Embed again"

// Remaking is how all rows are placed anew, where they can be.
type Remaking struct {
	Can bool
	Tip string
	Run func()
}

// Draw shows it on the views of a stage whose density is of another map than the points: over what says so.
func (c Remaking) Draw(s *Stage) {
	for _, v := range s.Scatters() {
		a := &v.allRows
		if a.shown == nil || !a.now.faded || a.words(v) == "" || !c.Can {
			continue
		}
		u, in := s.Scene.UI, v.Rect()
		w, h := u.Width(widget.Small, remakes)+u.Pt(18), u.Pt(22) // with its ends
		if w+u.Pt(24) > in.W() || h+u.Pt(80) > in.H() {
			continue
		}
		at := widget.R(in.X1-u.Pt(12)-w, in.Y1-u.Pt(30)-h, w, h)
		u.Area("remake"+v.View.ID.Key(), at, widget.AreaOpts{Clear: true}, func() {
			if u.Button(remakes+"##remake", widget.ButtonOpts{Small: true, Tip: c.Tip}) {
				c.Run()
			}
		})
	}
}

func init() {
	RegisterOver(Over{Order: 22, Draw: func(v *Scatter, dl *imgui.DrawList) {
		text, p := v.allRows.words(v), inkOver(dl, v.View.scene, v.Eye)
		w, h := v.Eye.Cam.Viewport()
		if text != "" {
			render.PaintNote(p, text, float64(w), float64(h), v.View.scene.Theme, true)
		}
	}, Print: func(v *Scatter, o *render.PictureOptions) { v.allRows.print(v, o) }})
}
