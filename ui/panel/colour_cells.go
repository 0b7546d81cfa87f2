package panel

import (
	"strings"

	"blossom/model/document/parts"
	"blossom/model/maps/density"
	"blossom/render/splat/tally"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// inCells says whether points are counted in cells.
func inCells(look parts.Look) bool { return tally.Settings{Mode: look.Draw}.Cells() }

// cellRows choose how points are drawn: one by one, or counted in cells.
func (p *colours) cellRows(look parts.Look, v *view.Scatter) {
	u, chosen := p.desk.UI, 0
	var titles, helps []string
	for i, m := range tally.Modes() {
		if titles, helps = append(titles, m.Title), append(helps, m.Title+": "+m.Help); m.ID == look.Draw {
			chosen = i
		}
	}
	u.Muted("Drawn as")
	if u.Segmented("##drawn", titles, &chosen, strings.Join(helps, ". ")) {
		p.desk.SetLook("Draw "+strings.ToLower(titles[chosen]), func(l *parts.Look) {
			if l.Draw = tally.Modes()[chosen].ID; l.Draw == tally.Points {
				l.Draw = ""
			}
			l.Cell = 0 // cells that suit as squares do not as hexagons
		})
		look = p.desk.Look()
	}
	if !inCells(look) {
		u.Space(4)
		return
	}
	if v.Colours.Values == nil {
		u.Note("Colours say how many points a cell has")
	}
	u.Muted("Scale of counts")
	words, now := make([]string, len(density.Scales)), 0
	for i, s := range density.Scales {
		if words[i] = strings.ToUpper(s.Word()[:1]) + s.Word()[1:]; s == look.Counts {
			now = i
		}
	}
	if u.Segmented("##counts", words, &now, "How counts are spread over colours or opacity: by powers, evenly, or so "+
		"that each colour has as many cells") {
		p.desk.SetLook("Scale of counts: "+words[now], func(l *parts.Look) { l.Counts = density.Scales[now] })
	}
	u.Space(4)
}

// cellSizes are the size of cells and how opaque they are.
func (p *colours) cellSizes(look parts.Look, v *view.Scatter) {
	cell, opacity := look.Cell, look.Opacity
	drawn, _ := v.Drawn()
	e := p.desk.UI.Slider("Cell size", &cell, widget.Param{Min: 0.5, Max: 60, Default: 0, Format: "%.1f", Zero: "auto",
		Now: drawn}, "Side of a square, or width of a hexagon, in points. auto adapts to how many points there are.")
	p.edit("Cell size", e, func(l *parts.Look) { l.Cell = cell })
	tip := "auto: the more points a cell has the more opaque it is"
	if v.Colours.Values == nil {
		tip = "auto: cells are opaque"
	}
	e = p.desk.UI.Slider("Opacity", &opacity, widget.Param{Min: 0.01, Max: 1, Default: 0, Format: "%.2f", Zero: "auto",
		Now: 1}, tip)
	p.edit("Opacity", e, func(l *parts.Look) { l.Opacity = opacity })
}
