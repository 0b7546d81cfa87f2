package orders

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// momentCommands are those of moments of the history.
var momentCommands = []*order{
	{ID: "bookmark", Menu: "Edit", Title: "Bookmark this moment", Keys: []string{"Ctrl+M"},
		Help: "Mark where the document stands, or take the mark away", Icon: assets.IconBookmark, Below: "redo",
		Checked: func(d *desk.Desk) bool { return presentMoment(d).Bookmark != "" }, Run: toggleBookmark},
	{ID: "compare", Menu: "Edit", Title: "Compare with another moment…", Keys: []string{"C"},
		Help: "Fade between now and another moment, the last bookmark at first; hold the key to see the other one",
		Icon: assets.IconLayers, Below: "bookmark",
		Enabled: func(d *desk.Desk) bool { return len(d.Past().Moments) > 1 },
		Checked: func(d *desk.Desk) bool { return d.Compare.On() }, Run: compare},
}

func presentMoment(d *desk.Desk) *desk.Moment {
	p := d.Past()
	return &p.Moments[p.Now]
}

func toggleBookmark(d *desk.Desk) {
	m := presentMoment(d)
	if m.Bookmark != "" {
		d.Bookmark(m.ID, "")
		d.Window.Say("bookmark taken away: " + m.Name)
		return
	}
	name := m.Name
	d.Bookmark(m.ID, name)
	d.Window.Say("bookmarked: " + name)
}

// compareKey flips to the other moment while it is held.
const compareKey = imgui.KeyC

// compare begins to compare now with the last bookmark, or with the moment before; while that goes on, its key shows
// the other moment.
func compare(d *desk.Desk) {
	c := &d.Compare
	if c.On() {
		c.Other = true
		return
	}
	p := d.Past()
	with := p.Moments[p.Now].Up
	for i := range p.Moments {
		if p.Moments[i].Bookmark != "" && i != p.Now {
			with = i
		}
	}
	if with < 0 {
		with = max(p.Ahead(p.Now), 0)
	}
	c.Begin(d, p.Moments[with].ID)
}

// CompareReleased lets go of the key that compares, if it is that.
func CompareReleased(d *desk.Desk, e shell.Event) {
	if e.Key == compareKey {
		d.Compare.Other = false
	}
}

// CompareBar draws what two moments are compared with, in place of the options of a tool.
func CompareBar(d *desk.Desk, bar widget.Rect) {
	c := &d.Compare
	end := bar // the button at its end is always in sight
	bar.X1 -= d.UI.Width(widget.Body, "Done") + d.UI.Pt(24+2*8)
	end.X0 = bar.X1
	d.UI.OptionsBar("compare", bar, func(o *widget.Options) {
		o.Count("Compare", "")
		momentList(d, o, "from", &c.From)
		at := c.Showing()
		if e := o.Fade("fade", min(max(bar.W()/d.UI.Pt(1)-540, 110), 260), &at,
			"Fades from the moment on the left to the one on the right. Nothing changes in the document"); e.Changed {
			c.At = at
		}
		momentList(d, o, "to", &c.To)
		o.Note(fmt.Sprintf("%.0f %%", 100*at))
		o.Note("hold C: the other")
		if why := c.Why(); why != "" {
			o.Note(why)
		}
	})
	d.UI.OptionsBar("compare end", end, func(o *widget.Options) {
		if o.Button("Done##compare-done", widget.ButtonOpts{Kind: widget.Primary,
			Tip: "Show the document again\tEsc"}) {
			c.End()
		}
	})
}

// momentList is a menu of all moments, bookmarks first.
func momentList(d *desk.Desk, o *widget.Options, name string, id *state.EntryID) {
	p := d.Past()
	value := "a moment"
	for i := range p.Moments {
		if p.Moments[i].ID == *id {
			value = momentName(p, i)
		}
	}
	if r := []rune(value); len(r) > 28 {
		value = string(r[:27]) + "…"
	}
	clicked, under := o.Menu(name, "", value, "Another moment of the history")
	if clicked {
		d.UI.OpenList(name, under)
	}
	var items []widget.ComboItem
	var ids []state.EntryID
	add := func(i int) {
		items = append(items, widget.ComboItem{Name: momentName(p, i), Note: p.When(i)})
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
	if d.UI.List(name, items, &chosen) && chosen >= 0 && ids[chosen] != 0 {
		*id = ids[chosen]
	}
}

// momentName is how a moment is called: its bookmark, "Now", or what was done.
func momentName(p *desk.Past, i int) string {
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
