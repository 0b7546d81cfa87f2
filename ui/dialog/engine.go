package dialog

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/work/engine"
	"blossom/ui/widget"
)

// Engines are the engines that there are. They are asked once, when the dialog opens: looking for a card takes some
// milliseconds.
type Engines struct {
	List   []engine.Choice
	Auto   bool   // the fastest that works is taken
	Now    string // the title of the one in use, ""
	Choose func(name string)
}

// Engine lists the engines: those that work can be chosen, the others say what is missing.
var Engine = Register(Kind[Engines]{ID: "engine", Title: "Compute engine", Width: 600,
	New: func(w Window, e Engines) Dialog { return &engines{w, e} }})

type engines struct {
	w Window
	Engines
}

func (e *engines) Face() (Face, bool) { return Face{}, true }

func (e *engines) Draw() (chosen func()) {
	u := e.w.UI()
	row := func(name, title, aside, note, why string, current bool) {
		icon := " "
		if current {
			icon = assets.IconCheck
		}
		if u.Row(title+"##engine "+name, widget.RowOpts{Icon: icon, Secondary: aside, Note: note,
			Selected: current, Disabled: why != ""}).Clicked && why == "" {
			chosen = func() { e.Choose(name) }
		}
		if why != "" {
			indent := u.Pt(31) // below the name, past the icon
			imgui.IndentV(indent)
			u.Wrapped(widget.Small, u.Theme().Muted, widget.Sentence(why))
			imgui.UnindentV(indent)
			u.Space(4)
		}
	}
	now := ""
	if e.Auto && e.Now != "" {
		now = "now " + e.Now
	}
	row(engine.Auto, "Automatic", "the fastest that works here", now, "", e.Auto)
	for _, x := range e.List {
		aside := x.Note
		if x.Why != "" {
			aside = ""
		}
		row(x.Name, x.Title, aside, x.Device, x.Why, x.Current && !e.Auto)
	}
	u.Space(10)
	u.Note("The engine decides how fast the map follows, not how it looks.")
	return chosen
}
