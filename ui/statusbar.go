package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/render/scene"
	"blossom/ui/desk"
	"blossom/ui/panel"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// messageTime is how long a message stays in the status bar.
const messageTime = 8 * time.Second

// statusBar is the line below the views: items from the left, and at the right what was said last.
type statusBar struct {
	u       *widget.UI
	context *shell.Context
	compute *computing
	log     *logbook
	frames  *frameClock
	modal   func() bool // something else takes all input

	desk *desk.Desk  // the desk of this frame; nil without a document
	rect widget.Rect // place in this frame
}

// draw draws it into r.
func (s *statusBar) draw(d *desk.Desk, r widget.Rect) {
	s.desk, s.rect = d, r
	s.u.Area("status", r, widget.AreaOpts{Border: widget.SideTop, PadX: 14, PadY: 6}, func() {
		if s.desk != nil {
			s.points()
			s.selection()
			s.runs()
			s.progress()
			s.engine()
			s.seed()
		}
		s.jobs()
		s.message()
	})
}

// item draws spans, in the face of the bar and muted where they have no colour.
func (s *statusBar) item(spans ...widget.Span) {
	for i := range spans {
		spans[i].Face = widget.Status
		if spans[i].Color == 0 {
			spans[i].Color = s.u.Theme().Muted
		}
	}
	s.u.Rich(spans...)
	imgui.SameLineV(0, s.u.Pt(16))
}

// points says how many points there are, are drawn now where a view shows points, and have no place.
func (s *statusBar) points() {
	t, data, table := s.u.Theme(), s.desk.Doc.Data, s.desk.Table()
	spans := []widget.Span{{Text: grouped(table.X.Rows), Color: t.Text}, {Text: " points"}}
	if all := live.AllRowsOf(s.desk.Map); all != nil { // their density may stand in the place of the points
		spans = append(spans, widget.Span{Text: " of " + problem.Grouped(all.Rows)})
	} else if len(s.desk.Stage.Scatters()) > 0 {
		spans = []widget.Span{{Text: grouped(s.drawn()), Color: t.Text},
			{Text: " of " + grouped(table.X.Rows) + " points"}}
	}
	if data.Total > data.Points {
		spans = append(spans, widget.Span{Text: " · a sample of " + grouped(data.Total), Color: t.Warning})
	}
	bad := t.Muted
	if table.Invalid > 0 {
		bad = t.Warning
	}
	spans = append(spans, widget.Span{Text: " · "}, widget.Span{Text: grouped(table.Invalid) + " invalid", Color: bad})
	s.item(spans...)
}

// drawn is how many points are on the screen now: all valid ones at rest, a share while things move.
func (s *statusBar) drawn() int {
	table := s.desk.Table()
	valid := table.X.Rows - table.Invalid
	if drawn := s.desk.Stage.Scatter().PointsDrawn(); drawn < table.X.Rows {
		return min(valid, drawn)
	}
	return valid
}

func (s *statusBar) selection() {
	set := s.desk.Stage.Selected()
	if set.Empty() {
		return
	}
	share := 100 * float64(set.Count()) / float64(max(1, s.desk.Doc.Data.Points))
	s.item(widget.Span{Text: widget.Grouped(set.Count()), Color: s.u.Theme().Text},
		widget.Span{Text: fmt.Sprintf(" selected · %.1f %%", share)})
}

// runs says how what runs and is in sight does, each with a cross that pauses it.
func (s *statusBar) runs() {
	for _, k := range desk.RunKinds() {
		id := k.Run.ID
		for _, r := range k.InSight(s.desk) {
			now := r.Stands()
			if !now.Active || now.Job != nil && !now.Forming { // a job is in the status bar by itself
				continue
			}
			s.item(widget.Span{Text: now.Title, Color: s.u.Theme().Text})
			if now.Share == now.Share {
				imgui.SameLineV(0, s.u.Pt(8))
				s.u.Progress(float32(now.Share), 56)
				imgui.SameLineV(0, s.u.Pt(8))
			}
			if rate := panel.Rate(now.Rate, k.Unit); rate != "" {
				s.item(widget.Span{Text: rate})
			} else if now.Word != "" {
				s.item(widget.Span{Text: now.Word})
			}
			s.cross("pause-"+id, "Pause "+k.Name, r.Pause)
			id += "-next"
		}
	}
}

// cross is the button behind something that goes on.
func (s *statusBar) cross(name, tip string, do func()) {
	u := s.u
	imgui.SameLineV(0, u.Pt(2))
	p := imgui.CursorScreenPos()
	imgui.SetCursorScreenPos(imgui.Vec2{X: p.X - u.Pt(5), Y: p.Y - u.Pt(5)})
	if u.IconButton(name, assets.IconX, tip, false) {
		do()
	}
	imgui.SameLineV(0, u.Pt(10))
	imgui.SetCursorScreenPos(imgui.Vec2{X: imgui.CursorScreenPos().X, Y: p.Y})
	imgui.Dummy(imgui.Vec2{})
	imgui.SameLineV(0, 0)
}

// progress says whether points are yet to come, and how many frames a second there are while frames follow each other.
func (s *statusBar) progress() {
	unfinished := s.desk.Stage.Unfinished()
	if stale := s.desk.Schedule().Stale(); stale > 0 && s.desk.Busy() {
		s.item(widget.Span{Text: fmt.Sprintf("refreshing %.0f %%", 100*(1-stale))})
	} else if unfinished {
		s.item(widget.Span{Text: "drawing"})
	}
	if rate := s.frames.rate(); rate > 0 && animated(s.desk) {
		s.item(widget.Span{Text: fmt.Sprintf("%.0f", rate), Color: s.u.Theme().Text}, widget.Span{Text: " fps"})
	}
}

// engine is the engine's place: a click on it opens the dialog.
func (s *statusBar) engine() {
	u, t, e := s.u, s.u.Theme(), s.desk.Engine()
	if e == nil {
		return
	}
	path, plan := s.desk.Path()
	x := imgui.CursorScreenPos().X
	spans := []widget.Span{{Text: engineText(e.Name(), e.Device(), path), Face: widget.Status, Color: t.Muted}}
	if short, _, _ := strings.Cut(plan, ":"); short != "" {
		spans = append(spans, widget.Span{Text: " · " + short, Face: widget.Status, Color: t.Warning})
	}
	w := u.Rich(spans...)
	box := widget.Rect{X0: x, Y0: s.rect.Y0, X1: x + u.Pt(w), Y1: s.rect.Y1} // all of the bar takes the click
	if !s.modal() && imgui.IsMouseHoveringRectV(box.Min(), box.Max(), false) {
		u.Tip(box, engineTip(e.Name(), e.Device(), path, plan))
		if imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
			s.compute.ask()
		}
	}
	imgui.SameLineV(0, u.Pt(16))
}

// seed is left out where there is no room for all of it: half a number is worse than none.
func (s *statusBar) seed() {
	seed := widget.Span{Text: fmt.Sprintf("seed %d", s.desk.Doc.Seed), Face: widget.Status}
	if s.u.Pt(s.u.RichWidth(seed)) <= imgui.ContentRegionAvail().X {
		s.item(seed)
	}
}

// jobs are what is done beside the window, each with a cross that cancels it.
func (s *statusBar) jobs() {
	for i, j := range s.compute.jobs.List() {
		text, far := j.Title, j.Remarked()
		if f := j.Fraction(); f > 0 {
			if far == "" {
				far = fmt.Sprintf("%.0f %%", 100*f)
			}
			text += " " + far
			if left := widget.TimeLeft(f, s.context.Now().Sub(j.Started)); left != "" {
				text += ", " + left
			}
		}
		s.item(widget.Span{Text: text, Color: s.u.Theme().Text})
		s.cross(fmt.Sprintf("cancel%d", i), "Cancel", j.Cancel)
	}
}

// message is the last thing that was said, for a while, and then whether the map was arranged by hand.
func (s *statusBar) message() {
	u := s.u
	muted := func(text string) widget.Span {
		return widget.Span{Text: text, Face: widget.Status, Color: u.Theme().Muted}
	}
	left := imgui.ContentRegionAvail().X / u.Pt(1)
	if m, until := s.log.recent(s.context.Now(), messageTime); m != "" {
		s.context.Within(until) // it goes in time
		if w := u.RichWidth(muted(m)); left >= min(w, 160) {
			u.SameRight(min(w, left))
			u.Rich(muted(m))
		}
	} else if s.desk != nil && parts.Landmarks.Of(s.desk.Doc.State()).ByHand {
		if w := u.RichWidth(muted(scene.Arranged)); w <= left {
			u.SameRight(w)
			u.Rich(muted(scene.Arranged))
		}
	}
}
