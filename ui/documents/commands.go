package documents

import (
	"blossom/assets"
	"blossom/model/data/demo"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/ui/command"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Commands are what documents can be told, in the order of the menu File.
var Commands = []*command.Command[*Documents]{
	{ID: "open", Menu: "File", Title: "Open…", Help: "Open a data file or a session", Keys: []string{"Ctrl+O"},
		Icon: assets.IconFolderOpen, Run: (*Documents).AskOpen},
	{ID: "reopen", Menu: "File", Title: "Reopen the last", Help: "Go on with what was open before, with its history",
		Keys: []string{"Ctrl+Shift+T"}, Icon: assets.IconHistory,
		Enabled: func(d *Documents) bool { return len(d.Shelf.List()) > 0 },
		Run:     func(d *Documents) { d.Shelf.Reopen(d.Shelf.List()[0]) }},
	{ID: "recover", Menu: "File", Title: "Recover…", Help: "Open or forget sessions that were not saved",
		Icon: assets.IconHistory, Rule: true, Run: func(d *Documents) { d.Recovery.Show() }},
	{ID: "add-file", Menu: "File", Title: "Add file…", Also: "join append concatenate merge samples",
		Help: "Open another file beside what is open: one table, and the map stays", Icon: assets.IconFilePlus,
		Enabled: (*Documents).whole, Run: (*Documents).AskAdd},
	{ID: "add-columns", Menu: "File", Title: "Add columns…", Icon: assets.IconTable,
		Also:    "join labels merge clusters annotations metadata phenotypes coordinates",
		Help:    "Put the columns of another file, which has the same rows, beside those of the data",
		Enabled: (*Documents).whole, Run: (*Documents).AskJoin},
	{ID: "open-gates", Menu: "File", Title: "Open gates…", Icon: assets.IconChartScatter,
		Also:    "flowjo workspace wsp gating-ml xml populations import strategy",
		Help:    "Make populations of the gates of another program: Gating-ML 2.0, or a workspace of FlowJo 10",
		Enabled: (*Documents).whole, Run: func(d *Documents) { d.Gates.Ask() }},
	{ID: "files", Menu: "File", Title: "Files and columns…", Also: "join match samples panel rename",
		Help:    "See which columns of several files are one, and change it",
		Enabled: func(d *Documents) bool { return d.whole() && len(d.w.Desk().Doc.Data.Parts) > 1 },
		Run:     (*Documents).ChangeFiles},
	{ID: "samples-sheet", Menu: "File", Title: "Sheet of samples…", Icon: assets.IconFlaskConical,
		Also:    "metadata import group condition donor csv experiment",
		Help:    "Read what is known of each sample from a table that names the files",
		Enabled: (*Documents).open, Run: func(d *Documents) { d.Sheets.AskSamples() }},
	{ID: "export-samples", Menu: "", Title: "Export the sheet of samples…", Icon: assets.IconUpload,
		Also:    "metadata save group condition donor csv",
		Help:    "Write what is known of each sample as a table",
		Enabled: func(d *Documents) bool { return d.open() && !parts.Samples.Of(d.w.Desk().Doc.State()).Empty() },
		Run:     func(d *Documents) { d.Sheets.AskExportSamples() }},
	{ID: "panel", Menu: "File", Title: "Panel…", Icon: assets.IconTag,
		Also: "antigen marker channel detector rename label columns class type state import csv",
		Help: "Say which antigen each column was stained for, and which columns make the map; by hand or from a " +
			"file",
		Enabled: (*Documents).open, Run: func(d *Documents) { d.Sheets.ShowPanel() }},
	{ID: "reading", Menu: "File", Title: "How text is read…", Icon: assets.IconTable,
		Help:    "Separator, decimal mark, missing words, and which columns are numbers, of a text table",
		Enabled: func(d *Documents) bool { return d.whole() && format.IsText(d.w.Desk().Doc.Data) },
		Run:     (*Documents).AskReading},
	{ID: "matrix", Menu: "File", Title: "Which matrix…", Icon: assets.IconTable,
		Also:    "anndata h5ad layer raw obsm X_pca counts embedding",
		Help:    "Choose which matrix of the file the map is made of: X, raw, a layer, or an embedding such as X_pca",
		Enabled: (*Documents).severalMatrices, Run: (*Documents).AskMatrix},
	{ID: "map-of-population", Menu: "Model", Title: "Map of these points alone", Icon: assets.IconFunnel, Rule: true,
		Also: "subset population filter subcluster recluster live singlets zoom in drill down",
		Help: "A map of the chosen population, or of the selected points, as a document beside this one: what is " +
			"named there is in the population when you go back",
		Keys: []string{"Ctrl+Shift+G"}, Enabled: func(d *Documents) bool { return d.Subset.Can() },
		Run: func(d *Documents) { d.Subset.MapOfThese() }},
	{ID: "back", Menu: "Model", Title: "Back to the whole", Icon: assets.IconArrowLeft,
		Also:    "subset parent population all points leave drill up",
		Help:    "Go back to the data that these points are part of; the populations named here go along",
		Keys:    []string{"Ctrl+Shift+U"},
		Enabled: func(d *Documents) bool { return d.Subset.Is() }, Run: func(d *Documents) { d.Subset.Back() }},
	{ID: "save", Menu: "File", Title: "Save session", Also: "keep store document project workspace",
		Help: "Save landmarks and settings as a small file; the data file is never changed", Keys: []string{"Ctrl+S"},
		Icon: assets.IconSave, Rule: true,
		Enabled: (*Documents).open, Run: func(d *Documents) { d.Saving.Session(false) }},
	{ID: "save-as", Menu: "File", Title: "Save session as…", Also: "keep store copy project workspace",
		Help: "Save the session under another name", Keys: []string{"Ctrl+Shift+S"},
		Enabled: (*Documents).open, Run: func(d *Documents) { d.Saving.Session(true) }},
	{ID: "save-recipe", Menu: "File", Title: "Save a recipe…", Icon: assets.IconFileText,
		Help:    "Save what makes this very picture, without the history: small enough to mail",
		Enabled: (*Documents).open, Run: func(d *Documents) { d.Saving.AskRecipe() }},
	{ID: "export-landmarks", Menu: "File", Title: "Export landmarks…", Also: "save map codebook json",
		Help: "Write the landmarks as a table, for NumPy, BlosSOM or the command line", Icon: assets.IconUpload,
		Enabled: (*Documents).open, Run: func(d *Documents) { d.Landmarks.AskExport() }},
	{ID: "import-landmarks", Menu: "File", Title: "Import landmarks…", Also: "open load map codebook json template",
		Help: "Take landmarks from a table, NumPy, BlosSOM or blossom train in place of these",
		Icon: assets.IconDownload, Enabled: (*Documents).open, Run: func(d *Documents) { d.Landmarks.AskImport() }},
	{ID: "close", Menu: "File", Title: "Close", Help: "Close the document; it is kept under Reopen",
		Keys: []string{"Ctrl+Shift+W"}, Rule: true, Enabled: (*Documents).open, Run: (*Documents).Leave},
	{ID: "quit", Menu: "File", Title: "Quit", Help: "Close the window; the session is kept", Keys: []string{"Ctrl+Q"},
		Rule: true, Run: func(d *Documents) { d.Quit() }},
}

// open says whether there is an open document.
func (d *Documents) open() bool { return d.w.Desk() != nil }

// Items are documents in the palette: demo data, those that were put aside, and recent files.
func (d *Documents) Items() (out []dialog.Item) {
	for _, x := range demo.All() {
		out = append(out, dialog.Item{Title: "Open demo: " + x.Title, Help: x.Help, Icon: assets.IconFlaskConical,
			Can: true, Run: func() { d.openDemo(x.Name) }, Also: "data example"})
	}
	return append(append(out, d.Shelf.items()...), d.Recent.items()...)
}

// DrawMenu draws them in a menu.
func (d *Documents) DrawMenu() {
	d.Shelf.drawMenu()
	d.Recent.drawMenu()
	u := d.w.UI()
	u.MenuSeparator()
	u.MenuTitle("Demo data")
	for _, x := range demo.All() {
		if u.MenuItem(x.Title+"##demo-"+x.Name, widget.MenuOpts{Icon: assets.IconFlaskConical, Tip: x.Help}) {
			d.openDemo(x.Name)
		}
	}
}

// openDemo makes demo data and opens them.
func (d *Documents) openDemo(name string) { d.Open("demo:" + name) }
