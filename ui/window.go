package ui

import (
	"io"
	"slices"

	"blossom/model/live"
	"blossom/ui/command"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/dock"
	"blossom/ui/documents"
	"blossom/ui/orders"
	"blossom/ui/panel"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// window is the App as a desk knows it.
type window struct{ a *App }

func (w window) Say(text string) { w.a.say(text) }

func (w window) Copy(text string) { w.a.ctx.SetClipboard(text) }

func (w window) Pasted() string { return w.a.ctx.Clipboard() }

func (w window) Note(n desk.Note) { w.a.note(n) }

func (w window) Fail(err error) { w.a.fail(err) }

func (w window) Command(id string) desk.Command {
	c := commandByID(id)
	return desk.Command{Tip: c.Tip(), Key: c.Key(), Help: c.Help, Can: c.Can(w.a), Run: func() { c.Run(w.a) }}
}

func (w window) Reveal(panel string) { w.a.rooms.side.Reveal(panel) }

func (w window) AskName(q desk.NameQuestion) { dialog.Name.Show(w.a.dialogs, q) }

func (w window) RemoveFile(file int) { w.a.docs.RemoveFile(file) }

func (w window) Write(path string, write func(io.Writer) error) { w.a.docs.Write(path, write) }

func (w window) ReadColumn(name string) { w.a.docs.Unread.Read(name) }

func (w window) Ask(q desk.FileQuestion) { w.a.chooser.Ask(q) }

func (w window) Dark() bool { return w.a.settings.Theme == "dark" }

var _ documents.Window = window{}

func (w window) Desk() *desk.Desk { return w.a.desk }

func (w window) UI() *widget.UI { return w.a.ui }

func (w window) WhenFresh(do func()) { w.a.output.WhenFresh(do) }

func (w window) Log(format string, args ...any) { w.a.log.add(format, args...) }

func (w window) Sit(m *live.Map) { w.a.sit(m) }

func (w window) Swap(to *desk.Desk) (former *desk.Desk) { return w.a.swap(to) }

func (w window) Buffers() live.Buffers { return view.Buffers(w.a.renderer) }

func (w window) GiveUp() { w.a.output.GiveUp() }

func (w window) Waiting() bool { return w.a.output.Waiting() }

func (w window) Making(path string) bool { return w.a.output.AllRows.Making(path) }

func (w window) Remember() { w.a.keepSettings() }

// sit makes the desk of a document that has been opened, with views and panels of its own, in place of the one
// that there was. Without a map there is none.
func (a *App) sit(m *live.Map) {
	if a.desk != nil {
		a.desk.Stage.Free()
	}
	a.desk = nil
	a.rooms.side.Make(nil)
	a.rooms.docks.Make(nil)
	if m == nil {
		return
	}
	m.Measured = a.options.Measured
	a.desk = &desk.Desk{Map: m, Stage: a.newStage(m), UI: a.ui, Window: window{a}, Output: a.output,
		Start: desk.StartFor(m.Doc.Data)}
	orders.Equip(a.desk)
	a.rooms.side.Make(a.desk)
	a.rooms.docks.Make(a.desk)
	a.output.AllRows.Begun()
}

// seat is a desk that was taken away, with its panels and docks as they were.
type seat struct {
	desk   *desk.Desk
	panels panel.Set
	docks  dock.Set
}

// swap puts the desk that was taken away, or none, in place of the one that there is, which it returns as it is.
func (a *App) swap(to *desk.Desk) (former *desk.Desk) {
	now := seat{desk: to}
	if to == a.away.desk {
		now = a.away
	}
	a.away = seat{a.desk, a.rooms.side.Swap(now.panels), a.rooms.docks.Swap(now.docks)}
	a.desk = now.desk
	return a.away.desk
}

// documentsOf are the documents of the window, whose commands are the program's.
func documentsOf(a *App) (d *documents.Documents, ok bool) { return a.docs, true }

// commandByID returns a command that is known to exist. Frames ask for many, most of them of the table that is there.
func commandByID(id string) *entry {
	for _, c := range commands {
		if c.ID == id {
			return c
		}
	}
	return everyCommand().ByID(id)
}

// everyCommand is the table of commands, and one for each dock and each panel.
func everyCommand() command.Table[*App] {
	all := append(slices.Clone(commands), dockCommands()...)
	for _, k := range panel.Kinds() {
		c := &entry{ID: "panel-" + k.ID, Title: "Show " + k.Title + " panel", Help: k.Help, Also: k.Words(),
			Enabled: hasMap, Run: func(a *App) {
				a.rooms.side.Reveal(k.ID)
				a.ui.FocusPanel(k.ID)
			}}
		if k.Key != "" {
			c.Keys = []string{k.Key}
		}
		all = append(all, c)
	}
	return all
}

// dockCommands are the commands that show and hide docks.
func dockCommands() (out []*entry) {
	for i, k := range dock.Kinds() {
		c := &entry{ID: "dock-" + k.ID, Menu: "View", Title: k.Title, Help: k.Help, Also: k.Also, Icon: k.Icon,
			Rule:    i == 0,
			Enabled: hasMap, Checked: func(a *App) bool { return a.rooms.docks.Place(k).Shown },
			Run: func(a *App) { a.rooms.docks.Toggle(k) }}
		if k.Key != "" {
			c.Keys = []string{k.Key}
		}
		out = append(out, c)
	}
	return out
}
