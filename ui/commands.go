package ui

import (
	"blossom/assets"
	"blossom/model/work/embedding"
	"blossom/ui/command"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/documents"
	"blossom/ui/orders"
)

// entry is a command of the program.
type entry = command.Command[*App]

// hasMap says whether there is an open document, deskOf is it.
func hasMap(a *App) bool                    { return a.desk != nil }
func deskOf(a *App) (d *desk.Desk, ok bool) { return a.desk, a.desk != nil }

// commands is the table, to which files add their own. See everyCommand.
var commands = command.Make(command.Of(documents.Commands, documentsOf), fileCommands,
	command.Of(orders.Edit, deskOf), editCommands, command.Of(orders.Landmarks, deskOf), toolCommands(),
	command.Of(orders.View, deskOf), viewCommands, command.Of(orders.Model, deskOf), programCommands)

func init() { // kinds of runs may come later
	view := "columns"
	desk.EachRun(func(r *desk.RunKind) {
		commands.Add(command.Of(r.Commands(), deskOf)...)
		if k := embedding.ByID(r.Run.ID); k != nil {
			commands.Add(command.Of(orders.Forming(k, r, view), deskOf)...)
			view = k.ID + "-view"
		}
	})
	commands.Add(command.Of(orders.Clusters, deskOf)...)
}

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
	{ID: "film", Menu: "File", Title: "Export film…", Also: "movie video animation mp4 avi apng webm turn history",
		Help: "Write a film: the history, a drag, a training, a turn in 3D", Below: "screenshot",
		Icon: assets.IconPlay, Enabled: hasMap, Run: func(a *App) { a.output.AskFilm() }},
	{ID: "report", Menu: "File", Title: "Export report…", Also: "html page web summary frequencies methods print",
		Help:  "Write one page with the map, populations, frequencies, parameters and how it is made again",
		Below: "film", Icon: assets.IconFileText, Enabled: hasMap, Run: func(a *App) { a.output.AskReport() }},
	{ID: "count-all-rows", Menu: "Model", Title: "Count populations in all rows", Also: "folder parts scale billion " +
		"frequencies label exact", Icon: assets.IconChartColumn,
		Help: "How many rows of the whole folder, of which the points are a sample, each population has: its rule is " +
			"applied to every part of it",
		Enabled: func(a *App) bool { return a.output.AllRows.CanCount() },
		Run:     func(a *App) { a.output.AllRows.Count() }},
	{ID: "embed-again", Menu: "Model", Title: "Embed all rows again…", Also: "folder parts density scale billion " +
		"slurm recompute project",
		Help: "Place all rows of the folder, of which the points are a sample, by the landmarks as they are now: " +
			"in a new folder, by what has made it", Icon: assets.IconRefreshCw,
		Enabled: func(a *App) bool { return a.output.AllRows.CanAgain() },
		Run:     func(a *App) { a.output.AllRows.AskAgain() }},
}

// editCommands are those of the menu Edit.
var editCommands = []*entry{
	{ID: "straighten", Menu: "Edit", Below: "pin", Title: "Straighten along a stroke…",
		Help: "Draw a line that the selected landmarks follow, in the order of their spanning tree or of a column",
		Icon: assets.IconSpline, Enabled: func(a *App) bool {
			return a.desk != nil && len(a.desk.Stage.Hand().Landmarks.Selected) > 1
		}, Run: (*App).straighten},
	{ID: "rename", Menu: "Edit", Below: "pin-points", Title: "Name landmarks…",
		Also: "population label annotate rename",
		Help: "Give the selected landmarks a name that is shown on the map", Keys: []string{"F2"},
		Enabled: hasMap, Run: func(a *App) { dialog.NameSelected(a.dialogs) }},
}

// viewCommands are those of the menu View, below the tools, that know more than the desk.
var viewCommands = []*entry{
	{ID: "close-view", Menu: "View", Below: "split", Title: "Close view",
		Help: "Take the active view away; with the last one the document is closed", Keys: []string{"Ctrl+W"},
		Enabled: hasMap, Run: func(a *App) {
			if a.desk.Stage.Count() > 1 {
				a.desk.Stage.Close(a.desk.Stage.Active())
			} else {
				a.docs.Leave()
			}
		}},
	{ID: "columns", Menu: "View", Below: "turntable", Title: "Columns as axes…",
		Also:    "biaxial scatter dot plot gate two markers",
		Help:    "Show two or three columns of the table in the view",
		Enabled: hasMap, Run: func(a *App) { dialog.Axes.Show(a.dialogs, a.desk.Stage.Active()) }},
	{ID: "left", Menu: "View", Below: "reset", Title: "Move left",
		Help: "Move the view, or nudge selected landmarks with the arrows",
		Keys: []string{"A", "Left"}, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.steer(-1, 0) }},
	{ID: "right", Menu: "View", Below: "left", Title: "Move right",
		Help: "Move the view, or nudge selected landmarks with the arrows", Keys: []string{"D", "Right"}, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.steer(1, 0) }},
	{ID: "up", Menu: "View", Below: "right", Title: "Move up",
		Help: "Move the view, or nudge selected landmarks with the arrows",
		Keys: []string{"W", "Up"}, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.steer(0, -1) }},
	{ID: "down", Menu: "View", Below: "up", Title: "Move down",
		Help: "Move the view, or nudge selected landmarks with the arrows",
		Keys: []string{"S", "Down"}, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.steer(0, 1) }},
	{ID: "zoom-in", Menu: "View", Below: "down", Title: "Zoom in",
		Help: "Zoom at the middle of the map", Keys: []string{"+", "="},
		Icon: assets.IconZoomIn, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.zoom(1.25) }},
	{ID: "zoom-out", Menu: "View", Below: "zoom-in", Title: "Zoom out",
		Help: "Zoom at the middle of the map", Keys: []string{"-"},
		Icon: assets.IconZoomOut, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.zoom(0.8) }},
	{ID: "sidebar", Menu: "View", Title: "Show panels", Help: "Show or hide the panels at the right",
		Keys: []string{"Ctrl+B"}, Icon: assets.IconPanelRight, Rule: true,
		Checked: func(a *App) bool { return a.rooms.side.Shown() }, Run: func(a *App) { a.rooms.side.Toggle() }},
	{ID: "next-area", Menu: "View", Below: "sidebar", Title: "Go to the next area",
		Also: "keyboard focus panel side bar header",
		Help: "Give the keyboard to the first control of the next header, panel or bar; Tab and arrows go on",
		Keys: []string{"F6"}, Run: func(a *App) { a.ui.GoToArea(1) }},
	{ID: "last-area", Menu: "View", Below: "next-area", Title: "Go to the area before",
		Also: "keyboard focus panel side bar header",
		Help: "Give the keyboard to the first control of the header, panel or bar before",
		Keys: []string{"Shift+F6"}, Run: func(a *App) { a.ui.GoToArea(-1) }},
	{ID: "theme", Menu: "View", Title: "Dark theme", Also: "light mode colours", Help: "Change between light and dark",
		Keys: []string{"Ctrl+Shift+L"}, Icon: assets.IconMoon, Anywhere: true,
		Checked: func(a *App) bool { return a.settings.Theme == "dark" }, Run: func(a *App) { a.toggleTheme() }},
	{ID: "larger", Menu: "View", Title: "Larger interface",
		Also: "scale zoom size settings preferences font bigger dpi", Help: "Make text and controls larger",
		Keys: []string{"Ctrl+=", "Ctrl+Shift+="}, Repeat: true, Anywhere: true,
		Run: func(a *App) { a.setZoom(a.settings.Zoom + 0.125) }},
	{ID: "smaller", Menu: "View", Title: "Smaller interface",
		Also: "scale zoom size settings preferences font dpi", Help: "Make text and controls smaller",
		Keys: []string{"Ctrl+-"}, Repeat: true, Anywhere: true,
		Run: func(a *App) { a.setZoom(a.settings.Zoom - 0.125) }},
	{ID: "normal-size", Menu: "View", Title: "Normal size",
		Also: "scale zoom settings preferences interface font dpi", Help: "Text and controls as the system has them",
		Keys: []string{"Ctrl+0"}, Anywhere: true,
		Run: func(a *App) { a.setZoom(1) }},
}

// programCommands are those of the menus Model and Help that are not about the open document.
var programCommands = []*entry{
	{ID: "engine", Menu: "Model", Title: "Compute engine…",
		Help: "What computes the map: the processor or a graphics card", Icon: assets.IconCpu, Rule: true,
		Run: func(a *App) { a.compute.ask() }},

	{ID: "doctor", Menu: "Help", Title: "What works here…", Help: "Engines, OpenGL and dialogs of this machine",
		Rule: true,
		Run:  func(a *App) { a.showDoctor() }},
	{ID: "log", Menu: "Help", Title: "Copy log", Help: "Copy all messages of this run, for a report",
		Run: func(a *App) { a.copyLog() }},
	{ID: "about", Menu: "Help", Title: "About blossom", Help: "Version, licence and sources",
		Run: func(a *App) { a.showAbout() }},
}
