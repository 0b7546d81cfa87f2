package dialog

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/data/dataset"
	"blossom/model/data/panel"
	"blossom/ui/widget"
)

// PanelSheet is the panel of a table.
type PanelSheet struct {
	Data *dataset.Dataset
	Now  panel.Panel
	File *panel.Found // a panel to be taken over; nil: none
	// Import asks for a file, and shows the dialog again with it; Export asks where to write the rows.
	Import func()
	Export func(rows []panel.Row)
	Take   func(p panel.Panel, from string)
}

// Panel asks which antigens columns were stained for, and which of them make the map.
var Panel = Register(Kind[PanelSheet]{ID: "panel", Title: "Panel", Width: 860,
	New: func(w Window, s PanelSheet) Dialog { return newPanelled(w, s) }})

// Panelled is the dialog of a panel.
type Panelled struct {
	PanelSheet
	w     Window
	rows  []panelRow
	loose []string // rows of the file that name no column, and why
	notes []string // remarks about the file
}

// panelRow is a column of the table, and what is said of it.
type panelRow struct {
	at    int
	given string // its antigen as its file has it
	label string
	class panel.Class
	says  string // from the file, in words
	wrong bool   // which has to be decided
	named bool   // the file has a row of it
}

// called gives it the antigen that a row says, if that says any or none.
func (r *panelRow) called(as panel.Row) {
	if as.Label != "" || as.Bare {
		r.label = as.Label
	}
}

func newPanelled(w Window, s PanelSheet) *Panelled {
	p := &Panelled{PanelSheet: s, w: w}
	for i := range s.Data.Columns {
		c := s.Data.Columns[i]
		if c.Provenance != dataset.File || c.Categories != nil || s.Data.JoinedFrom(i) != nil {
			continue
		}
		c.Restore()
		p.rows = append(p.rows, panelRow{at: i, given: c.Label, label: c.Label})
	}
	for _, r := range panel.OnColumns(s.Now, s.Data) {
		p.say(r)
	}
	p.leaveOut(s.Now)
	if s.File != nil {
		p.take(s.File)
	}
	return p
}

// row is the row of a column of the table, or nil.
func (p *Panelled) row(at int) *panelRow {
	i := slices.IndexFunc(p.rows, func(r panelRow) bool { return r.at == at })
	if i < 0 {
		return nil
	}
	return &p.rows[i]
}

// say has the row of a column say what r does.
func (p *Panelled) say(r panel.Row) {
	for i := range p.rows {
		if row := &p.rows[i]; p.Data.Columns[row.at].Name == r.Column {
			row.called(r)
			row.class = r.Class
		}
	}
}

// leaveOut has the columns that a panel has no row of, and leaves out of the map for that, be none of its markers.
func (p *Panelled) leaveOut(of panel.Panel) {
	for _, i := range of.Unnamed(p.Data) {
		if row := p.row(i); row != nil && row.class == panel.Unsaid {
			row.class = panel.None
		}
	}
}

// take takes over what a file says.
func (p *Panelled) take(f *panel.Found) {
	fit := panel.Fitted(f.Rows, p.Data)
	p.notes = f.Notes
	for i, r := range f.Rows {
		row := p.row(fit.At[i])
		if row == nil {
			if says := fit.Says[i]; says != "" {
				p.loose = append(p.loose, r.Column+" "+strings.TrimPrefix(says, r.Column+" "))
			}
			continue
		}
		row.named = true
		if fit.Says[i] != "" {
			row.says, row.wrong = strings.TrimPrefix(fit.Says[i], p.Data.Columns[row.at].Name+" is "), fit.Bad[i]
		}
		if fit.Bad[i] && r.Bad == "" {
			continue // the first of two rows stands until somebody decides
		}
		row.class = r.Class
		row.called(r.Row)
	}
	for i := range p.rows {
		if row := &p.rows[i]; !row.named {
			row.says = "not in the file"
		}
	}
	p.leaveOut(f.Panel())
}

// made is the panel of the rows. A column that stays in the map as it is has a row, too, where it would be left out
// without one.
func (p *Panelled) made() panel.Panel {
	var rows []panel.Row
	for _, r := range p.rows {
		out := panel.Row{Column: p.Data.Columns[r.at].Name, Class: r.class}
		if label := strings.TrimSpace(r.label); label != r.given {
			out.Label, out.Bare = label, label == ""
		}
		if out.Label != "" || out.Bare || out.Class != panel.Unsaid {
			rows = append(rows, out)
		}
	}
	for _, i := range panel.Of(rows...).Unnamed(p.Data) {
		rows = append(rows, panel.Row{Column: p.Data.Columns[i].Name})
	}
	return panel.Of(rows...)
}

// Face says what stands around it.
func (p *Panelled) Face() (Face, bool) {
	if d := p.w.Desk(); d == nil {
		return Face{}, false
	}
	wrong := slices.ContainsFunc(p.rows, func(r panelRow) bool { return r.wrong })
	apply := Button{Label: "Apply", Kind: widget.Primary, Disabled: wrong || p.inMap() == 0,
		Do: func() {
			from := ""
			if p.File != nil {
				from = filepath.Base(p.File.File)
			}
			p.Take(p.made(), from)
		}}
	switch {
	case wrong:
		apply.Tip = "Choose the class of the rows that are marked first"
	case p.inMap() == 0:
		apply.Tip = "A map needs a column: one of type"
	}
	title := fmt.Sprintf("Panel of %s", columnsText(len(p.rows)))
	if p.File != nil {
		title += ", from " + filepath.Base(p.File.File)
	}
	return Face{Title: title, Buttons: []Button{
		{Label: "Cancel"}, apply}}, true
}

// inMap is how many columns the map has with it.
func (p *Panelled) inMap() (n int) {
	data := p.made().On(p.Data)
	if cols, err := data.MapColumns("", ""); err == nil {
		return len(cols)
	}
	return 0
}

// Lengths of the table of columns, in points.
const (
	panelRowHeight = 32
	panelRows      = 11 // in sight
	panelName      = 150
	panelLabel     = 160
	panelClass     = 226
)

// classChoices are what can be chosen as the class of a column.
var classChoices = []panel.Class{panel.Unsaid, panel.Type, panel.State, panel.None}

// Draw draws the body.
func (p *Panelled) Draw() func() {
	u := p.w.UI()
	t := u.Theme()
	u.Wrapped(widget.Small, t.Muted, "Columns of type make the map; those of state and none colour only. Antigens are "+
		"shown in the place of detectors.")
	u.Space(4)
	var do func()
	if u.Button("Import…", widget.ButtonOpts{Icon: assets.IconFolderOpen, Small: true,
		Tip: "Read a table with the columns fcs_colname, antigen and marker_class"}) {
		do = p.Import
	}
	u.Same()
	if u.Button("Export…", widget.ButtonOpts{Icon: assets.IconUpload, Small: true, Tip: "Write it as such a table"}) {
		rows := p.all()
		do = func() { p.Export(rows) }
	}
	u.Space(6)
	p.table(u)
	p.foot(u)
	return do
}

// all are the rows as a file has them.
func (p *Panelled) all() (rows []panel.Row) {
	for _, r := range p.rows {
		label := strings.TrimSpace(r.label)
		rows = append(rows, panel.Row{Column: p.Data.Columns[r.at].Name, Label: label,
			Bare: label == "" && r.given != "", Class: r.class})
	}
	return rows
}

// foot says what of the file is left, and what comes of it all.
func (p *Panelled) foot(u *widget.UI) {
	t := u.Theme()
	u.Space(6)
	const most = 3
	for i, text := range append(slices.Clone(p.loose), p.notes...) {
		if i == most {
			u.Wrapped(widget.Small, t.Warning, fmt.Sprintf("and %d more", len(p.loose)+len(p.notes)-most))
			break
		}
		u.Wrapped(widget.Small, t.Warning, text)
	}
	text := columnsText(p.inMap()) + " in the map"
	if slices.ContainsFunc(p.rows, func(r panelRow) bool { return r.wrong }) {
		text += " · choose the class of the rows that are marked"
	}
	u.Note(text)
}

// table draws a line for each column.
func (p *Panelled) table(u *widget.UI) {
	t, at, w := u.Theme(), imgui.CursorScreenPos(), imgui.ContentRegionAvail().X
	name, label, class := u.Pt(panelName), u.Pt(panelLabel), u.Pt(panelClass)
	dl := imgui.WindowDrawList()
	for _, head := range []struct {
		x    float32
		text string
	}{{0, "Column"}, {name, "Antigen"}, {name + label + u.Pt(12), "Class"}, {name + label + class + u.Pt(26), ""}} {
		u.DrawText(dl, widget.Small, at.X+head.x, at.Y+u.Pt(8), t.Muted, head.text)
	}
	imgui.Dummy(imgui.Vec2{X: w, Y: u.Pt(18)})
	h := u.Pt(panelRowHeight)
	rows := float32(min(len(p.rows), panelRows))
	room := imgui.CurrentIO().DisplaySize().Y*0.92 - u.Pt(320)
	imgui.BeginChildStrV("##columns", imgui.Vec2{X: w, Y: max(min(rows*h, room), 2*h)},
		imgui.ChildFlagsNavFlattened, 0)
	inner := imgui.ContentRegionAvail().X
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	clip := imgui.NewListClipper()
	clip.BeginV(int32(len(p.rows)), h)
	for clip.Step() {
		for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
			p.line(u, i, imgui.CursorScreenPos(), inner)
		}
	}
	clip.End()
	clip.Destroy()
	imgui.PopStyleVar()
	imgui.EndChild()
}

// tells is what there is to say of a row: what the file says of it, or where a column is that is left as it is.
func (p *Panelled) tells(r *panelRow) string {
	c := p.Data.Columns[r.at]
	c.Restore()
	switch {
	case r.says != "":
		return r.says
	case r.class != panel.Unsaid:
		return ""
	case c.Role == dataset.Marker && !c.Aside:
		return "in the map"
	}
	return c.Why
}

// line draws the line of a column.
func (p *Panelled) line(u *widget.UI, i int, at imgui.Vec2, inner float32) {
	t, r, h := u.Theme(), &p.rows[i], u.Pt(panelRowHeight)
	name, label, class := u.Pt(panelName), u.Pt(panelLabel), u.Pt(panelClass)
	dl, y := imgui.WindowDrawList(), at.Y+h/2
	ink := t.Text
	if r.wrong {
		ink = t.Danger
	}
	u.DrawText(dl, widget.Body, at.X, y, ink, u.Fit(widget.Body, p.Data.Columns[r.at].Name, name-u.Pt(10)))
	part := func(id string, x, wide float32, draw func()) {
		imgui.SetCursorScreenPos(imgui.Vec2{X: at.X + x, Y: at.Y + u.Pt(3)})
		imgui.BeginChildStrV(fmt.Sprintf("##%s%d", id, i), imgui.Vec2{X: wide, Y: u.Pt(26)},
			imgui.ChildFlagsNavFlattened, imgui.WindowFlagsNoScrollbar|imgui.WindowFlagsNoScrollWithMouse)
		draw()
		imgui.EndChild()
	}
	part("label", name, label, func() {
		u.TextField(fmt.Sprintf("antigen %d", i), &r.label, widget.FieldOpts{Hint: "none",
			Width: panelLabel - 2, Tip: "What it was stained for"})
	})
	part("class", name+label+u.Pt(12), class, func() {
		chosen := slices.Index(classChoices, r.class)
		if r.wrong {
			chosen = -1
		}
		if u.Segmented(fmt.Sprintf("class %d", i), []string{"As it is", "Type", "State", "None"}, &chosen,
			"Type makes the map, state and none colour only") {
			r.class, r.wrong, r.says = classChoices[chosen], false, ""
		}
	})
	says := t.Muted
	if r.wrong {
		says = t.Danger
	}
	x := name + label + class + u.Pt(26)
	u.DrawText(dl, widget.Small, at.X+x, y, says, u.Fit(widget.Small, p.tells(r), inner-x-u.Pt(4)))
	imgui.SetCursorScreenPos(imgui.Vec2{X: at.X, Y: at.Y + h})
	imgui.Dummy(imgui.Vec2{})
}
