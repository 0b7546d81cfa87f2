package panel

import (
	"fmt"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/export"
	"blossom/render/pen/figure"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// pictures chooses how a picture is written, and shows how it will look.
type pictures struct {
	desk *desk.Desk
	form
	column int               // an index of export.Columns; after these: a width of one's own
	kept   revision.Revision // the choice of the document that the form shows
}

// sizeWords are the sizes of a picture, by desk.Size.
var sizeWords = []string{"Size as on screen", "Twice as fine", "Own size", "On paper"}

// ask asks for a file to write.
type ask func(title, name, kind, ending string, answer func(path string))

// Draw draws the rows. The preview and the button come first: rows that are there for some sizes alone move neither.
func (p *pictures) Draw(ask ask) {
	u, f := p.desk.UI, &p.picture
	p.take()
	was := p.form
	w, h := p.desk.Output.PictureSize(*f)
	p.previewRow(w, h)
	p.saveRow(w, h, ask)
	u.Space(4)
	format := p.formatRow()
	p.sizeRows()
	if paged := p.pageRows(); !paged { // views of a page have names of their own
		u.Switch("Title", &f.Title, "Write the name of the data above the map")
	}
	p.groundRow()
	if format.Lines {
		points := 0
		if f.Shapes {
			points = 1
		}
		u.Segmented("Points", []string{"Pixels", "Shapes"}, &points, "Points are one picture within the file, or, up "+
			"to 50,000, shapes that an editor can change; all else is lines and letters")
		f.Shapes = points == 1
	}
	p.sizeNote()
	p.momentRows(ask)
	if p.form != was {
		p.keep()
	}
}

// take takes what the document has chosen, where that is not what the form shows.
func (p *pictures) take() {
	now := p.desk.Doc.State()
	if rev := parts.Figure.Rev(now); rev != p.kept || p.picture.Scale == 0 {
		p.form, p.kept = formOf(parts.Figure.Of(now)), rev
		wide := p.picture.Print.Width
		p.column = slices.IndexFunc(export.Columns, func(c export.Column) bool { return c.Width == wide })
		if p.column < 0 {
			p.column = len(export.Columns)
		}
	}
}

// keep has the document keep what was chosen, with its session.
func (p *pictures) keep() {
	p.desk.Doc.Look(func(s *state.State) { parts.Figure.Put(s, p.choice()) })
	p.kept = parts.Figure.Rev(p.desk.Doc.State())
}

// saveRow writes the picture.
func (p *pictures) saveRow(w, h int, ask ask) {
	u, format, drawing := p.desk.UI, figure.Formats()[p.format], p.desk.Output.Drawing()
	u.Space(4)
	if u.Button("Save picture…##picture", widget.ButtonOpts{Kind: widget.Primary, Icon: assets.IconImage, Width: -1,
		Disabled: drawing, Tip: fmt.Sprintf("Write the map as it is looked at now, %d × %d pixels, as %s", w, h,
			format.Title)}) {
		picture := p.picture
		ask("Save picture", "", format.Title+" pictures", format.Ending,
			func(path string) { p.desk.Output.Picture(path, picture) })
	}
}

// sizeNote says how large the picture is, and whether it is being written.
func (p *pictures) sizeNote() {
	u, f := p.desk.UI, &p.picture
	w, h := p.desk.Output.PictureSize(*f)
	size := fmt.Sprintf("%s × %s pixels", widget.Grouped(w), widget.Grouped(h))
	if f.Size == desk.OnPaper {
		size = fmt.Sprintf("%g × %g mm, %s", f.Print.Width, f.Print.Height, size)
		if err := f.Print.Check(); err != nil {
			u.Wrapped(widget.Small, u.Theme().Warning, err.Error())
		}
	}
	u.Wrapped(widget.Small, u.Theme().Muted, size+"; legend, landmarks, names and axes as the view shows them")
	if p.desk.Output.Drawing() {
		u.Progress(-1, 0)
	}
}

// momentRows write a page of moments of the history.
func (p *pictures) momentRows(ask ask) {
	u := p.desk.UI
	if p.desk.Doc.History().Len() < 2 {
		return
	}
	u.Space(4)
	n := float64(p.moments)
	u.NumberField("Moments", &n, widget.Param{Min: 2, Max: 36, Default: usualMoments, Integer: true},
		"How many moments of the history stand on the page: the first, the last and others evenly between them")
	if p.moments = int(n); u.Button("Save moments…##moments", widget.ButtonOpts{Icon: assets.IconGrid3x3, Width: -1,
		Tip: "Write a page of small maps, each as it was at a moment of the history, in the size and format chosen " +
			"above"}) {
		picture, n := p.picture, p.moments
		f := figure.Formats()[p.format]
		ask("Save moments", "_moments", f.Title+" pictures", f.Ending,
			func(path string) { p.desk.Output.Moments(path, picture, n) })
	}
}

// formatRow chooses the format.
func (p *pictures) formatRow() figure.Format {
	formats := figure.Formats()
	names, tip := []string{}, ""
	for _, f := range formats {
		names = append(names, f.Title)
		tip += f.Title + ": " + f.Help + ". "
	}
	p.desk.UI.Segmented("File", names, &p.format, tip)
	return formats[p.format]
}

// sizeRows choose the size.
func (p *pictures) sizeRows() {
	u, f := p.desk.UI, &p.picture
	size := int(f.Size)
	u.Combo("Size", widget.Items(sizeWords...), &size, widget.ComboOpts{Tip: "Size of the picture: in pixels, or on " +
		"paper in millimetres with text of a size in points"})
	switch f.Size = desk.Size(size); f.Size {
	case desk.OwnSize:
		side := widget.Param{Min: 16, Max: 16000, Default: 2400, Integer: true, Unit: " px"}
		w, h := float64(f.Width), float64(f.Height)
		u.NumberField("Width", &w, side, "Pixels from left to right")
		side.Default = 1800
		u.NumberField("Height", &h, side, "Pixels from top to bottom")
		f.Width, f.Height = int(w), int(h)
		u.Slider("Scale", &f.Scale, widget.Param{Min: 0.5, Max: 8, Default: 2, Format: "%.1f"},
			"Raising it makes text, points and landmarks larger in the picture: 2 suits screens, 4 print.")
	case desk.OnPaper:
		p.paperRows()
	}
}

// paperRows choose the size on paper.
func (p *pictures) paperRows() {
	u, f := p.desk.UI, &p.picture.Print
	words := []string{}
	for _, c := range export.Columns {
		words = append(words, fmt.Sprintf("%s, %g mm", c.Title, c.Width))
	}
	words = append(words, "Own width")
	u.Combo("Column", widget.Items(words...), &p.column, widget.ComboOpts{Tip: "Widths that journals ask for: " +
		"those of Cell Press, and of Nature"})
	if p.column < len(export.Columns) {
		f.Width = export.Columns[p.column].Width
	} else {
		u.NumberField("Paper width", &f.Width, widget.Param{Min: 5, Max: 2000, Default: 85, Unit: " mm"},
			"From left to right")
	}
	u.NumberField("Paper height", &f.Height, widget.Param{Min: 5, Max: 2000, Default: 64, Unit: " mm"},
		"From top to bottom")
	u.NumberField("Font", &f.Font, widget.Param{Min: 2, Max: 100, Default: export.UsualFont, Unit: " pt"},
		"Size of text on paper; numbers of axes are somewhat smaller. Points and lines go with it")
	u.NumberField("Resolution", &f.DPI, widget.Param{Min: 20, Max: 2400, Default: export.UsualDPI, Unit: " dpi"},
		"Of what is of pixels: 300 for print, 600 for fine print")
}

// pageRows choose whether all views make one page, and say whether they do.
func (p *pictures) pageRows() (paged bool) {
	u, f := p.desk.UI, &p.picture
	if len(parts.Views.Of(p.desk.Doc.State()).Views) < 2 {
		return false
	}
	u.Switch("Page of views", &f.All, "Draw several views in one picture: all, or those that are chosen")
	if !f.All {
		return false
	}
	for _, v := range p.desk.Stage.Views() {
		title, _ := v.Content().Label()
		on := !f.Left(v.ID)
		if u.Switch("With "+title+"##page-"+v.ID.Key(), &on, "Put this view on the page") {
			f.Leave(v.ID, !on)
		}
	}
	u.Switch("Letters", &f.Letters, "Write a, b, c before the names of the views")
	u.Combo("Arranged", widget.Items("As in the window", "In one column", "In two columns", "In three columns",
		"In four columns"), &f.Columns, widget.ComboOpts{Tip: "Views stand as in the window, or are all of one size"})
	return true
}

// groundRow chooses what is behind the points. A white picture is for a paper: it is without landmarks, until somebody
// wants them.
func (p *pictures) groundRow() {
	u, f := p.desk.UI, &p.picture
	ground := 0
	switch {
	case f.White:
		ground = 1
	case f.Transparent:
		ground = 2
	}
	if u.Segmented("Background", []string{"As on screen", "White", "Transparent"}, &ground,
		"What is behind the map: as in the window; white, for papers, also where the window is dark; or nothing, for "+
			"slides and posters") {
		f.White, f.Transparent = ground == 1, ground == 2
		f.Bare = f.White
	}
	landmarks := !f.Bare
	u.Switch("Landmarks", &landmarks, "Draw landmarks, their names and edges where the view shows them")
	f.Bare = !landmarks
	if f.White && f.Bare {
		u.Wrapped(widget.Small, u.Theme().Muted, "White pictures, for papers, are without landmarks until they are "+
			"switched on.")
	}
}

// previewHigh is how high the preview is at most, in points.
const previewHigh = 220

// previewRow shows the picture as it will be, in its shape. Its room has one height, so that the buttons below stay
// where they are while the shape changes.
func (p *pictures) previewRow(w, h int) {
	u := p.desk.UI
	room := imgui.ContentRegionAvail().X
	if w < 1 || h < 1 || room < u.Pt(20) {
		return
	}
	high := u.Pt(previewHigh)
	share := min(room/float32(w), high/float32(h))
	size := imgui.Vec2{X: share * float32(w), Y: share * float32(h)}
	fine := u.Fine()
	texture := p.desk.Output.Preview(p.picture, int(size.X*fine), int(size.Y*fine))
	u.Space(4)
	at := imgui.CursorScreenPos()
	at.X += (room - size.X) / 2
	at.Y += (high - size.Y) / 2
	to := imgui.Vec2{X: at.X + size.X, Y: at.Y + size.Y}
	dl := imgui.WindowDrawList()
	if texture != 0 {
		dl.AddImageV(shell.TextureRef(texture), at, to, imgui.Vec2{}, imgui.Vec2{X: 1, Y: 1}, 0xffffffff)
	}
	dl.AddRectV(at, to, uint32(u.Theme().Border), 0, 0, max(1, u.Pt(1)))
	imgui.Dummy(imgui.Vec2{X: room, Y: high})
}
