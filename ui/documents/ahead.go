package documents

import (
	"context"
	"path/filepath"
	"time"

	"blossom/model/base/problem"
	"blossom/model/scale"
	"blossom/model/work"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Ahead is what an empty window shows of a finished folder while its sample is read: how densely all its rows lie.
type Ahead struct {
	part
	of    *work.Job     // opens the folder; nil: nothing is to be shown
	rows  *scale.Whole  // nil: they are being looked for
	shown *view.Ahead   // them
	seen  chan struct{} // closed once there is nothing more to wait for; nil: it is
	gone  []*view.Ahead // were shown, in a frame that may not have been drawn
}

// aheadFirst is how long reading a sample waits for the picture of all rows, which would be late beside it: cores read
// the sample for a second or more.
const aheadFirst = 400 * time.Millisecond

// await waits until the rows are seen, or are not going to be, but not for long.
func await(ctx context.Context, seen <-chan struct{}) {
	select {
	case <-seen:
	case <-ctx.Done():
	case <-time.After(aheadFirst):
	}
}

// look looks for the rows of the table that is being opened, in a window that shows no other, and closes seen when they
// are seen or there are none. A fault in them is said with the map.
func (a *Ahead) look(path string, seen chan struct{}) {
	a.leave()
	a.seen = seen
	job := a.docs.opening
	if a.w.Desk() != nil || filepath.Base(path) != scale.ShownFile {
		a.saw()
		return
	}
	a.of = job
	a.docs.jobs.Quiet(func(context.Context) (func(), error) {
		w, err := scale.WholeOf(scale.SampleIn(filepath.Dir(path)))
		if err != nil || w == nil || w.Density == nil {
			return func() { a.missing(job) }, nil
		}
		var among []float32
		if l, err := w.Landmarks(); err == nil && l != nil {
			among = l.Pos.Data
		}
		return func() {
			if a.of == job {
				a.rows, a.shown = w, view.NewAhead(w.Density, among, a.docs.jobs, a.saw)
			}
		}, nil
	})
}

// saw says that there is nothing more to wait for.
func (a *Ahead) saw() {
	if a.seen != nil {
		close(a.seen)
		a.seen = nil
	}
	a.docs.context.Refresh()
}

// missing says that what a job opens has no rows to be shown.
func (a *Ahead) missing(of *work.Job) {
	if a.of == of {
		a.leave()
	}
}

// leave lets go of the rows, which it returns, nil where none were found: the table is there, or is not going to be.
func (a *Ahead) leave() (rows *scale.Whole) {
	if a.shown != nil {
		a.gone = append(a.gone, a.shown)
	}
	a.saw()
	rows = a.rows
	a.of, a.rows, a.shown = nil, nil, nil
	return rows
}

// Here says whether rows are shown, or looked for, of what is being opened. It is called between frames.
func (a *Ahead) Here() bool {
	if a.of != a.docs.opening {
		a.leave()
	}
	a.sweep()
	return a.of != nil
}

// sweep gives back what was shown, once no frame shows it.
func (a *Ahead) sweep() {
	for _, was := range a.gone {
		was.Free()
	}
	a.gone = nil
}

// giveUp cancels what is being opened, and has it gone at once: reading may end late.
func (a *Ahead) giveUp() {
	a.docs.opening.Cancel()
	a.docs.opening = nil
}

// Lengths of the card that says what is read, in points.
const (
	aheadWide = 440
	aheadHigh = 80
)

// draw draws the rows in the place that a map will have, with what is still to come over them.
func (a *Ahead) draw(in widget.Rect) {
	u, c, job := a.w.UI(), a.docs.context, a.of
	u.Area("ahead", in, widget.AreaOpts{Fill: u.Theme().Surface}, func() {
		at := in
		at.Y0 = min(at.Y0+u.Pt(widget.HeaderHeight), at.Y1) // below the header that the map will have
		if a.shown != nil {
			a.shown.Draw(u, at, float64(c.FramebufferScale()), a.w.Dark())
		}
	})
	w, h := min(u.Pt(aheadWide), in.W()-u.Pt(24)), u.Pt(aheadHigh)
	card := widget.R(in.X0+(in.W()-w)/2, in.Y0+u.Pt(widget.HeaderHeight+12), w, h)
	u.Area("opening", card, widget.AreaOpts{Card: true, PadX: 14, PadY: 10}, func() {
		u.Rich(widget.Span{Text: job.Title, Face: widget.Strong})
		u.SameRight(u.Width(widget.Small, "Cancel")/u.Pt(1) + 16)
		if u.Button("Cancel##cancel-opening", widget.ButtonOpts{Small: true}) {
			a.giveUp()
		}
		u.Note(a.words())
		u.Progress(a.share(), 0)
	})
}

// words say what is seen, and what is still to come.
func (a *Ahead) words() string {
	if a.shown == nil || !a.shown.Shown() {
		return "A sample of all rows is being read."
	}
	rows, seen := problem.Grouped(a.rows.Rows), "All "
	if inside := a.rows.Density.Inside; inside != a.rows.Rows { // others lie far out, or have no place
		seen = problem.Grouped(inside) + " of "
	}
	return seen + rows + " rows are shown; a sample is being read."
}

// share is how far the sample has been read; below 0: that is not known.
func (a *Ahead) share() float32 {
	if f := a.of.Fraction(); f > 0 {
		return float32(f)
	}
	return -1
}
