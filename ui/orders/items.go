package orders

import (
	"fmt"
	"slices"

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
// active view, and columns to colour it by.
func Items(d *desk.Desk) []dialog.Item {
	return slices.Concat(contentItems(d), populationItems(d), columnItems(d))
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
func columnItems(d *desk.Desk) (out []dialog.Item) {
	list, _ := d.ColumnList()
	for i, c := range list {
		if i >= columnsOffered && !c.Derived {
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
