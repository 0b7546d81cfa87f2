package ui

import (
	"fmt"
	"image/color"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/parts"
	"blossom/model/revision"
	"blossom/model/state"
	"blossom/model/transform"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/render/scene"
	"blossom/ui/widget"
)

func (a *App) colourNote() string {
	if c := a.colours.column; a.colours.Values != nil && c < len(a.m.Doc.Data.Columns) {
		return a.m.Doc.Data.Columns[c].Short()
	}
	return ""
}

// colourBy colours by the column of that name, "" for none.
func (a *App) colourBy(name string) {
	a.look("Colour by "+orNothing(name), func(l *parts.Look) { l.Column = name })
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func (a *App) colourPanel() {
	data := a.m.Doc.Data
	items, columns := a.columnItems()
	chosen := 0
	for i, c := range columns {
		if c >= 0 && data.Columns[c].Name == a.lookNow().Column {
			chosen = i
		}
	}
	if a.ui.Combo("##column", items, &chosen, widget.ComboOpts{Tip: "The column whose values are the colours"}) {
		name := ""
		if columns[chosen] >= 0 {
			name = data.Columns[columns[chosen]].Name
		}
		a.colourBy(name)
	}
	a.ui.Space(6)
	if v := a.colours.Values; v != nil {
		label := v.Labels != nil
		if !label {
			a.rangeControls(a.lookNow())
		}
		a.paletteControls(a.lookNow(), label)
	}
	a.pointControls(a.lookNow())
	shown := a.shown()
	lm, names, leg := shown.Landmarks, shown.Names, shown.Legend
	if a.ui.Switch("Landmarks", &lm, commandByID("show-landmarks").tip()) {
		a.setLandmarks(lm)
	}
	if a.ui.Switch("Names of landmarks", &names, commandByID("show-names").tip()) {
		a.toggleNames()
	}
	if a.ui.Switch("Legend", &leg, commandByID("show-legend").tip()) {
		a.toggleLegend()
	}
}

// columnList is the list of columns to colour by, made anew only when it changes: a table may have
// tens of thousands of them.
type columnList struct {
	data, transform revision.Revision
	items           []widget.ComboItem
	columns         []int // of the data, -1 for one colour
}

func (a *App) columnItems() ([]widget.ComboItem, []int) {
	data, s, l := a.m.Doc.Data, a.m.Doc.State(), &a.columns
	if l.items != nil && l.data == data.Rev && l.transform == parts.Transform.Rev(s) {
		return l.items, l.columns
	}
	*l = columnList{data: data.Rev, transform: parts.Transform.Rev(s), items: []widget.ComboItem{{Name: "One colour"}},
		columns: []int{-1}}
	for i := range data.Columns {
		c := &data.Columns[i]
		if parts.Transform.Of(s).Columns[i].Use == transform.Off {
			continue
		}
		item := widget.ComboItem{Name: c.Short(), Note: a.roleWord(c.Role)}
		if c.Label != "" && c.Label != c.Name {
			item.Secondary = c.Name
		}
		l.items, l.columns = append(l.items, item), append(l.columns, i)
	}
	return l.items, l.columns
}

func (a *App) rangeControls(look parts.Look) {
	counts, lo, hi := a.colours.histogram()
	c := a.currentColouring()
	a.ui.Histogram("values", counts, widget.HistogramOpts{Tip: fmt.Sprintf(
		"Values from %s to %s, transformed as in the map", formatNumber(float64(lo)), formatNumber(float64(hi)))})
	low, high := look.Low, look.High
	e := a.ui.RangeSlider("Range", &low, &high, widget.Param{Min: 0, Max: 100, Default: 1, Format: "%.0f"},
		fmt.Sprintf("%.0f–%.0f", low, high),
		fmt.Sprintf("Percentiles at the ends of the palette: %s and %s now. Narrowing it shows finer steps in "+
			"between; values outside get the end's colour.", formatNumber(float64(c.Lo)), formatNumber(float64(c.Hi))))
	a.change("Colour range", e, func(s *state.State) {
		a.editLook(s,
			func(l *parts.Look) { l.Low, l.High = low, high })
	})
	percent := widget.Param{Min: 0, Max: high - 0.1, Default: 1, Format: "%.4g", Unit: " %"}
	e = a.ui.NumberField("From percentile", &low, percent, "Values below this percentile get the colour of the low end")
	a.change("Colour range", e, func(s *state.State) { a.editLook(s, func(l *parts.Look) { l.Low = low }) })
	percent = widget.Param{Min: low + 0.1, Max: 100, Default: 99, Format: "%.4g", Unit: " %"}
	e = a.ui.NumberField("To percentile", &high, percent, "Values above this percentile get the colour of the high end")
	a.change("Colour range", e, func(s *state.State) { a.editLook(s, func(l *parts.Look) { l.High = high }) })
}

func (a *App) paletteControls(look parts.Look, label bool) {
	now := a.currentColouring().Palette
	var fits []*palette.Palette
	for _, p := range palette.All() {
		if label == (p.Kind == palette.Categorical) {
			fits = append(fits, p)
		}
	}
	chosen := 0
	var items []widget.ComboItem
	for i, p := range fits {
		items = append(items, widget.ComboItem{Name: p.Title, Note: p.Kind.String()})
		if now != nil && p.Name == now.Name {
			chosen = i
		}
	}
	if a.ui.Combo("##palette", items, &chosen, widget.ComboOpts{
		Tip: "The palette; diverging ones suit values around a middle"}) {
		name := fits[chosen].Name
		a.look("Palette "+fits[chosen].Title, func(l *parts.Look) { l.Palette = name })
	}
	a.ui.Space(4)
	a.ui.GradientBar(gradient(a.currentColouring().Palette, look.Reverse && !label), 0, 8)
	a.ui.Space(4)
	if !label {
		reverse := look.Reverse
		if a.ui.Switch("Reversed", &reverse, "Turn the palette round") {
			a.look("Reverse the palette", func(l *parts.Look) { l.Reverse = reverse })
		}
	}
}

func gradient(p *palette.Palette, reversed bool) []widget.Color {
	const steps = 96
	out := make([]widget.Color, steps)
	for i := range out {
		t := float64(i) / (steps - 1)
		if reversed {
			t = 1 - t
		}
		if p.Kind == palette.Categorical {
			out[i] = ink(p.Label(i*len(p.Colours)/steps, len(p.Colours)))
			continue
		}
		out[i] = ink(p.At(t))
	}
	return out
}

func (a *App) pointControls(look parts.Look) {
	auto := a.canvas.picture.style
	scale := float64(a.ctx.Scale()) * a.view.ratio
	size, opacity := look.Size, look.Opacity
	e := a.ui.Slider("Point size", &size, widget.Param{Min: 0.1, Max: 20, Default: 0, Format: "%.1f", Zero: "auto",
		Now: float64(auto.Size) / scale}, "Diameter of a point. auto adapts to how many there are.")
	a.change("Point size", e, func(s *state.State) { a.editLook(s, func(l *parts.Look) { l.Size = size }) })
	e = a.ui.Slider("Opacity", &opacity, widget.Param{Min: 0.01, Max: 1, Default: 0, Format: "%.2f", Zero: "auto",
		Now: float64(auto.Opacity)}, "Raising it makes single points stand out, lowering it shows where there are "+
		"many. auto adapts.")
	a.change("Opacity", e, func(s *state.State) { a.editLook(s, func(l *parts.Look) { l.Opacity = opacity }) })
}

// currentColouring is how points are coloured now.
func (a *App) currentColouring() palette.Colouring {
	return scene.Colouring(a.colours.Values, sceneLook(a.lookNow()), a.settings.Theme == "dark", color.NRGBA{})
}

// sceneLook is a look of the document as pictures take it.
func sceneLook(l parts.Look) scene.Look {
	return scene.Look{Palette: l.Palette, Reverse: l.Reverse, Low: l.Low, High: l.High, Size: l.Size, Opacity: l.Opacity}
}

// legend draws the legend in the lower left corner of the map.
func (a *App) legend(dl *imgui.DrawList) {
	l := a.colours.Legend(a.currentColouring())
	if l == nil {
		return
	}
	u, t, c := a.ui, a.ui.Theme(), a.regions.canvas
	x, bottom := c.X0+u.Pt(18), c.Y1-u.Pt(16)
	ground := t.Surface.Alpha(0.8)
	line := u.Pt(19)
	if c.H() < u.Pt(240) {
		return // a small map would be all legend
	}
	l.Title = u.Fit(widget.Strong, l.Title, u.Pt(190))
	l.Subtitle = u.Fit(widget.Small, l.Subtitle, u.Pt(150))
	title := func(y float32) {
		w := u.DrawText(dl, widget.Strong, x, y, t.Text, l.Title)
		if l.Subtitle != "" {
			u.DrawText(dl, widget.Small, x+w+u.Pt(5), y, t.Muted, l.Subtitle)
		}
	}
	if len(l.Entries) == 0 {
		w, h := min(u.Pt(220), c.W()-u.Pt(36)), u.Pt(9)
		top := bottom - u.Pt(46)
		wide := max(w, u.Width(widget.Strong, l.Title)+u.Pt(5)+u.Width(widget.Small, l.Subtitle))
		a.legendBox = widget.R(x-u.Pt(8), top-u.Pt(12), wide+u.Pt(16), bottom-top+u.Pt(18))
		u.FillRect(dl, a.legendBox, ground, 6)
		title(top)
		bar := widget.R(x, top+u.Pt(14), w, h)
		u.Gradient(dl, bar, gradientOf(l.Colouring))
		a.marks(dl, l.Marks(3), x, w, top+u.Pt(35))
		return
	}
	rows := max(1, int((c.H()*0.6-line)/line))
	shown := min(len(l.Entries), rows)
	more := len(l.Entries) - shown
	lines := shown
	if more > 0 {
		lines++
	}
	wide := u.Width(widget.Strong, l.Title) + u.Pt(5) + u.Width(widget.Small, l.Subtitle)
	nameW, countW := float32(0), float32(0)
	for _, e := range l.Entries[:shown] {
		nameW = max(nameW, min(u.Width(widget.Body, e.Name), u.Pt(180)))
		countW = max(countW, u.Width(widget.Small, grouped(e.Count)))
	}
	wide = max(wide, u.Pt(18)+nameW+u.Pt(14)+countW)
	top := bottom - float32(lines)*line - u.Pt(12)
	a.legendBox = widget.R(x-u.Pt(8), top-u.Pt(12), wide+u.Pt(16), bottom-top+u.Pt(16))
	u.FillRect(dl, a.legendBox, ground, 6)
	title(top)
	y := top + u.Pt(20)
	for _, e := range l.Entries[:shown] {
		u.FillRect(dl, widget.R(x, y-u.Pt(5), u.Pt(10), u.Pt(10)), ink(e.Colour), 3)
		u.DrawText(dl, widget.Body, x+u.Pt(18), y, t.Text, u.Fit(widget.Body, e.Name, u.Pt(180)))
		n := grouped(e.Count)
		u.DrawText(dl, widget.Small, x+wide-u.Width(widget.Small, n), y, t.Muted, n)
		y += line
	}
	if more > 0 {
		u.DrawText(dl, widget.Small, x+u.Pt(18), y, t.Muted, fmt.Sprintf("+ %d more", more))
	}
}

// marks writes the numbers under the bar: the ends always, those between where they leave room.
func (a *App) marks(dl *imgui.DrawList, marks []legend.Mark, x, w, y float32) {
	u := a.ui
	place := func(m legend.Mark) (lo, hi float32) {
		tw := u.Width(widget.Caption, m.Text)
		lo = min(max(x+float32(m.At)*w-tw/2, x), x+w-tw)
		return lo, lo + tw
	}
	gap := u.Pt(8)
	_, taken := place(marks[0])
	last, _ := place(marks[len(marks)-1])
	for i, m := range marks {
		lo, hi := place(m)
		inner := i > 0 && i < len(marks)-1
		if inner && (lo < taken+gap || hi > last-gap) {
			continue
		}
		if inner {
			taken = hi
		}
		u.DrawText(dl, widget.Caption, lo, y, a.ui.Theme().Muted, m.Text)
	}
}

func gradientOf(c palette.Colouring) []widget.Color {
	if c.Palette == nil {
		return []widget.Color{ink(c.Flat), ink(c.Flat)}
	}
	return gradient(c.Palette, c.Reversed)
}
