package dialog

import (
	"fmt"
	"path/filepath"
	"strings"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/landmarks/exchange"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// valueWords say what values of a codebook are, by exchange.Values.
var valueWords = []string{"As in the map", "As in the data", "Centred"}

var valueHelp = []string{"Transformed, scaled and weighted as the Transform panel says: they are taken as they are.",
	"In the units of the data, before the transform, which is applied to them.",
	"As in the map, less the mean of each column: so BlosSOM writes them. The means are added."}

// ReadLandmarks are landmarks that have been read from files, for the map of the open document.
type ReadLandmarks struct {
	Content *exchange.Content
	With    exchange.Map
	Match   exchange.Match
	// Import puts them into the map: beside those that it has if add, else in their place.
	Import func(values exchange.Values, add bool)
}

// ImportLandmarks says what was found in files of landmarks, and asks what their values are.
var ImportLandmarks = Register(Kind[ReadLandmarks]{ID: "import-landmarks", Title: "Import landmarks", Width: 460,
	New: func(w Window, r ReadLandmarks) Dialog {
		i := &Importing{ReadLandmarks: r, w: w, d: w.Desk(), rev: parts.Landmarks.Of(w.Desk().Doc.State()).Space,
			guessed: r.Content.Guess(r.With, r.Match)}
		i.Values = int(i.guessed)
		return i
	}})

// Importing is the dialog of landmarks that were read.
type Importing struct {
	ReadLandmarks
	w       Window
	d       *desk.Desk
	rev     revision.Revision // the transform that they were matched with
	guessed exchange.Values
	Values  int  // an exchange.Values: how the values are meant
	Add     bool // landmarks join those of the map, and do not replace them
}

// has says whether the map has landmarks.
func (i *Importing) has() bool { return parts.Landmarks.Of(i.d.Doc.State()).Len() > 0 }

func (i *Importing) Face() (f Face, ok bool) {
	if i.w.Desk() != i.d || parts.Landmarks.Of(i.d.Doc.State()).Space != i.rev {
		return f, false // the map is another one meanwhile
	}
	verb := "Replace the landmarks"
	if i.Add && i.has() {
		verb = "Add the landmarks"
	}
	f.Buttons = []Button{{Label: "Cancel"}, {Label: verb + "##import", Kind: widget.Primary,
		Do: func() { i.Import(exchange.Values(i.Values), i.Add) }}}
	return f, true
}

// found says in words what was found.
func (i *Importing) found() string {
	how := fmt.Sprintf("All %d columns of the map were found by their names.", len(i.Match.From))
	if !i.Match.ByName {
		how = fmt.Sprintf("The file does not name the columns of the map: they are taken in their order, %s first.",
			i.With.Data.Columns[i.With.Table.Cols[0]].Short())
	}
	said := append([]string{how}, i.Content.Said...)
	if len(i.Match.Left) > 0 {
		said = append(said, "left out: "+strings.Join(i.Match.Left[:min(len(i.Match.Left), 5)], ", "))
	}
	for k := range said[1:] {
		said[k+1] = widget.Sentence(said[k+1])
	}
	return strings.Join(said, " ")
}

func (i *Importing) Draw() func() {
	u, c := i.w.UI(), i.Content
	t := u.Theme()
	var names []string
	for _, p := range c.Files {
		names = append(names, filepath.Base(p))
	}
	u.Wrapped(widget.Strong, t.Text, strings.Join(names, " and "))
	u.Space(2)
	u.Wrapped(widget.Body, t.Text, fmt.Sprintf("%s landmarks in %d dimensions, %d columns in the file",
		widget.Grouped(c.Codebook.Rows), c.Pos.Cols, c.Codebook.Cols))
	u.Wrapped(widget.Small, t.Muted, i.found())
	u.Space(8)
	if i.has() {
		to := 0
		if i.Add {
			to = 1
		}
		if u.Segmented("Those of the map", []string{"Replace them", "Keep them, add these"}, &to,
			"Whether the landmarks of the file take the place of those that the map has, or come beside them") {
			i.Add = to == 1
		}
		u.Space(8)
	}
	if c.Trained != nil {
		u.Wrapped(widget.Small, t.Muted, "The file knows the transform of its values: they are brought into this "+
			"map through the units of the data.")
		return nil
	}
	u.Heading("What the values are")
	u.Space(2)
	u.Segmented("Values", valueWords, &i.Values, "What the numbers of the codebook are")
	help := valueHelp[i.Values]
	if exchange.Values(i.Values) == i.guessed {
		help += " This fits the points best."
	}
	u.Wrapped(widget.Small, t.Muted, help)
	return nil
}

// Exported says how landmarks are to be written.
type Exported struct {
	Kind   int // an index into exchange.Kinds
	Values int // an exchange.Values
	Save   func(k exchange.Kind, v exchange.Values)
}

// ExportLandmarks asks how landmarks are to be written.
var ExportLandmarks = Register(Kind[Exported]{ID: "export-landmarks", Title: "Export landmarks", Width: 420,
	New: func(w Window, e Exported) Dialog { return &exporting{e, w, w.Desk()} }})

type exporting struct {
	Exported
	w Window
	d *desk.Desk
}

func (e *exporting) Face() (Face, bool) {
	return Face{Buttons: []Button{{Label: "Cancel"},
		{Label: "Save…##landmark-file", Kind: widget.Primary, Do: e.save}}}, e.w.Desk() == e.d
}

func (e *exporting) Draw() func() {
	u, kinds := e.w.UI(), exchange.Kinds()
	t := u.Theme()
	e.Kind = min(e.Kind, len(kinds)-1)
	var names []string
	for _, k := range kinds {
		names = append(names, k.Title)
	}
	u.Combo("Format", widget.Items(names...), &e.Kind, widget.ComboOpts{Tip: "What the landmarks are written for"})
	u.Space(2)
	u.Wrapped(widget.Small, t.Muted, kinds[e.Kind].Help)
	if kinds[e.Kind].Raw {
		u.Space(8)
		u.Segmented("Values", valueWords, &e.Values, "What the numbers of the codebook are")
		u.Wrapped(widget.Small, t.Muted, []string{
			"Transformed, scaled and weighted, as the map computes with them.",
			"In the units of the data, before the transform.",
			"As in the map, less the mean of each column, as BlosSOM has them."}[e.Values])
	}
	return nil
}

func (e *exporting) save() {
	k, v := exchange.Kinds()[e.Kind], exchange.Values(e.Values)
	if !k.Raw {
		v = exchange.AsInMap
	}
	e.Save(k, v)
}
