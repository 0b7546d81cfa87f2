package documents

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/encoding/texts"
	"blossom/model/data/panel"
	"blossom/model/data/sheet"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Sheets are what is said of the samples and the columns of the open document, as files of their own.
type Sheets struct{ part }

// textKinds are the endings of sheets.
var textKinds = []string{".csv", ".tsv", ".txt"}

// samples are those of the open document, and their sheet.
func (s *Sheets) samples() ([]string, sheet.Sheet) {
	d := s.w.Desk()
	known := d.Populations().Samples().Sheet()
	names, _ := known.Of(d.Doc.Data)
	return names, known
}

// AskSamples asks for a file with a sheet of samples.
func (s *Sheets) AskSamples() {
	s.w.Ask(desk.FileQuestion{Title: "Read a sheet of samples", Kind: "Tables of text", Kinds: textKinds,
		Folder: s.folder(), Answer: s.ReadSamples})
}

// folder is where sheets are looked for first: beside the data.
func (s *Sheets) folder() string { return filepath.Dir(s.w.Desk().Doc.Files()[0]) }

// ReadSamples reads a sheet of samples as a job, and shows what it says.
func (s *Sheets) ReadSamples(path string) {
	d := s.w.Desk()
	names, known := s.samples()
	s.docs.jobs.Start("Reading "+filepath.Base(path), func(ctx context.Context, _ *work.Job) (func(), error) {
		table, err := texts.Read(ctx, path)
		if err != nil {
			return nil, err
		}
		found, err := sheet.Look(table, names, known.By())
		return func() {
			if found != nil && s.w.Desk() == d {
				s.showSamples(found)
			}
		}, err
	})
}

// showSamples shows what a sheet says, and takes it over when that is wanted.
func (s *Sheets) showSamples(found *sheet.Found) {
	names, known := s.samples()
	dialog.Samples.Show(s.docs.dialogs, dialog.SampleSheet{Found: found, Samples: names,
		Take: func(now sheet.Sheet, found *sheet.Found) {
			if _, still := s.samples(); still.By() == known.By() {
				s.takeSamples(now, found)
			}
		}})
}

// takeSamples puts a sheet in the place of the one that there is, as one entry of the history.
func (s *Sheets) takeSamples(now sheet.Sheet, found *sheet.Found) {
	d, name := s.w.Desk(), filepath.Base(found.File)
	d.Doc.Do("Read the samples of "+name, parts.Samples.With(now))
	columns := now.Columns()
	text := fmt.Sprintf("%s for %s", problem.Count(len(columns), "column"),
		problem.Count(len(now.Known()), "sample"))
	if says := found.Says(); says != "" {
		text += "; " + says
	}
	colour := d.Populations().Samples().Column(columns[0])
	s.w.Note(desk.Note{Text: text, Actions: []desk.Action{{Label: "Colour by " + columns[0],
		Do: func() { s.w.Desk().ColourBy(colour) }}, {Label: "Show", Do: func() { s.w.Reveal("samples") }}}})
}

// AskExportSamples asks where the sheet of samples is to be written.
func (s *Sheets) AskExportSamples() {
	s.w.Ask(desk.FileQuestion{Title: "Export the sheet of samples", Save: true, Name: s.docs.Stem() + "-samples.csv",
		Kinds: textKinds[:2], Kind: "Tables of text", Folder: s.folder(), Answer: func(path string) {
			names, known := s.samples()
			s.write(path, append([]string{"file_name"}, known.Columns()...), known.Table(names))
		}})
}

// write writes a table of texts as a job.
func (s *Sheets) write(path string, heads []string, rows [][]string) {
	s.docs.Write(path, func(w io.Writer) error { return texts.Write(w, path, heads, rows) })
}

// ShowPanel shows the panel of the open document.
func (s *Sheets) ShowPanel() { s.showPanel(nil) }

// ReadPanel reads a panel as a job, and shows what it says.
func (s *Sheets) ReadPanel(path string) {
	d := s.w.Desk()
	s.docs.jobs.Start("Reading "+filepath.Base(path), func(ctx context.Context, _ *work.Job) (func(), error) {
		found, err := panel.Read(ctx, path)
		return func() {
			if found != nil && s.w.Desk() == d {
				s.showPanel(found)
			}
		}, err
	})
}

// showPanel shows the panel with what a file says, nil for none, and takes it over when that is wanted.
func (s *Sheets) showPanel(found *panel.Found) {
	d := s.w.Desk()
	dialog.Panel.Show(s.docs.dialogs, dialog.PanelSheet{Data: d.Doc.Data, Now: parts.Panel.Of(d.Doc.State()),
		File: found,
		Import: func() {
			s.w.Ask(desk.FileQuestion{Title: "Read a panel", Kind: "Tables of text", Kinds: textKinds,
				Folder: s.folder(), Answer: s.ReadPanel})
		},
		Export: s.exportPanel,
		Take: func(p panel.Panel, from string) {
			s.w.WhenFresh(func() {
				if s.w.Desk() == d {
					s.takePanel(p, from)
				}
			})
		}})
}

// exportPanel asks where rows of a panel are to be written.
func (s *Sheets) exportPanel(rows []panel.Row) {
	s.w.Ask(desk.FileQuestion{Title: "Export the panel", Save: true, Name: s.docs.Stem() + "-panel.csv",
		Kinds: textKinds[:2], Kind: "Tables of text", Folder: s.folder(), Answer: func(path string) {
			var lines [][]string
			for _, r := range rows {
				label := r.Label
				if r.Bare {
					label = panel.NoLabel
				}
				lines = append(lines, []string{r.Column, label, string(r.Class)})
			}
			s.write(path, []string{"fcs_colname", "antigen", "marker_class"}, lines)
		}})
}

// takePanel gives the open document a panel, as one entry of the history.
func (s *Sheets) takePanel(p panel.Panel, from string) {
	name := "Change the panel"
	if from != "" {
		name = "Take the panel of " + from
	}
	d := s.w.Desk()
	was := parts.Transform.Of(d.Doc.State()).MapColumns()
	live.TakePanel(d.Map, p, name)
	now := parts.Transform.Of(d.Doc.State()).MapColumns()
	note := desk.Note{Text: fmt.Sprintf("The panel names %s; %s in the map",
		problem.Count(len(panel.OnColumns(p, d.Doc.Data)), "column"), strings.Replace(
			problem.Count(len(now), "column")+" are", "1 column are", "1 column is", 1)),
		Actions: []desk.Action{{Label: "Show", Do: func() { s.w.Reveal("data") }}}}
	if !slices.Equal(was, now) { // landmarks were trained in the columns before
		note.Text += ", and its landmarks are of the columns before"
		note.Actions = append(note.Actions, desk.Action{Label: "Train again", Do: s.w.Command("again").Run})
	}
	s.w.Note(note)
}

// dropped looks whether a file that was dropped on the window is a sheet for the open data, and asks what it is for;
// otherwise it goes the way of all files.
func (s *Sheets) dropped(path string, otherwise func()) {
	if !opening.LooksLikeSheet(path) {
		otherwise()
		return
	}
	d := s.w.Desk()
	data := d.Doc.Data
	_, known := s.samples()
	s.docs.jobs.Start("Looking at "+filepath.Base(path), func(ctx context.Context, _ *work.Job) (func(), error) {
		found, err := opening.Recognise(ctx, path, data, known)
		return func() {
			switch {
			case s.w.Desk() != d || found == opening.Recognised{}:
				otherwise()
			case found.Samples != nil:
				s.askWhatFor(path, "sheet of samples", fmt.Sprintf("its column %s names %d of the samples",
					found.Samples.Key, len(found.Samples.Sheet.Known())), otherwise,
					func() { s.showSamples(found.Samples) })
			default:
				s.askWhatFor(path, "panel", fmt.Sprintf("%d of its rows name columns of the data",
					len(panel.OnColumns(found.Panel.Panel(), data))), otherwise,
					func() { s.showPanel(found.Panel) })
			}
		}, err
	})
}

// askWhatFor asks whether a file is a sheet for the open data, or data.
func (s *Sheets) askWhatFor(path, what, why string, open, use func()) {
	dialog.Ask.Show(s.docs.dialogs, dialog.Question{Title: "Use it for the open data?", About: filepath.Base(path),
		Says: []string{"This looks like a " + what + " for " + s.w.Desk().Doc.Title + ": " + why},
		Answers: []dialog.Button{{Label: "Cancel"}, {Label: "Open as data", Do: open},
			{Label: "Use it…", Kind: widget.Primary, Do: use}}})
}
