package ui

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

func init() {
	commands.Add(&entry{ID: "bookmark", Menu: "Edit", Title: "Bookmark this moment", Keys: []string{"Ctrl+M"},
		Help: "Mark where the document stands, or take the mark away", Icon: assets.IconBookmark, Below: "redo",
		Enabled: hasMap, Checked: func(a *App) bool { return a.desk != nil && a.presentMoment().Bookmark != "" },
		Run: func(a *App) { a.toggleBookmark() }})
	commands.Add(&entry{ID: "compare", Menu: "Edit", Title: "Compare with another moment…", Keys: []string{"C"},
		Help: "Fade between now and another moment, the last bookmark at first; hold the key to see the other one",
		Icon: assets.IconLayers, Below: "bookmark",
		Enabled: func(a *App) bool { return a.desk != nil && len(a.desk.Past().Moments) > 1 },
		Checked: func(a *App) bool { return a.desk != nil && a.desk.Compare.On() },
		Run:     func(a *App) { a.compare() }})
}

func (a *App) presentMoment() *desk.Moment {
	p := a.desk.Past()
	return &p.Moments[p.Now]
}

func (a *App) toggleBookmark() {
	m := a.presentMoment()
	if m.Bookmark != "" {
		a.desk.Bookmark(m.ID, "")
		a.say("bookmark taken away: " + m.Name)
		return
	}
	name := m.Name
	a.desk.Bookmark(m.ID, name)
	a.say("bookmarked: " + name)
}

// compareKey flips to the other moment while it is held.
const compareKey = imgui.KeyC

// compare begins to compare now with the last bookmark, or with the moment before; while that goes on, its key shows
// the other moment.
func (a *App) compare() {
	c := &a.desk.Compare
	if c.On() {
		c.Other = true
		return
	}
	p := a.desk.Past()
	with := p.Moments[p.Now].Up
	for i := range p.Moments {
		if p.Moments[i].Bookmark != "" && i != p.Now {
			with = i
		}
	}
	if with < 0 {
		with = max(p.Ahead(p.Now), 0)
	}
	c.Begin(a.desk, p.Moments[with].ID)
}

// compareReleased lets go of the key that compares.
func (a *App) compareReleased(e shell.Event) {
	if a.desk != nil && e.Key == compareKey {
		a.desk.Compare.Other = false
	}
}

// compareBar draws what two moments are compared with, in place of the options of a tool.
func (a *App) compareBar() {
	c := &a.desk.Compare
	bar, end := a.rooms.regions.options, a.rooms.regions.options // what ends it is always in sight
	bar.X1 -= a.ui.Width(widget.Body, "Done") + a.ui.Pt(24+2*8)
	end.X0 = bar.X1
	a.ui.OptionsBar("compare", bar, func(o *widget.Options) {
		o.Count("Compare", "")
		a.momentList(o, "from", &c.From)
		at := c.Showing()
		if e := o.Fade("fade", min(max(bar.W()/a.ui.Pt(1)-540, 110), 260), &at,
			"Fades from the moment on the left to the one on the right. Nothing changes in the document"); e.Changed {
			c.At = at
		}
		a.momentList(o, "to", &c.To)
		o.Note(fmt.Sprintf("%.0f %%", 100*at))
		o.Note("hold C: the other")
		if why := c.Why(); why != "" {
			o.Note(why)
		}
	})
	a.ui.OptionsBar("compare end", end, func(o *widget.Options) {
		if o.Button("Done##compare-done", widget.ButtonOpts{Kind: widget.Primary,
			Tip: "Show the document again\tEsc"}) {
			c.End()
		}
	})
}

// momentList is a menu of all moments, bookmarks first.
func (a *App) momentList(o *widget.Options, name string, id *state.EntryID) {
	p := a.desk.Past()
	value := "a moment"
	for i := range p.Moments {
		if p.Moments[i].ID == *id {
			value = a.momentName(p, i)
		}
	}
	if r := []rune(value); len(r) > 28 {
		value = string(r[:27]) + "…"
	}
	clicked, under := o.Menu(name, "", value, "Another moment of the history")
	if clicked {
		a.ui.OpenList(name, under)
	}
	var items []widget.ComboItem
	var ids []state.EntryID
	add := func(i int) {
		items = append(items, widget.ComboItem{Name: a.momentName(p, i), Note: p.When(i)})
		ids = append(ids, p.Moments[i].ID)
	}
	head := func(title string) {
		items, ids = append(items, widget.ComboItem{Name: title, Group: true}), append(ids, 0)
	}
	for i := range p.Moments {
		if p.Moments[i].Bookmark != "" {
			if len(items) == 0 {
				head("Bookmarks")
			}
			add(i)
		}
	}
	if len(items) > 0 {
		head("All moments")
	}
	for i := len(p.Moments) - 1; i >= 0; i-- {
		add(i)
	}
	chosen := -1
	for i := range ids {
		if ids[i] == *id {
			chosen = i
		}
	}
	if a.ui.List(name, items, &chosen) && chosen >= 0 && ids[chosen] != 0 {
		*id = ids[chosen]
	}
}

// momentName is how a moment is called: its bookmark, "Now", or what was done.
func (a *App) momentName(p *desk.Past, i int) string {
	m := &p.Moments[i]
	switch {
	case i == p.Now && m.Bookmark != "":
		return "Now · " + m.Bookmark
	case i == p.Now:
		return "Now · " + m.Name
	case m.Bookmark != "":
		return m.Bookmark
	}
	return m.Name
}
