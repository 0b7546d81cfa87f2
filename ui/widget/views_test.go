package widget_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"blossom/assets"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"

	"github.com/AllenDang/cimgui-go/imgui"
)

// views draws what a window of several views is made of, with made-up content.
type views struct {
	shape, mode, keep int
	edges, live       bool
	on                [12]bool
	active            int
	size, opacity     float64
	speed, epochs     float64
	palette, labels   int
	colour            int
	width             float32
	hits              map[string]widget.HeaderHit
	column            widget.ColumnHit
	clicks            map[string]int
	edits             []widget.Edit
	split             widget.SplitterHit
}

func newViews() *views {
	s := &views{shape: 1, active: 9, opacity: 0.75, labels: 1, width: widget.SideUsual, epochs: 20, edges: true,
		hits: map[string]widget.HeaderHit{}, clicks: map[string]int{}}
	for i := range 9 {
		s.on[i] = true
	}
	return s
}

var manyLabels = []widget.Color{widget.Hex(0x0072b2), widget.Hex(0xe69f00), widget.Hex(0x009e73),
	widget.Hex(0xcc79a7), widget.Hex(0x56b4e9), widget.Hex(0x9a2ca0), widget.Hex(0xb5172a), widget.Hex(0x5fdf7c),
	widget.Hex(0x97732b), widget.Hex(0x8f7cf8), widget.Hex(0xf0592a), widget.Hex(0xff96f5), widget.Hex(0x123456)}

func palettes() []widget.ComboItem {
	return []widget.ComboItem{{Name: "Viridis", Colors: viridis},
		{Name: "Many labels", Colors: manyLabels, Bands: true},
		{Name: "Okabe-Ito", Colors: manyLabels[:7], Bands: true, Secondary: "eight colours"}}
}

func aCard() *widget.Card {
	nan := float32(math.NaN())
	return &widget.Card{Title: "Cell 33,999", Swatch: widget.Hex(0x5fdf7c), Group: "CD8 effector memory",
		Note: "landmark 214 · 0.71 away · loss 0.08", Foot: "box: half of all cells", Key: "I",
		More: "all 35 columns",
		Rows: []widget.CardRow{
			{Name: "CD3", Value: "27,446", Box: [2]float32{0.13, 0.9}, Median: 0.2, At: 0.88},
			{Name: "CD8", Value: "35,507", Box: [2]float32{0.12, 0.2}, Median: 0.16, At: 0.95},
			{Name: "CD45RA", Value: "81", Box: [2]float32{0.2, 0.7}, Median: 0.22, At: 0.18},
			{Name: "CCR7", Value: "58", Box: [2]float32{0.18, 0.68}, Median: 0.21, At: 0.2},
			{Name: "CD27", Value: "690", Box: [2]float32{0.16, 0.75}, Median: 0.23, At: 0.48},
			{Name: "CD57", Value: "48", Box: [2]float32{0.13, 0.13}, Median: 0.13, At: 1},
			{Name: "A name too long", Value: "−1,234,567", Box: [2]float32{0.2, 0.8}, Median: 0.5, At: 0},
			{Name: "CD4", Value: "–", Box: [2]float32{0.13, 0.8}, Median: 0.2, At: nan},
		}}
}

func (s *views) draw(u *widget.UI, c *shell.Context) {
	win := c.Size()
	pt := u.Pt
	side := win.X - pt(s.width)
	s.options(u, widget.R(0, 0, side, pt(widget.OptionsHeight)))
	y := pt(widget.OptionsHeight)
	ground := widget.Rect{X0: 0, Y0: y, X1: side, Y1: win.Y}
	u.CanvasFunc("ground", ground, func(dl *imgui.DrawList) { s.marks(u, dl, ground) })
	header := func(name string, x, y, w float32, o widget.HeaderOpts) {
		r := widget.R(pt(x), y, pt(w), pt(widget.HeaderHeight))
		s.hits[name] = u.ViewHeader(name, r, o, func(h widget.HeaderHit) {
			if h.Part == widget.HeaderColour {
				u.OpenList("column", h.Under)
			}
			if h.Part == widget.HeaderEmbedding {
				u.OpenMenuUnder("embedding", h.Under)
			}
			u.List("column", palettes(), &s.colour)
			u.ContextMenu("embedding", func() {
				if u.MenuItem("PCA", widget.MenuOpts{Checked: true}) {
					s.clicks["PCA"]++
				}
			})
		})
		if s.hits[name].Part != 0 {
			s.clicks[fmt.Sprint(name, " ", s.hits[name].Part)]++
		}
	}
	flat := widget.HeaderOpts{Name: "EmbedSOM", Note: "20 × 20", By: "population", Count: 4, At: 1}
	pca := widget.HeaderOpts{Name: "PCA", Note: "30 markers", By: "population", Count: 4, Linked: true, Active: true}
	solid := widget.HeaderOpts{Name: "EmbedSOM 3D", Note: "7 × 7 × 7", By: "CD45RA", Count: 4, Solid: true,
		Axes: true, Full: true}
	header("view 1", 0, y, 480, flat)
	header("view 2", 481, y, 480, pca)
	row := y + pt(widget.HeaderHeight) + pt(12)
	header("view 3", 0, row, 480, solid)
	header("view 4", 481, row, 480, widget.HeaderOpts{Name: "CD4 × CD8", Note: "columns", By: "density", Count: 1})
	row += pt(widget.HeaderHeight) + pt(12)
	x := float32(0)
	for i, w := range []float32{300, 250, 190, 130, 60} {
		header(fmt.Sprint("narrow ", i), x, row, w, solid)
		x += w + 4
	}
	row += pt(widget.HeaderHeight) + pt(12)
	small := flat
	small.Switch, small.Active, small.At = true, true, 2
	header("switch", 0, row, 456, small)
	small.Name = "An embedding with a long name"
	header("switch narrow", 481, row, 240, small)

	u.Area("side", widget.Rect{X0: side, Y0: 0, X1: win.X, Y1: win.Y}, widget.AreaOpts{Border: widget.SideLeft,
		PadX: 12, Scroll: true}, func() { s.side(u) })
	if e := u.SideEdge("edge", widget.Rect{X0: side, Y0: 0, X1: win.X, Y1: win.Y}, &s.width); e != (widget.Edit{}) {
		s.edits = append(s.edits, e)
	}
	held := aCard()
	for i := range 27 {
		held.Rows = append(held.Rows, widget.CardRow{Name: fmt.Sprint("Marker ", i), Value: fmt.Sprint(i * 37),
			Box: [2]float32{0.2, 0.6}, Median: 0.3, At: float32(i) / 26})
	}
	held.Key, held.More, held.Foot = "Esc", "let go", "35 columns"
	u.HeldCard("held", widget.R(pt(300), pt(230), pt(widget.CardWidth), pt(300)), held)
	s.split = u.Splitter("bar", widget.R(pt(20), pt(476), pt(580), pt(8)), false, "")
}

func (s *views) marks(u *widget.UI, dl *imgui.DrawList, r widget.Rect) {
	pt := u.Pt
	card := aCard()
	z := u.CardSize(card)
	u.DrawCard(dl, widget.R(pt(12), pt(230), z.X, z.Y), card)
	card.Note, card.Swatch, card.Rows, card.Foot, card.Group = "", 0, card.Rows[:2], "", ""
	card.Key, card.More = "", ""
	z = u.CardSize(card)
	u.DrawCard(dl, widget.R(pt(12), pt(486), z.X, z.Y), card)

	var path []imgui.Vec2
	for i := range 100_000 {
		a := float64(i) / 100_000 * 2 * math.Pi
		d := 90 + 30*math.Sin(3*a)
		path = append(path, imgui.Vec2{X: pt(720 + float32(d*math.Cos(a))), Y: pt(340 + float32(d*math.Sin(a)))})
	}
	u.Lasso(dl, path[:90_000], widget.LassoOpts{Clip: r})
	u.CountChip(dl, path[89_999], r, "4,587", "cells", "7.64 % of 60,000")
	star := make([]imgui.Vec2, 5)
	for i := range star {
		a := float64(i) * 4 * math.Pi / 5
		star[i] = imgui.Vec2{X: pt(880 + float32(60*math.Sin(a))), Y: pt(500 - float32(60*math.Cos(a)))}
	}
	u.Lasso(dl, star, widget.LassoOpts{Closed: true, Dashed: true})
	u.SelectRect(dl, imgui.Vec2{X: pt(620), Y: pt(470)}, imgui.Vec2{X: pt(760), Y: pt(540)})
	u.CountChip(dl, imgui.Vec2{X: pt(760), Y: pt(540)}, r, "1,204", "· 2.0 %", "")
	ring := imgui.Vec2{X: pt(900), Y: pt(240)}
	for i := range 40 {
		p := imgui.Vec2{X: ring.X + pt(float32(i%8)*5-17), Y: ring.Y + pt(float32(i/8)*6-12)}
		dl.AddCircleFilled(p, pt(2), uint32(viridis[i%8]))
	}
	u.DropLine(dl, ring, imgui.Vec2{X: ring.X, Y: ring.Y + pt(80)})
	u.HoverRing(dl, ring)
}

func (s *views) options(u *widget.UI, r widget.Rect) {
	u.OptionsBar("options", r, func(o *widget.Options) {
		if o.Choice("shape", []widget.Option{{Label: "Rectangle", Icon: assets.IconSquare}, {Label: "Lasso",
			Icon: assets.IconLassoSelect}}, &s.shape, true) {
			s.clicks["shape"]++
		}
		o.Choice("mode", []widget.Option{{Label: "Replace"}, {Label: "Add", Tip: "Add\tShift"}, {Label: "Subtract"}},
			&s.mode, false)
		o.Choice("keep", []widget.Option{{Label: "These cells", Icon: assets.IconPin}, {Label: "This region, live",
			Icon: assets.IconRefreshCw, Disabled: true}}, &s.keep, false)
		o.Toggle("Edges", assets.IconWaypoints, "Show edges", &s.edges)
		o.Toggle("Live", "", "", &s.live)
		if yes, _ := o.Menu("rest", "Rest", "dimmed", ""); yes {
			s.clicks["rest"]++
		}
		o.Count("4,587", "cells · 7.64 %")
		if o.Button("Invert", widget.ButtonOpts{}) {
			s.clicks["invert"]++
		}
		o.Button("None", widget.ButtonOpts{Disabled: true})
		if o.Button("New population", widget.ButtonOpts{Kind: widget.Primary}) {
			s.clicks["new"]++
		}
	})
}

func (s *views) side(u *widget.UI) {
	spark := func(i int) []float32 {
		out := make([]float32, 24)
		for j := range out {
			g := func(m, w, h float64) float64 { return h * math.Exp(-math.Pow((float64(j)-m)/w, 2)) }
			out[j] = float32(g(5, 1.6, 1000) + g(10+float64(i), 2, float64(40*i)))
		}
		return out
	}
	u.Panel("Data", widget.PanelOpts{Note: "60,000 points"}, func() {
		for i, n := range [12][2]string{{"CD45", "BUV395-A"}, {"CD3", "BUV496-A"}, {"CD4", "BUV563-A"},
			{"CD8", "BUV615-A"},
			{"CD19", "BUV661-A"}, {"CD45RA", "BUV805-A"}, {"A column with a very long name", "and detector"},
			{"CCR7", "BV421-A"}, {"CD27", "BV480-A"}, {"population", "32 names"}, {"Time", ""},
			{"density", "derived"}} {
			o := widget.ColumnOpts{Secondary: n[1], Active: i == s.active, Spark: spark(i), Tip: "Colour by " + n[0],
				Dim: i == 10, Fixed: i == 11}
			h := u.ColumnRow(n[0], &s.on[i], o)
			if h.NameClicked {
				s.active = i
			}
			if h.Toggled || h.NameClicked || h.Right {
				s.column = h
			}
		}
	})
	u.Panel("Colour", widget.PanelOpts{Note: "population"}, func() {
		u.Combo("palette", palettes(), &s.palette, widget.ComboOpts{})
		u.Combo("labels", palettes(), &s.labels, widget.ComboOpts{})
		u.Slider("Point size", &s.size, widget.Param{Min: 0.1, Max: 20, Format: "%.1f", Zero: "auto", Now: 1.6}, "")
		u.Slider("Opacity", &s.opacity, widget.Param{Min: 0.01, Max: 1, Format: "%.2f", Zero: "auto", Now: 0.4}, "")
		u.Slider("Speed", &s.speed, widget.Param{Min: 1, Max: 1e7, Log: true, Integer: true, Zero: "max"}, "")
		u.Slider("Epochs", &s.epochs, widget.Param{Min: 1, Max: 1000, Log: true, Integer: true, Default: 10,
			Zero: "endless"}, "")
	})
}

func TestGalleryViews(t *testing.T) {
	for _, c := range []struct {
		name  string
		theme widget.Theme
		scale float32
	}{
		{"light-100", widget.Light(), 1}, {"dark-200", widget.Dark(), 2}, {"light-75", widget.Light(), 0.75},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &page{t: t, theme: c.theme, draw: newViews().draw}
			d := uitest.Open(t, p, int(1270*c.scale), int(600*c.scale), c.scale)
			d.Frames(6)
			d.Picture("options-"+c.name, "options")
			d.Picture("columns-"+c.name, "Data/panel")
			d.PictureOf("over-views-"+c.name, d.Rect("ground"))
		})
	}
	t.Run("narrow", func(t *testing.T) {
		s := newViews()
		s.width = widget.SideLeast
		d := uitest.Open(t, &page{t: t, theme: widget.Light(), draw: s.draw}, 700, 600, 1)
		d.ClickOn("Colour/labels")
		d.Frames(4)
		d.Picture("palettes-narrow", "popup")
		d.Picture("options-narrow", "options")
	})
}

func TestHeaderClicks(t *testing.T) {
	s := newViews()
	d := uitest.Open(t, &page{t: t, theme: widget.Light(), draw: s.draw}, 1270, 600, 1)
	for name, part := range map[string]widget.HeaderPart{"axes": widget.HeaderAxes, "turn": widget.HeaderTurn,
		"link": widget.HeaderLink, "maximise": widget.HeaderMaximise, "close": widget.HeaderClose} {
		d.ClickOn("view 3/" + name)
		if n := s.clicks[fmt.Sprint("view 3 ", part)]; n != 1 {
			t.Errorf("%s was clicked %d times", name, n)
		}
	}
	r := d.Rect("view 1")
	free := imgui.Vec2{X: r.X0 + r.W()*0.62, Y: r.Center().Y} // between the parts
	d.Move(free.X, free.Y)
	d.Frames(1)
	d.Press(shell.Left)
	if h := s.hits["view 1"]; !h.Pressed || h.Part != 0 || h.Held {
		t.Errorf("pressed between the parts: %+v", h)
	}
	d.Move(free.X+40, free.Y+200)
	if h := s.hits["view 1"]; !h.Held || h.Pressed {
		t.Errorf("dragged: %+v", h)
	}
	d.Release(shell.Left)
	d.ClickOn("view 3/split") // there are four views
	if n := s.clicks[fmt.Sprint("view 3 ", widget.HeaderSplit)]; n != 0 {
		t.Error("a fifth view could be made")
	}
	d.ClickOn("view 1/embedding")
	d.Frames(2)
	d.ClickOn("PCA")
	if s.clicks["PCA"] != 1 {
		t.Error("the menu of the embedding did not open")
	}
	d.ClickOn("view 1/colour")
	d.Frames(3)
	d.ClickOn("Okabe-Ito")
	if s.colour != 2 {
		t.Errorf("chose %d in the list of columns", s.colour)
	}
	if d.Has("view 4/close") || d.Has("view 4/link") {
		t.Error("a single view can be closed or linked")
	}
	if !d.Has("switch/views") || d.Has("view 1/views") {
		t.Error("the other views are not offered where they are out of sight, or where they are in sight")
	}
}

func TestColumnRow(t *testing.T) {
	s := newViews()
	d := uitest.Open(t, &page{t: t, theme: widget.Light(), draw: s.draw}, 1270, 600, 1)
	d.ClickOn("Data/CD3")
	if !s.column.NameClicked || s.column.Toggled || s.active != 1 || !s.on[1] {
		t.Errorf("a click on the name: %+v, coloured by %d", s.column, s.active)
	}
	d.ClickOn("Data/CD3/box")
	if s.column.NameClicked || !s.column.Toggled || s.on[1] {
		t.Errorf("a click on the box: %+v, on %v", s.column, s.on[1])
	}
	s.column = widget.ColumnHit{}
	d.ClickOn("Data/density/box")
	if s.column != (widget.ColumnHit{}) || s.on[11] {
		t.Error("a fixed box was changed")
	}
	c := d.Rect("Data/CD3").Center()
	d.ClickWith(shell.Right, c.X, c.Y)
	if !s.column.Right {
		t.Error("no right click")
	}
}

func TestSpecialValue(t *testing.T) {
	s := newViews()
	d := uitest.Open(t, &page{t: t, theme: widget.Light(), draw: s.draw}, 1270, 600, 1)
	d.ClickOn("Point size/special")
	if s.size != 1.6 {
		t.Errorf("the chip let go: %v, want what auto was", s.size)
	}
	d.ClickOn("Point size/special")
	if s.size != 0 {
		t.Errorf("the chip set: %v", s.size)
	}
	r := d.Rect("Point size/track")
	y := r.Center().Y
	d.Drag(r.Center().X, y, r.X0-50, y, 5)
	if s.size != 0.1 {
		t.Errorf("dragged to the low end: %v, want the least number, not auto", s.size)
	}
	d.Enter("Point size", "Auto")
	if s.size != 0 {
		t.Errorf("typed auto: %v", s.size)
	}
	d.Enter("Point size", "3")
	if s.size != 3 {
		t.Errorf("typed 3: %v", s.size)
	}
	d.Sleep(time.Second)
	c := d.Rect("Point size/label").Center()
	d.DoubleClick(c.X, c.Y)
	if s.size != 0 {
		t.Errorf("reset: %v", s.size)
	}
	d.ClickOn("Point size/value")
	d.Frames(2)
	d.Click(300, 590)
	if s.size != 0 {
		t.Errorf("the field left as it was: %v", s.size)
	}
	d.ClickOn("Epochs/special")
	d.ClickOn("Epochs/special")
	if s.epochs != 10 {
		t.Errorf("endless let go: %v, want the default", s.epochs)
	}
}

func TestSideEdge(t *testing.T) {
	s := newViews()
	d := uitest.Open(t, &page{t: t, theme: widget.Light(), draw: s.draw}, 1270, 600, 1)
	side := float32(1270 - widget.SideUsual)
	d.ClickOn("Data/CD3") // the side bar comes to the front
	d.Move(side+2, 300)
	d.Frames(2)
	if c := d.Shell().Cursor(); c != imgui.MouseCursorResizeEW {
		t.Errorf("the cursor over the edge is %v", c)
	}
	d.Drag(side+2, 300, side-98, 300, 5)
	if s.width != widget.SideUsual+100 {
		t.Errorf("dragged by 100: %v", s.width)
	}
	commits := 0
	for _, e := range s.edits {
		if e.Committed {
			commits++
		}
	}
	if commits != 1 {
		t.Errorf("%d commits", commits)
	}
	d.Sleep(time.Second)
	d.Drag(1270-s.width, 300, 5, 300, 5)
	if s.width != widget.SideMost {
		t.Errorf("dragged far: %v", s.width)
	}
	d.Sleep(time.Second)
	d.DoubleClick(1270-s.width, 300)
	if s.width != widget.SideUsual {
		t.Errorf("double click: %v", s.width)
	}
	d.Sleep(time.Second)
	d.Drag(1270-s.width, 300, 1269, 300, 5)
	if s.width != widget.SideLeast {
		t.Errorf("dragged to the right: %v", s.width)
	}
}

func TestOptionsScroll(t *testing.T) {
	s := newViews()
	s.width = widget.SideLeast
	d := uitest.Open(t, &page{t: t, theme: widget.Light(), draw: s.draw}, 640, 600, 1)
	d.Frames(3)
	if !d.Has("options on/on") {
		t.Fatal("no arrow at the end of a narrow bar")
	}
	before := d.Rect("options/New population")
	for range 8 {
		d.ClickOn("options on/on")
		d.Frames(3)
	}
	after := d.Rect("options/New population")
	if after.X0 >= before.X0 || after.X1 > 400 {
		t.Errorf("the arrow moved the button from %v to %v", before, after)
	}
	d.ClickOn("options/New population")
	if s.clicks["new"] != 1 {
		t.Error("the last button cannot be clicked")
	}
	d.Wheel(200, 18, 40)
	d.Frames(3)
	d.ClickOn("options/shape/Rectangle")
	if s.shape != 0 || s.clicks["shape"] != 1 {
		t.Error("the wheel did not bring the first control back")
	}
}

// Whatever the size of the window and the scale, nothing panics.
func TestViewsInAwkwardWindows(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		scale float32
	}{{500, 400, 1}, {500, 400, 2}, {120, 90, 1}, {2, 2, 1}, {1000, 60, 1.25}, {60, 1000, 1.75}} {
		t.Run("", func(t *testing.T) {
			s := newViews()
			d := uitest.Open(t, &page{t: t, theme: widget.Dark(), draw: s.draw}, c.w, c.h, c.scale)
			d.Click(float32(c.w)/2, float32(c.h)/2)
			d.Keys("Tab")
			d.Keys("Space")
			d.Keys("Esc")
			d.Wheel(10, 10, -3)
			d.Frames(3)
		})
	}
}

func TestHeaderNames(t *testing.T) {
	s := newViews()
	p := &page{t: t, theme: widget.Light(), draw: s.draw}
	d := uitest.Open(t, p, 1270, 600, 1)
	for name := range s.hits { // parts of a header never overlap
		var names []string
		uitest.Do(func() {
			for _, n := range p.u.Names() {
				if strings.HasPrefix(n, name+"/") && !strings.HasSuffix(n, "/back") {
					names = append(names, n)
				}
			}
		})
		for i, a := range names {
			for _, b := range names[:i] {
				e, f := d.Rect(a), d.Rect(b)
				if e.X0 < f.X1-0.5 && f.X0 < e.X1-0.5 {
					t.Errorf("%s %v and %s %v overlap", a, e, b, f)
				}
			}
		}
	}
}
