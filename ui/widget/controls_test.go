package widget_test

import (
	"math"
	"testing"
	"time"

	"blossom/assets"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// controls draws what the window's gallery does not show, in three columns.
type controls struct {
	name           string
	n              float64
	seg, pick, row int
	modal, sw      bool
	lo, hi         float64
	long           float64
}

func newControls() *controls {
	return &controls{name: "Helper T cells", n: 150, pick: -1, row: 1, lo: 0.2, hi: 0.7, sw: true, long: 3}
}

func (s *controls) draw(u *widget.UI, c *shell.Context) {
	win := c.Size()
	w := win.X / 3
	area := func(name string, i int, body func()) {
		u.Area(name, widget.R(w*float32(i), 0, w, win.Y), widget.AreaOpts{PadX: 16, PadY: 12,
			Border: widget.SideRight}, body)
	}
	area("a", 0, func() { s.first(u) })
	area("b", 1, func() { s.second(u) })
	area("c", 2, func() { s.third(u) })
	u.Modal("Export picture", &s.modal, widget.ModalOpts{Buttons: []widget.ModalButton{{Label: "Cancel"},
		{Label: "Export", Kind: widget.Primary}}}, func() {
		u.Wrapped(widget.Body, u.Theme().Muted,
			"The picture is drawn anew at the size you want, with what you see now.")
		u.Space(6)
		u.NumberField("Width", &s.n, widget.Param{Min: 16, Max: 16384, Default: 1920, Integer: true, Unit: " px"}, "")
	})
}

func (s *controls) first(u *widget.UI) {
	u.Heading("Buttons")
	for i, k := range []widget.ButtonKind{widget.Secondary, widget.Primary, widget.Ghost, widget.Danger} {
		if i > 0 {
			u.Same()
		}
		u.Button([]string{"Secondary", "Primary", "Ghost", "Danger"}[i], widget.ButtonOpts{Kind: k})
	}
	u.Button("Open…", widget.ButtonOpts{Icon: assets.IconFolderOpen})
	u.Same()
	u.Button("Off", widget.ButtonOpts{Kind: widget.Primary, Disabled: true})
	u.Same()
	u.Button("Small", widget.ButtonOpts{Small: true})
	u.Same()
	u.IconButton("more", assets.IconEllipsis, "More", false)
	u.Button("A label that is much too long for the width that it was given", widget.ButtonOpts{Width: 180})
	u.Button("Fill", widget.ButtonOpts{Width: -1, Icon: assets.IconPlay})
	u.Separator()
	u.Segmented("kind", []string{"SOM", "Batch", "k-means"}, &s.seg, "")
	u.Space(4)
	u.TextField("name", &s.name, widget.FieldOpts{Hint: "Name"})
	empty := ""
	u.SearchField("find", "Search commands", &empty, false)
	u.NumberField("Cofactor", &s.n, widget.Param{Min: 1, Max: 10000, Default: 150, Format: "%.0f"}, "")
	off := 5.0
	u.Slider("Off", &off, widget.Param{Min: 0, Max: 10, Disabled: true}, "")
	u.Slider("A very long parameter name", &s.long, widget.Param{Min: 0, Max: 1e38, Log: true}, "")
	u.Switch("Show landmarks", &s.sw, "")
	no := false
	u.Switch("Show names", &no, "")
	u.Separator()
	u.Combo("palette", widget.Items("viridis", "cividis", "magma"), &s.pick,
		widget.ComboOpts{Empty: "Choose a palette"})
	u.Chip("B cells", widget.ChipOpts{Swatch: widget.Hex(0xe69f00)})
	u.Same()
	u.Chip("selected", widget.ChipOpts{Selected: true})
	u.Same()
	u.Chip("CD3", widget.ChipOpts{Remove: true})
}

func (s *controls) second(u *widget.UI) {
	u.Heading("Plots")
	var counts []float32
	for i := range 40 {
		counts = append(counts, float32(math.Exp(-math.Pow(float64(i-18)/8, 2))))
	}
	u.Histogram("range", counts, widget.HistogramOpts{Lo: &s.lo, Hi: &s.hi, Colors: viridis, Height: 60})
	u.Curve("curve", []widget.CurveLine{{Y: []float32{0, 1, 0.5, float32(math.NaN()), 0.2, 0.8}}},
		widget.CurveOpts{Cursor: -1, Caption: "gap"})
	u.GradientBar(viridis, 0, 10)
	u.Progress(0.3, 0)
	u.Spinner(18)
	u.Same()
	for i, c := range []uint32{0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7} {
		if i > 0 {
			u.Same()
		}
		u.Swatch(string(rune('a'+i)), widget.Hex(c), 18, "")
	}
	u.GradientPick("viridis", viridis, true, "")
	u.Separator()
	u.Row("Open file", widget.RowOpts{Icon: assets.IconFolderOpen, Shortcut: "Ctrl+O"})
	u.Row("Undo", widget.RowOpts{Icon: assets.IconUndo2, Shortcut: "Ctrl+Shift+Z", Cursor: true})
	u.Row("NK", widget.RowOpts{Swatch: widget.Hex(0x009e73), Secondary: "natural killer cells of the whole sample",
		Note: "1,204", Selected: true})
	u.KeyCaps("Ctrl++", false)
	if r := u.Table("table", []widget.Column{{Title: "Column", Width: 2}, {Title: "Mean", Width: 1, Right: true},
		{Title: "Points", Width: 1, Right: true}}, 4, s.row, func(r, c int) string {
		return [4][3]string{{"CD3", "4.12", "1,204"}, {"a name too long for its column", "−0.13", "771"},
			{"CD8", "12.00", "18,000"}, {"NK1.1", "0.01", "42"}}[r][c]
	}); r >= 0 {
		s.row = r
	}
	u.LabelValue("Invalid points", "12 of 19,225", "")
	u.Link("Change the transform", "")
	u.Wrapped(widget.Small, u.Theme().Muted,
		"A longer explanation in small type, that is cut into as many lines as it needs at the width of the column.")
}

func (s *controls) third(u *widget.UI) {
	p := imgui.WindowPos()
	z := imgui.WindowSize()
	u.Empty(widget.R(p.X, p.Y, z.X, z.Y), widget.EmptyOpts{Icon: assets.IconFlower, Title: "Drop a file here",
		Text: "FCS, CSV, TSV or NPY. The first map is on screen within a second.", Drop: true, Width: 400}, func() {
		u.Button("Open a file…", widget.ButtonOpts{Kind: widget.Primary, Icon: assets.IconFolderOpen, Width: -1})
		u.Space(6)
		u.Note("Recent")
		u.Row("68983.fcs", widget.RowOpts{Icon: assets.IconFile, Note: "yesterday"})
		u.Row("mammoth.csv", widget.RowOpts{Icon: assets.IconFile, Note: "3 days ago"})
		u.Space(6)
		for i, n := range []string{"Tesseract", "Sheet"} {
			if i > 0 {
				u.Same()
			}
			u.Card(n, "10,000 points", 166, 120, "", func(dl *imgui.DrawList, r widget.Rect) {
				u.Gradient(dl, r, viridis)
			})
		}
	})
}

func TestGalleryControls(t *testing.T) {
	for _, c := range []struct {
		name  string
		theme widget.Theme
		scale float32
	}{
		{"light-100", widget.Light(), 1}, {"dark-200", widget.Dark(), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &page{t: t, theme: c.theme, draw: newControls().draw}
			d := uitest.Open(t, p, int(1320*c.scale), int(760*c.scale), c.scale)
			d.Frames(6)
			d.Picture("controls-"+c.name, "a")
			d.Picture("plots-"+c.name, "b")
			d.Picture("empty-"+c.name, "c")
		})
	}
}

func TestGalleryOverlays(t *testing.T) {
	for _, th := range []widget.Theme{widget.Light(), widget.Dark()} {
		t.Run(th.Name, func(t *testing.T) {
			s := newSketch()
			d := uitest.Open(t, &page{t: t, theme: th, draw: s.draw}, 1100, 760, 1)
			d.ClickOn("menu bar/File")
			d.MoveTo("File/Open…")
			d.Frames(2)
			d.Picture("menu-"+th.Name, "popup")
			d.Keys("Esc")
			d.ClickOn("Colour/by")
			d.Frames(4)
			d.Picture("combo-"+th.Name, "popup")
			d.Keys("Esc")
			d.MoveTo("Train/toggle")
			d.Sleep(700 * time.Millisecond)
			d.Picture("tooltip-"+th.Name, "tooltip")
		})
		t.Run(th.Name+" dialog", func(t *testing.T) {
			s := newControls()
			s.modal = true
			p := &page{t: t, theme: th, draw: s.draw}
			d := uitest.Open(t, p, 1100, 760, 1)
			uitest.Do(func() {
				p.u.Toast(widget.Toast{Text: "corrupted.fcs: the file ends inside the DATA segment: open the " +
					"original again", Kind: widget.Error})
				p.u.Toast(widget.Toast{Text: "Saved to a.csv", Kind: widget.Success})
			})
			d.Frames(4)
			d.Picture("dialog-"+th.Name, "Export picture")
			d.Picture("toast-problem-"+th.Name, "toast 1")
			d.Picture("toast-done-"+th.Name, "toast 2")
		})
	}
}
