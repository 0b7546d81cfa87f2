package dock

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/spillover"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "compensation", Title: "Compensation",
		Also: "spillover matrix spill compensate percent fluorescence overlap dye detector unmix",
		Key:  "Alt+I", Icon: assets.IconPercent, Order: 84, Height: 260,
		Help: "The matrix of spillover as percent: seen, changed while the map follows, pasted, read from a file",
		New:  func(d *desk.Desk) Dock { return &compensation{desk: d} }})
}

// compensation shows the matrix that the map is compensated with, or would be.
type compensation struct {
	desk *desk.Desk
	file int // whose matrix is shown, where files have their own

	asked   transform.Suggestion // the mix that the data bring
	askedOf revision.Revision    // these
	why     string               // the last change was refused
}

// own is what the data ask for by themselves.
func (p *compensation) own() transform.Suggestion {
	if data := p.desk.Doc.Data; p.askedOf != data.Rev {
		p.asked, p.askedOf = transform.OwnCompensation(data), data.Rev
	}
	return p.asked
}

// mix is what the map is compensated with; where it is not, on is false and it is what it was last, or what the data
// bring.
func (p *compensation) mix() (m transform.Mix, on bool) {
	own := p.own()
	for _, m := range p.desk.Spec().Mixes {
		if m.Compensates() {
			return m, true
		}
	}
	if off := parts.SwitchedOff.Of(p.desk.Doc.State()); off.Op != transform.None {
		return off, false
	}
	return own.Mix, false
}

// files are the names of the files that have a matrix of their own, none where all have one.
func (p *compensation) files(m transform.Mix) []string {
	if m.Op != transform.CompensateEach {
		return nil
	}
	return p.desk.Doc.Data.Columns[m.Cols[len(m.Cols)-1]].Categories
}

// Head says which matrix is shown, and offers what is done to it.
func (p *compensation) Head() (out widget.DockHead) {
	m, on := p.mix()
	read := widget.DockAction{ID: "import", Label: "Import…", Icon: assets.IconFolderOpen,
		Tip: "Read the matrix of a " +
			"file: CSV, TSV, FCS, a workspace or a matrix of FlowJo, Gating-ML"}
	paste := widget.DockAction{ID: "paste", Icon: assets.IconClipboard, Tip: "Paste a matrix, from a spreadsheet or " +
		"another program"}
	files := p.files(m)
	p.file = min(p.file, max(0, len(files)-1))
	if m.Op == transform.None {
		out.Actions = []widget.DockAction{paste, read}
		return out
	}
	p.menu(files)
	out.Note = p.says(m, on)
	if len(files) > 0 {
		out.Actions = append(out.Actions, widget.DockAction{ID: "file", Label: files[p.file], Icon: assets.IconList,
			Tip: "Which file's matrix is shown"})
	}
	state := widget.DockAction{ID: "on", Label: "Off", Icon: assets.IconPower,
		Tip: "Compensate the map with this matrix"}
	if on {
		state.Label, state.Lit, state.Tip = "On", true, "Do not compensate"
	}
	own := p.own()
	out.Actions = append(out.Actions, state,
		widget.DockAction{ID: "reset", Label: "Reset", Icon: assets.IconRotateCcw,
			Disabled: !own.Any() || m.Equal(own.Mix),
			Tip:      "Take the file's own matrix again"},
		widget.DockAction{ID: "copy", Icon: assets.IconCopy, Tip: "Copy the matrix as text"}, paste, read,
		widget.DockAction{ID: "export", Label: "Export…", Icon: assets.IconDownload, Tip: "Write the matrix as CSV"})
	return out
}

// says is where the matrix comes from, and what there is to say of it.
func (p *compensation) says(m transform.Mix, on bool) string {
	if p.why != "" {
		return p.why
	}
	text := "percent, " + problem.Count(len(m.Changed()), "detector")
	switch own := p.own(); {
	case !own.Any():
	case !m.Equal(own.Mix):
		text += ", changed"
	case m.Op == transform.CompensateEach:
		text += ", each file's own"
	default:
		text += ", the file's own (" + p.desk.Doc.Data.Spillover.Keyword + ")"
	}
	if !on {
		text += ", not applied"
	}
	return strings.Join(append([]string{text}, m.Remarks()...), "; ")
}

// menu is that of the files.
func (p *compensation) menu(files []string) {
	u := p.desk.UI
	u.ContextMenu("compensation file", func() {
		for i, name := range files {
			if u.MenuItem(fmt.Sprintf("%s##%d", name, i), widget.MenuOpts{Checked: i == p.file}) {
				p.file, p.why = i, ""
			}
		}
	})
}

// Act does what a button of the header stands for.
func (p *compensation) Act(id string, under widget.Rect) {
	m, on := p.mix()
	p.why = ""
	switch id {
	case "file":
		p.desk.UI.OpenMenuUnder("compensation file", under)
	case "on":
		if on {
			p.put("Compensate: off", transform.Mix{})
		} else {
			p.put("Compensate", m)
		}
	case "reset":
		p.put("Reset the compensation", p.own().Mix)
	case "copy":
		p.desk.Window.Copy(spillover.Text(p.shown(m)))
		p.desk.Window.Say("the matrix is copied")
	case "paste":
		p.paste(m)
	case "import":
		p.ask()
	case "export":
		p.export(p.shown(m))
	}
}

// shown is the matrix that is shown.
func (p *compensation) shown(m transform.Mix) *dataset.Spillover {
	return m.Matrices(p.desk.Doc.Data)[p.file]
}

// put compensates with another mix, as one entry of the history.
func (p *compensation) put(name string, m transform.Mix) {
	p.desk.Respec(name, func(s *transform.Spec) { *s = s.WithCompensation(p.desk.Doc.Data, m) })
}

// take compensates with the matrices of a file or text: with that of the file that is shown where files have their own,
// else each file with that for it.
func (p *compensation) take(name, from string, all []spillover.Matrix) error {
	var each []*dataset.Spillover
	data, why := p.desk.Doc.Data, ""
	m, _ := p.mix()
	if m.Op == transform.CompensateEach {
		s, err := spillover.ForFile(all, from, data, p.file)
		if err != nil {
			return err
		}
		each = []*dataset.Spillover{&s.Spillover}
		m, why = m.WithMatrix(data, p.file, each[0])
	} else {
		var err error
		if each, _, err = spillover.Each(all, from, data); err != nil {
			return err
		}
		m, why = transform.CompensationOf(data, each)
	}
	if why != "" {
		return problem.New(from, "give a matrix of the detectors of these data",
			"the matrix of %d detectors does not fit: %s", len(each[0].Names), why)
	}
	p.why = ""
	p.put(name, m)
	return nil
}

// paste takes the matrix that is on the clipboard.
func (p *compensation) paste(m transform.Mix) {
	var names []string
	if m.Op != transform.None {
		names = p.shown(m).Names
	}
	s, err := spillover.Pasted(p.desk.Window.Pasted(), names)
	if err == nil {
		err = p.take("Paste a matrix of compensation", "what was copied", []spillover.Matrix{*s})
	} else {
		err = problem.New("what was copied", problem.As(err).Remedy, "%s", problem.As(err).What)
	}
	if err != nil {
		p.desk.Window.Fail(err)
	}
}

// ask asks for the file of a matrix and takes it.
func (p *compensation) ask() {
	data := p.desk.Doc.Data
	p.desk.Window.Ask(desk.FileQuestion{Title: "Import a matrix of compensation", Kind: "Matrices of compensation",
		Folder: filepath.Dir(p.desk.Doc.Files()[0]),
		Answer: func(path string) {
			name := filepath.Base(path)
			p.desk.Values.Jobs.Start("Reading "+name, func(ctx context.Context, _ *work.Job) (func(), error) {
				all, err := spillover.Read(ctx, path)
				return func() {
					if err != nil || p.desk.Doc.Data != data {
						return
					}
					if err := p.take("Import the matrix of "+name, path, all); err != nil {
						p.desk.Window.Fail(err)
					}
				}, err
			})
		}})
}

// export asks where a matrix is to be written.
func (p *compensation) export(s *dataset.Spillover) {
	p.desk.Window.Ask(desk.FileQuestion{Title: "Export the matrix of compensation", Save: true,
		Name: "compensation.csv", Kinds: []string{".csv"}, Kind: "Tables of text", Answer: func(path string) {
			p.desk.Window.Write(path, func(w io.Writer) error {
				_, err := io.WriteString(w, spillover.Text(s))
				return err
			})
		}})
}

// Draw draws the matrix as percent.
func (p *compensation) Draw(r widget.Rect) {
	u, data := p.desk.UI, p.desk.Doc.Data
	m, on := p.mix()
	if m.Op == transform.None {
		text := "These data bring no matrix of compensation."
		if said := p.own().Said; said != "" {
			text = strings.ToUpper(said[:1]) + said[1:] + "."
		}
		u.Vacant(r, text, "Import a matrix…##first", false, p.ask)
		return
	}
	cols := m.Changed()
	n := len(cols)
	o := widget.MatrixOpts{Step: 0.1, Param: widget.Param{Min: -500, Max: 500, Format: "%.2f"},
		Diagonal: "A dye in its own detector: 100 %, which stays"}
	for _, c := range cols {
		o.Names, o.Titles = append(o.Names, data.Columns[c].Name), append(o.Titles, data.Columns[c].Title())
	}
	share := func(i, j int) float64 { return 100 * m.Values[(p.file*n+i)*n+j] }
	o.Tip = func(i, j int) string {
		return fmt.Sprintf("%.4g %% of the light of %s is seen in %s. Drag to the sides or click and type; Shift is "+
			"finer.",
			share(i, j), data.Columns[cols[i]].Short(), data.Columns[cols[j]].Short())
	}
	r = widget.Rect{X0: r.X0 + u.Pt(8), Y0: r.Y0 + u.Pt(2), X1: r.X1 - u.Pt(8), Y1: r.Y1 - u.Pt(4)}
	if e := u.Matrix("spillover", r, share, o); e.Row >= 0 {
		p.edit(m, on, e, o.Names)
	}
}

// edit takes over what was done to a number. The whole drag is one entry of the history.
func (p *compensation) edit(m transform.Mix, on bool, e widget.MatrixEdit, names []string) {
	next := m.WithShare(p.file, e.Row, e.Col, e.Value/100)
	name := "Spillover of " + names[e.Row] + " in " + names[e.Col]
	if !on && e.Changed {
		name += ", compensate"
	}
	p.desk.Change(name, e.Edit, func(s *state.State) {
		spec := parts.Transform.Of(*s).WithCompensation(p.desk.Doc.Data, next)
		if err := spec.Validate(p.desk.Doc.Data); err != nil {
			p.why = "not taken: " + problem.As(err).What
			return
		}
		p.why = ""
		parts.PutTransform(s, spec)
	})
}
