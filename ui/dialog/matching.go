package dialog

import (
	"fmt"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/data/dataset"
	"blossom/model/data/match"
	"blossom/model/document/opening"
	"blossom/ui/widget"
)

// Unmatched are files of which it is not known which columns belong together.
type Unmatched struct {
	Files *opening.Undecided
	Open  func(decided *opening.Undecided)
	First func(path string) // opens the first of them alone
}

// MatchColumns asks which columns of several files are one.
var MatchColumns = Register(Kind[Unmatched]{ID: "matching", Title: "Match the columns", Width: 980,
	New: func(w Window, m Unmatched) Dialog { return &Matched{w: w, Unmatched: m} }})

// Matched is the dialog of columns that are matched.
type Matched struct {
	Unmatched
	w      Window
	shown  int // index of the groups: all, to check, in all files, in some
	search string
	first  int // the file in the first column of files
	menu   struct {
		row, file int // whose column is chosen
		fresh     bool
		under     widget.Rect
		items     []widget.ComboItem
	}
}

// The groups of rows.
const (
	allRows = iota
	toCheck
	inAllFiles
	inSome
)

func groupOf(r *match.Row) int {
	switch {
	case r.Doubt != "":
		return toCheck
	case r.Files() == len(r.From):
		return inAllFiles
	}
	return inSome
}

// plan makes the dialog's plan another one.
func (m *Matched) plan(how match.How) {
	of := *m.Files
	of.Plan = match.New(of.Plan.Files, how)
	m.Files = &of
}

// FilesText counts files.
func FilesText(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

func (m *Matched) Face() (Face, bool) {
	p := m.Files.Plan
	n := len(p.Files)
	buttons := []Button{{Label: "Cancel"}}
	open := "Open " + FilesText(n)
	switch {
	case m.Files.Old != nil:
		open = "Apply"
	case n > 1:
		buttons = append(buttons, Button{Label: "Open the first only", Do: func() { m.First(p.Files[0].Path) }})
	}
	buttons = append(buttons, Button{Label: open + "##open", Kind: widget.Primary,
		Disabled: n > 1 && (p.Strangers() != nil || m.inMap() == 0), Do: func() { m.Open(m.Files) }})
	return Face{Title: "Match the columns of " + FilesText(n), Buttons: buttons}, true
}

// inMap is how many columns the map will have.
func (m *Matched) inMap() int {
	n := 0
	for i := range m.Files.Plan.Rows {
		if m.Files.Plan.Rows[i].InMap {
			n++
		}
	}
	return n
}

func (m *Matched) Draw() func() {
	u, p := m.w.UI(), m.Files.Plan
	t := u.Theme()
	u.Wrapped(widget.Small, t.Muted, m.says())
	if odd, columns := p.Odd(); odd >= 0 && len(p.Files) > 2 { // with two files, the other would be no table of several
		label := fmt.Sprintf("Leave %s out: %s in all files", p.Files[odd].Name, columnsText(columns))
		if u.Link(label+"##odd", "Open the others without this file") {
			m.Files, m.first = m.Files.Without(odd), 0
			return nil
		}
	}
	u.Space(6)
	m.drawTabs()
	u.Space(6)
	hit := m.drawTable()
	m.drawMenu()
	u.Space(6)
	cells := 0
	for _, f := range p.Files {
		cells += f.Points
	}
	text := fmt.Sprintf("%s rows, %s in the map", widget.Grouped(cells), columnsText(m.inMap()))
	if m.Files.Old != nil {
		text += " · landmarks stay as far as their columns do; undo starts afresh, " +
			"and the map of now stays under File, Reopen"
	}
	u.Note(text)
	if hit != nil {
		hit()
	}
	return nil
}

// says tells in words what was done, and what it comes to.
func (m *Matched) says() string {
	p := m.Files.Plan
	if err := p.Strangers(); err != nil {
		return "No column is in all files. Choose below what belongs together, or leave a file out."
	}
	how := "by antigen first, then by detector"
	switch p.How.By {
	case match.Detector:
		how = "by detector"
	case match.Name:
		how = "by name"
	}
	text := "Matched " + how + ". What is doubtful stays apart until you decide."
	if n := m.inMap(); n <= 2 && len(p.Rows) > 4 {
		text += fmt.Sprintf(" Only %s can make the map: few for a good one.", columnsText(n))
	}
	return text
}

// drawTabs chooses what is listed, and which files.
func (m *Matched) drawTabs() {
	u := m.w.UI()
	var counts [4]int
	for i := range m.Files.Plan.Rows {
		counts[allRows]++
		counts[groupOf(&m.Files.Plan.Rows[i])]++
	}
	width := imgui.ContentRegionAvail().X / u.Pt(1)
	tabs := make([]string, 4)
	for i, word := range []string{"All", "To check", "In all files", "In some"} {
		tabs[i] = fmt.Sprintf("%s %d##tab%d", word, counts[i], i)
	}
	at := imgui.CursorScreenPos()
	imgui.BeginChildStrV("##tabs", imgui.Vec2{X: u.Pt(min(430, width*0.62)), Y: u.Pt(28)}, 0, 0)
	u.Segmented("shown", tabs, &m.shown, "Which columns are listed")
	imgui.EndChild()
	imgui.SetCursorScreenPos(imgui.Vec2{X: at.X + u.Pt(width-min(190, width*0.34)), Y: at.Y})
	u.SearchField("##find", "Find a column", &m.search, false)
}

// drawTable lists the rows under the files, and returns what the user wants done.
func (m *Matched) drawTable() (do func()) {
	u, p := m.w.UI(), m.Files.Plan
	width := imgui.ContentRegionAvail().X/u.Pt(1) - 46
	name, by, decide := min(150, width*0.2), float32(104), float32(112)
	matched := "Matched by"
	if width < 620 {
		by, decide, matched = 70, 96, "By"
	}
	fit := max(1, int((width-name-by-decide)/128))
	n := len(p.Files)
	shown := min(n, fit)
	m.first = max(0, min(m.first, n-shown))
	each := (width - name - by - decide) / float32(shown)
	widths, heads := []float32{name}, [][2]string{{"Name", ""}}
	for f := m.first; f < m.first+shown; f++ {
		widths = append(widths, each)
		heads = append(heads, [2]string{p.Files[f].Name, widget.Grouped(p.Files[f].Points) + " rows"})
	}
	widths, heads = append(widths, by, decide), append(heads, [2]string{matched, ""}, [2]string{"", ""})
	if shown < n {
		u.Note(fmt.Sprintf("Files %d to %d of %d", m.first+1, m.first+shown, n))
		u.Same()
		if u.IconButton("earlier", assets.IconChevronLeft, "The files before", m.first == 0) {
			m.first -= shown
		}
		u.Same()
		if u.IconButton("later", assets.IconChevronRight, "The files after", m.first+shown == n) {
			m.first += shown
		}
	}
	u.GridHead(widths, heads)
	const rest = 164 // the rest of the dialog: its title, and what is below the table
	room := imgui.CurrentIO().DisplaySize().Y*0.92 - imgui.CursorPosY() - u.Pt(24+rest)
	imgui.BeginChildStrV("##rows", imgui.Vec2{X: 0, Y: max(min(u.Pt(470), room), u.Pt(48))}, 0, 0)
	defer imgui.EndChild()
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	defer imgui.PopStyleVar()
	group, listed := -1, false
	word := strings.ToLower(strings.TrimSpace(m.search))
	for i := range p.Rows {
		r := &p.Rows[i]
		if m.shown != allRows && groupOf(r) != m.shown || !m.matches(r, word) {
			continue
		}
		listed = true
		if key := r.Files() + 1000*groupOf(r); key != group && (groupOf(r) != toCheck || group < 0) {
			title, note := m.groupText(r)
			u.GridGroup(title, note, group < 0)
			group = key
		}
		if act := m.drawRow(i, widths); act != nil {
			do = act
		}
	}
	if !listed {
		u.Space(8)
		u.Note("No column has this in its name.")
	}
	return do
}

func (m *Matched) matches(r *match.Row, word string) bool {
	if word == "" || strings.Contains(strings.ToLower(r.Name+" "+r.Label), word) {
		return true
	}
	for f, at := range r.From {
		if at >= 0 && strings.Contains(strings.ToLower(m.Files.Plan.Files[f].Columns[at].Title()), word) {
			return true
		}
	}
	return false
}

// groupText is the heading of the rows like r.
func (m *Matched) groupText(r *match.Row) (title, note string) {
	n := 0
	for i := range m.Files.Plan.Rows {
		if o := &m.Files.Plan.Rows[i]; groupOf(o) == groupOf(r) && (groupOf(r) == toCheck || o.Files() == r.Files()) {
			n++
		}
	}
	switch {
	case groupOf(r) == toCheck && r.Apart:
		return "To check", fmt.Sprintf("%d, kept apart until you decide", n)
	case groupOf(r) == toCheck:
		return "To check", fmt.Sprint(n)
	case groupOf(r) == inAllFiles:
		return "In all files", fmt.Sprint(n)
	case r.Files() == 1:
		return "In one file", fmt.Sprintf("%d, left out of the map", n)
	}
	return fmt.Sprintf("In %d files", r.Files()), fmt.Sprintf("%d, left out of the map", n)
}

func (m *Matched) drawRow(i int, widths []float32) (do func()) {
	p := m.Files.Plan
	r := &p.Rows[i]
	o := widget.GridOpts{Widths: widths, Box: !r.Apart && m.numbers(r), Dim: !r.InMap && r.Doubt == "",
		BoxTip: "Take it into the map", Doubt: strings.TrimSuffix(widget.Sentence(r.Doubt), ".")}
	switch {
	case r.InMap:
		o.BoxTip = "Leave it out of the map"
	case r.Files() < len(r.From):
		o.BoxTip = "Take it into the map: the rows of files that do not have it get no place"
	}
	o.Cells = append(o.Cells, widget.GridCell{Text: r.Title(), Strong: true})
	for f := m.first; f < m.first+len(widths)-3; f++ {
		c := widget.GridCell{Text: "–", Menu: true, Tip: "Choose the column of " + p.Files[f].Name}
		if at := r.From[f]; at >= 0 {
			column := &p.Files[f].Columns[at]
			c.Text, c.Secondary = match.Title(column), match.Under(column)
			c.Button = r.Doubt != "" || r.By == "hand"
		}
		o.Cells = append(o.Cells, c)
	}
	by := widget.GridCell{Text: r.By, Small: true, Tip: r.By}
	if r.By == "hand" {
		by.Text = "by hand"
	}
	o.Cells = append(o.Cells, by)
	switch {
	case r.Doubt != "" && r.Apart:
		o.Cells = append(o.Cells, widget.GridCell{Text: "Keep apart", Menu: true, Button: true,
			Tip: "One column, or several"})
	case r.Doubt != "":
		o.Cells = append(o.Cells, widget.GridCell{Text: "One column", Menu: true, Button: true,
			Tip: "One column, or several"})
	}
	on := r.InMap
	hit := m.w.UI().GridRow(fmt.Sprintf("row%d", i), &on, o)
	switch {
	case hit.Toggled:
		return func() { m.plan(p.Tick(i, on)) }
	case hit.Cell > 0:
		m.ask(i, m.first+hit.Cell-1, hit.Cell == len(o.Cells)-1, hit.Rect)
	}
	return nil
}

// numbers says whether a row may be in the map.
func (m *Matched) numbers(r *match.Row) bool {
	for f, at := range r.From {
		if at >= 0 && m.Files.Plan.Files[f].Columns[at].Categories != nil {
			return false
		}
	}
	return true
}

// deciding is the file of a menu that is about the whole row.
const deciding = -1

// ask opens the menu of a cell.
func (m *Matched) ask(row, file int, decide bool, r widget.Rect) {
	m.menu.row, m.menu.file, m.menu.items = row, file, nil
	if decide {
		m.menu.file = deciding
		m.menu.items = widget.Items("Keep apart", "One column")
	} else {
		m.menu.items = append(m.menu.items, widget.ComboItem{Name: "–", Note: "not in this file"})
		for _, c := range m.Files.Plan.Files[file].Columns {
			m.menu.items = append(m.menu.items, columnItem(&c))
		}
	}
	m.menu.fresh, m.menu.under = true, r
}

func columnItem(c *dataset.Column) widget.ComboItem {
	return widget.ComboItem{Name: match.Title(c), Secondary: match.Under(c)}
}

// drawMenu draws the menu of a cell while it is open.
func (m *Matched) drawMenu() {
	u := m.w.UI()
	p := m.Files.Plan
	if m.menu.row >= len(p.Rows) {
		return
	}
	if m.menu.fresh {
		m.menu.fresh = false
		u.OpenList("column", m.menu.under)
	}
	r, chosen := &p.Rows[m.menu.row], 0
	if m.menu.file != deciding && m.menu.file < len(r.From) {
		chosen = r.From[m.menu.file] + 1
	} else if !r.Apart {
		chosen = 1
	}
	if !u.List("column", m.menu.items, &chosen) {
		return
	}
	if m.menu.file == deciding {
		m.plan(p.Decide(m.menu.row, chosen == 1))
	} else {
		m.plan(p.Choose(m.menu.row, m.menu.file, chosen-1))
	}
}
