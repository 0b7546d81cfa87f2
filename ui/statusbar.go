package ui

import (
	"fmt"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/render/scene"
	"blossom/ui/widget"
)

// messageTime is how long a message stays in the status bar.
const messageTime = 8 * time.Second

func (a *App) statusBar() {
	a.ui.Area("status", a.regions.status, widget.AreaOpts{Border: widget.SideTop, PadX: 14, PadY: 6}, func() {
		u, t := a.ui, a.ui.Theme()
		item := func(spans ...widget.Span) {
			for i := range spans {
				spans[i].Face = widget.Status
				if spans[i].Color == 0 {
					spans[i].Color = t.Muted
				}
			}
			u.Rich(spans...)
			imgui.SameLineV(0, u.Pt(16))
		}
		if a.desk != nil {
			data, table := a.desk.Doc.Data, a.desk.Table()
			shown := a.drawnPoints()
			spans := []widget.Span{{Text: grouped(shown), Color: t.Text},
				{Text: " of " + grouped(table.X.Rows) + " points"}}
			if data.Total > data.Points {
				spans = append(spans, widget.Span{Text: " · a sample of " + grouped(data.Total), Color: t.Warning})
			}
			bad := t.Muted
			if table.Invalid > 0 {
				bad = t.Warning
			}
			item(append(spans, widget.Span{Text: " · "}, widget.Span{Text: grouped(table.Invalid) + " invalid",
				Color: bad})...)
			if set := a.desk.Stage.Selected(); !set.Empty() {
				item(widget.Span{Text: widget.Grouped(set.Count()), Color: t.Text}, widget.Span{
					Text: fmt.Sprintf(" selected · %.1f %%", 100*float64(set.Count())/float64(max(1, data.Points)))})
			}
			a.runItems(item)
			if stale := a.desk.Schedule().Stale(); stale > 0 && a.desk.Busy() {
				item(widget.Span{Text: fmt.Sprintf("refreshing %.0f %%", 100*(1-stale))})
			} else if a.desk.Stage.Unfinished() {
				item(widget.Span{Text: "drawing"})
			}
			if a.desk.Busy() || a.desk.Stage.Unfinished() || a.desk.Stage.Hand().Active() {
				item(widget.Span{Text: fmt.Sprintf("%.0f", a.frames.rate()), Color: t.Text}, widget.Span{Text: " fps"})
			}
			a.engineItem()
			seed := widget.Span{Text: fmt.Sprintf("seed %d", a.desk.Doc.Seed), Face: widget.Status}
			if u.Pt(u.RichWidth(seed)) <= imgui.ContentRegionAvail().X { // half a number is worse than none
				item(seed)
			}
		}
		for i, j := range a.jobs.List() {
			text := j.Title
			if f := j.Fraction(); f > 0 {
				text += fmt.Sprintf(" %.0f %%", 100*f)
				if left := timeLeft(f, a.ctx.Now().Sub(j.Started)); left != "" {
					text += ", " + left
				}
			}
			item(widget.Span{Text: text, Color: t.Text})
			a.cross(fmt.Sprintf("cancel%d", i), "Cancel", j.Cancel)
		}
		if m := a.log.recent(a.ctx.Now(), messageTime); m != "" {
			a.ctx.Within(time.Second)
			w := u.RichWidth(widget.Span{Text: m, Face: widget.Status})
			if left := imgui.ContentRegionAvail().X / u.Pt(1); left >= min(w, 160) {
				u.SameRight(min(w, left))
				u.Rich(widget.Span{Text: m, Face: widget.Status, Color: t.Muted})
			}
		} else if a.desk != nil && parts.Landmarks.Of(a.desk.Doc.State()).ByHand {
			mark := widget.Span{Text: scene.Arranged, Face: widget.Status, Color: t.Muted}
			if w := u.RichWidth(mark); u.Pt(w) <= imgui.ContentRegionAvail().X {
				u.SameRight(w)
				u.Rich(mark)
			}
		}
	})
}

// cross is the button behind something that goes on.
func (a *App) cross(name, tip string, do func()) {
	u := a.ui
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

// drawnPoints is how many points are on the screen now: all valid ones at rest, a share while things move.
func (a *App) drawnPoints() int {
	table := a.desk.Table()
	valid := table.X.Rows - table.Invalid
	if drawn := a.active().PointsDrawn(); drawn < table.X.Rows {
		return min(valid, drawn)
	}
	return valid
}

// timeLeft estimates the rest of a job in words, once there is enough to go by.
func timeLeft(fraction float64, spent time.Duration) string {
	if spent < time.Second || fraction < 0.02 {
		return ""
	}
	left := time.Duration(float64(spent) * (1/fraction - 1))
	switch {
	case left < time.Second:
		return ""
	case left < 90*time.Second:
		return fmt.Sprintf("%.0f s left", left.Seconds())
	}
	return fmt.Sprintf("%.0f min left", left.Minutes())
}
