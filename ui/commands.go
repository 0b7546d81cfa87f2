package ui

import (
	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/ui/command"
	"blossom/ui/dialog"
	"blossom/ui/documents"
	"blossom/ui/view"
)

// entry is a command of the program.
type entry = command.Command[*App]

func severalViews(a *App) bool { return a.desk != nil && a.desk.Stage.Count() > 1 }
func hasMap(a *App) bool       { return a.desk != nil }
func hasSelection(a *App) bool {
	return a.desk != nil && len(a.desk.Stage.Hand().Landmarks.Selected) > 0
}

// commands is the table, to which files add their own. See everyCommand.
var commands = command.Make(command.Of(documents.Commands, documentsOf), fileCommands, editCommands, toolCommands(),
	stageCommands)

// fileCommands are those of the menu File that are not about documents.
var fileCommands = []*entry{
	{ID: "export", Menu: "File", Title: "Export…", Help: "Write coordinates, landmarks or a picture",
		Also: "save write table csv tsv npy fcs coordinates positions labels columns", Below: "save-recipe",
		Keys: []string{"Ctrl+E"}, Icon: assets.IconShare2, Rule: true,
		Enabled: hasMap, Run: func(a *App) { a.rooms.side.Reveal("export") }},
	{ID: "screenshot", Menu: "File", Title: "Screenshot", Also: "save picture image figure png",
		Help: "Write a picture of the whole window", Below: "import-landmarks",
		Keys: []string{"F12"}, Icon: assets.IconCamera,
		Run: func(a *App) { a.output.Screenshot() }},
}

// editCommands are those of the menu Edit.
var editCommands = []*entry{
	{ID: "undo", Menu: "Edit", Title: "Undo", Help: "Take back the last change", Keys: []string{"Ctrl+Z"},
		Icon: assets.IconUndo2, Repeat: true,
		Enabled: func(a *App) bool { return a.desk != nil && a.desk.Doc.History().CanUndo() != "" },
		Run:     func(a *App) { a.undo() }},
	{ID: "redo", Menu: "Edit", Title: "Redo", Help: "Do again what was taken back",
		Keys: []string{"Ctrl+Shift+Z", "Ctrl+Y"}, Icon: assets.IconRedo2, Repeat: true,
		Enabled: func(a *App) bool { return a.desk != nil && a.desk.Doc.History().CanRedo() != "" },
		Run:     func(a *App) { a.redo() }},
	{ID: "select-all", Menu: "Edit", Title: "Select all landmarks", Help: "Select every landmark",
		Keys: []string{"Ctrl+A"}, Rule: true,
		Enabled: hasMap, Run: func(a *App) { a.selectAll() }},
	{ID: "select-none", Menu: "Edit", Title: "Select none", Help: "Let go of all landmarks and points",
		Keys: []string{"Ctrl+Shift+A"},
		Enabled: func(a *App) bool {
			return hasSelection(a) || a.desk != nil && !a.desk.Stage.Selected().Empty()
		},
		Run: func(a *App) {
			a.desk.Stage.Hand().Landmarks.Selected = nil
			a.desk.Stage.SelectNone()
		}},
	{ID: "invert", Menu: "Edit", Title: "Invert selected points", Also: "gate filter subset complement exclude",
		Help: "Select what is not selected",
		Keys: []string{"Ctrl+I"}, Enabled: hasMap, Run: func(a *App) { a.desk.Stage.InvertSelection() }},
	{ID: "no-points", Menu: "Edit", Title: "Select no points", Also: "deselect clear gate subset",
		Help:    "Let go of all selected points",
		Enabled: func(a *App) bool { return a.desk != nil && !a.desk.Stage.Selected().Empty() },
		Run:     func(a *App) { a.desk.Stage.SelectNone() }},
	{ID: "hold", Menu: "Edit", Title: "Hold the card",
		Help:    "Keep the card of the point under the mouse, with all columns",
		Keys:    []string{"I"},
		Enabled: func(a *App) bool { return a.desk != nil && a.desk.Stage.Hover().On },
		Run:     func(a *App) { a.desk.Stage.Hover().Held = !a.desk.Stage.Hover().Held }},
	{ID: "remove", Menu: "Edit", Title: "Remove landmarks", Help: "Remove the selected landmarks",
		Keys: []string{"Delete", "Backspace"}, Icon: assets.IconTrash2,
		Enabled: hasSelection, Run: func(a *App) { a.desk.Stage.Hand().Landmarks.RemoveSelected() }},
	{ID: "pin", Menu: "Edit", Title: "Pin or unpin landmarks",
		Help: "Pinned landmarks stay where they are in training and layout", Keys: []string{"P"}, Icon: assets.IconPin,
		Enabled: hasSelection, Run: func(a *App) { a.desk.Stage.Hand().Landmarks.TogglePins() }},
	{ID: "rename", Menu: "Edit", Title: "Name landmarks…", Also: "population label annotate rename",
		Help: "Give the selected landmarks a name that is shown on the map", Keys: []string{"F2"},
		Enabled: hasMap, Run: func(a *App) { dialog.NameSelected(a.dialogs) }},
}

// stageCommands are those of the menus View, Model and Help, below the tools.
var stageCommands = []*entry{
	{ID: "split", Menu: "View", Title: "Split view", Help: "Put another view beside the active one",
		Keys: []string{"Ctrl+D"}, Icon: assets.IconPanelRight, Rule: true,
		Enabled: func(a *App) bool { return hasMap(a) && a.desk.Stage.Count() < view.Most },
		Run:     func(a *App) { a.desk.Stage.Split(a.desk.Stage.Active()) }},
	{ID: "close-view", Menu: "View", Title: "Close view",
		Help: "Take the active view away; with the last one the document is closed", Keys: []string{"Ctrl+W"},
		Enabled: hasMap, Run: func(a *App) {
			if severalViews(a) {
				a.desk.Stage.Close(a.desk.Stage.Active())
			} else {
				a.docs.Leave()
			}
		}},
	{ID: "maximise", Menu: "View", Title: "Maximise view", Help: "Show the active view alone, or all views again",
		Keys: []string{"M"}, Icon: assets.IconMaximize, Enabled: severalViews,
		Checked: func(a *App) bool { return a.desk != nil && a.desk.Stage.Maximised() },
		Run:     func(a *App) { a.desk.Stage.Maximise(a.desk.Stage.Active()) }},
	{ID: "next-view", Menu: "View", Title: "Next view", Help: "Make the next view the active one",
		Keys:    []string{"Tab"},
		Enabled: severalViews, Run: func(a *App) { a.desk.Stage.Next() }},
	{ID: "link", Menu: "View", Title: "Link view", Help: "Zoom, pan and colour the view together with the active one",
		Enabled: severalViews, Checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Linked },
		Run: func(a *App) { a.desk.Stage.Link(a.desk.Stage.Active()) }},
	{ID: "axes", Menu: "View", Title: "Show axes", Help: "Show what the coordinates of the view are",
		Keys:    []string{"X"},
		Enabled: hasMap, Checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Axes },
		Run: func(a *App) { a.desk.Show(func(v *parts.View) { v.Axes = !v.Axes }) }},
	{ID: "turntable", Menu: "View", Title: "Keep upright", Help: "Turn 3D about its upright axis only, or freely",
		Keys:    []string{"T"},
		Enabled: func(a *App) bool { return hasMap(a) && a.active().Eye.Solid() },
		Checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Turntable },
		Run:     func(a *App) { a.desk.Show(func(v *parts.View) { v.Turntable = !v.Turntable }) }},
	{ID: "columns", Menu: "View", Title: "Columns as axes…", Also: "biaxial scatter dot plot gate two markers",
		Help:    "Show two or three columns of the table in the view",
		Enabled: hasMap, Run: func(a *App) { dialog.Axes.Show(a.dialogs, a.desk.Stage.Active()) }},
	{ID: "fit", Menu: "View", Title: "Fit to window", Help: "Show all points", Keys: []string{"F"},
		Icon: assets.IconMaximize, Rule: true,
		Enabled: hasMap, Run: func(a *App) { a.desk.Stage.Active().Content().Fit(true) }},
	{ID: "reset", Menu: "View", Title: "Reset view", Help: "Show all of the map, as it began", Keys: []string{"0"},
		Enabled: hasMap, Run: func(a *App) { a.desk.Stage.Active().Content().Reset() }},
	{ID: "left", Menu: "View", Title: "Move left", Help: "Move the view, or nudge selected landmarks with the arrows",
		Keys: []string{"A", "Left"}, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.steer(-1, 0) }},
	{ID: "right", Menu: "View", Title: "Move right",
		Help: "Move the view, or nudge selected landmarks with the arrows", Keys: []string{"D", "Right"}, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.steer(1, 0) }},
	{ID: "up", Menu: "View", Title: "Move up", Help: "Move the view, or nudge selected landmarks with the arrows",
		Keys: []string{"W", "Up"}, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.steer(0, -1) }},
	{ID: "down", Menu: "View", Title: "Move down", Help: "Move the view, or nudge selected landmarks with the arrows",
		Keys: []string{"S", "Down"}, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.steer(0, 1) }},
	{ID: "zoom-in", Menu: "View", Title: "Zoom in", Help: "Zoom at the middle of the map", Keys: []string{"+", "="},
		Icon: assets.IconZoomIn, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.zoom(1.25) }},
	{ID: "zoom-out", Menu: "View", Title: "Zoom out", Help: "Zoom at the middle of the map", Keys: []string{"-"},
		Icon: assets.IconZoomOut, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.zoom(0.8) }},
	{ID: "show-landmarks", Menu: "View", Title: "Show landmarks", Help: "Draw the landmarks over the points",
		Keys: []string{"L"}, Rule: true,
		Enabled: hasMap, Checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Landmarks },
		Run: func(a *App) { a.setLandmarks(!a.desk.Active().Landmarks) }},
	{ID: "show-names", Menu: "View", Title: "Show names", Help: "Write the names of landmarks on the map",
		Keys:    []string{"N"},
		Enabled: hasMap, Checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Names },
		Run: func(a *App) { a.toggleNames() }},
	{ID: "show-tree", Menu: "View", Title: "Show spanning tree",
		Help: "Draw the spanning tree of the clustered points over the view, and what bridges clusters",
		Also: "mst minimum", Keys: []string{"Shift+K"}, Enabled: hasMap,
		Checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Tree },
		Run:     func(a *App) { a.desk.Show(func(v *parts.View) { v.Tree = !v.Tree }) }},
	{ID: "show-legend", Menu: "View", Title: "Show legend", Help: "Show what the colours mean", Keys: []string{"G"},
		Enabled: hasMap, Checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Legend },
		Run: func(a *App) { a.toggleLegend() }},
	{ID: "sidebar", Menu: "View", Title: "Show panels", Help: "Show or hide the panels at the right",
		Keys: []string{"Ctrl+B"}, Icon: assets.IconPanelRight, Rule: true,
		Checked: func(a *App) bool { return a.rooms.side.Shown() }, Run: func(a *App) { a.rooms.side.Toggle() }},
	{ID: "theme", Menu: "View", Title: "Dark theme", Also: "light mode colours", Help: "Change between light and dark",
		Keys: []string{"Ctrl+Shift+L"}, Icon: assets.IconMoon,
		Checked: func(a *App) bool { return a.settings.Theme == "dark" }, Run: func(a *App) { a.toggleTheme() }},
	{ID: "larger", Menu: "View", Title: "Larger interface", Help: "Make text and controls larger",
		Keys: []string{"Ctrl+=", "Ctrl+Shift+="}, Repeat: true,
		Run: func(a *App) { a.setZoom(a.settings.Zoom + 0.125) }},
	{ID: "smaller", Menu: "View", Title: "Smaller interface", Help: "Make text and controls smaller",
		Keys: []string{"Ctrl+-"}, Repeat: true,
		Run: func(a *App) { a.setZoom(a.settings.Zoom - 0.125) }},
	{ID: "normal-size", Menu: "View", Title: "Normal size", Help: "Text and controls as the system has them",
		Keys: []string{"Ctrl+0"},
		Run:  func(a *App) { a.setZoom(1) }},

	{ID: "run", Menu: "Model", Title: "Run or pause training", Help: "Train the landmarks on the points, or pause",
		Keys: []string{"Space"}, Icon: assets.IconPlay,
		Enabled: hasMap, Run: func(a *App) { a.toggleTraining() }},
	{ID: "step", Menu: "Model", Title: "One step",
		Help: "Train a little: a hundredth of an epoch, or a whole one in batches. It never starts over",
		Keys: []string{"."}, Icon: assets.IconStepForward, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.stepTraining() }},
	{ID: "again", Menu: "Model", Title: "Train from the start",
		Help: "Run the schedule of sigma and alpha again from its beginning", Keys: []string{"Ctrl+R"},
		Icon:    assets.IconRotateCcw,
		Enabled: hasMap, Run: func(a *App) { a.trainAgain() }},
	{ID: "new-map", Menu: "Model", Title: "New grid of landmarks", Also: "som self-organizing map start",
		Help: "Begin the map anew with the grid of the Train panel", Rule: true,
		Enabled: hasMap, Run: func(a *App) { a.newLandmarks() }},

	{ID: "engine", Menu: "Model", Title: "Compute engine…",
		Help: "What computes the map: the processor or a graphics card", Icon: assets.IconCpu, Rule: true,
		Run: func(a *App) { a.chooseEngine() }},

	{ID: "doctor", Menu: "Help", Title: "What works here…", Help: "Engines, OpenGL and dialogs of this machine",
		Rule: true,
		Run:  func(a *App) { a.showDoctor() }},
	{ID: "log", Menu: "Help", Title: "Copy log", Help: "Copy all messages of this run, for a report",
		Run: func(a *App) { a.copyLog() }},
	{ID: "about", Menu: "Help", Title: "About blossom", Help: "Version, licence and sources",
		Run: func(a *App) { a.showAbout() }},
}
