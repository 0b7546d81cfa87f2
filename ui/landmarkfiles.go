package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/model/landmarks/exchange"
	"blossom/model/landmarks/landmark"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	registerCommand(command{id: "export-landmarks", menu: "File", title: "Export landmarks…", below: "export",
		help: "Write the landmarks as a table, for NumPy, BlosSOM or the command line", icon: assets.IconUpload,
		enabled: hasMap, run: func(a *App) { a.landmarkExport.open = true }})
	registerCommand(command{id: "import-landmarks", menu: "File", title: "Import landmarks…", below: "export-landmarks",
		help: "Take landmarks from a table, NumPy, BlosSOM or blossom train in place of these",
		icon: assets.IconDownload, enabled: hasMap, run: func(a *App) { a.askImport() }})
}

// landmarkImport is the dialog that says what was found in files of landmarks, and asks what their values are.
type landmarkImport struct {
	open    bool
	of      *desk.Desk
	content *exchange.Content
	with    exchange.Map
	match   exchange.Match
	values  int
	guessed exchange.Values
	add     bool              // to the landmarks of the map, in place of taking their place
	rev     revision.Revision // of the transform that they were matched with
}

// askImport asks for one file of landmarks or two.
func (a *App) askImport() {
	kinds := append([]string{".json"}, dataKinds()...)
	a.ask(fileQuestion{title: "Import landmarks: one file, or codebook and positions", kind: "Landmarks", kinds: kinds,
		answer:  func(path string) { a.readLandmarks(path) },
		several: func(paths []string) { a.readLandmarks(paths...) }})
}

// readLandmarks reads files of landmarks as a job, and then asks.
func (a *App) readLandmarks(paths ...string) {
	d := a.desk
	a.settings.Folder = filepath.Dir(paths[0])
	a.jobs.Start("Reading "+filepath.Base(paths[0]), func(ctx context.Context, _ *work.Job) (func(), error) {
		c, err := exchange.Open(ctx, paths...)
		return func() {
			if a.desk == d {
				a.matchLandmarks(c)
			}
		}, err
	})
}

// matchLandmarks finds the columns of the map in what was read, and opens the dialog.
func (a *App) matchLandmarks(c *exchange.Content) {
	d := a.desk
	if !parts.Settled(d.Doc.State()) {
		a.whenFresh(func() { a.matchLandmarks(c) })
		return
	}
	f := landmarkImport{open: true, of: d, content: c, with: exchange.Map{Data: d.Doc.Data, Table: d.Table()},
		rev: parts.Landmarks.Of(d.Doc.State()).Space}
	var err error
	if f.match, err = c.Match(f.with); err != nil {
		a.fail(err)
		return
	}
	f.guessed = c.Guess(f.with, f.match)
	f.values = int(f.guessed)
	a.landmarkImport = f
}

// valueWords say what values of a codebook are, by exchange.Values.
var valueWords = []string{"As in the map", "As in the data", "Centred"}

var valueHelp = []string{"Transformed, scaled and weighted as the Transform panel says: they are taken as they are.",
	"In the units of the data, before the transform, which is applied to them.",
	"As in the map, less the mean of each column: so BlosSOM writes them. The means are added."}

func (a *App) importDialog() {
	f := &a.landmarkImport
	if f.open && (a.desk != f.of || parts.Landmarks.Of(a.desk.Doc.State()).Space != f.rev) {
		f.open = false // the map is another one meanwhile
	}
	has := f.open && parts.Landmarks.Of(a.desk.Doc.State()).Len() > 0
	verb := "Replace the landmarks"
	if f.add && has {
		verb = "Add the landmarks"
	}
	chosen := a.ui.Modal("Import landmarks", &f.open, widget.ModalOpts{Width: 460,
		Buttons: []widget.ModalButton{{Label: "Cancel"}, {Label: verb + "##import", Kind: widget.Primary}}}, func() {
		u, t, c := a.ui, a.ui.Theme(), f.content
		var names []string
		for _, p := range c.Files {
			names = append(names, filepath.Base(p))
		}
		u.Wrapped(widget.Strong, t.Text, strings.Join(names, " and "))
		u.Space(2)
		u.Wrapped(widget.Body, t.Text, fmt.Sprintf("%s landmarks in %d dimensions, %d columns in the file",
			grouped(c.Codebook.Rows), c.Pos.Cols, c.Codebook.Cols))
		how := fmt.Sprintf("All %d columns of the map were found by their names.", len(f.match.From))
		if !f.match.ByName {
			how = fmt.Sprintf("The file does not name the columns of the map: they are taken in their order, %s first.",
				f.with.Data.Columns[f.with.Table.Cols[0]].Short())
		}
		said := append([]string{how}, c.Said...)
		if len(f.match.Left) > 0 {
			said = append(said, "left out: "+strings.Join(f.match.Left[:min(len(f.match.Left), 5)], ", "))
		}
		for i := range said[1:] {
			said[i+1] = sentence(said[i+1])
		}
		u.Wrapped(widget.Small, t.Muted, strings.Join(said, " "))
		u.Space(8)
		if has {
			to := 0
			if f.add {
				to = 1
			}
			if u.Segmented("Those of the map", []string{"Replace them", "Keep them, add these"}, &to,
				"Whether the landmarks of the file take the place of those that the map has, or come beside them") {
				f.add = to == 1
			}
			u.Space(8)
		}
		if c.Trained != nil {
			u.Wrapped(widget.Small, t.Muted, "The file knows the transform of its values: they are brought into this "+
				"map through the units of the data.")
			return
		}
		u.Heading("What the values are")
		u.Space(2)
		u.Segmented("Values", valueWords, &f.values, "What the numbers of the codebook are")
		help := valueHelp[f.values]
		if exchange.Values(f.values) == f.guessed {
			help += " This fits the points best."
		}
		u.Wrapped(widget.Small, t.Muted, help)
	})
	if chosen == 1 {
		a.importLandmarks(f)
	}
}

// importLandmarks puts what was read in place of the landmarks, as one entry of the history.
func (a *App) importLandmarks(f *landmarkImport) {
	set, err := f.content.Landmarks(f.with, f.match, exchange.Values(f.values))
	if err != nil {
		a.fail(err)
		return
	}
	d := a.desk
	n, first := set.Len(), 0
	now := parts.Landmarks.Of(d.Doc.State())
	add := f.add && now.Len() > 0
	if add {
		if now.Dims() != set.Dims() {
			a.fail(problem.New(filepath.Base(f.content.Files[0]), "replace the landmarks of the map by them",
				"its landmarks have %d coordinates, and those of the map %d", set.Dims(), now.Dims()))
			return
		}
		if set, first, err = now.Join(set); err != nil {
			a.fail(err)
			return
		}
	}
	d.Compare.End()
	d.Runs().PauseAll()
	hand := d.Stage.Hand()
	hand.Cancel()
	hand.Selected, hand.Hover = nil, -1
	if add {
		d.Doc.Do("Add landmarks of a file", func(s *state.State) { parts.Landmarks.Put(s, set.Arranged()) })
		for i := range n {
			hand.Selected = append(hand.Selected, first+i)
		}
	} else {
		d.Doc.Do("Import landmarks", func(s *state.State) { parts.Replace(s, set) })
	}
	for _, v := range d.Stage.Views() {
		if v.IsMap() {
			v.Moved = false
			v.FitLandmarks()
		}
	}
	a.say(fmt.Sprintf("%d landmarks from %s", n, filepath.Base(f.content.Files[0])))
	a.note(note{text: fmt.Sprintf("%s landmarks from %s", grouped(n), filepath.Base(f.content.Files[0])),
		actions: []action{{"Undo", func() { a.undo() }}}})
}

// landmarkExport is the dialog that asks how landmarks are to be written.
type landmarkExport struct {
	open   bool
	kind   int
	values int
}

func (a *App) exportLandmarksDialog() {
	f := &a.landmarkExport
	if f.open && a.desk == nil {
		f.open = false
	}
	kinds := exchange.Kinds()
	f.kind = min(f.kind, len(kinds)-1)
	chosen := a.ui.Modal("Export landmarks", &f.open, widget.ModalOpts{Width: 420,
		Buttons: []widget.ModalButton{{Label: "Cancel"},
			{Label: "Save…##landmark-file", Kind: widget.Primary}}}, func() {
		u, t := a.ui, a.ui.Theme()
		var names []string
		for _, k := range kinds {
			names = append(names, k.Title)
		}
		u.Combo("Format", widget.Items(names...), &f.kind, widget.ComboOpts{Tip: "What the landmarks are written for"})
		u.Space(2)
		u.Wrapped(widget.Small, t.Muted, kinds[f.kind].Help)
		if kinds[f.kind].Raw {
			u.Space(8)
			u.Segmented("Values", valueWords, &f.values, "What the numbers of the codebook are")
			u.Wrapped(widget.Small, t.Muted, []string{
				"Transformed, scaled and weighted, as the map computes with them.",
				"In the units of the data, before the transform.",
				"As in the map, less the mean of each column, as BlosSOM has them."}[f.values])
		}
	})
	if chosen == 1 {
		k, v := kinds[f.kind], exchange.Values(f.values)
		if !k.Raw {
			v = exchange.AsInMap
		}
		a.ask(fileQuestion{title: "Export landmarks", save: true, name: a.stem() + "_landmarks" + k.Ending,
			kinds: []string{k.Ending}, kind: "Landmarks", answer: func(path string) { a.writeLandmarks(path, k, v) }})
	}
}

// writeLandmarks writes the landmarks once nothing is stale. A name with the ending of another kind is one of that.
func (a *App) writeLandmarks(path string, k exchange.Kind, v exchange.Values) {
	if ext := strings.ToLower(filepath.Ext(path)); ext != k.Ending {
		for _, o := range exchange.Kinds() {
			if o.Ending == ext {
				k = o
				break
			}
		}
	}
	files := []string{path}
	if k.Files != nil {
		files = k.Files(path)
	}
	if slices.ContainsFunc(files, a.isInput) {
		return
	}
	write := func() {
		a.whenFresh(func() {
			d := a.desk
			with := exchange.Map{Data: d.Doc.Data, Table: d.Table()}
			shown := *parts.Landmarks.Of(d.Doc.State())
			shown.Codebook = with.In(v, shown.Codebook)
			if shown.Len() == 0 {
				a.fail(problem.New("", "make landmarks first, in the Train panel", "there are no landmarks to write"))
				return
			}
			file := a.landmarkFile(&shown)
			a.jobs.Start("Exporting "+filepath.Base(path), func(ctx context.Context, _ *work.Job) (func(), error) {
				written, err := k.Write(ctx, path, &exchange.File{File: file, Values: v})
				return func() {
					a.settings.Folder = filepath.Dir(path)
					for i := range written {
						written[i] = filepath.Base(written[i])
					}
					a.say("written: " + strings.Join(written, ", "))
					a.note(note{text: "Written: " + strings.Join(written, " and ")})
				}, err
			})
		})
	}
	if k.Files != nil { // the dialog has asked about the name that the user gave alone
		for _, p := range files {
			if exists(p) {
				a.replace = replaceQuestion{open: true, path: p, do: write}
				return
			}
		}
	}
	write()
}

// landmarkFile describes landmarks for a file that other data can be brought into the space of.
func (a *App) landmarkFile(l *landmark.Set) *landmark.File {
	data, t := a.desk.Doc.Data, a.desk.Table()
	f := parts.LandmarkFile(state.Context{Data: data, Seed: a.desk.Doc.Seed, State: a.desk.Doc.State(),
		Program: a.maker()})
	f.Set, f.Columns, f.Mixes = l, export.Dimensions(data, t), export.Mixes(data, t)
	return f
}
