package ui

import (
	"fmt"

	"blossom/assets"
	"blossom/model/work/embedding"
	"blossom/ui/dialog"
	"blossom/ui/view"
)

// embeddingItems are the embeddings that the active view can show, for the palette.
func (a *App) embeddingItems() []dialog.Item {
	if a.desk == nil {
		return nil
	}
	var out []dialog.Item
	add := func(title, help string, r embedding.Recipe) {
		out = append(out, dialog.Item{Title: "View: " + title, Help: help, Icon: assets.IconPanelRight, Can: true,
			Run: func() { a.desk.Stage.Choose(a.desk.Stage.Active(), r) }})
	}
	for _, k := range embedding.Kinds() {
		switch {
		case k.Columns: // a command of its own asks for them
		case k.Way == embedding.ByRange:
			add(k.Title, k.Help, embedding.Recipe{Kind: k.ID, Dims: 2})
		default:
			for _, dims := range []int{2, 3} {
				add(fmt.Sprintf("%s %dD", k.Title, dims), k.Help, embedding.Recipe{Kind: k.ID, Dims: dims})
			}
		}
	}
	for _, k := range view.Kinds() {
		out = append(out, dialog.Item{Title: "View: " + k.Title, Help: k.Help, Icon: k.Icon, Can: true,
			Run: func() { a.desk.Stage.ShowKind(a.desk.Stage.Active(), k.ID) }})
	}
	return out
}
