package ui

import (
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/ui/dialog"
	"blossom/ui/shell"
	"blossom/ui/view"
)

// command is one thing the user can tell the program to do. The table of commands feeds the menus, the
// palette, the overlay of shortcuts, the key bindings and docs/keys.md, so none of them can disagree.
type command struct {
	id    string
	menu  string // "File", "Edit", "View", "Model", "Help", or "" for none
	title string
	help  string
	keys  []string // "Ctrl+Shift+Z", the first is shown
	icon  string
	also  string // other words that it is sought by in the palette
	rule  bool   // a separator above it in the menu
	below string // the ID of the command above it in the menu, for one that registers itself; "": the last
	// repeat: a held key repeats the command.
	repeat  bool
	enabled func(*App) bool
	checked func(*App) bool
	run     func(*App)
}

func severalViews(a *App) bool { return a.desk != nil && a.desk.Stage.Count() > 1 }
func severalFiles(a *App) bool { return a.desk != nil && len(a.desk.Doc.Data.Parts) > 1 }
func hasMap(a *App) bool       { return a.desk != nil }
func hasSelection(a *App) bool { return a.desk != nil && len(a.desk.Stage.Hand().Selected) > 0 }

// commands is the table, in the order of the menus. See everyCommand.
var commands = slices.Concat(fileCommands, toolCommands(), stageCommands)

// fileCommands are those of the menus File and Edit.
var fileCommands = []*command{
	{id: "open", menu: "File", title: "Open…", help: "Open a data file or a session", keys: []string{"Ctrl+O"},
		icon: assets.IconFolderOpen,
		run:  func(a *App) { a.docs.AskOpen() }},
	{id: "reopen", menu: "File", title: "Reopen the last", help: "Go on with what was open before, with its history",
		keys: []string{"Ctrl+Shift+T"}, icon: assets.IconHistory,
		enabled: func(a *App) bool { return len(a.docs.Shelf.List()) > 0 },
		run:     func(a *App) { a.docs.Shelf.Reopen(a.docs.Shelf.List()[0]) }},
	{id: "recover", menu: "File", title: "Recover…", help: "Open or forget sessions that were not saved",
		icon: assets.IconHistory, rule: true, run: func(a *App) { a.docs.Recovery.Show() }},
	{id: "add-file", menu: "File", title: "Add file…", also: "join append concatenate merge samples",
		help: "Open another file beside what is open: one table, and the map stays", icon: assets.IconFilePlus,
		enabled: hasMap, run: func(a *App) { a.docs.AskAdd() }},
	{id: "files", menu: "File", title: "Files and columns…", also: "join match samples panel rename",
		help:    "See which columns of several files are one, and change it",
		enabled: severalFiles, run: func(a *App) { a.docs.ChangeFiles() }},
	{id: "save", menu: "File", title: "Save session", also: "keep store document project workspace",
		help: "Save landmarks and settings as a small file; the data file is never changed", keys: []string{"Ctrl+S"},
		icon: assets.IconSave, rule: true,
		enabled: hasMap, run: func(a *App) { a.docs.Saving.Session(false) }},
	{id: "save-as", menu: "File", title: "Save session as…", also: "keep store copy project workspace",
		help:    "Save the session under another name",
		keys:    []string{"Ctrl+Shift+S"},
		enabled: hasMap, run: func(a *App) { a.docs.Saving.Session(true) }},
	{id: "export", menu: "File", title: "Export…", help: "Write coordinates, landmarks or a picture",
		also: "save write table csv tsv npy fcs coordinates positions labels columns",
		keys: []string{"Ctrl+E"}, icon: assets.IconShare2, rule: true,
		enabled: hasMap, run: func(a *App) { a.showPanel("export") }},
	{id: "screenshot", menu: "File", title: "Screenshot", also: "save picture image figure png",
		help: "Write a picture of the whole window",
		keys: []string{"F12"}, icon: assets.IconCamera,
		run: func(a *App) { a.screenshot() }},
	{id: "close", menu: "File", title: "Close", help: "Close the document; it is kept under Reopen",
		keys: []string{"Ctrl+Shift+W"}, rule: true, enabled: hasMap, run: func(a *App) { a.docs.Leave() }},
	{id: "quit", menu: "File", title: "Quit", help: "Close the window; the session is kept", keys: []string{"Ctrl+Q"},
		rule: true,
		run:  func(a *App) { a.docs.Quit() }},

	{id: "undo", menu: "Edit", title: "Undo", help: "Take back the last change", keys: []string{"Ctrl+Z"},
		icon: assets.IconUndo2, repeat: true,
		enabled: func(a *App) bool { return a.desk != nil && a.desk.Doc.History().CanUndo() != "" },
		run:     func(a *App) { a.undo() }},
	{id: "redo", menu: "Edit", title: "Redo", help: "Do again what was taken back",
		keys: []string{"Ctrl+Shift+Z", "Ctrl+Y"}, icon: assets.IconRedo2, repeat: true,
		enabled: func(a *App) bool { return a.desk != nil && a.desk.Doc.History().CanRedo() != "" },
		run:     func(a *App) { a.redo() }},
	{id: "select-all", menu: "Edit", title: "Select all landmarks", help: "Select every landmark",
		keys: []string{"Ctrl+A"}, rule: true,
		enabled: hasMap, run: func(a *App) { a.selectAll() }},
	{id: "select-none", menu: "Edit", title: "Select none", help: "Let go of all landmarks and points",
		keys: []string{"Ctrl+Shift+A"},
		enabled: func(a *App) bool {
			return hasSelection(a) || a.desk != nil && !a.desk.Stage.Selected().Empty()
		},
		run: func(a *App) {
			a.desk.Stage.Hand().Selected = nil
			a.desk.Stage.SelectNone()
		}},
	{id: "invert", menu: "Edit", title: "Invert selected points", also: "gate filter subset complement exclude",
		help: "Select what is not selected",
		keys: []string{"Ctrl+I"}, enabled: hasMap, run: func(a *App) { a.desk.Stage.InvertSelection() }},
	{id: "no-points", menu: "Edit", title: "Select no points", also: "deselect clear gate subset",
		help:    "Let go of all selected points",
		enabled: func(a *App) bool { return a.desk != nil && !a.desk.Stage.Selected().Empty() },
		run:     func(a *App) { a.desk.Stage.SelectNone() }},
	{id: "hold", menu: "Edit", title: "Hold the card",
		help:    "Keep the card of the point under the mouse, with all columns",
		keys:    []string{"I"},
		enabled: func(a *App) bool { return a.desk != nil && a.desk.Stage.Hover().On },
		run:     func(a *App) { a.desk.Stage.Hover().Held = !a.desk.Stage.Hover().Held }},
	{id: "remove", menu: "Edit", title: "Remove landmarks", help: "Remove the selected landmarks",
		keys: []string{"Delete", "Backspace"}, icon: assets.IconTrash2,
		enabled: hasSelection, run: func(a *App) { a.desk.Stage.Hand().RemoveSelected() }},
	{id: "pin", menu: "Edit", title: "Pin or unpin landmarks",
		help: "Pinned landmarks stay where they are in training and layout", keys: []string{"P"}, icon: assets.IconPin,
		enabled: hasSelection, run: func(a *App) { a.desk.Stage.Hand().TogglePins() }},
	{id: "rename", menu: "Edit", title: "Name landmarks…", also: "population label annotate rename",
		help: "Give the selected landmarks a name that is shown on the map", keys: []string{"F2"},
		enabled: hasMap, run: func(a *App) { dialog.NameSelected(a.dialogs) }},
}

// stageCommands are those of the menus View, Model and Help, below the tools.
var stageCommands = []*command{
	{id: "split", menu: "View", title: "Split view", help: "Put another view beside the active one",
		keys: []string{"Ctrl+D"}, icon: assets.IconPanelRight, rule: true,
		enabled: func(a *App) bool { return hasMap(a) && a.desk.Stage.Count() < view.Most },
		run:     func(a *App) { a.desk.Stage.Split(a.desk.Stage.Active()) }},
	{id: "close-view", menu: "View", title: "Close view",
		help: "Take the active view away; with the last one the document is closed", keys: []string{"Ctrl+W"},
		enabled: hasMap, run: func(a *App) {
			if severalViews(a) {
				a.desk.Stage.Close(a.desk.Stage.Active())
			} else {
				a.docs.Leave()
			}
		}},
	{id: "maximise", menu: "View", title: "Maximise view", help: "Show the active view alone, or all views again",
		keys: []string{"M"}, icon: assets.IconMaximize, enabled: severalViews,
		checked: func(a *App) bool { return a.desk != nil && a.desk.Stage.Maximised() },
		run:     func(a *App) { a.desk.Stage.Maximise(a.desk.Stage.Active()) }},
	{id: "next-view", menu: "View", title: "Next view", help: "Make the next view the active one",
		keys:    []string{"Tab"},
		enabled: severalViews, run: func(a *App) { a.desk.Stage.Next() }},
	{id: "link", menu: "View", title: "Link view", help: "Zoom, pan and colour the view together with the active one",
		enabled: severalViews, checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Linked },
		run: func(a *App) { a.desk.Stage.Link(a.desk.Stage.Active()) }},
	{id: "axes", menu: "View", title: "Show axes", help: "Show what the coordinates of the view are",
		keys:    []string{"X"},
		enabled: hasMap, checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Axes },
		run: func(a *App) { a.desk.Show(func(v *parts.View) { v.Axes = !v.Axes }) }},
	{id: "turntable", menu: "View", title: "Keep upright", help: "Turn 3D about its upright axis only, or freely",
		keys:    []string{"T"},
		enabled: func(a *App) bool { return hasMap(a) && a.active().Solid() },
		checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Turntable },
		run:     func(a *App) { a.desk.Show(func(v *parts.View) { v.Turntable = !v.Turntable }) }},
	{id: "columns", menu: "View", title: "Columns as axes…", also: "biaxial scatter dot plot gate two markers",
		help:    "Show two or three columns of the table in the view",
		enabled: hasMap, run: func(a *App) { dialog.Axes.Show(a.dialogs, a.desk.Stage.Active()) }},
	{id: "fit", menu: "View", title: "Fit to window", help: "Show all points", keys: []string{"F"},
		icon: assets.IconMaximize, rule: true,
		enabled: hasMap, run: func(a *App) { a.desk.Stage.Active().Content().Fit(true) }},
	{id: "reset", menu: "View", title: "Reset view", help: "Show the landmarks as the map began", keys: []string{"0"},
		enabled: hasMap, run: func(a *App) { a.desk.Stage.Active().Content().Reset() }},
	{id: "left", menu: "View", title: "Move left", help: "Move the view, or nudge selected landmarks with the arrows",
		keys: []string{"A", "Left"}, repeat: true,
		enabled: hasMap, run: func(a *App) { a.steer(-1, 0) }},
	{id: "right", menu: "View", title: "Move right",
		help: "Move the view, or nudge selected landmarks with the arrows", keys: []string{"D", "Right"}, repeat: true,
		enabled: hasMap, run: func(a *App) { a.steer(1, 0) }},
	{id: "up", menu: "View", title: "Move up", help: "Move the view, or nudge selected landmarks with the arrows",
		keys: []string{"W", "Up"}, repeat: true,
		enabled: hasMap, run: func(a *App) { a.steer(0, -1) }},
	{id: "down", menu: "View", title: "Move down", help: "Move the view, or nudge selected landmarks with the arrows",
		keys: []string{"S", "Down"}, repeat: true,
		enabled: hasMap, run: func(a *App) { a.steer(0, 1) }},
	{id: "zoom-in", menu: "View", title: "Zoom in", help: "Zoom at the middle of the map", keys: []string{"+", "="},
		icon: assets.IconZoomIn, repeat: true,
		enabled: hasMap, run: func(a *App) { a.zoom(1.25) }},
	{id: "zoom-out", menu: "View", title: "Zoom out", help: "Zoom at the middle of the map", keys: []string{"-"},
		icon: assets.IconZoomOut, repeat: true,
		enabled: hasMap, run: func(a *App) { a.zoom(0.8) }},
	{id: "show-landmarks", menu: "View", title: "Show landmarks", help: "Draw the landmarks over the points",
		keys: []string{"L"}, rule: true,
		enabled: hasMap, checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Landmarks },
		run: func(a *App) { a.setLandmarks(!a.desk.Active().Landmarks) }},
	{id: "show-names", menu: "View", title: "Show names", help: "Write the names of landmarks on the map",
		keys:    []string{"N"},
		enabled: hasMap, checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Names },
		run: func(a *App) { a.toggleNames() }},
	{id: "show-tree", menu: "View", title: "Show spanning tree",
		help: "Draw the spanning tree of the clustered points over the view, and what bridges clusters",
		also: "mst minimum", keys: []string{"Shift+K"}, enabled: hasMap,
		checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Tree },
		run:     func(a *App) { a.desk.Show(func(v *parts.View) { v.Tree = !v.Tree }) }},
	{id: "show-legend", menu: "View", title: "Show legend", help: "Show what the colours mean", keys: []string{"G"},
		enabled: hasMap, checked: func(a *App) bool { return a.desk != nil && a.desk.Active().Legend },
		run: func(a *App) { a.toggleLegend() }},
	{id: "sidebar", menu: "View", title: "Show panels", help: "Show or hide the panels at the right",
		keys: []string{"Ctrl+B"}, icon: assets.IconPanelRight, rule: true,
		checked: func(a *App) bool { return a.rooms.regions.side }, run: func(a *App) { a.toggleSide() }},
	{id: "theme", menu: "View", title: "Dark theme", also: "light mode colours", help: "Change between light and dark",
		keys: []string{"Ctrl+Shift+L"}, icon: assets.IconMoon,
		checked: func(a *App) bool { return a.settings.Theme == "dark" }, run: func(a *App) { a.toggleTheme() }},
	{id: "larger", menu: "View", title: "Larger interface", help: "Make text and controls larger",
		keys: []string{"Ctrl+=", "Ctrl+Shift+="}, repeat: true,
		run: func(a *App) { a.setZoom(a.settings.Zoom + 0.125) }},
	{id: "smaller", menu: "View", title: "Smaller interface", help: "Make text and controls smaller",
		keys: []string{"Ctrl+-"}, repeat: true,
		run: func(a *App) { a.setZoom(a.settings.Zoom - 0.125) }},
	{id: "normal-size", menu: "View", title: "Normal size", help: "Text and controls as the system has them",
		keys: []string{"Ctrl+0"},
		run:  func(a *App) { a.setZoom(1) }},

	{id: "run", menu: "Model", title: "Run or pause training", help: "Train the landmarks on the points, or pause",
		keys: []string{"Space"}, icon: assets.IconPlay,
		enabled: hasMap, run: func(a *App) { a.toggleTraining() }},
	{id: "step", menu: "Model", title: "One step",
		help: "Train a little: a hundredth of an epoch, or a whole one in batches. It never starts over",
		keys: []string{"."}, icon: assets.IconStepForward, repeat: true,
		enabled: hasMap, run: func(a *App) { a.stepTraining() }},
	{id: "again", menu: "Model", title: "Train from the start",
		help: "Run the schedule of sigma and alpha again from its beginning", keys: []string{"Ctrl+R"},
		icon:    assets.IconRotateCcw,
		enabled: hasMap, run: func(a *App) { a.trainAgain() }},
	{id: "new-map", menu: "Model", title: "New grid of landmarks", also: "som self-organizing map start",
		help: "Begin the map anew with the grid of the Train panel", rule: true,
		enabled: hasMap, run: func(a *App) { a.newLandmarks() }},

	{id: "engine", menu: "Model", title: "Compute engine…",
		help: "What computes the map: the processor or a graphics card", icon: assets.IconCpu, rule: true,
		run: func(a *App) { a.chooseEngine() }},

	{id: "doctor", menu: "Help", title: "What works here…", help: "Engines, OpenGL and dialogs of this machine",
		rule: true,
		run:  func(a *App) { a.showDoctor() }},
	{id: "log", menu: "Help", title: "Copy log", help: "Copy all messages of this run, for a report",
		run: func(a *App) { a.copyLog() }},
	{id: "about", menu: "Help", title: "About blossom", help: "Version, licence and sources",
		run: func(a *App) { a.showAbout() }},
}

// registerCommand adds a command, from the init of a file of its own; it stands below the others of its menu, or where
// it says. It panics if the ID is taken.
func registerCommand(c command) {
	at := len(commands)
	for i, x := range commands {
		if x.id == c.id {
			panic("ui: command registered twice: " + c.id)
		}
		if x.id == c.below {
			at = i + 1
		}
	}
	for _, k := range c.keys {
		if _, key, char := parseKey(k); key == imgui.KeyNone && char == 0 {
			panic("ui: command " + c.id + " has a key without a code: " + k)
		}
	}
	commands = slices.Insert(commands, at, &c)
}

// commandByID returns a command that is known to exist.
func commandByID(id string) *command {
	for _, c := range commands {
		if c.id == id {
			return c
		}
	}
	for _, c := range everyCommand() { // of a dock or a panel
		if c.id == id {
			return c
		}
	}
	panic("ui: no command " + id)
}

func (c *command) can(a *App) bool { return c.enabled == nil || c.enabled(a) }

// key is the shortcut as shown, or "".
func (c *command) key() string {
	if len(c.keys) == 0 {
		return ""
	}
	return c.keys[0]
}

// tip is the tooltip of a control that stands for the command.
func (c *command) tip() string {
	if k := c.key(); k != "" {
		return c.help + "\t" + k
	}
	return c.help
}

// keyCodes are the names of keys in the table, known before any command registers itself.
var keyCodes = letterKeys(map[string]imgui.Key{
	"Delete": imgui.KeyDelete, "Backspace": imgui.KeyBackspace, "Space": imgui.KeySpace, "Tab": imgui.KeyTab,
	"Left": imgui.KeyLeftArrow, "Right": imgui.KeyRightArrow, "Up": imgui.KeyUpArrow, "Down": imgui.KeyDownArrow,
	"Enter": imgui.KeyEnter, "F1": imgui.KeyF1, "F2": imgui.KeyF2, "F12": imgui.KeyF12,
	".": imgui.KeyPeriod, ",": imgui.KeyComma, "-": imgui.KeyMinus, "=": imgui.KeyEqual,
})

func letterKeys(codes map[string]imgui.Key) map[string]imgui.Key {
	for r := 'A'; r <= 'Z'; r++ {
		codes[string(r)] = imgui.KeyA + imgui.Key(r-'A')
	}
	for r := '0'; r <= '9'; r++ {
		codes[string(r)] = imgui.Key0 + imgui.Key(r-'0')
	}
	return codes
}

// parseKey reads a shortcut of the table. "?" and "+" are characters, not keys: they are somewhere else
// on every keyboard.
func parseKey(s string) (mods shell.Mods, key imgui.Key, char rune) {
	for {
		switch {
		case strings.HasPrefix(s, "Ctrl+"):
			mods, s = mods|shell.Ctrl, s[len("Ctrl+"):]
		case strings.HasPrefix(s, "Shift+"):
			mods, s = mods|shell.Shift, s[len("Shift+"):]
		case strings.HasPrefix(s, "Alt+"):
			mods, s = mods|shell.Alt, s[len("Alt+"):]
		case s == "?", s == "+":
			return mods, imgui.KeyNone, rune(s[0])
		default:
			return mods, keyCodes[s], 0
		}
	}
}

// commandFor returns the command of a key or character event, or nil: of several, the first that can be given now.
func (a *App) commandFor(e shell.Event) *command {
	var first *command
	for _, c := range everyCommand() {
		if !c.answers(e) {
			continue
		}
		if c.can(a) {
			return c
		}
		if first == nil {
			first = c
		}
	}
	return first
}

// answers says whether an event is one of the command's keys.
func (c *command) answers(e shell.Event) bool {
	for _, k := range c.keys {
		mods, key, char := parseKey(k)
		switch e.Kind {
		case shell.KeyDown:
			if char == 0 && key == e.Key && mods == e.Mods && (!e.Repeat || c.repeat) {
				return true
			}
		case shell.Char:
			if char != 0 && e.Rune == char {
				return true
			}
		}
	}
	return false
}
