package ui

import (
	"blossom/model/document/parts"
	"blossom/ui/desk"
)

// The functions here do what commands say, where no panel's file has it.

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

func (a *App) copyLog() {
	a.ctx.SetClipboard(a.log.text())
	a.note(desk.Note{Text: "The log is on the clipboard"})
}
