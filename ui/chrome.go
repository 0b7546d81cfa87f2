package ui

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/render"
	"blossom/ui/panel"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Sizes of the regions around the map, in points.
const (
	stripWidth   = 44
	statusHeight = 27
)

// regions are the places of everything in the window, in screen units.
type regions struct {
	canvas, strip, status widget.Rect
	options               widget.Rect // the bar of the tool lies over the views in the canvas
	narrow                bool        // there is no room for the panels beside the map
}

// layout finds the regions and tells the view where the canvas is.
func (a *App) layout() {
	win := a.ctx.Size()
	// Whole units, so that the picture of the map lies pixel on pixel at every scale.
	pt := func(x float32) float32 { return float32(math.Round(float64(a.ui.Pt(x)))) }
	top, bottom := pt(widget.MenuBarHeight), win.Y-pt(statusHeight)
	g := &a.rooms.regions
	g.status = widget.Rect{X0: 0, Y0: bottom, X1: win.X, Y1: win.Y}
	g.strip = widget.Rect{X0: 0, Y0: top, X1: pt(stripWidth), Y1: bottom}
	g.narrow = win.X <= a.ui.Pt(stripWidth+widget.SideUsual+panel.LeastViews)
	g.canvas = a.rooms.side.Arrange(widget.Rect{X0: g.strip.X1, Y0: top, X1: win.X, Y1: max(bottom, top+1)})
	g.canvas.X1 = max(g.canvas.X1, g.canvas.X0+1)
	if a.desk != nil {
		g.canvas = a.rooms.docks.Arrange(g.canvas)
	}
	g.options = widget.Rect{}
	if a.desk != nil {
		a.arrange()
	}
}

// chrome draws everything around the map.
func (a *App) chrome() {
	a.menuBar()
	a.toolStrip()
	a.rooms.side.Draw()
	a.rooms.docks.Draw()
	a.rooms.status.draw(a.desk, a.rooms.regions.status)
}

func (a *App) menuBar() {
	t := a.ui.Theme()
	var right []widget.Span
	if a.desk != nil {
		right = append(right, widget.Span{Text: a.desk.Doc.Title, Color: t.Text})
		if s := a.docs.Saving.Text(); s != "" {
			right = append(right, widget.Span{Text: "— " + s, Color: t.Muted, Gap: 4})
		}
	}
	right = append(right, widget.Span{Text: "Ctrl+P commands", Color: t.Muted, Gap: 14},
		widget.Span{Text: "? keys", Color: t.Muted, Gap: 12})
	a.ui.MenuBar("blossom", right, func() {
		for _, name := range []string{"File", "Edit", "View", "Model", "Help"} {
			a.ui.Menu(name, func() { a.menus.Draw(name) })
		}
	})
}

func (a *App) toolStrip() {
	a.ui.Area("tools", a.rooms.regions.strip, widget.AreaOpts{Border: widget.SideRight, PadY: 6}, func() {
		for _, t := range view.Tools() {
			c := commandByID(t.ID)
			a.menus.Tool(c, c.Title+": "+phrase(c.Help))
		}
		a.ui.Space(6)
		for _, id := range []string{"fit", "undo", "redo", "screenshot"} {
			c := commandByID(id)
			if imgui.ContentRegionAvail().Y < a.ui.Pt(38) {
				break // no room: the menus have it too
			}
			a.menus.Tool(c, c.Title)
		}
	})
}

// renderTheme is the theme in the terms of package render.
func (a *App) renderTheme() render.Theme {
	if a.settings.Theme == "dark" {
		return render.Dark()
	}
	return render.Light()
}

func (a *App) applyTheme() {
	if a.settings.Theme == "dark" {
		a.ui.SetTheme(widget.Dark())
		return
	}
	a.ui.SetTheme(widget.Light())
}

// grouped writes a number with a separator between thousands.
func grouped(n int) string { return widget.Grouped(n) }
