package orders

import (
	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/ui/desk"
	"blossom/ui/view"
)

// viewCommands arrange views, and say what the active one shows.
var viewCommands = []*order{
	{ID: "split", Menu: "View", Title: "Split view", Help: "Put another view beside the active one",
		Keys: []string{"Ctrl+D"}, Icon: assets.IconPanelRight, Rule: true,
		Enabled: func(d *desk.Desk) bool { return d.Stage.Count() < view.Most },
		Run:     func(d *desk.Desk) { d.Stage.Split(d.Stage.Active()) }},
	{ID: "maximise", Menu: "View", Title: "Maximise view", Help: "Show the active view alone, or all views again",
		Keys: []string{"M"}, Icon: assets.IconMaximize, Enabled: severalViews,
		Checked: func(d *desk.Desk) bool { return d.Stage.Maximised() },
		Run:     func(d *desk.Desk) { d.Stage.Maximise(d.Stage.Active()) }},
	{ID: "next-view", Menu: "View", Title: "Next view", Help: "Make the next view the active one",
		Keys:    []string{"Tab"},
		Enabled: severalViews, Run: func(d *desk.Desk) { d.Stage.Next() }},
	{ID: "link", Menu: "View", Title: "Link view", Help: "Zoom, pan and colour the view together with the active one",
		Enabled: severalViews, Checked: func(d *desk.Desk) bool { return d.Active().Linked },
		Run: func(d *desk.Desk) { d.Stage.Link(d.Stage.Active()) }},
	{ID: "axes", Menu: "View", Title: "Show axes", Help: "Show what the coordinates of the view are",
		Keys:    []string{"X"},
		Checked: func(d *desk.Desk) bool { return d.Active().Axes },
		Run:     func(d *desk.Desk) { d.Show(func(v *parts.View) { v.Axes = !v.Axes }) }},
	{ID: "turntable", Menu: "View", Title: "Keep upright", Help: "Turn 3D about its upright axis only, or freely",
		Keys:    []string{"T"},
		Enabled: func(d *desk.Desk) bool { return d.Stage.Scatter().Eye.Solid() },
		Checked: func(d *desk.Desk) bool { return d.Active().Turntable },
		Run:     func(d *desk.Desk) { d.Show(func(v *parts.View) { v.Turntable = !v.Turntable }) }},
	{ID: "fit", Menu: "View", Title: "Fit to window", Help: "Show all points", Keys: []string{"F"},
		Icon: assets.IconMaximize, Rule: true,
		Run: func(d *desk.Desk) { d.Stage.Active().Content().Fit(true) }},
	{ID: "fit-selected", Menu: "View", Title: "Fit to the selection", Also: "zoom to selected points gate",
		Help: "Show the selected points, as large as they go", Keys: []string{"Shift+F"},
		Enabled: func(d *desk.Desk) bool { return !d.Stage.Selected().Empty() && d.Stage.Active().Scatter() != nil },
		Run: func(d *desk.Desk) {
			if !d.Stage.Active().FitSelected() {
				d.Window.Say("no selected point has a place in this view")
			}
		}},
	{ID: "reset", Menu: "View", Title: "Reset view", Help: "Show all of the map, as it began", Keys: []string{"0"},
		Run: func(d *desk.Desk) { d.Stage.Active().Content().Reset() }},
	{ID: "next-column", Menu: "View", Title: "Colour by the next column", Also: "marker channel following",
		Help: "Colour the active view by the next column: those of the map, then the others that are not off",
		Keys: []string{"]", "PageDown"}, Repeat: true, Run: func(d *desk.Desk) { flick(d, 1) }},
	{ID: "former-column", Menu: "View", Title: "Colour by the column before", Also: "marker channel previous",
		Help: "Colour the active view by the column before this one: the others, then those of the map",
		Keys: []string{"[", "PageUp"}, Repeat: true, Run: func(d *desk.Desk) { flick(d, -1) }},
	{ID: "show-landmarks", Menu: "View", Title: "Show landmarks", Help: "Draw the landmarks over the points",
		Keys: []string{"L"}, Rule: true,
		Checked: func(d *desk.Desk) bool { return d.Active().Landmarks },
		Run:     func(d *desk.Desk) { d.Show(func(v *parts.View) { v.Landmarks = !v.Landmarks }) }},
	{ID: "show-names", Menu: "View", Title: "Show names", Help: "Write the names of landmarks on the map",
		Keys:    []string{"N"},
		Checked: func(d *desk.Desk) bool { return d.Active().Names },
		Run:     toggleNames},
	{ID: "show-words", Menu: "View", Title: "Show names of populations",
		Help:    "Write the names of populations on a map that is coloured by them",
		Checked: func(d *desk.Desk) bool { return !d.Active().NoWords },
		Run:     func(d *desk.Desk) { d.Show(func(v *parts.View) { v.NoWords = !v.NoWords }) }},
	{ID: "show-tree", Menu: "View", Title: "Show spanning tree",
		Help: "Draw the spanning tree of the clustered points over the view, and what bridges clusters",
		Also: "mst minimum", Keys: []string{"Shift+K"},
		Checked: func(d *desk.Desk) bool { return d.Active().Tree },
		Run:     func(d *desk.Desk) { d.Show(func(v *parts.View) { v.Tree = !v.Tree }) }},
	{ID: "show-contours", Menu: "View", Title: "Show contours", Also: "density lines levels isolines",
		Help:    "Draw lines of equal density over the points, each around a tenth of them more than the one within",
		Enabled: func(d *desk.Desk) bool { return !d.Stage.Scatter().Eye.Solid() },
		Checked: func(d *desk.Desk) bool { return d.Active().Contours != parts.NoContours },
		Run:     func(d *desk.Desk) { d.Show(toggleContours) }},
	{ID: "show-legend", Menu: "View", Title: "Show legend", Help: "Show what the colours mean", Keys: []string{"G"},
		Checked: func(d *desk.Desk) bool { return d.Active().Legend },
		Run:     toggleLegend},
}

func severalViews(d *desk.Desk) bool { return d.Stage.Count() > 1 }

func toggleContours(v *parts.View) {
	if v.Contours == parts.NoContours {
		v.Contours = parts.ContoursOver
	} else {
		v.Contours = parts.NoContours
	}
}

func toggleNames(d *desk.Desk) { d.Show(func(v *parts.View) { v.Names = !v.Names }) }

func toggleLegend(d *desk.Desk) { d.Show(func(v *parts.View) { v.Legend = !v.Legend }) }
