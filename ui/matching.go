package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/data/dataset"
	"blossom/model/data/match"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// matchForm is the dialog on which columns of several files are one.
type matchForm struct {
	open   bool
	of     *opening.Undecided
	path   string // the first of the files, by which they are known
	shown  int    // index of the groups: all, to check, in all files, in some
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

// askMatching asks what belongs together before files are opened, or opened anew.
func (a *App) askMatching(u *opening.Undecided, path string) {
	a.matching = matchForm{open: true, of: u, path: path}
	for _, text := range u.Plan.Doubts() {
		a.log.add("%s", text)
	}
}

// plan makes the dialog's plan another one.
func (m *matchForm) plan(how match.How) {
	of := *m.of
	of.Plan = match.New(of.Plan.Files, how)
	m.of = &of
}

// openMatched opens the files of the dialog as one table, as it was decided; what is still in doubt stays apart.
func (a *App) openMatched(u *opening.Undecided, path string) {
	decided := *u
	decided.Plan = match.New(u.Plan.Files, u.Plan.Settled())
	if u.Old != nil {
		a.whenStill(func() {
			decided.Old = a.desk.Doc.Copy()
			a.openDecided(&decided, path)
		})
		return
	}
	a.openDecided(&decided, path)
}

func (a *App) openDecided(decided *opening.Undecided, path string) {
	load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) { return decided.Open(ctx, j) }
	a.opens("Opening "+filesText(len(decided.Plan.Files)), path, load, func(string, string) {})
}

func filesText(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

func (a *App) matchingDialog() {
	m := &a.matching
	const title = "Match the columns##matching"
	if !m.open {
		a.ui.Modal(title, &m.open, widget.ModalOpts{}, nil)
		return
	}
	p := m.of.Plan
	n := len(p.Files)
	open := "Open " + filesText(n)
	if m.of.Old != nil {
		open = "Apply"
	}
	buttons := []widget.ModalButton{{Label: "Cancel"}}
	if m.of.Old == nil && n > 1 {
		buttons = append(buttons, widget.ModalButton{Label: "Open the first only"})
	}
	buttons = append(buttons, widget.ModalButton{Label: open + "##open", Kind: widget.Primary,
		Disabled: n > 1 && (p.Strangers() != nil || m.inMap() == 0)})
	chosen := a.ui.Modal(fmt.Sprintf("Match the columns of %s##matching", filesText(n)), &m.open,
		widget.ModalOpts{Width: 980, Buttons: buttons}, func() { a.matchingBody(m) })
	switch {
	case chosen < 1:
	case chosen == len(buttons)-1:
		a.openMatched(m.of, m.path)
	default:
		a.open(p.Files[0].Path)
	}
}

// inMap is how many columns the map will have.
func (m *matchForm) inMap() int {
	n := 0
	for i := range m.of.Plan.Rows {
		if m.of.Plan.Rows[i].InMap {
			n++
		}
	}
	return n
}

func (a *App) matchingBody(m *matchForm) {
	u, t, p := a.ui, a.ui.Theme(), m.of.Plan
	u.Wrapped(widget.Small, t.Muted, m.says())
	if odd, columns := p.Odd(); odd >= 0 && len(p.Files) > 2 { // of two, the other alone is no table of several
		label := fmt.Sprintf("Leave %s out: %s in all files", p.Files[odd].Name, columnsText(columns))
		if u.Link(label+"##odd", "Open the others without this file") {
			m.of, m.first = m.of.Without(odd), 0
			return
		}
	}
	u.Space(6)
	a.matchingTabs(m)
	u.Space(6)
	hit := a.matchingTable(m)
	a.matchingMenu(m)
	u.Space(6)
	cells := 0
	for _, f := range p.Files {
		cells += f.Points
	}
	text := fmt.Sprintf("%s rows, %s in the map", widget.Grouped(cells), columnsText(m.inMap()))
	if m.of.Old != nil {
		text += " · landmarks stay as far as their columns do; undo starts afresh, " +
			"and the map of now stays under File, Reopen"
	}
	u.Note(text)
	if hit != nil {
		hit()
	}
}

// says tells in words what was done, and what it comes to.
func (m *matchForm) says() string {
	p := m.of.Plan
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

func columnsText(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}

// matchingTabs chooses what is listed, and which files.
func (a *App) matchingTabs(m *matchForm) {
	var counts [4]int
	for i := range m.of.Plan.Rows {
		counts[allRows]++
		counts[groupOf(&m.of.Plan.Rows[i])]++
	}
	width := imgui.ContentRegionAvail().X / a.ui.Pt(1)
	tabs := make([]string, 4)
	for i, word := range []string{"All", "To check", "In all files", "In some"} {
		tabs[i] = fmt.Sprintf("%s %d##tab%d", word, counts[i], i)
	}
	at := imgui.CursorScreenPos()
	imgui.BeginChildStrV("##tabs", imgui.Vec2{X: a.ui.Pt(min(430, width*0.62)), Y: a.ui.Pt(28)}, 0, 0)
	a.ui.Segmented("shown", tabs, &m.shown, "Which columns are listed")
	imgui.EndChild()
	imgui.SetCursorScreenPos(imgui.Vec2{X: at.X + a.ui.Pt(width-min(190, width*0.34)), Y: at.Y})
	a.ui.SearchField("##find", "Find a column", &m.search, false)
}

// matchingTable lists the rows under the files, and returns what the user wants done.
func (a *App) matchingTable(m *matchForm) (do func()) {
	u, p := a.ui, m.of.Plan
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
	const foot = 116 // of the dialog, below the table
	room := a.ctx.Size().Y*0.92 - imgui.CursorPosY() - u.Pt(24+foot)
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
		if act := a.matchingRow(m, i, widths); act != nil {
			do = act
		}
	}
	if !listed {
		u.Space(8)
		u.Note("No column has this in its name.")
	}
	return do
}

func (m *matchForm) matches(r *match.Row, word string) bool {
	if word == "" || strings.Contains(strings.ToLower(r.Name+" "+r.Label), word) {
		return true
	}
	for f, at := range r.From {
		if at >= 0 && strings.Contains(strings.ToLower(m.of.Plan.Files[f].Columns[at].Title()), word) {
			return true
		}
	}
	return false
}

// groupText is the heading of the rows like r.
func (m *matchForm) groupText(r *match.Row) (title, note string) {
	n := 0
	for i := range m.of.Plan.Rows {
		if o := &m.of.Plan.Rows[i]; groupOf(o) == groupOf(r) && (groupOf(r) == toCheck || o.Files() == r.Files()) {
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

func (a *App) matchingRow(m *matchForm, i int, widths []float32) (do func()) {
	p := m.of.Plan
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
	hit := a.ui.GridRow(fmt.Sprintf("row%d", i), &on, o)
	switch {
	case hit.Toggled:
		return func() { m.plan(p.Tick(i, on)) }
	case hit.Cell > 0:
		m.ask(i, m.first+hit.Cell-1, hit.Cell == len(o.Cells)-1, hit.Rect)
	}
	return nil
}

// numbers says whether a row may be in the map.
func (m *matchForm) numbers(r *match.Row) bool {
	for f, at := range r.From {
		if at >= 0 && m.of.Plan.Files[f].Columns[at].Categories != nil {
			return false
		}
	}
	return true
}

// deciding is the file of a menu that is about the whole row.
const deciding = -1

// ask opens the menu of a cell.
func (m *matchForm) ask(row, file int, decide bool, r widget.Rect) {
	m.menu.row, m.menu.file, m.menu.items = row, file, nil
	if decide {
		m.menu.file = deciding
		m.menu.items = widget.Items("Keep apart", "One column")
	} else {
		m.menu.items = append(m.menu.items, widget.ComboItem{Name: "–", Note: "not in this file"})
		for _, c := range m.of.Plan.Files[file].Columns {
			m.menu.items = append(m.menu.items, columnItem(&c))
		}
	}
	m.menu.fresh, m.menu.under = true, r
}

func columnItem(c *dataset.Column) widget.ComboItem {
	return widget.ComboItem{Name: match.Title(c), Secondary: match.Under(c)}
}

// matchingMenu draws the menu of a cell while it is open.
func (a *App) matchingMenu(m *matchForm) {
	p := m.of.Plan
	if m.menu.row >= len(p.Rows) {
		return
	}
	if m.menu.fresh {
		m.menu.fresh = false
		a.ui.OpenList("column", m.menu.under)
	}
	r, chosen := &p.Rows[m.menu.row], 0
	if m.menu.file != deciding && m.menu.file < len(r.From) {
		chosen = r.From[m.menu.file] + 1
	} else if !r.Apart {
		chosen = 1
	}
	if !a.ui.List("column", m.menu.items, &chosen) {
		return
	}
	if m.menu.file == deciding {
		m.plan(p.Decide(m.menu.row, chosen == 1))
	} else {
		m.plan(p.Choose(m.menu.row, m.menu.file, chosen-1))
	}
}

// again reads the files of the open document anew, some of them more or fewer, and asks how their columns match.
func (a *App) again(paths []string, how match.How, always bool) {
	a.whenStill(func() {
		doc, o, first := a.desk.Doc.Copy(), a.reading(), a.desk.Doc.Files()[0]
		s := doc.Sampling
		o.MaxPoints, o.Sample, o.Seed = s.MaxPoints, s.How, s.Seed
		load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
			u, err := opening.Compare(ctx, paths, how, doc, o, j)
			if err != nil {
				return nil, err
			}
			if always || !u.Clear() {
				return nil, u
			}
			return u.Open(ctx, j)
		}
		a.opens("Reading "+filesText(len(paths)), first, load, func(string, string) {})
	})
}

// whenStill runs do when training rests and a transform that is being applied is there.
func (a *App) whenStill(do func()) {
	a.desk.Runs().PauseAll()
	a.desk.Training().Pause()
	a.whenFresh(do)
}

// changeFiles shows which columns of the open files are one.
func (a *App) changeFiles() {
	a.again(slices.Clone(a.desk.Doc.Files()), a.desk.Doc.Sampling.Match, true)
}

// askAdd asks for a file to be added to those that are open.
func (a *App) askAdd() {
	a.chooser.Ask(desk.FileQuestion{Title: "Add file", Folder: filepath.Dir(a.desk.Doc.Files()[0]), Kind: "Data",
		Kinds: dialog.DataKinds(), Answer: func(path string) { a.add(path) }})
}

// add opens files beside those that are open: one table, one map.
func (a *App) add(paths ...string) {
	if a.desk == nil {
		a.open(paths...)
		return
	}
	a.again(slices.Concat(a.desk.Doc.Files(), paths), a.desk.Doc.Sampling.Match, false)
}

// dropped opens files that were dropped on the window: in place of what is open, or beside it.
func (a *App) dropped(paths []string) {
	if a.desk == nil || slices.ContainsFunc(paths, session.Is) {
		a.open(paths...)
		return
	}
	about := filepath.Base(paths[0])
	if n := len(paths); n > 1 {
		about = fmt.Sprintf("%s and %d more", about, n-1)
	}
	dialog.Ask.Show(a.dialogs, dialog.Question{Title: "Add to the map, or open instead?", About: about,
		Says: []string{"Added, it is one table with " + a.desk.Doc.Title + ", and the map stays",
			"Opened instead, " + a.desk.Doc.Title + " is kept under File, Reopen"},
		Answers: []dialog.Button{{Label: "Cancel"}, {Label: "Add", Do: func() { a.add(paths...) }},
			{Label: "Open instead", Kind: widget.Primary, Do: func() { a.open(paths...) }}}})
}

// lost says, first of all and until it is closed, that the map has lost columns because not all files have them, with
// the ways to mend it: back to the map of before, or columns put together by hand.
func (n *note) lost(a *App, columns []string, former *opening.Kept) {
	text := strings.Join(columns[:min(len(columns), 4)], ", ")
	if more := len(columns) - 4; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	n.text, n.sticky = text+" left the map, because not all files have it", true
	if len(columns) > 1 {
		n.text = text + " left the map, because not all files have them"
	}
	n.actions = nil
	if former != nil {
		n.actions = append(n.actions, action{"Undo", func() { a.reopen(former) }})
	}
	n.actions = append(n.actions, action{"Match by hand…", a.changeFiles})
}

// removeFile takes one of several files away from those that are open.
func (a *App) removeFile(file int) {
	files := slices.Clone(a.desk.Doc.Files())
	a.again(slices.Delete(files, file, file+1), a.desk.Doc.Sampling.Match.Without(file), false)
}
