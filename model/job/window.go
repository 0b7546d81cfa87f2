package job

import (
	"context"
	"io"
	"math"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/run"
	"blossom/model/work/embedding"
)

// Window has a picture be drawn by the views of a session themselves, as a window shows them: every kind of view, with
// what lies over it.
type Window struct {
	Views []Standing `json:"views"` // one, or those of a page
	Page  bool       `json:"page,omitempty"`
	// Across is how many stand beside each other on a page where they say no place; 0: as suits. Letters has a, b, c
	// before their names.
	Across  int  `json:"across,omitempty"`
	Letters bool `json:"letters,omitempty"`
	Bare    bool `json:"bare,omitempty"` // without landmarks
	// Scale is how many units of a window's screen a point of length has, Ratio how many pixels such a unit has; 0: a
	// unit is a point of the picture.
	Scale float64 `json:"scale,omitempty"`
	Ratio float64 `json:"ratio,omitempty"`
	// Large has landmarks be as a tool of theirs shows them. Selected are those that are selected, and Population the
	// one that is chosen.
	Large      bool  `json:"large,omitempty"`
	Selected   []int `json:"selected,omitempty"`
	Population int   `json:"population,omitempty"`
}

// Standing is how a view stands in a window.
type Standing struct {
	View string `json:"view"`
	// Room is where it stands there, from the left and the top to the right and below, in units of the screen; all 0:
	// it is as large as in the picture.
	Room [4]float32 `json:"room,omitzero"`
	Page [4]int     `json:"page,omitzero"` // the same on the page, in pixels of the picture
	// Camera is where it looks, Fitted whether that is by itself. A camera that is nowhere fits.
	Camera parts.Camera `json:"camera,omitzero"`
	Fitted bool         `json:"fitted,omitempty"`
	First  int          `json:"first,omitempty"` // label at the top of its legend
}

// Views draw a picture that has a window. A program that has them sets it; in others it is nil.
var Views func(ctx context.Context, p *Picture, w *Work, text [][2]string) (func(io.Writer) error, error)

// viewless says that the program has no views.
func viewless() error {
	if Views != nil {
		return nil
	}
	return problem.New("", "take the blossom with a window, or draw the map: leave the view out",
		"this blossom has no views that draw themselves")
}

// seen are the parts of a state that say how it is looked at.
var seen = []string{"views", "looks", "graph", "contrast"}

// WantedOf has a job want the picture, drawn by views, in a state that is put into the job as far as it can be.
func (p *Picture) WantedOf(j *Job, now state.State) error {
	if err := j.PutState(now, seen...); err != nil {
		return err
	}
	j.Want(p)
	return nil
}

// lookFlags are those of a picture that say what views show.
var lookFlags = []string{"colour", "color", "colour-and", "colour-scale", "centre", "palette", "reverse", "range",
	"draw", "density-scale", "cell", "smooth", "cells-show", "point-size", "opacity", "no-legend", "show-landmarks",
	"show-names", "all-points", "box", "turn", "contours", "contour-labels", "embedding", "population", "at",
	"positions", "coordinates", "one-range"}

// byThemselves has a picture be drawn by views of the session, as its window shows them.
func (j Sights) byThemselves(p *Picture, views []parts.View, given func(name string) bool) error {
	for _, name := range lookFlags {
		if given(name) {
			return run.Usage{Err: problem.New("", "leave it out, or choose views of points alone",
				"--%s does not go with a view of another kind, which shows what its window has chosen", name)}
		}
	}
	if p.Window == nil {
		p.Window = &Window{}
	}
	p.Wall = Wall{}
	for _, v := range views {
		p.Window.Views = append(p.Window.Views, Standing{View: v.ID})
	}
	return j.PutState(j.had.state, seen...)
}

// wrong says what is wrong with a window, for a picture of a size in pixels.
func (s *Window) wrong(size [2]int) error {
	bad := func(format string, args ...any) error {
		return problem.New("", "take the numbers of a window", format, args...)
	}
	if n := len(s.Views); n < 1 || n > parts.MaxViews || !s.Page && n != 1 {
		return problem.New("", "name one, or up to four for a page", "a window of %d views is not possible", n)
	}
	if !(s.Scale >= 0 && s.Scale <= 100 && s.Ratio >= 0 && s.Ratio <= 100) || (s.Scale == 0) != (s.Ratio == 0) {
		return bad("a screen of %g units a point and %g pixels a unit is not possible", s.Scale, s.Ratio)
	}
	if s.Across < 0 || s.Across > parts.MaxViews || s.Population < 0 {
		return bad("%d beside each other, or the population %d, is not possible", s.Across, s.Population)
	}
	if slices.ContainsFunc(s.Selected, func(l int) bool { return l < 0 }) || !slices.IsSorted(s.Selected) {
		return bad("selected landmarks are not in their order")
	}
	for _, v := range s.Views {
		if v.Camera != v.Camera.Sane() || v.First < 0 {
			return bad("a view cannot look so")
		}
		if !room(v.Room) || v.Room != [4]float32{} && s.Scale == 0 {
			return bad("a view cannot stand at %v", v.Room)
		}
		if at := v.Page; at != [4]int{} &&
			!(at[0] >= 0 && at[1] >= 0 && at[0] < at[2] && at[1] < at[3] && at[2] <= size[0] && at[3] <= size[1]) {
			return bad("a view cannot stand at %v on a page of %d x %d pixels", at, size[0], size[1])
		}
	}
	return nil
}

// room says whether a view can stand so in a window.
func room(r [4]float32) bool {
	const most = 1 << 15
	if r == [4]float32{} {
		return true
	}
	for _, x := range r {
		if !(math.Abs(float64(x)) <= most) {
			return false
		}
	}
	return r[2]-r[0] >= 1 && r[3]-r[1] >= 1
}

// Opened is the document that a job has, ready for views.
func Opened(ctx context.Context, w *Work) (*opening.Opened, error) {
	now := w.Parts
	if w.Job.had.session {
		now = w.Job.had.state
	}
	return opening.OfState(ctx, w.table, w.Seed, now, w.Options.Report.Stage("preparing"))
}

// byViews draws the picture by its views, and returns what writes it.
func (p *Picture) byViews(ctx context.Context, w *Work) (func(io.Writer) error, error) {
	if err := viewless(); err != nil {
		return nil, err
	}
	views := parts.Views.Of(w.Parts)
	if w.Job.had.session {
		views = w.Job.had.views
	}
	if err := p.Window.lacks(w, views); err != nil {
		return nil, err
	}
	p.Made = &Drawn{Data: w.table, Spec: parts.Transform.Of(w.Parts)}
	p.Made.say(w)
	if !p.NoRecipe {
		if err := p.Made.carry(ctx, w); err != nil {
			return nil, err
		}
	}
	return Views(ctx, p, w, p.Made.Text)
}

// lacks says why one of the views cannot be shown, of those of a document.
func (s *Window) lacks(w *Work, all parts.ViewList) error {
	for _, x := range s.Views {
		v := all.Get(x.View)
		if v.ID != x.View {
			return run.Usage{Err: problem.New("", "name one of its views", "there is no view %.40q", x.View)}
		}
		k := embedding.ByID(v.Recipe.Kind)
		if v.Kind == "" && k != nil && k.Way == embedding.Stepwise && w.Job.had.maps.Get(v.Recipe) == nil {
			return problem.New(w.table.Path, "draw the session itself: --session",
				"the map by %s is in the session alone", k.Title)
		}
	}
	return nil
}
