// Package skyline is a kind of view: the hierarchy of the points, or of the landmarks, as a skyline with its cut, which
// the dock of clusters moves. What is clicked is selected.
package skyline

import (
	"image/color"
	"math"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/maps/derived"
	"blossom/model/maps/selection"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/palette"
	"blossom/render/pen"
	"blossom/render/pen/skyline"
	"blossom/render/pen/skyscale"
	"blossom/render/scene"
	"blossom/ui/view"
	"blossom/ui/widget"
)

func init() {
	view.RegisterKind(view.Kind{ID: "skyline", Title: "Skyline of clusters", Icon: assets.IconChartColumn, Order: 60,
		Also: "hierarchy dendrogram linkage tree cut",
		Help: "The hierarchy of the points, or of the landmarks, as heights between neighbours, over its clusters",
		New: func(v *view.View) view.Content {
			c := &content{View: v, ratio: 1}
			v.Settings(&c.settings)
			return c
		}})
}

// Settings are what a session keeps of a skyline: the places in sight, as shares of all; both 0: all.
type Settings struct {
	From float64 `json:"from,omitempty"`
	To   float64 `json:"to,omitempty"`
}

// content is a skyline in a view.
type content struct {
	*view.View
	settings Settings
	box      view.Box
	ratio    float64
	held     bool // a press is under way

	of  *parts.Hierarchy // nil: there is none
	cut cut
	lit [2]float64

	key     key
	heights []float64
	inks    []color.NRGBA
}

// cut is the clusters of the hierarchy.
type cut struct {
	flat   *linkage.Flat
	height float64
	rev    revision.Revision
}

// key is what columns depend on.
type key struct {
	of   *parts.Hierarchy
	view Sight
	cut  revision.Revision
	inks palette.Colouring
}

// Label names the view.
func (c *content) Label() (title, note string) {
	if c.of == nil {
		return "Skyline", "no clusters"
	}
	return "Skyline", c.said()
}

// said is the clusters in words.
func (c *content) said() string {
	if len(c.cut.flat.Clusters) == 1 {
		return "1 cluster"
	}
	return widget.Grouped(len(c.cut.flat.Clusters)) + " clusters"
}

// Head names the view.
func (c *content) Head(o widget.HeaderOpts) widget.HeaderOpts {
	o.Name, o.Note = c.Label()
	return o
}

// Hit has nothing to do: there is nothing to choose in its header.
func (c *content) Hit(widget.HeaderHit) {}

// Place tells where it is drawn.
func (c *content) Place(b view.Box, ratio float64, _ bool) { c.box, c.ratio = b, ratio }

// Update brings it up to the hierarchy and its cut.
func (c *content) Update(time.Time) {
	clusters := c.Scene().Map.Clusters()
	h := clusters.Hierarchy()
	flat, at, rev := clusters.Flat()
	if h == nil || flat == nil {
		c.of = nil
		return
	}
	c.of, c.cut = h, cut{flat, at.Height, rev}
}

// sight is the places that are seen.
func (c *content) sight() (from, to float64) {
	n := float64(max(c.of.Len(), 1))
	if !(c.settings.To > c.settings.From) {
		return 0, n
	}
	return c.settings.From * n, c.settings.To * n
}

// colouring is the colours of the clusters, as the dock of clusters has them.
func (c *content) colouring() palette.Colouring {
	name := ""
	if look := c.Look(); look.Column == derived.ByID("cluster").ColumnName(c.Data(), "") {
		name = look.Palette
	}
	return palette.OfLabels(name, max(min(len(c.cut.flat.Clusters), mostColours), 1), c.Scene().Map.Clusters().Inks())
}

// mostColours is how many clusters have a colour.
const mostColours = 20_000

// picture is what is drawn now.
func (c *content) picture() *skyline.Picture {
	h, at, inks := c.of, c.cut, c.colouring()
	from, to := c.sight()
	return &skyline.Picture{Scale: skyscale.Of(h.Sky.Low(0.02), h.Sky.Top()), Cut: at.height, Text: c.said(),
		Unit: "distance", Figure: func(x float64) string { return widget.FigureOf(x, 3) },
		Columns: func(n int) ([]float64, []color.NRGBA) {
			v := Sight{From: from, To: to, Columns: n}
			if now := (key{h, v, at.rev, inks}); now != c.key {
				c.key = now
				c.heights = append(c.heights[:0], make([]float64, n)...)
				h.Sky.Columns(from, to, c.heights)
				c.inks = v.Colours(h.Sky, at.flat, inks, c.heights, c.inks)
			}
			return c.heights, c.inks
		}}
}

// ink is the colours beside those of clusters.
func ink(t render.Theme) skyline.Ink {
	return skyline.Ink{Ground: t.Background, Text: t.Text, Dim: t.TextDim, Line: t.Line, Accent: t.Accent}
}

// Draw has nothing to draw beforehand.
func (c *content) Draw(bool) {}

// Present draws it and lets the mouse work on it.
func (c *content) Present(dl *imgui.DrawList) {
	s := c.Scene()
	if c.of == nil {
		s.UI.Centred(dl, widget.Rect(c.box), "No hierarchy yet. Cluster the points (K), or the landmarks, in the "+
			"Clusters dock.")
		return
	}
	p := view.NewPen(s.UI, dl, c.box, c.ratio, float64(s.Scale)*s.Ratio)
	w, h := c.PictureSize()
	shown := c.picture()
	if in, ok := skyline.Lay(p.Scale(), float64(w), float64(h)); ok {
		c.mouse(in, shown.Scale)
	}
	shown.Lit = c.lit
	shown.Paint(p, float64(w), float64(h), ink(s.Theme))
}

// mouse does what the mouse does: the wheel shows less of it, a click selects what hangs together at that height.
func (c *content) mouse(in pen.Rect, scale skyscale.Scale) {
	at, u, was := imgui.MousePos(), c.Scene().UI, c.lit
	c.lit = [2]float64{}
	defer func() {
		if c.lit != was {
			u.Again()
		}
	}()
	x, y := (float64(at.X)-float64(c.box.X0))*c.ratio, (float64(at.Y)-float64(c.box.Y0))*c.ratio
	down := imgui.IsMouseDown(imgui.MouseButtonLeft)
	began := down && !c.held
	c.held = down
	if c.Scene().Hand.Active() || !imgui.IsWindowHovered() || x < in.X0 || x >= in.X1 || y < in.Y0 || y > in.Y1 {
		return
	}
	share := (x - in.X0) / in.W()
	if wheel := float64(imgui.CurrentIO().MouseWheel()); wheel != 0 {
		c.zoom(math.Pow(0.8, wheel), share)
	}
	from, to := c.sight()
	place := min(max(int(from+share*(to-from)), 0), c.of.Len()-1)
	low, high := c.of.Sky.Branch(place, scale.Height((in.Y1-y)/in.H()))
	part := func(place int) float64 { return min(max((float64(place)-from)/(to-from), 0), 1) }
	c.lit = [2]float64{part(low), part(high)}
	u.Tip(widget.R(at.X, at.Y, 1, 1), widget.Grouped(high-low)+" of "+widget.Grouped(c.of.Len())+", together up to "+
		widget.FigureOf(c.of.Sky.Joined(low, high), 3)+"\nA click selects them; Shift adds, Alt takes away.")
	if began && imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
		c.pick(low, high)
	}
}

// pick selects the points of the places [from, to).
func (c *content) pick(from, to int) {
	rows, ok := c.Scene().Map.Clusters().Members(from, to)
	if !ok {
		return
	}
	c.Scene().SelectNamed("a branch", selection.FromRows(c.Data().Points, rows))
}

// zoom shows a part of it, so many times as much, with the place at a share of the width staying there.
func (c *content) zoom(factor, at float64) {
	from, to := c.settings.From, c.settings.To
	if !(to > from) {
		from, to = 0, 1
	}
	held, wide := from+at*(to-from), min((to-from)*factor, 1)
	c.see(held-at*wide, wide)
}

// see shows a part of it of that width, within all.
func (c *content) see(from, wide float64) {
	wide = max(wide, 1e-6)
	from = min(max(from, 0), 1-wide)
	c.settings = Settings{From: from, To: from + wide}
	if wide >= 1 {
		c.settings = Settings{}
	}
	c.Scene().UI.Again()
}

// Fit shows all of it.
func (c *content) Fit(bool) { c.see(0, 1) }

// Reset shows all of it.
func (c *content) Reset() { c.see(0, 1) }

// Glide shows what is beside it, GlideZoom less of it or more.
func (c *content) Glide(dx, _ float64) {
	if wide := c.settings.To - c.settings.From; wide > 0 {
		c.see(c.settings.From-dx*wide, wide)
	}
}

// GlideZoom shows less of it, or more.
func (c *content) GlideZoom(factor float64) { c.zoom(1/factor, 0.5) }

// Stir says whether a hierarchy is on its way.
func (c *content) Stir() view.Stir { return view.Stir{} }

// PictureSize is the size of the view in framebuffer pixels.
func (c *content) PictureSize() (w, h int) {
	return max(1, int(math.Round(float64(c.box.W())*c.ratio))), max(1, int(math.Round(float64(c.box.H())*c.ratio)))
}

// Picture says how a picture for a file shows it: as the window does. It is an error where there is nothing to show.
func (c *content) Picture(o scene.Options) (render.PictureOptions, error) {
	fonts, err := scene.Fonts()
	out := render.PictureOptions{Width: o.Width, Height: o.Height, Scale: o.Scale, Theme: o.Theme(),
		Transparent: o.Transparent, Title: o.Title, Fonts: fonts, View: camera.NewFlat(o.Width, o.Height)}
	if err != nil {
		return out, err
	}
	if c.of == nil {
		return out, problem.New("", "cluster the points or the landmarks first", "the skyline has no hierarchy")
	}
	shown := c.picture()
	out.Over = append(out.Over, func(p pen.Pen, w, h float64) { shown.Paint(p, w, h, ink(out.Theme)) })
	return out, nil
}

// Keep puts the settings into the document.
func (c *content) Keep() { c.SetSettings(c.settings) }

// Free has nothing to give back.
func (c *content) Free() {}
