package documents

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/model/landmarks/exchange"
	"blossom/model/landmarks/landmark"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Landmarks are those of the open document, as files of their own.
type Landmarks struct{ part }

// AskImport asks for one file of landmarks or two.
func (l *Landmarks) AskImport() {
	kinds := append([]string{".json"}, dialog.DataKinds()...)
	l.w.Ask(desk.FileQuestion{Title: "Import landmarks: one file, or codebook and positions", Kind: "Landmarks",
		Kinds:   kinds,
		Answer:  func(path string) { l.Read(path) },
		Several: func(paths []string) { l.Read(paths...) }})
}

// Read reads files of landmarks as a job, and then asks.
func (l *Landmarks) Read(paths ...string) {
	d := l.w.Desk()
	l.docs.Recent.Folder = filepath.Dir(paths[0])
	l.docs.jobs.Start("Reading "+filepath.Base(paths[0]), func(ctx context.Context, _ *work.Job) (func(), error) {
		c, err := exchange.Open(ctx, paths...)
		return func() {
			if l.w.Desk() == d {
				l.match(c)
			}
		}, err
	})
}

// match finds the columns of the map in what was read, and opens the dialog.
func (l *Landmarks) match(c *exchange.Content) {
	d := l.w.Desk()
	if !parts.Settled(d.Doc.State()) {
		l.w.WhenFresh(func() { l.match(c) })
		return
	}
	r := dialog.ReadLandmarks{Content: c, With: exchange.Map{Data: d.Doc.Data, Table: d.Table()}}
	var err error
	if r.Match, err = c.Match(r.With); err != nil {
		l.w.Fail(err)
		return
	}
	r.Import = func(v exchange.Values, add bool) { l.put(r, v, add) }
	dialog.ImportLandmarks.Show(l.docs.dialogs, r)
}

// put puts what was read in place of the landmarks, as one entry of the history.
func (l *Landmarks) put(r dialog.ReadLandmarks, v exchange.Values, add bool) {
	set, err := r.Content.Landmarks(r.With, r.Match, v)
	if err != nil {
		l.w.Fail(err)
		return
	}
	d := l.w.Desk()
	n, first := set.Len(), 0
	now := parts.Landmarks.Of(d.Doc.State())
	add = add && now.Len() > 0
	if add {
		if now.Dims() != set.Dims() {
			l.w.Fail(problem.New(filepath.Base(r.Content.Files[0]), "replace the landmarks of the map by them",
				"its landmarks have %d coordinates, and those of the map %d", set.Dims(), now.Dims()))
			return
		}
		if set, first, err = now.Join(set); err != nil {
			l.w.Fail(err)
			return
		}
	}
	d.Compare.End()
	d.Runs().PauseAll()
	hand := d.Stage.Hand()
	hand.Cancel()
	hand.Landmarks.Selected, hand.Hover = nil, -1
	if add {
		d.Doc.Do("Add landmarks of a file", func(s *state.State) { parts.Landmarks.Put(s, set.Arranged()) })
		for i := range n {
			hand.Landmarks.Selected = append(hand.Landmarks.Selected, first+i)
		}
	} else {
		d.Doc.Do("Import landmarks", func(s *state.State) { parts.Replace(s, set) })
	}
	for _, v := range d.Stage.Scatters() {
		if v.IsMap() {
			v.Eye.Moved = false
			v.FitLandmarks()
		}
	}
	l.w.Say(fmt.Sprintf("%d landmarks from %s", n, filepath.Base(r.Content.Files[0])))
	l.w.Note(desk.Note{Text: fmt.Sprintf("%s landmarks from %s", widget.Grouped(n), filepath.Base(r.Content.Files[0])),
		Actions: []desk.Action{{Label: "Undo", Do: l.w.Command("undo").Run}}})
}

// AskExport asks how landmarks are to be written, and for the file.
func (l *Landmarks) AskExport() {
	dialog.ExportLandmarks.Show(l.docs.dialogs, dialog.Exported{Save: l.Save})
}

// Save asks for the file that landmarks are written to.
func (l *Landmarks) Save(k exchange.Kind, v exchange.Values) {
	l.w.Ask(desk.FileQuestion{Title: "Export landmarks", Save: true, Name: l.docs.Stem() + "_landmarks" + k.Ending,
		Kinds: []string{k.Ending}, Kind: "Landmarks", Answer: func(path string) { l.WriteTo(path, k, v) }})
}

// WriteTo writes the landmarks once nothing is stale. A name with the ending of another kind is one of that.
func (l *Landmarks) WriteTo(path string, k exchange.Kind, v exchange.Values) {
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
	if slices.ContainsFunc(files, l.docs.IsInput) {
		return
	}
	write := func() {
		l.w.WhenFresh(func() {
			d := l.w.Desk()
			with := exchange.Map{Data: d.Doc.Data, Table: d.Table()}
			shown := *parts.Landmarks.Of(d.Doc.State())
			shown.Codebook = with.In(v, shown.Codebook)
			if shown.Len() == 0 {
				l.w.Fail(problem.New("", "make landmarks first, in the Train panel", "there are no landmarks to write"))
				return
			}
			file := l.file(&shown)
			l.docs.jobs.Start("Exporting "+filepath.Base(path), func(ctx context.Context, _ *work.Job) (func(),
				error) {
				written, err := k.Write(ctx, path, &exchange.File{File: file, Values: v})
				return func() { l.docs.Wrote("", written...) }, err
			})
		})
	}
	if k.Files != nil { // the dialog has asked about the name that the user gave alone
		for _, p := range files {
			if exists(p) {
				dialog.Replace.Show(l.docs.dialogs, dialog.Existing{Path: p, Do: write})
				return
			}
		}
	}
	write()
}

// file describes landmarks for a file that other data can be brought into the space of.
func (l *Landmarks) file(of *landmark.Set) *landmark.File {
	d := l.w.Desk()
	data, t := d.Doc.Data, d.Table()
	f := parts.LandmarkFile(state.Context{Data: data, Seed: d.Doc.Seed, State: d.Doc.State(), Program: l.docs.Maker()})
	f.Set, f.Columns, f.Mixes = of, export.Dimensions(data, t), export.Mixes(data, t)
	return f
}

// WriteFile writes the landmarks as the command line reads them (--landmarks), once nothing is stale.
func (l *Landmarks) WriteFile(path string) {
	l.w.WhenFresh(func() {
		f := l.file(parts.Landmarks.Of(l.w.Desk().Doc.State()))
		if l.docs.IsInput(path) {
			return
		}
		l.docs.jobs.Start("Exporting "+filepath.Base(path), func(context.Context, *work.Job) (func(), error) {
			err := format.AtomicWrite(path, func(w io.Writer) error { return f.Write(w) })
			return func() { l.docs.Wrote("", path) }, err
		})
	})
}
