package panel

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/space/transform"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "data", Title: "Data",
		Also: "statistics histogram mean median columns markers channels compensation keywords",
		Key:  "Alt+D", Order: 10,
		Help: "The columns: what makes the map, what the points are coloured by",
		New:  func(d *desk.Desk) Panel { return &data{desk: d} }})
}

type data struct {
	desk   *desk.Desk
	search string
	all    bool
	menu   int // the column whose menu is open
	list   columnList
	sparks sparks
	median medians // medians of the selected points

	keywords   []widget.ComboItem
	keywordsOf revision.Revision

	noted  bool                 // all notes on the data are shown
	left   string               // which columns are not in the map, and why
	leftOf [2]revision.Revision // the data and the transform that it is about
}

// columnList is the columns that are listed, made anew only when that changes: there may be tens of thousands.
type columnList struct {
	key  columnListKey
	rows []dataRow
	left int // number of columns that are not listed
}

type columnListKey struct {
	listed revision.Revision
	search string
	all    bool
	active string
	undone int // columns that were joined and are off
	table  revision.Revision
}

// dataRow is a column in the list.
type dataRow struct {
	at                    int // in the table, -1 for one that is made from the map
	name                  string
	label, secondary, tip string
	unread                bool // it is in the file alone
}

const (
	rowsShown   = 12   // columns listed at once; the rest is found by searching
	joinedShown = 3    // beyond those, columns that were joined
	rowsAtMost  = 2000 // also when all are asked for

	warningsShown = 2 // notes on the data that are shown at once
)

// Note says how many points there are, or are selected: then a row has their median.
func (p *data) Note() string {
	if set := p.desk.Stage.Selected(); !set.Empty() {
		return "medians of " + widget.Grouped(set.Count()) + " selected"
	}
	return widget.Grouped(p.desk.Doc.Data.Points) + " points"
}

func (p *data) Draw() {
	u, table := p.desk.UI, p.desk.Doc.Data
	if len(table.Columns) > rowsShown || len(table.Unread) > 0 || p.all {
		u.SearchField("##search", "Find a column", &p.search, false)
		u.Space(4)
	}
	active, spec := p.desk.Look().Column, p.desk.Spec()
	p.update(active)
	for i := range p.list.rows {
		p.row(&p.list.rows[i], active, spec)
	}
	p.sparks.count(p.desk)
	p.median.count(p.desk)
	if len(p.list.rows) == 0 {
		u.Note("No column has this in its name.")
	}
	u.ContextMenu("column", p.columnMenu)
	p.foot()
	p.files()

	if left := p.leftOut(); left != "" {
		u.Space(2)
		u.Wrapped(widget.Small, u.Theme().Muted, left)
	}
	if n := p.desk.Table().Invalid; n > 0 {
		u.Space(2)
		u.Wrapped(widget.Small, u.Theme().Muted, widget.Grouped(n)+" points have a missing or infinite value in a "+
			"column of the map. They are not drawn, and exported as NaN.")
	}
	p.warnings(table.Warnings)
	if c := p.desk.Window.Command("reading"); c.Can {
		u.Space(2)
		if u.Link("How text is read…##reading", c.Tip) {
			c.Run()
		}
	}
}

// warnings tells what was odd about the files; many are folded, or the next panel would be pushed out of sight.
func (p *data) warnings(list []string) {
	u, shown := p.desk.UI, len(list)
	if shown > warningsShown && !p.noted {
		shown = 1
	}
	for _, w := range list[:shown] {
		u.Space(2)
		u.Wrapped(widget.Small, u.Theme().Warning, w)
	}
	if len(list) <= warningsShown {
		return
	}
	u.Space(2)
	text := widget.Grouped(len(list)-1) + " more notes on the data…"
	if p.noted {
		text = "Show the first note only"
	}
	if u.Link(text+"##notes", "What was odd about the files") {
		p.noted = !p.noted
	}
}

// leftOut says which columns are not in the map and why, where that may not be expected.
func (p *data) leftOut() string {
	table, spec := p.desk.Doc.Data, p.desk.Spec()
	of := [2]revision.Revision{table.Rev, parts.Transform.Rev(p.desk.Doc.State())}
	if p.leftOf == of {
		return p.left
	}
	p.left, p.leftOf = "", of
	if text := table.LeftOut(spec.MapColumns(), false); text != "" {
		p.left = "Not in the map: " + text + ". The box of a column takes it in."
	}
	return p.left
}

// update lists the columns: markers first, since they make the map, what was joined, then the rest as in the file, then
// derived ones if they are asked for; and always the one that points are coloured by.
func (p *data) update(active string) {
	all, listed := p.desk.ColumnList()
	l := &p.list
	spec := p.desk.Spec()
	key := columnListKey{listed, p.search, p.all, active, p.undone(spec), p.desk.Table().Rev}
	if key == l.key {
		return
	}
	*l = columnList{key: key, rows: l.rows[:0]}
	limit := rowsShown
	if p.all {
		limit = rowsAtMost
	}
	own := p.desk.Doc.Data.Columns
	word := strings.ToLower(strings.TrimSpace(p.search))
	for group := range 4 {
		for i := range all {
			c := &all[i]
			if p.group(i) != group || !matches(c, word) {
				continue
			}
			room := limit
			if group == 1 {
				room += joinedShown
			}
			switch {
			case (len(l.rows) >= room || folded(group, i, spec) && !p.all && word == "") && c.Name != active:
				l.left++
			case i < len(own):
				l.rows = append(l.rows, p.describe(i, c, &own[i]))
			default:
				l.rows = append(l.rows, dataRow{at: -1, name: c.Name, label: c.Title + "##" + strconv.Itoa(i),
					secondary: cmp.Or(c.Secondary, "from the map"),
					tip:       c.Title + ": " + c.Help + "\nA click colours by it."})
			}
		}
	}
	p.unread(word, limit)
}

// unread lists columns that are in the file alone, where one is sought.
func (p *data) unread(word string, limit int) {
	if word == "" {
		return
	}
	l := &p.list
	for i, c := range p.desk.Doc.Data.Unread {
		if !strings.Contains(strings.ToLower(c.Name), word) && !strings.Contains(strings.ToLower(c.Label), word) {
			continue
		}
		if len(l.rows) >= limit {
			l.left++
			continue
		}
		title := cmp.Or(c.Label, c.Name)
		l.rows = append(l.rows, dataRow{at: -1, name: c.Name, label: title + "##unread" + strconv.Itoa(i), unread: true,
			secondary: "in the file", tip: c.Name + " is in the file alone. A click reads it and colours by it."})
	}
}

// group is where a column is listed: with the markers, what was joined, the rest of the file, or what is made from the
// map.
func (p *data) group(i int) int {
	switch table := p.desk.Doc.Data; {
	case i >= len(table.Columns):
		return 3
	case table.JoinedFrom(i) != nil:
		return 1
	case table.Columns[i].Role == dataset.Marker:
		return 0
	}
	return 2
}

// folded says whether a column is listed only where all are, or it is searched: it is made from the map, or was joined
// and is off, as after undo.
func folded(group, i int, spec transform.Spec) bool {
	return group == 3 || group == 1 && spec.Columns[i].Use == transform.Off
}

// undone is how many columns were joined and are off.
func (p *data) undone(spec transform.Spec) (n int) {
	for _, j := range p.desk.Doc.Data.Joined {
		for _, c := range spec.Columns[j.At:j.End] {
			if c.Use == transform.Off {
				n++
			}
		}
	}
	return n
}

func matches(c *live.ColumnInfo, word string) bool {
	return word == "" || strings.Contains(strings.ToLower(c.Title), word) ||
		strings.Contains(strings.ToLower(c.Secondary), word)
}

func (p *data) describe(i int, c *live.ColumnInfo, own *dataset.Column) dataRow {
	r := dataRow{at: i, name: c.Name, label: c.Title + "##" + strconv.Itoa(i), secondary: c.Secondary,
		tip: columnTip(own, own.Title())}
	if _, among := p.desk.Value(i, 0); among != own { // the histogram beside it is of these values too
		name := p.desk.Spec().NameOf(p.desk.Doc.Data, i, transform.Compensated)
		r.tip = columnTip(among, own.Title()+", as "+name+", of a sample")
	}
	switch {
	case own.Categories != nil:
		r.secondary = widget.Grouped(len(own.Categories)) + " names"
	case r.secondary == "" && own.Role != dataset.Marker:
		r.secondary = p.desk.Doc.Data.RoleWord(own.Role)
	}
	if j := p.desk.Doc.Data.JoinedFrom(i); j != nil {
		r.secondary = "joined"
		r.tip = "Joined from " + filepath.Base(j.Path) + ". " + r.tip
	}
	return r
}

// columnTip says how the values of a column are, which title names.
func columnTip(c *dataset.Column, title string) string {
	const hint = ". A click colours by it, its box takes it in or out of the map; right-click for more."
	s := c.Stats
	if s.Count == 0 {
		return title + ": no finite value" + hint
	}
	if c.Categories != nil {
		return title + ": " + widget.Grouped(len(c.Categories)) + " names" + hint
	}
	why := ""
	if c.Why != "" {
		why = ". Not a marker: " + c.Why
	}
	digits := s.Digits(4)
	text := fmt.Sprintf("%s: %s to %s, mean %s, deviation %s", title, widget.FigureOf(s.Min, digits),
		widget.FigureOf(s.Max, digits), widget.FigureOf(s.Mean, digits), widget.Figure(s.SD))
	if s.Invalid > 0 {
		text += fmt.Sprintf(", %s missing", widget.Grouped(s.Invalid))
	}
	return text + why + hint
}

func (p *data) row(r *dataRow, active string, spec transform.Spec) {
	o := widget.ColumnOpts{Secondary: r.secondary, Active: r.name == active, Tip: r.tip, Fixed: r.at < 0,
		BoxTip: "It is made from the map, and cannot make it"}
	if r.unread {
		o.BoxTip = "It is in no column yet: a click on its name reads it"
	}
	in := false
	if r.at >= 0 {
		use := spec.Columns[r.at].Use
		in, o.Dim, o.Spark = use == transform.InMap, use == transform.Off, p.sparks.of(p.desk, r.at)
		if m := p.median.of(p.desk, r.at); m.text != "" {
			o.Value, o.Mark = m.text, p.sparks.place(r.at, m.shown)
		}
		o.BoxTip = "Take it into the map"
		if in {
			o.BoxTip = "Take it out of the map"
		}
	}
	hit := p.desk.UI.ColumnRow(r.label, &in, o)
	switch {
	case hit.Toggled && in:
		p.setUse(r.at, transform.InMap)
	case hit.Toggled:
		p.setUse(r.at, transform.ColourOnly)
	case hit.NameClicked && r.unread:
		p.desk.Window.ReadColumn(r.name)
	case hit.NameClicked && !o.Active:
		p.desk.ColourBy(r.name)
	case hit.Right && r.at >= 0:
		p.menu = r.at
		p.desk.UI.OpenMenu("column")
	}
}

// foot is the line below the list: more columns, and what else the file says.
func (p *data) foot() {
	u := p.desk.UI
	u.Space(2)
	more := ""
	switch {
	case p.list.left > 0 && !p.all:
		more = fmt.Sprintf("Show %s more…", widget.Grouped(p.list.left))
	case p.all:
		more = "Show fewer"
	}
	if more != "" && u.Link(more+"##more", "List more or fewer columns; searching is quicker") {
		p.all = !p.all
	}
	if len(p.desk.Doc.Data.Metadata) == 0 {
		return
	}
	const word = "Keywords…"
	if more != "" {
		u.SameRight(u.Width(widget.Body, word) / u.Pt(1))
	}
	at := imgui.CursorScreenPos()
	right := at.X + imgui.ContentRegionAvail().X
	if u.Link(word+"##keywords", "What else the file says about itself; a click on a keyword copies its value") {
		u.OpenList("keywords", widget.Rect{X0: right - u.Pt(460), Y0: at.Y, X1: right, Y1: at.Y + u.Pt(17)})
	}
	if d := p.desk.Doc.Data; p.keywords == nil || p.keywordsOf != d.Rev {
		p.keywords, p.keywordsOf = keywords(d.Metadata), d.Rev
	}
	chosen := -1
	if u.List("keywords", p.keywords, &chosen) {
		k := p.keywords[chosen]
		p.desk.Window.Copy(k.Note)
		p.desk.Window.Note(desk.Note{Text: "Copied the value of " + k.Name + ": " + cut(k.Note, 120)})
	}
}

// cut is the beginning of a text that may be long.
func cut(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// files are those that the table is of, where they are several, and how to add one.
func (p *data) files() {
	u, open := p.desk.UI, p.desk.Doc.Files()
	u.Space(6)
	if len(open) > 1 {
		for i, path := range open {
			if i > 0 {
				u.Same()
			}
			name := filepath.Base(path)
			if u.Width(widget.Small, name)+u.Pt(40) > imgui.ContentRegionAvail().X && i > 0 {
				imgui.NewLine()
			}
			chip := widget.ChipOpts{Tip: path}
			if p.desk.Doc.Data.Subset == nil {
				chip = widget.ChipOpts{Remove: true, Tip: path + ". Its cross takes the file out; the map stays"}
			}
			if _, removed := u.Chip(fmt.Sprintf("%s##file%d", name, i), chip); removed {
				p.desk.Window.RemoveFile(i)
			}
		}
		u.Space(2)
	}
	if p.desk.Doc.Data.Subset != nil { // the whole is made of files
		return
	}
	links := []string{"add-file", "Add file…", "add-columns", "Add columns…", "files", "Files and columns…"}
	if len(open) < 2 {
		links = links[:4]
	}
	for i := 0; i < len(links); i += 2 {
		c := p.desk.Window.Command(links[i])
		if i == 2 {
			u.Same()
		}
		if u.Link(links[i+1]+"##"+links[i], c.Tip) {
			c.Run()
		}
	}
}

func keywords(of map[string]string) []widget.ComboItem {
	out := make([]widget.ComboItem, 0, len(of))
	for k, v := range of {
		out = append(out, widget.ComboItem{Name: k, Note: v})
	}
	slices.SortFunc(out, func(a, b widget.ComboItem) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// columnMenu is what can be done with the column that was clicked.
func (p *data) columnMenu() {
	i, u := p.menu, p.desk.UI
	if i < 0 || i >= len(p.desk.Doc.Data.Columns) {
		return
	}
	c, use := &p.desk.Doc.Data.Columns[i], p.desk.Spec().Columns[i].Use
	u.MenuTitle(c.Title())
	if u.MenuItem("Colour by this", widget.MenuOpts{}) {
		p.desk.ColourBy(c.Name)
	}
	u.MenuSeparator()
	for _, x := range []struct {
		use  transform.Use
		text string
	}{{transform.InMap, "In the map"}, {transform.ColourOnly, "Colour only"}, {transform.Off, "Left out"}} {
		if u.MenuItem(x.text, widget.MenuOpts{Checked: use == x.use}) {
			p.setUse(i, x.use)
		}
	}
	u.MenuSeparator()
	if u.MenuItem("Transform…", widget.MenuOpts{}) {
		p.desk.Subject = i + 1
		p.desk.Window.Reveal("transform")
	}
	if u.MenuItem("Only this kind in the map", widget.MenuOpts{
		Tip: "Put all " + p.desk.Doc.Data.RoleWord(c.Role) + " columns in the map, and no others"}) {
		p.desk.Respec("Only "+p.desk.Doc.Data.RoleWord(c.Role)+" columns in the map", func(s *transform.Spec) {
			for j := range s.Columns {
				switch {
				case p.desk.Doc.Data.Columns[j].Role == c.Role:
					s.Columns[j].Use = transform.InMap
				case s.Columns[j].Use == transform.InMap:
					s.Columns[j].Use = transform.ColourOnly
				}
			}
		})
	}
}

func (p *data) setUse(i int, use transform.Use) {
	if in := p.desk.Spec().MapColumns(); use != transform.InMap && len(in) == 1 && in[0] == i {
		p.desk.Window.Note(desk.Note{Text: "The map needs at least one column"})
		return
	}
	name := p.desk.Doc.Data.Columns[i].Short()
	verb := map[transform.Use]string{transform.InMap: "Put %s in the map",
		transform.ColourOnly: "Take %s out of the map", transform.Off: "Leave %s out"}[use]
	p.desk.Respec(fmt.Sprintf(verb, name), func(s *transform.Spec) { s.Columns[i].Use = use })
}
