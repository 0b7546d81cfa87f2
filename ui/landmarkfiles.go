package ui

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/model/landmarks/exchange"
	"blossom/model/landmarks/landmark"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
)

func init() {
	registerCommand(command{id: "export-landmarks", menu: "File", title: "Export landmarks…",
		also: "save map codebook json", below: "export",
		help: "Write the landmarks as a table, for NumPy, BlosSOM or the command line", icon: assets.IconUpload,
		enabled: hasMap, run: func(a *App) { a.askExport() }})
	registerCommand(command{id: "import-landmarks", menu: "File", title: "Import landmarks…",
		also: "open load map codebook json template", below: "export-landmarks",
		help: "Take landmarks from a table, NumPy, BlosSOM or blossom train in place of these",
		icon: assets.IconDownload, enabled: hasMap, run: func(a *App) { a.askImport() }})
}

// askImport asks for one file of landmarks or two.
func (a *App) askImport() {
	kinds := append([]string{".json"}, dialog.DataKinds()...)
	a.chooser.Ask(desk.FileQuestion{Title: "Import landmarks: one file, or codebook and positions", Kind: "Landmarks",
		Kinds:   kinds,
		Answer:  func(path string) { a.readLandmarks(path) },
		Several: func(paths []string) { a.readLandmarks(paths...) }})
}

// readLandmarks reads files of landmarks as a job, and then asks.
func (a *App) readLandmarks(paths ...string) {
	d := a.desk
	a.settings.Folder = filepath.Dir(paths[0])
	a.compute.jobs.Start("Reading "+filepath.Base(paths[0]), func(ctx context.Context, _ *work.Job) (func(), error) {
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
	r := dialog.ReadLandmarks{Content: c, With: exchange.Map{Data: d.Doc.Data, Table: d.Table()}}
	var err error
	if r.Match, err = c.Match(r.With); err != nil {
		a.fail(err)
		return
	}
	r.Import = func(v exchange.Values, add bool) { a.importLandmarks(r, v, add) }
	dialog.ImportLandmarks.Show(a.dialogs, r)
}

// importLandmarks puts what was read in place of the landmarks, as one entry of the history.
func (a *App) importLandmarks(r dialog.ReadLandmarks, v exchange.Values, add bool) {
	set, err := r.Content.Landmarks(r.With, r.Match, v)
	if err != nil {
		a.fail(err)
		return
	}
	d := a.desk
	n, first := set.Len(), 0
	now := parts.Landmarks.Of(d.Doc.State())
	add = add && now.Len() > 0
	if add {
		if now.Dims() != set.Dims() {
			a.fail(problem.New(filepath.Base(r.Content.Files[0]), "replace the landmarks of the map by them",
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
	for _, v := range d.Stage.Scatters() {
		if v.IsMap() {
			v.Moved = false
			v.FitLandmarks()
		}
	}
	a.say(fmt.Sprintf("%d landmarks from %s", n, filepath.Base(r.Content.Files[0])))
	a.note(note{text: fmt.Sprintf("%s landmarks from %s", grouped(n), filepath.Base(r.Content.Files[0])),
		actions: []action{{"Undo", func() { a.undo() }}}})
}

// askExport asks how landmarks are to be written, and for the file.
func (a *App) askExport() {
	dialog.ExportLandmarks.Show(a.dialogs, dialog.Exported{Save: a.saveLandmarks})
}

// saveLandmarks asks for the file that landmarks are written to.
func (a *App) saveLandmarks(k exchange.Kind, v exchange.Values) {
	a.chooser.Ask(desk.FileQuestion{Title: "Export landmarks", Save: true, Name: a.stem() + "_landmarks" + k.Ending,
		Kinds: []string{k.Ending}, Kind: "Landmarks", Answer: func(path string) { a.writeLandmarks(path, k, v) }})
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
			a.compute.jobs.Start("Exporting "+filepath.Base(path), func(ctx context.Context, _ *work.Job) (func(),
				error) {
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
				dialog.Replace.Show(a.dialogs, dialog.Existing{Path: p, Do: write})
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
