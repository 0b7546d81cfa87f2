package ui

import (
	"context"
	"time"

	"blossom/model/landmark"
	"blossom/model/live"
	"blossom/model/parts"
	"blossom/model/problem"
	"blossom/model/state"
	"blossom/model/step"
	"blossom/model/train"
	"blossom/ui/view"
)

// What the commands do, as far as it is not in the file of a panel.

func (a *App) undo() {
	a.stage.Hand().Cancel()
	before := parts.Landmarks.Of(a.m.Doc.State())
	a.m.Pause() // else training would go on from what is being taken back
	if name := a.m.Doc.Undo(); name != "" {
		a.say("undone: " + name)
	}
	a.stage.Hand().Validate(before, parts.Landmarks.Of(a.m.Doc.State()))
}

func (a *App) redo() {
	a.stage.Hand().Cancel()
	before := parts.Landmarks.Of(a.m.Doc.State())
	a.m.Pause()
	if name := a.m.Doc.Redo(); name != "" {
		a.say("done again: " + name)
	}
	a.stage.Hand().Validate(before, parts.Landmarks.Of(a.m.Doc.State()))
}

func (a *App) selectAll() {
	hand := a.stage.Hand()
	hand.Selected = nil
	for i := range parts.Landmarks.Of(a.m.Doc.State()).Len() {
		hand.Selected = append(hand.Selected, i)
	}
}

// nudgePoints is how far an arrow moves selected landmarks, in points of the screen.
const nudgePoints = 2

// steer moves the view by a part of the window, or nudges the selected landmarks.
func (a *App) steer(dx, dy float64) {
	if hand := a.stage.Hand(); len(hand.Selected) > 0 && a.arrow {
		d := nudgePoints * float64(a.ctx.Scale())
		hand.Nudge(dx*d, dy*d)
		return
	}
	a.stage.SteerView(a.active(), func(v view.Steered) { v.Glide(dx*0.15, dy*0.15) })
}

func (a *App) setLandmarks(on bool) {
	if a.m != nil && a.activeState().Landmarks != on {
		a.show(func(v *parts.View) { v.Landmarks = on })
	}
}

func (a *App) toggleNames() { a.show(func(v *parts.View) { v.Names = !v.Names }) }

func (a *App) toggleLegend() { a.show(func(v *parts.View) { v.Legend = !v.Legend }) }

func (a *App) toggleTheme() {
	if a.settings.Theme == "dark" {
		a.settings.Theme = "light"
	} else {
		a.settings.Theme = "dark"
	}
	a.applyTheme()
	a.keepSettings()
}

func (a *App) setZoom(z float32) {
	a.settings.Zoom = clampZoom(z)
	a.ctx.SetZoom(a.settings.Zoom)
	a.keepSettings()
}

// toggleSide shows or hides the panels; in a narrow window they lie over the map.
func (a *App) toggleSide() {
	if a.narrow() {
		a.sideOver = !a.sideOver
		return
	}
	a.settings.Sidebar = !a.settings.Sidebar
	a.keepSettings()
}

// settledGrace protects a map that came to rest while the user reached for "pause".
const settledGrace = 1500 * time.Millisecond

func (a *App) toggleTraining() {
	if running, _, _ := a.m.Training(); running {
		a.m.Pause()
		a.say("training paused")
		return
	}
	if a.ctx.Now().Sub(a.m.Settled()) < settledGrace {
		a.say("training has just settled by itself; press again to run it anew")
		return
	}
	if err := a.m.Run(false); err != nil {
		a.fail(err)
	}
}

func (a *App) stepTraining() {
	if err := a.m.StepOnce(); err != nil {
		a.fail(err)
		return
	}
	a.say("trained one step")
}

func (a *App) trainAgain() {
	if err := a.m.Run(true); err != nil {
		a.fail(err)
	}
}

// newLandmarks replaces the landmarks as the Train panel says, as a job, and trains them.
func (a *App) newLandmarks() {
	start := a.desk.Start
	x, seed, doc := a.m.Table().X, a.m.Doc.Seed, a.m.Doc
	rev := parts.Landmarks.Of(doc.State()).Space
	m := a.m
	a.jobs.Start("New landmarks", func(ctx context.Context, _ *live.Job) (func(), error) {
		l, err := start.Landmarks(ctx, x, seed)
		return func() {
			if a.m != m || parts.Landmarks.Of(m.Doc.State()).Space != rev {
				a.fail(problem.New("", "try it again",
					"the data or its transform changed while new landmarks were made"))
				return
			}
			a.m.Pause()
			a.stage.Hand().Cancel()
			a.stage.Hand().Selected, a.stage.Hand().Hover = nil, -1
			doc.Do("New landmarks", func(s *state.State) {
				parts.Replace(s, l)
				parts.Training.Edit(s, func(t *parts.TrainingChoice) { t.Values = suggest(*t, x.Rows, l) })
			})
			for _, v := range a.stage.Views() {
				if v.IsMap() {
					v.Moved = false
					v.FitLandmarks()
				}
			}
			if err := m.Run(true); err != nil {
				a.fail(err)
			}
		}, err
	})
}

// suggest adapts the parameters that depend on the size of the map and of the data.
func suggest(t parts.TrainingChoice, n int, l *landmark.Set) step.Values {
	v := step.Values{}
	for k, x := range t.Values {
		v[k] = x
	}
	for k, x := range train.Suggest(t.Algorithm, n, l.Pos) {
		v[k] = x
	}
	return v
}

// meanCode is the mean of the points, where a landmark has no neighbour to be fitted from.
func (a *App) meanCode() []float32 {
	t := a.m.Table()
	out := make([]float32, len(t.Mean))
	for j := range out {
		out[j] = float32(t.Mean[j] * t.Factor[j])
	}
	return out
}

func (a *App) copyLog() {
	a.ctx.SetClipboard(a.log.text())
	a.note(note{text: "The log is on the clipboard"})
}
