package orders

import (
	"fmt"
	"slices"
	"strings"

	"blossom/assets"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/work/embedding"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/naming"
	"blossom/ui/view"
)

// Items are what the palette offers of the open document beside the commands: embeddings and other contents for the
// active view, and columns to colour it by. Of columns of which there are many it has those that begin as the last word
// that is typed.
func Items(d *desk.Desk, typed string) []dialog.Item {
	words := strings.Fields(typed)
	if len(words) == 0 {
		words = []string{""}
	}
	word := words[len(words)-1]
	return slices.Concat(contentItems(d), populationItems(d), columnItems(d, word), unreadItems(d, word))
}

// begins says whether a name begins as a word does, in any case.
func begins(name, word string) bool {
	return word != "" && len(name) >= len(word) && strings.EqualFold(name[:len(word)], word)
}

// populationItems are the populations, to select the points of one.
func populationItems(d *desk.Desk) (out []dialog.Item) {
	tree := parts.Populations.Of(d.Doc.State())
	for _, p := range tree.All()[:min(tree.Len(), columnsOffered)] {
		out = append(out, dialog.Item{Title: "Population " + population.Brief(p.Name), Icon: assets.IconTag, Can: true,
			Help: "Select its points", Run: func() {
				d.Stage.Scene.Gating.Chosen = p.ID
				naming.Select(d, p.ID)
			}})
	}
	return out
}

// contentItems are what the active view can show.
func contentItems(d *desk.Desk) (out []dialog.Item) {
	add := func(title, help, also, icon string, run func()) {
		out = append(out, dialog.Item{Title: "View: " + title, Help: help, Also: also, Icon: icon, Can: true, Run: run})
	}
	embed := func(title, help string, r embedding.Recipe) {
		add(title, help, "", assets.IconPanelRight, func() { d.Stage.Choose(d.Stage.Active(), r) })
	}
	for _, k := range embedding.Kinds() {
		switch {
		case k.Columns: // a command of its own asks for them
		case k.Way == embedding.ByRange:
			embed(k.Title, k.Help, embedding.Recipe{Kind: k.ID, Dims: 2})
		default:
			for _, dims := range []int{2, 3} {
				embed(fmt.Sprintf("%s %dD", k.Title, dims), k.Help, embedding.Recipe{Kind: k.ID, Dims: dims})
			}
		}
	}
	recipes, titles := embedding.Brought(d.Doc.Data)
	for i, r := range recipes {
		add("Points at "+titles[i], "Show points where the file has them: its coordinates "+titles[i],
			"X_"+titles[i]+" coordinates of the file obsm", assets.IconPanelRight,
			func() { d.Stage.Choose(d.Stage.Active(), r) })
	}
	for _, k := range view.Kinds() {
		add(k.Title, k.Help, k.Also, k.Icon, func() { d.Stage.ShowKind(d.Stage.Active(), k.ID) })
	}
	return out
}

// columnsOffered is how many columns of the table the palette offers to colour by; the Colour panel has all.
const columnsOffered = 500

// columnItems are the columns to colour the active view by.
func columnItems(d *desk.Desk, word string) (out []dialog.Item) {
	list, _ := d.ColumnList()
	for i, c := range list {
		if i >= columnsOffered && !c.Derived && !begins(c.Title, word) && !begins(c.Secondary, word) {
			continue
		}
		title := "Colour by " + c.Title
		if c.Secondary != "" {
			title += " (" + c.Secondary + ")"
		}
		out = append(out, dialog.Item{Title: title, Help: c.Help, Icon: assets.IconPalette, Can: true,
			Run: func() { d.ColourBy(c.Name) }})
	}
	return out
}

// unreadOffered is how many columns that were not read are offered.
const unreadOffered = 50

// unreadItems are columns that the file has and the table has not, to read one and colour by it.
func unreadItems(d *desk.Desk, word string) (out []dialog.Item) {
	for _, c := range d.Doc.Data.Unread {
		if len(out) == unreadOffered {
			break
		}
		if !begins(c.Name, word) && !begins(c.Label, word) {
			continue
		}
		title := c.Name
		if c.Label != "" {
			title = c.Label + " (" + c.Name + ")"
		}
		out = append(out, dialog.Item{Title: "Colour by " + title + ", read from the file", Icon: assets.IconPalette,
			Help: "It is in no column yet: it is read, and colours the points", Can: true,
			Run: func() { d.Window.ReadColumn(c.Name) }})
	}
	return out
}
