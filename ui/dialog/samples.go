package dialog

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/problem"
	"blossom/model/data/sheet"
	"blossom/ui/widget"
)

// SampleSheet is a sheet of samples as a file has it, before it is taken over.
type SampleSheet struct {
	Found   *sheet.Found
	Samples []string // all that there are
	Take    func(s sheet.Sheet, f *sheet.Found)
}

// Samples shows what a sheet of samples says, and asks whether it is to be taken over.
var Samples = Register(Kind[SampleSheet]{ID: "samples", Title: "Sheet of samples", Width: 880,
	New: func(w Window, s SampleSheet) Dialog { return newSampled(w, s) }})

// Sampled is the dialog of a sheet of samples.
type Sampled struct {
	SampleSheet
	w       Window
	sheet   sheet.Sheet
	first   int            // the column of the sheet that stands first
	at      map[string]int // by sample, the row of the file that is taken
	wrong   map[string]string
	strange []sheet.FoundRow // rows of the file that are of no sample
}

func newSampled(w Window, s SampleSheet) *Sampled {
	d := &Sampled{SampleSheet: s, w: w, sheet: s.Found.Sheet, at: map[string]int{}, wrong: map[string]string{}}
	for i, r := range s.Found.Rows {
		switch {
		case r.Wrong != "":
			d.wrong[r.Sample] = r.Wrong
		case r.Sample != "":
			d.at[r.Sample] = i
		default:
			d.strange = append(d.strange, r)
		}
	}
	return d
}

// Face says what stands around it.
func (s *Sampled) Face() (Face, bool) {
	if s.w.Desk() == nil {
		return Face{}, false
	}
	use := Button{Label: "Use it", Kind: widget.Primary, Disabled: len(s.wrong) > 0,
		Do: func() { s.Take(s.sheet, s.Found) }}
	if len(s.wrong) > 0 {
		use.Tip = "A sample can have one row: mend the file and read it again"
	}
	return Face{Title: "Samples of " + filepath.Base(s.Found.File), Buttons: []Button{{Label: "Cancel"}, use}}, true
}

// Lengths of the table of samples, in points.
const (
	sampledRow  = 26
	sampledRows = 10 // in sight
)

// sampledLengths are those of the names of samples, of the rows of the file, and of each column. Where they are short
// rows are called by their lines alone.
type sampledLengths struct {
	name, from, cell float32
	short            bool
}

// lengths are those of a table of a width in pixels: shorter where it is narrow, so that several columns are in sight.
func (s *Sampled) lengths(u *widget.UI, w float32) sampledLengths {
	if w < u.Pt(700) {
		return sampledLengths{u.Pt(96), u.Pt(48), u.Pt(139), true}
	}
	return sampledLengths{u.Pt(170), u.Pt(160), u.Pt(154), false}
}

// Draw draws the body.
func (s *Sampled) Draw() func() {
	u := s.w.UI()
	t := u.Theme()
	matched := len(s.at)
	u.Wrapped(widget.Small, t.Muted, fmt.Sprintf("The column %s names %d of %s. Labels colour, group and compare; "+
		"numbers "+
		"colour only. None of them is part of the map.", s.Found.Key, matched, problem.Count(len(s.Samples), "sample")))
	u.Space(6)
	s.table(u)
	s.foot(u)
	return nil
}

// fits is how many columns there is room for, of a width in pixels.
func (s *Sampled) fits(u *widget.UI, w float32) int {
	l := s.lengths(u, w)
	return max(1, int((w-l.name-l.from)/l.cell))
}

// table draws a line for each sample below the names and kinds of columns.
func (s *Sampled) table(u *widget.UI) {
	t, at, w := u.Theme(), imgui.CursorScreenPos(), imgui.ContentRegionAvail().X
	columns := s.sheet.Columns()
	fit := s.fits(u, w-u.Pt(14))
	s.first = max(0, min(s.first, len(columns)-fit))
	last := min(s.first+fit, len(columns))
	if fit < len(columns) {
		s.pages(u, fit)
		at = imgui.CursorScreenPos()
	}
	l := s.lengths(u, w)
	name, from, cell := l.name, l.from, l.cell
	dl := imgui.WindowDrawList()
	u.DrawText(dl, widget.Small, at.X, at.Y+u.Pt(9), t.Muted, "Sample")
	row := "Row of the file"
	if l.short {
		row = "Row"
	}
	u.DrawText(dl, widget.Small, at.X+name, at.Y+u.Pt(9), t.Muted, row)
	for k := s.first; k < last; k++ {
		x := at.X + name + from + float32(k-s.first)*cell
		u.DrawText(dl, widget.Strong, x, at.Y+u.Pt(9), t.Text, u.Fit(widget.Strong, columns[k], cell-u.Pt(10)))
		imgui.SetCursorScreenPos(imgui.Vec2{X: x, Y: at.Y + u.Pt(20)})
		imgui.BeginChildStrV(fmt.Sprintf("##kind%d", k), imgui.Vec2{X: cell - u.Pt(6), Y: u.Pt(26)},
			imgui.ChildFlagsNavFlattened, imgui.WindowFlagsNoScrollbar|imgui.WindowFlagsNoScrollWithMouse)
		is := 0
		if s.sheet.Measure(k) {
			is = 1
		}
		if u.Segmented(fmt.Sprintf("kind %d", k), []string{"Labels", "Numbers"}, &is,
			"Labels can be compared, numbers colour on a scale") {
			s.sheet = s.sheet.As(k, is == 1)
		}
		imgui.EndChild()
	}
	imgui.SetCursorScreenPos(imgui.Vec2{X: at.X, Y: at.Y + u.Pt(50)})
	imgui.Dummy(imgui.Vec2{})
	h := u.Pt(sampledRow)
	rows := float32(min(len(s.Samples), sampledRows))
	room := imgui.CurrentIO().DisplaySize().Y*0.92 - u.Pt(330)
	imgui.BeginChildStrV("##samples", imgui.Vec2{X: w, Y: max(min(rows*h, room), 2*h)},
		imgui.ChildFlagsNavFlattened, 0)
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	clip := imgui.NewListClipper()
	clip.BeginV(int32(len(s.Samples)), h)
	for clip.Step() {
		for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
			p := imgui.CursorScreenPos()
			s.line(u, s.Samples[i], p, last, l)
			imgui.SetCursorScreenPos(imgui.Vec2{X: p.X, Y: p.Y + h})
			imgui.Dummy(imgui.Vec2{})
		}
	}
	clip.End()
	clip.Destroy()
	imgui.PopStyleVar()
	imgui.EndChild()
}

// pages says which columns are shown, and goes to others.
func (s *Sampled) pages(u *widget.UI, fit int) {
	n := len(s.sheet.Columns())
	u.Note(fmt.Sprintf("Columns %d to %d of %d", s.first+1, min(s.first+fit, n), n))
	u.Same()
	if u.Button("Earlier##earlier", widget.ButtonOpts{Small: true, Disabled: s.first == 0}) {
		s.first -= fit
	}
	u.Same()
	if u.Button("Later##later", widget.ButtonOpts{Small: true, Disabled: s.first+fit >= n}) {
		s.first += fit
	}
	u.Space(4)
}

// line draws the line of a sample.
func (s *Sampled) line(u *widget.UI, sample string, p imgui.Vec2, last int, l sampledLengths) {
	t, dl := u.Theme(), imgui.WindowDrawList()
	name, from, cell, y := l.name, l.from, l.cell, p.Y+u.Pt(sampledRow)/2
	u.DrawText(dl, widget.Body, p.X, y, t.Text, u.Fit(widget.Body, sample, name-u.Pt(10)))
	row, known := s.at[sample]
	text, ink := "no row", t.Warning
	if known {
		r := s.Found.Rows[row]
		if text, ink = fmt.Sprintf("line %d: %s", r.Line, r.Name), t.Muted; l.short {
			text = fmt.Sprintf("line %d", r.Line)
		}
	}
	if wrong := s.wrong[sample]; wrong != "" {
		text, ink = wrong, t.Danger
		from = imgui.ContentRegionAvail().X - name
	}
	u.DrawText(dl, widget.Small, p.X+name, y, ink, u.Fit(widget.Small, text, from-u.Pt(10)))
	if s.wrong[sample] != "" {
		return
	}
	for k := s.first; k < last; k++ {
		text, ink, face := s.sheet.Cell(sample, k), t.Text, widget.Body
		if s.sheet.Measure(k) {
			face = widget.Number
			if _, ok := sheet.Number(text); !ok && text != "" {
				ink = t.Danger // it is no number, and colours nothing
			}
		}
		if text == "" {
			text, ink, face = "none", t.Faint, widget.Body
		}
		x := p.X + name + from + float32(k-s.first)*cell
		u.DrawText(dl, face, x, y, ink, u.Fit(face, text, cell-u.Pt(10)))
	}
}

// foot says what of the file is left.
func (s *Sampled) foot(u *widget.UI) {
	t := u.Theme()
	u.Space(6)
	const most = 3
	says := slices.Clone(s.Found.Notes)
	for i, r := range s.strange {
		if i == most {
			says = append(says, fmt.Sprintf("and %d more rows of no sample", len(s.strange)-most))
			break
		}
		says = append(says, fmt.Sprintf("line %d is of no sample: %s", r.Line, r.Name))
	}
	for _, text := range says {
		u.Wrapped(widget.Small, t.Warning, text)
	}
	text := problem.Count(len(s.at), "sample") + " with a row"
	if n := len(s.Samples) - len(s.at) - len(s.wrong); n > 0 {
		text += fmt.Sprintf(", %d without: %s", n, "nothing is said of their points")
	}
	u.Note(text)
}
