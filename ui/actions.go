package ui

import (
	"context"
	"maps"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/work"
	"blossom/ui/desk"
)

// What the commands do, as far as it is not in the file of a panel.

func (a *App) undo() {
	a.desk.Moving(func() {
		a.desk.Keep() // where a run has come to is there again when it is done again
		if name := a.desk.Doc.Undo(); name != "" {
			a.say("undone: " + name)
		}
	})
}

func (a *App) redo() {
	a.desk.Moving(func() {
		if name := a.desk.Doc.Redo(); name != "" {
			a.say("done again: " + name)
		}
	})
}

func (a *App) selectAll() {
	hand := a.desk.Stage.Hand()
	hand.Landmarks.Selected = nil
	for i := range parts.Landmarks.Of(a.desk.Doc.State()).Len() {
		hand.Landmarks.Selected = append(hand.Landmarks.Selected, i)
	}
}

// nudgePoints is how far an arrow moves selected landmarks, in points of the screen.
const nudgePoints = 2

// steer moves the view by a part of the window, or nudges the selected landmarks.
func (a *App) steer(dx, dy float64) {
	if hand := a.desk.Stage.Hand(); len(hand.Landmarks.Selected) > 0 && a.keys.arrow {
		d := nudgePoints * float64(a.ctx.Scale())
		hand.Landmarks.Nudge(hand.Map, dx*d, dy*d)
		return
	}
	a.desk.Stage.Glide(dx*0.15, dy*0.15)
}

func (a *App) setLandmarks(on bool) {
	if a.desk != nil && a.desk.Active().Landmarks != on {
		a.desk.Show(func(v *parts.View) { v.Landmarks = on })
	}
}

func (a *App) toggleNames() { a.desk.Show(func(v *parts.View) { v.Names = !v.Names }) }

func (a *App) toggleLegend() { a.desk.Show(func(v *parts.View) { v.Legend = !v.Legend }) }

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

// settledGrace protects a map that came to rest while the user reached for "pause".
const settledGrace = 1500 * time.Millisecond

func (a *App) toggleTraining() {
	running, at, _ := a.desk.Training().Progress()
	if running {
		a.desk.Training().Pause()
		a.say("training paused")
		return
	}
	if at.Rest && a.ctx.Now().Sub(a.desk.Training().Rested()) < settledGrace {
		a.say("training has just settled by itself; press again to run it anew")
		return
	}
	if err := a.desk.Training().Run(false); err != nil {
		a.fail(err)
	}
}

func (a *App) stepTraining() {
	if err := a.desk.Training().Step(); err != nil {
		a.fail(err)
		return
	}
	a.say("trained one step")
}

func (a *App) trainAgain() {
	if err := a.desk.Training().Run(true); err != nil {
		a.fail(err)
	}
}

// newLandmarks replaces the landmarks as the Train panel says, as a job, and trains them.
func (a *App) newLandmarks() {
	start := a.desk.Start
	x, seed, doc := a.desk.Table().X, a.desk.Doc.Seed, a.desk.Doc
	rev := parts.Landmarks.Of(doc.State()).Space
	m, asked := a.desk.Map, doc.History().Now()
	a.compute.jobs.Start("New landmarks", func(ctx context.Context, _ *work.Job) (func(), error) {
		l, err := start.Landmarks(ctx, x, seed)
		return func() {
			if a.current() != m { // nobody waits for them any more
				a.say("new landmarks were dropped: another document was opened")
				return
			}
			if !doc.History().Since(asked) {
				a.say("new landmarks were dropped: you went back meanwhile")
				return
			}
			if parts.Landmarks.Of(m.Doc.State()).Space != rev {
				a.fail(problem.New("", "try it again",
					"the data or its transform changed while new landmarks were made"))
				return
			}
			a.desk.Training().Pause()
			a.desk.Layout().Pause()
			a.desk.Stage.Hand().Cancel()
			a.desk.Stage.Hand().Landmarks.Selected, a.desk.Stage.Hand().Hover = nil, -1
			doc.Do("New landmarks", func(s *state.State) {
				parts.Replace(s, l)
				parts.Training.Edit(s, func(t *parts.TrainingChoice) {
					t.Values, t.Only = suggest(*t, x.Rows, l), false
					maps.Copy(t.Values, desk.Ways[start.Way].Values)
				})
			})
			for _, v := range a.desk.Stage.Scatters() {
				if v.IsMap() {
					v.Eye.Moved = false
					v.FitLandmarks()
				}
			}
			if err := m.Training().Run(true); err != nil {
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
	t := a.desk.Table()
	out := make([]float32, len(t.Mean))
	for j := range out {
		out[j] = float32(t.Mean[j] * t.Factor[j])
	}
	return out
}

func (a *App) copyLog() {
	a.ctx.SetClipboard(a.log.text())
	a.note(desk.Note{Text: "The log is on the clipboard"})
}
