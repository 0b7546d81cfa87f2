package panel

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"blossom/assets"
	"blossom/model/base/revision"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/job/export"
	"blossom/model/live"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "export", Title: "Export",
		Also: "save write csv fcs npy table statistics population labels frequencies gating-ml",
		Key:  "Alt+E", Order: 120, Closed: true,
		Help: "Write coordinates, landmarks or a picture",
		New: func(d *desk.Desk) Panel {
			return &exports{desk: d, table: desk.Table{Recipe: true}, picture: &pictures{desk: d}}
		}})
}

type exports struct {
	desk    *desk.Desk
	format  int // an index into the formats that can be written
	table   desk.Table
	derived map[string]bool // columns to write beside coordinates, by their names
	list    bool            // they are listed
	names   desk.Names      // labels of populations
	picture *pictures
	kept    revision.Revision // revision of the form of tables that is shown
}

func (p *exports) Note() string {
	if parts.Landmarks.Of(p.desk.Doc.State()).ByHand {
		return "arranged by hand"
	}
	return ""
}

func (p *exports) Draw() {
	u := p.desk.UI
	if parts.Landmarks.Of(p.desk.Doc.State()).ByHand {
		u.Wrapped(widget.Small, u.Theme().Muted,
			"Landmarks were arranged by hand; pictures, landmarks and sessions say so. A table of "+
				"coordinates cannot: keep the session beside it.")
		u.Space(2)
	}
	p.takeTables()
	u.Heading("Coordinates")
	u.Space(2)
	p.coordinateRows()
	if parts.Populations.Of(p.desk.Doc.State()).Len() > 0 {
		u.Separator()
		u.Heading("Populations")
		u.Space(2)
		p.populationRows()
	}
	p.keepTables()
	u.Separator()
	u.Heading("Picture")
	u.Space(2)
	p.picture.Draw(p.ask)
	u.Space(4)
	if u.Button("Film…##film", widget.ButtonOpts{Icon: assets.IconPlay, Width: -1,
		Tip: "Write a film: the history, a drag, a training, a turn in 3D"}) {
		p.desk.Output.AskFilm()
	}
	u.Space(4)
	if u.Button("Report…##report", widget.ButtonOpts{Icon: assets.IconFileText, Width: -1,
		Tip: "Write one page: the map, populations, frequencies, parameters and how it is made again"}) {
		p.desk.Output.AskReport()
	}
}

// ask asks for a file to write, named after what is open.
func (p *exports) ask(title, name, kind, ending string, answer func(path string)) {
	stem := strings.TrimSuffix(p.desk.Doc.Title, filepath.Ext(p.desk.Doc.Title))
	p.desk.Window.Ask(desk.FileQuestion{Title: title, Save: true, Name: stem + name + ending, Kind: kind,
		Kinds: []string{ending}, Answer: answer})
}

// formats are the names and endings of those that tables are written in.
func (p *exports) formats() (names, endings []string) {
	for _, f := range format.All() {
		if f.Write != nil {
			names, endings = append(names, strings.ToUpper(f.Name)), append(endings, f.Extensions[0])
		}
	}
	return names, endings
}

func (p *exports) coordinateRows() {
	u := p.desk.UI
	endings := p.formatRow("Format")
	p.appendRows()
	if !p.table.Append {
		u.Switch("With the columns of the data", &p.table.Columns,
			"Write the data's own columns before the coordinates")
		if p.table.Columns {
			p.valuesRow("Values", &p.table.Values)
		}
	}
	p.derivedRows()
	p.desk.Rows = p.table
	p.desk.Rows.Derived = p.chosenColumns()
	u.Switch("Session beside it", &p.table.Recipe,
		"Also write a small session file, from which the very same coordinates can be made again")
	u.Space(4)
	if u.Button("Save coordinates…##coordinates", widget.ButtonOpts{Icon: assets.IconTable, Width: -1,
		Tip: "Write where every point is in the active view"}) {
		table := p.table
		table.Derived = p.chosenColumns()
		if table.Each != "" {
			p.askFolder(func(path string) { p.desk.Output.Coordinates(path, table) })
			return
		}
		p.ask("Save coordinates", "_"+p.desk.Active().Recipe.Kind, "Tables", endings[p.format],
			func(path string) { p.desk.Output.Coordinates(path, table) })
	}
	u.Space(4)
	if u.Button("Save landmarks…##landmarks", widget.ButtonOpts{Icon: assets.IconWaypoints, Width: -1,
		Tip: "Write the landmarks as a file for blossom embed --landmarks: new samples drop into this very map"}) {
		p.ask("Save landmarks", "_landmarks", "Landmarks", ".json", p.desk.Output.Landmarks)
	}
}

// appendRows choose whether the files of the data go on with what is made, and whether each is one again.
func (p *exports) appendRows() {
	u, t := p.desk.UI, &p.table
	if u.Switch("Append to the data", &t.Append, "Write the data as they are, then coordinates, the nearest landmark "+
		"and the population of each point; in FCS coordinates begin at 0. The input stays: it is a new file") &&
		t.Append {
		names, _ := p.formats()
		if own := slices.Index(names, strings.ToUpper(p.desk.Doc.Data.Format)); own >= 0 {
			p.format = own
		}
	}
	if p.desk.Doc.Data.Origin() == nil {
		t.Each = ""
		return
	}
	each := t.Each != ""
	u.Switch("A file for each input", &each, "Write a file of each input into a folder, in the format of the input, "+
		"with "+
		"its rows in their order")
	if t.Each = ""; each {
		t.Each = export.EachFile
	}
}

// askFolder asks for a folder to write files of all inputs into.
func (p *exports) askFolder(answer func(path string)) {
	p.desk.Window.Ask(desk.FileQuestion{Title: "Save into a folder", Save: true, Name: "blossom", Kind: "Folders",
		Answer: func(path string) { answer(path + string(os.PathSeparator)) }})
}

// formatRow chooses the format of tables, which is one for all of them, and returns the endings of all.
func (p *exports) formatRow(label string) (endings []string) {
	names, endings := p.formats()
	const tip = "Of tables of coordinates and of labels: one row per point, in the order of the data file"
	if u := p.desk.UI; len(names) <= 5 {
		u.Segmented(label, names, &p.format, tip)
	} else {
		u.Combo(label, widget.Items(names...), &p.format, widget.ComboOpts{Tip: tip})
	}
	return endings
}

// eachWords say what files of labels are of, in the order of eaches.
var eachWords, eaches = []string{"All points in one file", "A file for each population", "A file for each input file"},
	[]export.Each{"", export.EachPopulation, export.EachFile}

// populationRows write what points are called.
func (p *exports) populationRows() {
	u, n := p.desk.UI, &p.names
	endings := p.formatRow("Format of labels")
	words := eachWords
	if p.desk.Doc.Data.Origin() == nil {
		words = words[:2] // there is one file
	}
	of := max(0, slices.Index(eaches[:len(words)], n.Each))
	u.Combo("Files", widget.Items(words...), &of, widget.ComboOpts{Tip: "One file with the labels of all points; or " +
		"several, called after the one that you name: the points of each population with their data and numbers of " +
		"rows, or those of each input file"})
	if n.Each = eaches[of]; n.Each != export.EachPopulation {
		u.Switch("With columns of data", &n.Columns, "Write the data's own columns before what points are called")
	}
	if n.Columns || n.Each == export.EachPopulation {
		p.valuesRow("Values of labels", &n.Values)
	}
	u.Switch("With coordinates", &n.Coordinates, "Write where every point is in the active view, too; in FCS above 0, "+
		"as programs of cytometry want it")
	u.Switch("A column of each", &n.All, "Beside the name of every point's population a column of 0 and 1 for each "+
		"population that it is in")
	save := func(label, icon, tip, name, kind, ending string, want desk.Names) {
		u.Space(4)
		if u.Button(label, widget.ButtonOpts{Icon: icon, Width: -1, Tip: tip}) {
			title, _, _ := strings.Cut(label, "…")
			p.ask(title, name, kind, ending, func(path string) { p.desk.Output.Populations(path, want) })
		}
	}
	save("Save labels…##labels", assets.IconTag, "Write what every point is called, in the order of the data, in the "+
		"format chosen above", "_labels", "Tables", endings[p.format], *n)
	save("Save counts…##counts", assets.IconTable, "Write how many points each population has in each file, with "+
		"their shares", "_counts", "Tables", endings[p.format], desk.Names{What: desk.NamedCounts})
	save("Save key…##key", assets.IconList, "Write the number, path, name and colour of each population, and how many "+
		"points it has", "_key", "Tables", endings[p.format], desk.Names{What: desk.NamedKey})
	save("Save gates…##gates", assets.IconChartScatter, "Write the gates and limits as Gating-ML 2.0, for other "+
		"programs", "_gates", "Gating-ML", ".xml", desk.Names{What: desk.NamedGates})
}

// valuesRow chooses which values of the columns are written.
func (p *exports) valuesRow(name string, v *transform.Values) {
	chosen := max(0, slices.Index(transform.AllValues, string(*v)))
	p.desk.UI.Segmented(name, []string{"Raw", "Comp.", "As map"}, &chosen,
		"Raw, as they were measured; Comp., compensated, in columns named Comp-…; or as the map has them, "+
			"transformed, in columns whose names say how")
	if *v = transform.Values(transform.AllValues[chosen]); chosen == 0 {
		*v = "" // raw, as a document begins with
	}
}

// offered says whether a column can be written beside the coordinates of the active view, which are none of them.
func (p *exports) offered(c live.ColumnInfo) bool {
	of := ""
	if r := p.desk.Active().Recipe; r.Kind != embedding.EmbedSOM().Kind {
		if k := embedding.ByID(r.Kind); k != nil {
			of = k.Title
		}
	}
	return !(c.Of == of && (c.Kind == "x" || c.Kind == "y" || c.Kind == "z"))
}

// chosenColumns are the derived columns that are ticked, of those that there are.
func (p *exports) chosenColumns() (names []string) {
	for _, c := range p.desk.Makeable() {
		if p.derived[c.Name] && p.offered(c) {
			names = append(names, c.Name)
		}
	}
	return names
}

// derivedRows offers the columns made from the map, behind a link that says how many are chosen.
func (p *exports) derivedRows() {
	u, text := p.desk.UI, "Derived columns…"
	if p.list {
		text = "Hide derived columns"
	} else if n := len(p.chosenColumns()); n > 0 {
		text = fmt.Sprintf("Derived columns: %d chosen…", n)
	}
	if u.Link(text+"##derived", "Columns made from the map, such as density or fit residual, after the coordinates") {
		p.list = !p.list
	}
	for _, c := range p.desk.Makeable() {
		if !p.list || !p.offered(c) {
			continue
		}
		on := p.derived[c.Name]
		if u.Check(c.Title+"##derived "+c.Name, &on, widget.CheckOpts{Tip: c.Help}).Toggled {
			if p.derived == nil {
				p.derived = map[string]bool{}
			}
			p.derived[c.Name] = on
		}
	}
	u.Space(4)
}
