package ui

import (
	"blossom/assets"
	"blossom/assets/notices"
	"blossom/ui/dialog"
	"blossom/ui/orders"
	"blossom/ui/widget"
)

func init() { // these list the table of commands, so they cannot stand in it
	commands.Add(&entry{ID: "palette", Menu: "Help", Below: "engine", Title: "All commands…",
		Help: "Find and run any command by its name", Keys: []string{"Ctrl+P"}, Icon: assets.IconCommand,
		Run: func(a *App) { dialog.Palette.Show(a.dialogs, a.paletteItems) }})
	commands.Add(&entry{ID: "manual", Menu: "Help", Below: "palette", Title: "Manual…",
		Help: "Read and search what blossom does and how it is used", Also: "help documentation tutorial guide",
		Keys: []string{"F1"}, Icon: assets.IconBookOpen,
		Run: func(a *App) { dialog.Manual.Show(a.dialogs, "") }})
	commands.Add(&entry{ID: "shortcuts", Menu: "Help", Below: "manual", Title: "Keys and mouse…",
		Help: "Show every shortcut", Keys: []string{"?"}, Icon: assets.IconKeyboard,
		Run: func(a *App) { dialog.Keys.Show(a.dialogs, keyRows()) }})
}

// modal says whether a dialog or a menu takes all input.
func (a *App) modal() bool {
	return a.dialogs.Any() || a.ui.PopupOpen()
}

// overlays draws what lies over everything: messages and dialogs.
func (a *App) overlays() {
	toasts, spared := a.rooms.regions.canvas, []widget.Rect(nil)
	if a.desk != nil { // below the headers and the options, which are to be clicked
		toasts.Y0 = min(max(toasts.Y0+a.ui.Pt(widget.HeaderHeight), a.rooms.regions.options.Y1), toasts.Y1)
		spared = a.desk.Stage.Scene.Spared()
	}
	a.ui.ToastsIn(toasts, spared...)
	a.tour.Tend()
	a.tour.Draw(a.rooms.regions.canvas, a.modal())
	a.dialogs.Draw()
}

func (a *App) showDoctor() {
	text := "This build cannot look at itself."
	if a.options.Doctor != nil {
		text = a.options.Doctor()
	}
	dialog.Page.Show(a.dialogs, dialog.Text{Title: "What works here", Text: text})
}

func (a *App) showAbout() {
	dialog.Page.Show(a.dialogs, dialog.Text{Title: "About blossom", Text: "blossom " + a.options.Version + "\n\n" +
		"Steer maps of high-dimensional data by hand: self-organizing maps, k-means and EmbedSOM, live.\n\n" +
		"Methods: Kratochvíl, Koladiya, Vondrášek, F1000Research 8:2120 (2019); Kratochvíl et al., BlosSOM; " +
		"Šmelko et al., GPU EmbedSOM.\n\n" +
		"Licence: Apache-2.0. What else is in the program, and under which terms:", Long: notices.Text})
}

// keyRows are what the overlay of shortcuts shows.
func keyRows() [][2]string {
	rows := append([][2]string(nil), mouseHelp...)
	for _, c := range everyCommand() {
		if len(c.Keys) > 0 {
			rows = append(rows, [2]string{c.Title, c.Key()})
		}
	}
	return rows
}

// mouseHelp is what the mouse does on the map.
var mouseHelp = [][2]string{
	{"Zoom at the cursor", "Wheel"},
	{"Pan", "Middle drag, Space+drag"},
	{"… with the Navigate tool", "Drag"},
	{"Turn, in 3D", "Drag (Navigate)"},
	{"Centre here", "Middle click"},
	{"Move a landmark", "Ctrl+drag"},
	{"… with the Landmarks tool", "Drag"},
	{"Add a landmark", "Ctrl+click"},
	{"Duplicate a landmark", "Ctrl+click on it"},
	{"Remove a landmark", "Ctrl+right-click"},
	{"Move a point", "Ctrl+drag (Navigate)"},
	{"Select by rectangle", "Shift+drag"},
	{"Select by lasso", "Alt+drag"},
	{"Select by polygon", "Click corners, Enter"},
	{"Add to the selection", "Shift+click"},
	{"Show a label alone", "Rest on it in the legend"},
	{"Select a label", "Click it in the legend"},
	{"Add, take away a label", "Shift+click, Alt+click it"},
	{"Colour a label", "Right-click it in the legend"},
	{"Move, fold the legend", "Drag, click its title"},
	{"Nudge the selection", "Arrows"},
	{"What can be done here", "Right-click"},
	{"Cancel a gesture", "Esc"},
	{"Reset a number", "Double-click its name"},
}

// paletteItems are all commands, engines, documents, and what the open one offers where this is typed.
func (a *App) paletteItems(typed string) []dialog.Item {
	var out []dialog.Item
	for _, c := range everyCommand() {
		out = append(out, dialog.Item{Title: c.Title, Help: c.Help, Key: c.Key(), Icon: c.Icon, Can: c.Can(a),
			Run: func() { c.Run(a) }, Also: c.Also})
	}
	out = append(out, a.compute.items()...)
	out = append(out, a.docs.Items()...)
	if a.desk != nil {
		out = append(out, orders.Items(a.desk, typed)...)
	}
	return out
}
