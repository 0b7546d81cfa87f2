package panel

import (
	"fmt"
	"slices"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/render/palette"
	"blossom/ui/desk"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "colour", Title: "Colour",
		Also: "overlay heat density legend palette marker contour expression point size opacity",
		Key:  "Alt+C", Order: 20,
		Help: "What the points of the active view are coloured by, and how they are drawn",
		New:  func(d *desk.Desk) Panel { return &colours{desk: d} }})
}

type colours struct {
	desk     *desk.Desk
	columns  columnItems
	palettes paletteItems
	groups   groupItems
	shares   shareItems
}

// columnItems is the list of columns to colour by, made anew only when it changes: a table may have tens of thousands
// of them.
type columnItems struct {
	listed, transform revision.Revision
	items             []widget.ComboItem
	names             []string // "" for one colour, and for headings
	andItems          []widget.ComboItem
	seconds           []string // names of columns to colour by beside another; "" for none, and for headings
	unread            int      // where columns begin that the file has and nobody has read yet
}

// paletteItems is the list of palettes, each with its colours.
type paletteItems struct {
	label, dark, reversed bool
	own                   bool // the first one is of the file
	items                 []widget.ComboItem
	of                    []*palette.Palette
}

// Note says what the active view is coloured by.
func (p *colours) Note() string {
	if name := p.desk.Look().Column; name != "" {
		return p.desk.ColumnTitle(name)
	}
	return ""
}

func (p *colours) Draw() {
	switch on := p.desk.UI.UpDown(p.rows); {
	case on > 0:
		p.desk.Window.Command("next-column").Run()
	case on < 0:
		p.desk.Window.Command("former-column").Run()
	}
}

func (p *colours) rows() {
	u, look, v := p.desk.UI, p.desk.Look(), p.desk.Stage.Scatter()
	p.whose()
	c := p.list()
	chosen := -1
	for i, name := range c.names[:c.unread] {
		if name == look.Column {
			chosen = i
			break
		}
	}
	if u.Combo("##column", c.items, &chosen, widget.ComboOpts{Empty: look.Column,
		Tip: "The column whose values are the colours. The arrows up and down go through the columns while the " +
			"mouse is on this panel"}) {
		if chosen >= c.unread {
			p.desk.Window.ReadColumn(c.names[chosen])
			return
		}
		p.desk.ColourBy(c.names[chosen])
		look = p.desk.Look()
	}
	p.contrastRows(look)
	if values := v.Colours.Values; values != nil {
		p.valued(look, v)
	} else if inCells(look) {
		u.Space(6)
		p.paletteRows(look, v, false)
	} else {
		u.Space(6)
	}
	p.cellRows(look, v)
	p.pointRows(p.desk.Look(), v)
	shown := p.desk.Active()
	if !v.Eye.Solid() {
		p.allRowsRow(shown)
		p.contourRow(shown)
	}
	type over struct {
		title, command string
		on             bool
	}
	list := []over{{"Landmarks", "show-landmarks", shown.Landmarks}, {"Names of landmarks", "show-names", shown.Names},
		{"Legend", "show-legend", shown.Legend}}
	if look.Column == p.desk.Populations().Column() {
		list = append(list, over{"Names of populations", "show-words", !shown.NoWords})
	}
	for _, x := range list {
		if c := p.desk.Window.Command(x.command); u.Switch(x.title, &x.on, c.Tip) {
			c.Run()
		}
	}
}

// valued is what there is to choose where points have values.
func (p *colours) valued(look parts.Look, v *view.Scatter) {
	label, pair := v.Colours.Labels != nil, v.Colours.Second() != nil
	if !label {
		p.desk.UI.Space(4)
		p.andRow(look)
		look = p.desk.Look()
	}
	p.desk.UI.Space(6)
	if pair {
		p.pairNote(v)
	} else {
		p.paletteRows(look, v, label)
	}
	if label {
		return
	}
	if !pair {
		p.centreRows(look, v.Colouring())
	}
	p.scaleRow(p.desk.Look(), v.Colours.Values)
	p.rangeRows(p.desk.Look(), v)
}

// whose says which views have these colours, where there are several.
func (p *colours) whose() {
	l := parts.Views.Of(p.desk.Doc.State())
	if len(l.Views) < 2 {
		return
	}
	text, following, last := "", 0, ""
	for _, v := range l.Views {
		title, _ := embedding.Label(embedding.Inputs{Data: p.desk.Doc.Data, Table: p.desk.Table()}, v.Recipe)
		for _, k := range view.Kinds() {
			if k.ID == v.Kind {
				title = k.Title
			}
		}
		switch {
		case v.ID == l.Active:
			text = title
		case v.Linked && l.Get(l.Active).Linked:
			following, last = following+1, title
		}
	}
	switch {
	case following == 1:
		text += ", and " + last + " which follows it"
	case following > 1:
		text += fmt.Sprintf(", and %d views which follow it", following)
	}
	p.desk.UI.Note(text)
	p.desk.UI.Space(4)
}

func (p *colours) list() *columnItems {
	all, listed := p.desk.ColumnList()
	rev, l := parts.Transform.Rev(p.desk.Doc.State()), &p.columns
	if l.items != nil && l.listed == listed && l.transform == rev {
		return l
	}
	*l = columnItems{listed: listed, transform: rev, items: []widget.ComboItem{{Name: "One colour"}},
		names: []string{""}, andItems: []widget.ComboItem{{Name: "and by nothing else"}}, seconds: []string{""}}
	spec, data, own := p.desk.Spec(), p.desk.Doc.Data, true
	for i, c := range all {
		item := widget.ComboItem{Name: c.Title, Secondary: c.Secondary}
		switch {
		case i >= len(data.Columns) && own:
			own = false
			l.items = append(l.items, widget.ComboItem{Name: "Made from the map", Group: true})
			l.names = append(l.names, "")
			l.andItems, l.seconds = append(l.andItems, l.items[len(l.items)-1]), append(l.seconds, "")
		case i >= len(data.Columns):
		case spec.Columns[i].Use == transform.Off:
			continue
		default:
			item.Note = p.desk.Doc.Data.RoleWord(data.Columns[i].Role)
		}
		l.items, l.names = append(l.items, item), append(l.names, c.Name)
		if i >= len(data.Columns) || len(data.Columns[i].Categories) == 0 {
			item.Name = "and by " + item.Name
			l.andItems, l.seconds = append(l.andItems, item), append(l.seconds, c.Name)
		}
	}
	l.unread = len(l.names)
	p.unread(l)
	return l
}

// unread adds the columns that the file has beside those of the table: one that is chosen is read.
func (p *colours) unread(l *columnItems) {
	list := p.desk.Doc.Data.Unread
	if len(list) == 0 {
		return
	}
	l.unread++
	l.items = append(l.items, widget.ComboItem{Name: "In the file, read when chosen", Group: true})
	l.names = append(l.names, "")
	for _, c := range list {
		item := widget.ComboItem{Name: c.Name}
		if c.Label != "" {
			item.Name, item.Secondary = c.Label, c.Name
		}
		l.items, l.names = append(l.items, item), append(l.names, c.Name)
	}
}

// edit carries what a control did to the look of the active view.
func (p *colours) edit(name string, e widget.Edit, change func(*parts.Look)) {
	p.desk.Change(name, e, func(s *state.State) { p.desk.EditLook(s, change) })
}

func (p *colours) rangeRows(look parts.Look, v *view.Scatter) {
	u := p.desk.UI
	counts, lo, hi := v.Colours.Bins()
	c := v.Colouring()
	raw := func(x float32) string { return widget.FigureOf(v.Colours.Values.Raw(float64(x)), 3) }
	u.Histogram("values", counts, widget.HistogramOpts{Tip: fmt.Sprintf(
		"Values from %s to %s, %s", raw(lo), raw(hi), spreadText(look, v.Colours.Values))})
	by, now := 0, v.Colouring()
	if look.ByValue() {
		by = 1
	}
	if u.Segmented("Range by", []string{"Percentile", "Value"}, &by,
		"What the ends of the palette are given as: shares of the points, or values of this column") {
		p.desk.SetLook("Colour range by "+[]string{"percentile", "value"}[by], func(l *parts.Look) {
			if l.Of = ""; by == 1 {
				l.From, l.To, l.Of = float64(now.Lo), float64(now.Hi), l.Column
				if l.Spread != transform.SpreadMap {
					l.From, l.To = v.Colours.Values.Raw(l.From), v.Colours.Values.Raw(l.To)
				}
			}
		})
		look = p.desk.Look()
	}
	if look.ByValue() {
		p.valueRows(look, v.Colours.Values, float64(lo), float64(hi))
		p.sameRange(p.desk.Look())
		return
	}
	low, high := look.Low, look.High
	e := u.RangeSlider("Range", &low, &high, widget.Param{Min: 0, Max: 100, Default: 1, Format: "%.0f"},
		func(int) string { return fmt.Sprintf("%.0f–%.0f", low, high) },
		fmt.Sprintf("Percentiles at the ends of the palette: %s and %s now. Narrowing it shows finer steps in "+
			"between; values outside get the end's colour.", raw(c.Lo), raw(c.Hi)))
	set := func(e widget.Edit) {
		p.edit("Colour range", e, func(l *parts.Look) { l.Low, l.High = low, high })
	}
	set(e)
	const least = 0.1 // between the ends
	percent := widget.Param{Min: 0, Max: 100 - least, Default: 1, Unit: " %"}
	e = u.NumberField("From percentile", &low, percent, "Values below this percentile get the colour of the low end")
	if high < low+least {
		high = min(100, low+max(least, look.High-look.Low))
	}
	set(e)
	percent = widget.Param{Min: least, Max: 100, Default: 99, Unit: " %"}
	e = u.NumberField("To percentile", &high, percent, "Values above this percentile get the colour of the high end")
	if low > high-least {
		low = max(0, high-max(least, look.High-look.Low))
	}
	set(e)
	p.sameRange(look)
}

// contourRow says whether lines of equal density are drawn.
func (p *colours) contourRow(shown parts.View) {
	chosen := slices.Index(parts.AllContours, shown.Contours)
	p.desk.UI.Muted("Contours")
	if p.desk.UI.Segmented("##contours", []string{"None", "Over points", "Alone"}, &chosen, "Lines of equal density: "+
		"within each lies a tenth of the points more than within the next. Alone: in the place of the points.") {
		p.desk.Show(func(v *parts.View) { v.Contours = parts.AllContours[chosen] })
	}
	if shown.Contours == parts.NoContours {
		return
	}
	if on := shown.ContourLabels; p.desk.UI.Switch("Shares at contours", &on,
		"Write at each line which share of the points lies within it") {
		p.desk.Show(func(v *parts.View) { v.ContourLabels = on })
	}
}

// allRowsRow says whether a view shows how densely all rows lie that its points are a sample of.
func (p *colours) allRowsRow(shown parts.View) {
	if all := live.AllRowsOf(p.desk.Map); all == nil || all.Density == nil {
		return
	}
	chosen := slices.Index(parts.WaysOfAllRows, shown.AllRows)
	p.desk.UI.Muted("Density of all rows")
	if p.desk.UI.Segmented("##allrows", []string{"Auto", "Beneath", "None"}, &chosen, "How densely all rows of the "+
		"folder lie, of which the points are a sample. Auto: in the place of points that have one colour and none "+
		"of which is selected, else beneath them.") {
		p.desk.Show(func(v *parts.View) { v.AllRows = parts.WaysOfAllRows[chosen] })
	}
}

// stripSteps is the number of colours that show a palette of numbers.
const stripSteps = 24

func (p *colours) paletteRows(look parts.Look, v *view.Scatter, label bool) {
	l := &p.palettes
	own := false // labels have colours in the file
	if c, _, err := p.desk.Column(look.Column); label && err == nil && c != nil {
		own = c.Own != ""
	}
	if dark := p.desk.Window.Dark(); l.items == nil || l.label != label || l.dark != dark ||
		l.reversed != look.Reverse || l.own != own {
		*l = paletteItems{label: label, dark: dark, reversed: look.Reverse, own: own}
		if own {
			l.of = append(l.of, nil)
			l.items = append(l.items, widget.ComboItem{Name: "Colours of the file", Note: "as its labels have them"})
		}
		for _, x := range palette.All() {
			if label != (x.Kind == palette.Categorical) {
				continue
			}
			seen := x
			if dark {
				seen = palette.OnDark(x)
			}
			l.of = append(l.of, x)
			l.items = append(l.items, widget.ComboItem{Name: x.Title, Note: x.Kind.String(), Bands: label,
				Colors: view.Strip(seen, look.Reverse, stripSteps)})
		}
	}
	chosen, now := 0, v.Colouring().Palette
	for i, x := range l.of {
		if now != nil && x != nil && x.Name == now.Name && (!own || look.Palette != "") {
			chosen = i
		}
	}
	if p.desk.UI.Combo("##palette", l.items, &chosen, widget.ComboOpts{
		Tip: "The palette; diverging ones suit values around a middle"}) {
		name, title := "", l.items[chosen].Name
		if x := l.of[chosen]; x != nil {
			name, title = x.Name, "Palette "+x.Title
		}
		p.desk.SetLook(title, func(l *parts.Look) { l.Palette = name })
	}
	p.desk.UI.Space(4)
	if label {
		return
	}
	if reverse := look.Reverse; p.desk.UI.Switch("Reversed", &reverse, "Turn the palette round") {
		p.desk.SetLook("Reverse the palette", func(l *parts.Look) { l.Reverse = reverse })
	}
}

func (p *colours) pointRows(look parts.Look, v *view.Scatter) {
	size, opacity := look.Size, look.Opacity
	if inCells(look) {
		p.cellSizes(look, v)
		return
	}
	drawn, seen := v.Drawn()
	e := p.desk.UI.Slider("Point size", &size, widget.Param{Min: 0.1, Max: 20, Default: 0, Format: "%.1f", Zero: "auto",
		Now: drawn}, "Diameter of a point. auto adapts to how many there are.")
	p.edit("Point size", e, func(l *parts.Look) { l.Size = size })
	e = p.desk.UI.Slider("Opacity", &opacity, widget.Param{Min: 0.01, Max: 1, Default: 0, Format: "%.2f", Zero: "auto",
		Now: seen}, "Raising it makes single points stand out, lowering it shows where there are many. auto adapts.")
	p.edit("Opacity", e, func(l *parts.Look) { l.Opacity = opacity })
}
