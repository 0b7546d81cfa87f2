package panel

import (
	"slices"
	"strings"

	"blossom/model/base/revision"
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
	p.cellShows(look, v)
	u.Space(4)
}

// shareItems is what cells can show of labels, made anew only when these change: there may be thousands.
type shareItems struct {
	of    revision.Revision
	items []widget.ComboItem
}

func (s *shareItems) list(of *view.Colours) []widget.ComboItem {
	if s.items == nil || s.of != of.Rev {
		s.of, s.items = of.Rev, []widget.ComboItem{{Name: "the commonest label"}}
		for _, label := range of.Labels {
			s.items = append(s.items, widget.ComboItem{Name: "share of " + label})
		}
	}
	return s.items
}

// cellShows chooses what cells show of a column: of numbers the mean or the median, of labels the commonest or the
// share of one of them.
func (p *colours) cellShows(look parts.Look, v *view.Scatter) {
	u, values := p.desk.UI, v.Colours.Values
	if values == nil || values.Second() != nil {
		return
	}
	show := func(what, title string) {
		p.desk.SetLook("Cells show "+title, func(l *parts.Look) { l.Show = what })
	}
	if values.Labels == nil {
		u.Muted("Cells show")
		now := 0
		if look.Show == parts.ShowMedian {
			now = 1
		}
		if u.Segmented("##cells-show", []string{"Mean", "Median"}, &now,
			"What a cell shows of the values of its points") {
			show([]string{"", parts.ShowMedian}[now], []string{"means", "medians"}[now])
		}
		return
	}
	u.Muted("Cells show")
	share, _ := look.Share()
	items, now := p.shares.list(&v.Colours), 0
	if share != "" {
		now = slices.Index(values.Labels, share) + 1
	}
	if u.Combo("##cells-show", items, &now, widget.ComboOpts{
		Tip: "The label that most points of a cell have, or which part of them has one of the labels"}) {
		if now == 0 {
			show("", "the commonest label")
			return
		}
		show(parts.ShowShare+values.Labels[now-1], items[now].Name)
	}
}

// cellSizes are the size of cells and how opaque they are.
func (p *colours) cellSizes(look parts.Look, v *view.Scatter) {
	cell, opacity := look.Cell, look.Opacity
	drawn, _ := v.Drawn()
	e := p.desk.UI.Slider("Cell size", &cell, widget.Param{Min: 0.5, Max: 60, Default: 0, Format: "%.1f", Zero: "auto",
		Now: drawn}, "Side of a square, or width of a hexagon, in points. auto adapts to how many points there are.")
	p.edit("Cell size", e, func(l *parts.Look) { l.Cell = cell })
	if m, _ := tally.ByID(look.Draw); m.Smooths {
		smooth := look.Smooth
		e = p.desk.UI.Slider("Smoothing", &smooth, widget.Param{Min: 0.5, Max: 30, Default: 0, Format: "%.1f",
			Zero: "none"}, "Standard deviation, in points, of the Gaussian that counts and sums are smoothed by")
		p.edit("Smoothing", e, func(l *parts.Look) { l.Smooth = smooth })
	}
	tip := "auto: the more points a cell has the more opaque it is"
	if v.Colours.Values == nil {
		tip = "auto: cells are opaque"
	}
	e = p.desk.UI.Slider("Opacity", &opacity, widget.Param{Min: 0.01, Max: 1, Default: 0, Format: "%.2f", Zero: "auto",
		Now: 1}, tip)
	p.edit("Opacity", e, func(l *parts.Look) { l.Opacity = opacity })
}
