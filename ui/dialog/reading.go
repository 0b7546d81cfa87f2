package dialog

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/ui/widget"
)

// TextTables are text tables, and how they are read.
type TextTables struct {
	Files []string
	As    dataset.Reading
	Fail  bool // they could not be opened so
	Read  func(as dataset.Reading)
}

// Reading asks how text tables are to be read, and shows what that makes of the first of them.
var Reading = Register(Kind[TextTables]{ID: "reading", Title: "How text is read", Width: 780,
	New: func(w Window, t TextTables) Dialog {
		f := &reading{w: w, TextTables: t, r: t.As, missing: strings.Join(t.As.Missing, ", ")}
		f.look()
		return f
	}})

type reading struct {
	TextTables
	w       Window
	r       dataset.Reading
	missing string // as typed
	preview *format.Preview
	err     error
}

// look reads the beginning of the first file, a quarter of a megabyte, as it is asked for now.
func (f *reading) look() {
	p, err := format.ReadPreview(context.Background(), f.Files[0], f.r)
	if f.err = err; err == nil {
		f.preview = p
	}
}

// choices are what a setting can be; the first is that it is found out.
type choices struct{ values, names []string }

var (
	separators = choices{[]string{"", ",", ";", "\t", "|", " "}, []string{"", "Comma", "Semicolon", "Tab", "Bar",
		"Spaces"}}
	headers  = choices{[]string{"", "yes", "no"}, []string{"", "Names", "Data"}}
	decimals = choices{[]string{"", ".", ","}, []string{"", "Point", "Comma"}}
)

// pick draws the choice of a setting, and reports a change. now is what was found out.
func (f *reading) pick(u *widget.UI, label string, c choices, to *string, now string, width float32,
	tip string) bool {
	values, names := slices.Clone(c.values), slices.Clone(c.names)
	if !slices.Contains(values, *to) { // the command line gave a value that the list lacks
		values, names = append(values, *to), append(names, *to)
	}
	names[0] = "Found out"
	if at := slices.Index(values, now); *to == "" && at > 0 {
		names[0] += ": " + strings.ToLower(names[at])
	}
	chosen := slices.Index(values, *to)
	changed := u.Combo(label, widget.Items(names...), &chosen, widget.ComboOpts{Width: width, Tip: tip})
	*to = values[chosen]
	return changed
}

func (f *reading) Face() (Face, bool) {
	changed := f.Fail || !f.r.Equal(f.As)
	return Face{Buttons: []Button{{Label: "Cancel"}, {Label: "Read it so", Kind: widget.Primary,
		Disabled: f.err != nil || !changed, Tip: "Read the table again; the map stays as far as its columns do",
		Do: func() { f.Read(f.r) }}}}, true
}

func (f *reading) Draw() func() {
	u := f.w.UI()
	t := u.Theme()
	title := filepath.Base(f.Files[0])
	if n := len(f.Files) - 1; n > 0 {
		title += fmt.Sprintf(" and %d more", n)
	}
	u.Wrapped(widget.Strong, t.Text, title)
	u.Space(6)
	f.lines(u)
	u.Space(8)
	f.settings(u)
	u.Space(10)
	if f.err != nil {
		p := problem.As(f.err)
		u.Wrapped(widget.Body, t.Danger, widget.Sentence(p.What)+" "+widget.Sentence(p.Remedy))
		return nil
	}
	f.table(u, imgui.CurrentIO().DisplaySize().Y)
	for _, d := range f.preview.Doubts {
		u.Space(4)
		u.Wrapped(widget.Small, t.Warning, widget.Sentence(d))
	}
	return nil
}

// lines shows the first lines of the file as they are.
func (f *reading) lines(u *widget.UI) {
	if f.preview == nil {
		return
	}
	t, at, w := u.Theme(), imgui.CursorScreenPos(), imgui.ContentRegionAvail().X
	pad, h := u.Pt(8), u.Pt(17)
	box := widget.R(at.X, at.Y, w, h*float32(len(f.preview.Lines))+2*pad)
	dl := imgui.WindowDrawList()
	u.FillRect(dl, box, t.Control, u.Pt(6))
	y := box.Y0 + pad + h/2
	for _, line := range f.preview.Lines {
		line = strings.ReplaceAll(line, "\t", "  →  ")
		u.DrawText(dl, widget.Number, box.X0+pad, y, t.Text, u.Fit(widget.Number, line, w-2*pad))
		y += h
	}
	imgui.Dummy(imgui.Vec2{X: w, Y: box.H()})
}

// settings draws separator, decimal mark, what the first row is and missing words side by side.
func (f *reading) settings(u *widget.UI) {
	at, w, gap := imgui.CursorScreenPos(), imgui.ContentRegionAvail().X, u.Pt(12)
	each := (w - 3*gap) / 4
	now := format.Preview{}
	if f.preview != nil {
		now = *f.preview
	}
	look := false
	cell := func(k int, head string, draw func()) {
		imgui.SetCursorScreenPos(imgui.Vec2{X: at.X + float32(k)*(each+gap), Y: at.Y})
		imgui.BeginGroup()
		u.Heading(head)
		draw()
		imgui.EndGroup()
	}
	points := each / u.Pt(1)
	cell(0, "Cells are separated by", func() {
		look = f.pick(u, "Separator", separators, &f.r.Separator, now.Separator, points,
			"What stands between two cells of a line") || look
	})
	cell(1, "Decimal mark", func() {
		look = f.pick(u, "Decimal mark", decimals, &f.r.Decimal, now.Decimal, points,
			"The other one of dot and comma stands between thousands") || look
	})
	cell(2, "The first row is", func() {
		look = f.pick(u, "First row", headers, &f.r.Header, now.Header, points,
			"Whether the first row names the columns, or is a row as those below") || look
	})
	cell(3, "Also without a value", func() {
		e := u.TextField("Missing words", &f.missing, widget.FieldOpts{Hint: "-999, off", Width: points,
			Tip: "Words and numbers that stand for no value, with commas between, besides NA, None, ?, #N/A and " +
				"the like"})
		if e.Changed {
			f.r.Missing = nil
			for _, word := range strings.Split(f.missing, ",") {
				if word = strings.TrimSpace(word); word != "" {
					f.r.Missing = append(f.r.Missing, word)
				}
			}
			look = true
		}
	})
	if look {
		f.look()
	}
}

// Lengths of the table of columns, in points.
const (
	readingRow  = 30
	readingRows = 8 // in sight
	readingName = 128
	readingKind = 150
	readingSays = 160
)

// table draws a line for each column: how it is read, its first cells, and what was not understood.
func (f *reading) table(u *widget.UI, window float32) {
	t, at, w := u.Theme(), imgui.CursorScreenPos(), imgui.ContentRegionAvail().X
	name, kind, says := u.Pt(readingName), u.Pt(readingKind), u.Pt(readingSays)
	dl := imgui.WindowDrawList()
	head := func(x float32, s string) { u.DrawText(dl, widget.Small, x, at.Y+u.Pt(8), t.Muted, s) }
	head(at.X, "Column")
	head(at.X+name, "Read as")
	head(at.X+name+kind+u.Pt(16), "First cells")
	head(at.X+w-says, fmt.Sprintf("Of the first %d rows", f.preview.Rows))
	imgui.Dummy(imgui.Vec2{X: w, Y: u.Pt(18)})
	h := u.Pt(readingRow)
	rows := float32(min(len(f.preview.Columns), readingRows))
	imgui.BeginChildStrV("##columns", imgui.Vec2{X: w, Y: max(min(rows*h, window*0.92-u.Pt(360)), h)},
		imgui.ChildFlagsNavFlattened, 0) // Tab goes on from the settings to it
	inner := imgui.ContentRegionAvail().X
	imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
	clip := imgui.NewListClipper()
	clip.BeginV(int32(len(f.preview.Columns)), h)
	look := false
	for clip.Step() {
		for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
			c, p := &f.preview.Columns[i], imgui.CursorScreenPos()
			y := p.Y + h/2
			dl := imgui.WindowDrawList()
			u.DrawText(dl, widget.Body, p.X, y, t.Text, u.Fit(widget.Body, c.Name, name-u.Pt(10)))
			imgui.SetCursorScreenPos(imgui.Vec2{X: p.X + name, Y: p.Y + u.Pt(2)})
			imgui.BeginChildStrV(fmt.Sprintf("##kind%d", i), imgui.Vec2{X: kind, Y: u.Pt(26)},
				imgui.ChildFlagsNavFlattened, imgui.WindowFlagsNoScrollbar|imgui.WindowFlagsNoScrollWithMouse)
			is := 0
			if c.Label {
				is = 1
			}
			if u.Segmented(fmt.Sprintf("%s##kind %d", c.Name, i), []string{"Numbers", "Labels"}, &is,
				"Labels colour points and are never part of the map") {
				f.force(c, is == 1)
				look = true
			}
			imgui.EndChild()
			f.cells(u, dl, widget.Rect{X0: p.X + name + kind + u.Pt(16), Y0: p.Y, X1: p.X + inner - says,
				Y1: p.Y + h}, c)
			text, ink := columnSays(c)
			if ink {
				u.DrawText(dl, widget.Small, p.X+inner-says, y, t.Danger, u.Fit(widget.Small, text, says))
			} else {
				u.DrawText(dl, widget.Small, p.X+inner-says, y, t.Muted, u.Fit(widget.Small, text, says))
			}
			imgui.SetCursorScreenPos(imgui.Vec2{X: p.X, Y: p.Y + h})
			imgui.Dummy(imgui.Vec2{})
		}
	}
	clip.End()
	clip.Destroy()
	imgui.PopStyleVar()
	imgui.EndChild()
	if look {
		f.look()
	}
}

// columnSays tells in a few words how the cells of a column were understood; bad: some were not.
func columnSays(c *format.PreviewColumn) (text string, bad bool) {
	switch {
	case c.Odd > 0:
		return fmt.Sprintf("%d no number: %s", c.Odd, c.Example), true
	case c.Missing > 0:
		return fmt.Sprintf("%d without a value", c.Missing), false
	}
	return "all understood", false
}

// cells draws the first cells of a column, each as wide as the others.
func (f *reading) cells(u *widget.UI, dl *imgui.DrawList, r widget.Rect, c *format.PreviewColumn) {
	t, most := u.Theme(), 4
	each := r.W() / float32(most)
	for k, x := range c.Cells[:min(len(c.Cells), most)] {
		ink, face, text := t.Text, widget.Body, x.Text
		switch {
		case x.Missing:
			ink, text = t.Faint, "none"
		case x.Odd:
			ink = t.Danger
		case !c.Label:
			face = widget.Number
		}
		u.DrawText(dl, face, r.X0+each*float32(k), (r.Y0+r.Y1)/2, ink, u.Fit(face, text, each-u.Pt(8)))
	}
}

// force reads a column as labels or as numbers, without a word where it would be so by itself.
func (f *reading) force(c *format.PreviewColumn, label bool) {
	not := func(name string) bool { return strings.EqualFold(name, c.Name) }
	f.r.Number = slices.DeleteFunc(slices.Clone(f.r.Number), not)
	f.r.Label = slices.DeleteFunc(slices.Clone(f.r.Label), not)
	switch {
	case label == c.Guess:
	case label:
		f.r.Label = append(f.r.Label, c.Name)
	default:
		f.r.Number = append(f.r.Number, c.Name)
	}
}
