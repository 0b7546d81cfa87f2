package dock

import (
	"fmt"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/naming"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "samples", Title: "Samples",
		Also: "sheet metadata group condition donor patient day files annotate experiment csv",
		Key:  "Alt+S", Icon: assets.IconFlaskConical, Order: 82, Height: 220,
		Help: "What is known of each sample: group, donor, day; typed in or read from a sheet, and columns to colour " +
			"and compare by",
		New: func(d *desk.Desk) Dock { return &samples{desk: d} }})
}

// samples is the sheet of samples.
type samples struct {
	desk  *desk.Desk
	first int // the column of the sheet that stands first
	fits  int // how many there is room for
	head  int // the column whose menu is open, from 0
}

// list is the samples, and what they are.
func (p *samples) list() (names []string, kind string) {
	data := p.desk.Doc.Data
	names, of := p.desk.Populations().Samples().Sheet().Of(data)
	switch {
	case of == nil:
		return names, "all points"
	case of == data.Origin():
		return names, "file"
	}
	return names, of.Short()
}

// Head says how many there are, and offers what is done to the sheet.
func (p *samples) Head() widget.DockHead {
	p.menus()
	names, kind := p.list()
	n := len(p.desk.Populations().Samples().Sheet().Columns())
	out := widget.DockHead{Note: problem.Count(len(names), "sample") + ", " + problem.Count(n, "column")}
	if n > p.fits && p.fits > 0 {
		out.Note += fmt.Sprintf(", %d to %d", p.first+1, min(p.first+p.fits, n))
		out.Actions = append(out.Actions, widget.DockAction{ID: "earlier", Icon: assets.IconChevronLeft,
			Tip: "The columns before", Disabled: p.first == 0},
			widget.DockAction{ID: "later", Icon: assets.IconChevronRight, Tip: "The columns after",
				Disabled: p.first+p.fits >= n})
	}
	out.Actions = append(out.Actions,
		widget.DockAction{ID: "by", Label: "By " + kind, Icon: assets.IconList, Tip: "What a sample is: a file, or a " +
			"label of a column"},
		widget.DockAction{ID: "add", Label: "Add a column", Icon: assets.IconPlus, Tip: "Add a column, such as " +
			"group, donor or day"},
		widget.DockAction{ID: "read", Label: "Read a sheet…", Icon: assets.IconFolderOpen, Tip: "Read the columns " +
			"from a CSV or TSV file, one column of which names the samples"},
		widget.DockAction{ID: "export", Label: "Export…", Icon: assets.IconUpload, Disabled: n == 0,
			Tip: "Write the sheet as a table, to read it again or for other programs"})
	return out
}

// Act does what a button of the header stands for.
func (p *samples) Act(id string, under widget.Rect) {
	switch id {
	case "earlier":
		p.first = max(0, p.first-p.fits)
	case "later":
		p.first += p.fits
	case "add":
		p.add()
	case "read":
		p.desk.Window.Command("samples-sheet").Run()
	case "export":
		p.desk.Window.Command("export-samples").Run()
	default:
		p.desk.UI.OpenMenuUnder("samples "+id, under)
	}
}

// put is the next sheet, as one entry of the history.
func (p *samples) put(name string, s sheet.Sheet) { p.desk.Doc.Do(name, parts.Samples.With(s)) }

// add asks for the name of a new column.
func (p *samples) add() {
	p.desk.Window.AskName(desk.NameQuestion{Title: "Add a column", Hint: "group", Verb: "Add it",
		Answer: func(name string) error {
			s, err := p.desk.Populations().Samples().Sheet().Add(name)
			if err == nil {
				p.put("Add "+s.Columns()[len(s.Columns())-1]+" to the samples", s)
			}
			return err
		}})
}

// menus are those of the header and of the columns.
func (p *samples) menus() {
	u, d := p.desk.UI, p.desk
	u.ContextMenu("samples by", func() {
		s := d.Populations().Samples().Sheet()
		choose := func(title, name string) {
			if u.MenuItem(title, widget.MenuOpts{Checked: s.By() == name}) && s.By() != name {
				p.put("Samples", s.Rekeyed(name))
			}
		}
		if d.Doc.Data.Origin() != nil {
			choose("Files##files", "")
		} else {
			choose("All points as one##all", "")
		}
		for i := range d.Doc.Data.Columns {
			c := &d.Doc.Data.Columns[i]
			if n := len(c.Categories); n > 0 && n <= mostSamples && i != d.Doc.Data.OriginAt() {
				choose("Labels of "+c.Short()+"##by "+c.Name, c.Name)
			}
		}
	})
}

// columnMenu is what can be done with a column.
func (p *samples) columnMenu() {
	u, d := p.desk.UI, p.desk
	u.ContextMenu("samples column", func() {
		s := d.Populations().Samples().Sheet()
		if p.head >= len(s.Columns()) {
			return
		}
		name := s.Columns()[p.head]
		if u.MenuItem("Colour by "+name+"##colour", widget.MenuOpts{Icon: assets.IconPalette,
			Tip: "The active view is coloured by it"}) {
			d.ColourBy(d.Populations().Samples().Column(name))
		}
		if u.MenuItem("Populations of its labels##populations", widget.MenuOpts{Icon: assets.IconTag,
			Tip: "A population of the points of each"}) {
			naming.FromLabels(d, d.Populations().Samples().Column(name))
		}
		as, other := " as numbers", "Take as numbers##numbers"
		measure := s.Measure(p.head)
		if measure {
			as, other = " as labels", "Take as labels##labels"
		}
		if u.MenuItem(other, widget.MenuOpts{Icon: assets.IconTable,
			Tip: "Labels are compared, numbers colour on a scale"}) {
			p.put(name+as, s.As(p.head, !measure))
		}
		u.MenuSeparator()
		if u.MenuItem("Rename…##rename", widget.MenuOpts{Icon: assets.IconPenLine}) {
			p.rename(p.head)
		}
		if u.MenuItem("Remove##remove", widget.MenuOpts{Icon: assets.IconTrash2, Danger: true}) {
			p.put("Remove "+name+" of the samples", s.Remove(p.head))
		}
	})
}

// rename asks for another name of a column. What looks at it goes along.
func (p *samples) rename(column int) {
	d := p.desk
	was := d.Populations().Samples().Sheet().Columns()[column]
	d.Window.AskName(desk.NameQuestion{Title: "Rename the column", Text: was, Hint: was, Verb: "Rename it",
		Gone: func() bool { return d.Populations().Samples().Sheet().At(was) != column },
		Answer: func(name string) error {
			s := d.Populations().Samples().Sheet().Rename(column, name)
			from, to := d.Populations().Samples().Column(was), d.Populations().Samples().Column(s.Columns()[column])
			d.Doc.Do("Rename "+was, func(now *state.State) {
				parts.Samples.Put(now, s)
				parts.RenameColumn(now, from, to)
			})
			return nil
		}})
}

// Widths of the table's columns, in points.
const (
	sampleName = 240
	sampleCell = 132
)

// Draw draws the sheet.
func (p *samples) Draw(r widget.Rect) {
	u := p.desk.UI
	p.columnMenu()
	names, _ := p.list()
	s := p.desk.Populations().Samples().Sheet()
	columns := s.Columns()
	if len(columns) == 0 {
		text := fmt.Sprintf("Nothing is said of the %s yet: add a column such as group, donor or day, or read a sheet.",
			problem.Count(len(names), "sample"))
		if len(names) == 1 {
			text = "All points are one sample. Open several files together, or choose a column whose labels are " +
				"samples."
		}
		u.Vacant(r, text, "Add a column##first", false, p.add)
		return
	}
	r = widget.Rect{X0: r.X0 + u.Pt(8), Y0: r.Y0 + u.Pt(2), X1: r.X1 - u.Pt(8), Y1: r.Y1 - u.Pt(4)}
	p.fits = max(1, int((r.W()-u.Pt(sampleName))/u.Pt(sampleCell)))
	p.first = min(max(p.first, 0), max(0, len(columns)-p.fits))
	last := min(p.first+p.fits, len(columns))
	cols := []widget.Column{{Title: "sample", Width: sampleName}}
	for _, c := range columns[p.first:last] {
		cols = append(cols, widget.Column{Title: c, Width: sampleCell})
	}
	if wide := u.Pt(sampleName) + u.Pt(sampleCell)*float32(last-p.first); wide < r.W() {
		r.X1 = r.X0 + wide
	}
	hit := u.Cells("sheet", r, cols, len(names), widget.CellsOpts{Still: 1, Tip: "What can be done with the column"},
		func(row, col int) string {
			if col == 0 {
				return names[row]
			}
			return s.Cell(names[row], p.first+col-1)
		})
	if hit.Head > 0 {
		p.head = p.first + hit.Head - 1
		u.OpenMenuUnder("samples column", hit.At)
	}
	if hit.Row >= 0 {
		at := p.first + hit.Col - 1
		p.put(columns[at]+" of "+names[hit.Row], s.Set(names[hit.Row], at, hit.Text))
	}
}
