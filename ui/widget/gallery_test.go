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

func TestMain(m *testing.M) { uitest.Main(m) }

// page is an app that draws one function with the controls.
type page struct {
	shell.Nop
	t     *testing.T
	u     *widget.UI
	theme widget.Theme
	draw  func(*widget.UI, *shell.Context)
}

func (p *page) Start(*shell.Context) error {
	p.u = widget.New()
	p.u.SetTheme(p.theme)
	return nil
}

func (p *page) Frame(c *shell.Context) {
	p.u.Begin(c)
	p.draw(p.u, c)
	p.u.End()
}

func (p *page) Widgets() *widget.UI { return p.u }

func (p *page) Panic(v any, stack []byte) {
	if p.t == nil {
		panic(v)
	}
	p.t.Errorf("panic: %v\n%s", v, stack)
}

var viridis = []widget.Color{
	widget.Hex(0x440154), widget.Hex(0x46327e), widget.Hex(0x365c8d), widget.Hex(0x277f8e),
	widget.Hex(0x1fa187), widget.Hex(0x4ac16d), widget.Hex(0xa0da39), widget.Hex(0xfde725),
}

// sketch draws a window like that of the program, with made-up content.
type sketch struct {
	on                   [11]bool
	sigma, alpha         float64
	k, boost, adjust     float64
	lo, hi               float64
	colour               int
	tool                 int
	toasted, calm        bool
	sigmaLine, alphaLine []float32
	counts               []float32
}

func newSketch() *sketch {
	s := &sketch{sigma: 1.1, alpha: 0.02, k: 16, boost: 2, adjust: 0.2, lo: 1, hi: 99, colour: 7}
	for i := range 8 {
		s.on[i] = true
	}
	for i := range 60 {
		f := float64(i) / 59
		s.sigmaLine = append(s.sigmaLine, float32(0.1+0.9/(1+math.Exp(9*(f-0.42)))))
		s.alphaLine = append(s.alphaLine, float32(0.8-0.5*f))
	}
	for i := range 23 {
		g := func(m, s, h float64) float64 { return h * math.Exp(-math.Pow((float64(i)-m)/s, 2)) }
		s.counts = append(s.counts, float32(g(7.4, 3.2, 1)+g(16.6, 2.8, 0.5)))
	}
	return s
}

var sketchColumns = [11][3]string{
	{"CD8", "Pacific Blue-A", "marker"}, {"TCRγδ", "APC-A", "marker"}, {"CD45", "Alexa Fluor 700-A", "marker"},
	{"TCRβ", "APC-Cy7-A", "marker"}, {"NK1.1", "PE-A", "marker"}, {"CD4", "PE-Texas Red-A", "marker"},
	{"CD19", "PE-Cy5-A", "marker"}, {"CD3", "PE-Cy7-A", "marker"}, {"FSC-A", "", "scatter"},
	{"SSC-A", "", "scatter"}, {"Time", "", "time"},
}

func (s *sketch) draw(u *widget.UI, c *shell.Context) {
	win := c.Size()
	t := u.Theme()
	top, bottom := u.Pt(32), win.Y-u.Pt(28)
	rail, side := u.Pt(44), win.X-u.Pt(308)
	canvas := widget.Rect{X0: rail, Y0: top, X1: side, Y1: bottom}
	u.CanvasFunc("canvas", canvas, func(dl *imgui.DrawList) {
		for i := range 900 { // a spiral of points
			f := float64(i) / 900
			a := f * 40
			r := float64(u.Pt(330)) * math.Sqrt(f)
			x, y := canvas.Center().X+float32(r*math.Cos(a)), canvas.Center().Y+float32(r*math.Sin(a))
			dl.AddCircleFilled(imgui.Vec2{X: x, Y: y}, u.Pt(1.4), uint32(viridis[i*8/900]))
		}
	})
	u.ToastsIn(canvas)
	u.MenuBar("blossom", []widget.Span{{Text: "68983.fcs — autosaved 12 s ago"}, {Text: "Ctrl+P commands", Gap: 12},
		{Text: "? keys", Gap: 12}}, func() {
		for _, m := range []string{"File", "Edit", "View", "Model", "Help"} {
			u.Menu(m, func() {
				u.MenuItem("Open…", widget.MenuOpts{Shortcut: "Ctrl+O", Icon: assets.IconFolderOpen})
				u.MenuItem("Save session", widget.MenuOpts{Shortcut: "Ctrl+S", Icon: assets.IconSave})
				u.MenuSeparator()
				u.MenuItem("Dark theme", widget.MenuOpts{Checked: true})
				u.MenuItem("Undo", widget.MenuOpts{Shortcut: "Ctrl+Z", Disabled: true})
			})
		}
	})
	u.Area("tools", widget.Rect{X0: 0, Y0: top, X1: rail, Y1: bottom},
		widget.AreaOpts{Border: widget.SideRight, PadY: 5}, func() {
			for i, icon := range []string{assets.IconMove, assets.IconCircleDot, assets.IconPencil, assets.IconLasso,
				assets.IconTag} {
				name := []string{"Navigate", "Landmarks", "Draw map", "Select", "Annotate"}[i]
				if u.Tool(name, icon, name+"\t"+string(rune('1'+i)), s.tool == i, i == 4) {
					s.tool = i
				}
			}
		})
	u.Area("side", widget.Rect{X0: side, Y0: top, X1: win.X, Y1: bottom},
		widget.AreaOpts{Border: widget.SideLeft, PadX: 12, Scroll: true}, func() { s.side(u) })
	u.Area("status", widget.Rect{X0: 0, Y0: bottom, X1: win.X, Y1: win.Y},
		widget.AreaOpts{Border: widget.SideTop, PadX: 14, PadY: 6}, func() {
			st := func(s string) widget.Span { return widget.Span{Text: s, Face: widget.Status, Color: t.Muted} }
			strong := func(s string, gap float32) widget.Span {
				return widget.Span{Text: s, Face: widget.StatusStrong, Gap: gap}
			}
			u.Rich(strong("19,225", 0), st(" of 19,225 points · "), strong("0", 0), st(" invalid"),
				widget.Span{Text: "refreshing", Face: widget.Status, Color: t.Muted, Gap: 22})
			imgui.SameLineV(0, u.Pt(6))
			u.Progress(0.62, 89)
			imgui.SameLineV(0, u.Pt(6))
			u.Rich(st("62 %"), strong("60", 20), st(" fps"), widget.Span{Text: "CPU, 2 cores", Face: widget.Status,
				Color: t.Muted, Gap: 20}, widget.Span{Text: "seed 1", Face: widget.Status, Color: t.Muted, Gap: 20})
		})
	u.Area("legend", widget.R(rail+u.Pt(18), bottom-u.Pt(70), u.Pt(230), u.Pt(56)),
		widget.AreaOpts{Clear: true, Still: true}, func() {
			u.Rich(widget.Span{Text: "CD3", Face: widget.Strong},
				widget.Span{Text: "PE-Cy7-A, asinh/150", Color: t.Muted, Gap: 4})
			u.GradientBar(viridis, 220, 10)
			u.Rich(widget.Span{Text: "≤ −0.2", Face: widget.Caption, Color: t.Muted},
				widget.Span{Text: "1.5", Face: widget.Caption, Color: t.Muted, Gap: 40},
				widget.Span{Text: "3.0", Face: widget.Caption, Color: t.Muted, Gap: 40},
				widget.Span{Text: "≥ 4.6", Face: widget.Caption, Color: t.Muted, Gap: 38})
		})
	if !s.toasted && !s.calm {
		s.toasted = true
		u.Toast(widget.Toast{Text: "20 × 20 map on 8 markers, asinh 150 · training settled",
			Actions: []widget.ToastAction{{Label: "Change"}, {Label: "Undo"}}})
	}
}

func (s *sketch) side(u *widget.UI) {
	u.Panel("Data", widget.PanelOpts{Note: "19,225 points"}, func() {
		for i, c := range sketchColumns {
			u.Check(c[0], &s.on[i], widget.CheckOpts{Secondary: c[1], Note: c[2], Tip: "Use this column for the map"})
		}
	})
	u.Panel("Train", widget.PanelOpts{Note: "SOM"}, func() {
		u.Button("Pause##toggle", widget.ButtonOpts{Kind: widget.Primary, Tip: "Run or pause training\tSpace"})
		u.Same()
		u.Button("Step", widget.ButtonOpts{Tip: "One step\t."})
		u.Same()
		u.Button("Until it rests", widget.ButtonOpts{})
		u.Space(4)
		u.Slider("Sigma", &s.sigma, widget.Param{Min: 0.1, Max: 10, Default: 1, Log: true, Format: "%.2f"},
			"How far a point pulls: larger makes the map smoother")
		u.Slider("Alpha", &s.alpha, widget.Param{Min: 0.001, Max: 1, Default: 0.05, Log: true, Format: "%.3f"},
			"How strongly a point pulls: larger learns faster and noisier")
		u.Curve("schedule", []widget.CurveLine{{Y: s.sigmaLine},
			{Y: s.alphaLine, Dashed: true, Color: u.Theme().Muted}},
			widget.CurveOpts{Cursor: 0.645, Caption: "σ α over time", Hi: 1})
	})
	u.Panel("Projection", widget.PanelOpts{}, func() {
		u.Slider("Neighbours", &s.k, widget.Param{Min: 3, Max: 100, Default: 16, Integer: true, Log: true},
			"How many landmarks place a point")
		u.Slider("Boost", &s.boost, widget.Param{Min: 0.1, Max: 100, Default: 2, Log: true, Format: "%.2f"}, "")
		u.Slider("Adjust", &s.adjust, widget.Param{Min: 0, Max: 2, Default: 1, Format: "%.2f"}, "")
	})
	u.Panel("Colour", widget.PanelOpts{}, func() {
		var items []widget.ComboItem
		for _, c := range sketchColumns {
			items = append(items, widget.ComboItem{Name: c[0], Secondary: c[1]})
		}
		items = append(items, widget.Items("Height", "Width", "Density")...)
		u.Combo("by", items, &s.colour, widget.ComboOpts{})
		u.Space(2)
		u.Histogram("histogram", s.counts, widget.HistogramOpts{})
		u.Space(2)
		u.RangeSlider("Range", &s.lo, &s.hi, widget.Param{Min: 0, Max: 100, Integer: true, Unit: "%"},
			func(int) string { return "1–99%" }, "")
	})
	u.Panel("Populations", widget.PanelOpts{Note: "4", Closed: true}, func() { u.Muted("none") })
	u.Panel("History", widget.PanelOpts{Note: "37", Closed: true}, func() { u.Muted("none") })
}

func TestGalleryWindow(t *testing.T) {
	for _, c := range []struct {
		name  string
		theme widget.Theme
		scale float32
	}{
		{"light-100", widget.Light(), 1}, {"dark-150", widget.Dark(), 1.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &page{t: t, theme: c.theme, draw: newSketch().draw}
			d := uitest.Open(t, p, int(1440*c.scale), int(900*c.scale), c.scale)
			d.Settle()
			d.Picture("side-"+c.name, "side")
			d.Picture("tools-"+c.name, "tools")
			d.Picture("menu-bar-"+c.name, "menu bar")
		})
	}
}

// The cost of building the window's interface, without drawing it.
func BenchmarkWindow(b *testing.B) {
	s := newSketch()
	p := &page{theme: widget.Light()}
	var spent time.Duration
	var frames int
	p.draw = func(u *widget.UI, c *shell.Context) {
		t := time.Now()
		s.draw(u, c)
		spent += time.Since(t)
		frames++
	}
	d := uitest.Open(b, p, 1440, 900, 1)
	spent, frames = 0, 0
	b.ReportAllocs()
	for b.Loop() {
		d.Frames(1)
	}
	b.ReportMetric(float64(spent.Microseconds())/float64(frames), "us-build/op")
}
