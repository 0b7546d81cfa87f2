package naming

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/base/revision"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live/member"
	"blossom/model/maps/selection"
	"blossom/render/palette"
	"blossom/ui/command"
	"blossom/ui/desk"
	"blossom/ui/view/skyline"
	"blossom/ui/widget"
)

func init() {
	desk.RegisterRun(desk.RunKind{Name: "the clustering",
		InSight: func(d *desk.Desk) []member.Steered { return []member.Steered{d.Clusters()} },
		Start: func(d *desk.Desk) {
			Points(d)
			d.Window.Reveal("clusters")
		},
		Run: command.Command[*desk.Desk]{ID: "cluster", Below: "about", Title: "Cluster the points",
			Help: "Single linkage of all points, exactly, beside the window; once more pauses it, or goes on",
			Also: "dendrogram hierarchy tree hdbscan single linkage", Keys: []string{"K"}, Icon: assets.IconNetwork,
			Rule: true}})
}

// Points clusters the points, or goes on; what is found colours the active view, in the same entry of the
// history. Where landmarks are clustered and the points have been already, those are shown again.
func Points(d *desk.Desk) {
	c, name, choice := d.Clusters(), d.Naming.Column(d.Doc.Data, "cluster"), parts.Clusters.Of(d.Doc.State())
	first := !c.Made() && *choice.OfPoints() == (parts.ClusterCut{})
	colour := func(s *state.State) {
		if first { // a line through the whole hierarchy parts a few far points from all others
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.OfPoints().Persist(true) })
		}
		d.EditLook(s, func(l *parts.Look) { l.Column = name })
	}
	if parts.Clusters.Of(d.Doc.State()).Landmarks && c.Made() {
		d.Doc.Do("Cluster the points", func(s *state.State) {
			parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.SetTarget(false) })
			colour(s)
		})
		return
	}
	if err := c.StartWith(colour); err != nil {
		d.Window.Fail(err)
	}
}

// Inks are the colours of so many clusters, as the active view has them where it is coloured by them.
func Inks(d *desk.Desk, n int) palette.Colouring {
	name := ""
	if look := d.Look(); look.Column == d.Naming.Column(d.Doc.Data, "cluster") {
		name = look.Palette
	}
	return palette.OfLabels(name, max(n, 1), d.Clusters().Inks())
}

// SelectBranch selects the points of the places [from, to) of the skyline, as one entry of the history: Shift adds
// them and Alt takes them away; where they are what is selected it lets go of them.
func SelectBranch(d *desk.Desk, name string, from, to int) {
	if points := branch(d, from, to); points != nil {
		d.Stage.Scene.SelectNamed(name, points)
	}
}

// NameCluster asks for the name of a population of the points of the places [from, to) of the skyline.
func NameCluster(d *desk.Desk, cluster string, from, to int) {
	if points := branch(d, from, to); points != nil {
		newFixed(d, cluster, points, func() {})
	}
}

// branch is the points of the places [from, to) of the skyline, nil where they are not known, which is said.
func branch(d *desk.Desk, from, to int) *selection.Set {
	rows, ok := d.Clusters().Members(from, to)
	if !ok {
		d.Window.Say("points of clusters are known when the landmarks rest")
		return nil
	}
	return selection.FromRows(d.Doc.Data.Points, rows)
}

// cutName is the name of the entry of a moved cut.
const cutName = "Cut the clusters"

// SetCut carries what a control did to the height of the cut into the document.
func SetCut(d *desk.Desk, e widget.Edit, height float64) {
	d.Change(cutName, e, cutAt(d, height))
}

// cutAt is the change that cuts at a height.
func cutAt(d *desk.Desk, height float64) func(*state.State) {
	v := parts.Clusters.Of(d.Doc.State())
	v.CutAt(height)
	return parts.Clusters.With(v)
}

// SetNumber carries a number of clusters into the document. Where there are not that many at any height it says so.
func SetNumber(d *desk.Desk, e widget.Edit, k int) {
	got := k
	d.Change(cutName, e, func(s *state.State) { got = d.Clusters().SetNumber(s, k) })
	if e.Committed && got != k {
		d.Window.Say(fmt.Sprintf("no height has %d such clusters: it is cut into %d", k, got))
	}
}

// CutByItself says whether each cluster is cut where it lasts longest, so that no line is to be moved.
func CutByItself(d *desk.Desk) bool {
	return parts.Clusters.Of(d.Doc.State()).By == parts.CutPersistent
}

// SetLeast carries the least size of a cluster into the document.
func SetLeast(d *desk.Desk, e widget.Edit, least int) {
	d.Change("Least size of a cluster", e, func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.Least = least })
	})
}

// StepCut moves the cut over so many merges, up or down, as one entry of the history with those before.
func StepCut(d *desk.Desk, by int) {
	h, _, cut := cutNow(d)
	if h == nil {
		return
	}
	at := cut.Height
	if at != at {
		at = h.Sky.Top()
	}
	for ; by != 0; by -= sign(by) {
		at = h.Sky.Step(at, cut.Least, sign(by))
	}
	d.Doc.Extend(cutName, cutAt(d, at))
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}

func cutNow(d *desk.Desk) (*parts.Hierarchy, *linkage.Flat, parts.Cut) {
	c := d.Clusters()
	f, cut, _ := c.Flat()
	return c.Hierarchy(), f, cut
}

// Snap moves the cut to what lasts longest: around where it is, or where it is there already, in all.
func Snap(d *desk.Desk) {
	h, _, cut := cutNow(d)
	if h == nil {
		return
	}
	l, ok := h.Sky.Long(cut.Least, cut.Height)
	if !ok || cut.Height != cut.Height || cut.Height >= l.Low && cut.Height < l.High {
		l, ok = h.Sky.Long(cut.Least, 0)
	}
	if !ok {
		d.Window.Say("nothing parts into two clusters of that size")
		return
	}
	d.Doc.Do(cutName, cutAt(d, l.Middle()))
}

// Skyline is the hierarchy of the points as a picture: what of it is shown, made anew only when that changes. The zero
// value shows all.
type Skyline struct {
	From, To float64 // places that are shown; both 0: all

	of      *parts.Hierarchy
	rev     revision.Revision // the cut whose inks these are
	key     skylineKey
	heights []float64
	inks    []widget.Color
	colours []color.NRGBA
	lit     [2]int // places, in the next picture
	shown   [2]int // and in the last
	text    string
}

// skylineKey is what the columns of a picture depend on.
type skylineKey struct {
	from, to float64
	columns  int
	inks     palette.Colouring
	dark     bool
}

// Highlight says which places are under the mouse, here or in a list, and says whether the last picture shows others.
func (p *Skyline) Highlight(from, to int) (other bool) {
	p.lit = [2]int{from, to}
	return p.lit != p.shown
}

// Draw draws the skyline into r and does what the user does with it; note is said below it.
func (p *Skyline) Draw(d *desk.Desk, name string, r widget.Rect, axis bool, note string) {
	u := d.UI
	h, flat, cut := cutNow(d)
	if h == nil || flat == nil {
		return
	}
	n := float64(max(h.Len(), 1))
	if h != p.of {
		if p.of == nil || p.of.Len() != h.Len() {
			p.From, p.To = 0, 0
		}
		p.of, p.key = h, skylineKey{}
	}
	if p.To <= p.From || p.To > n {
		p.From, p.To = 0, n
	}
	_, _, rev := d.Clusters().Flat()
	o := widget.SkylineOpts{Low: h.Sky.Low(0.02), Top: h.Sky.Top(), Cut: cut.Height, Axis: axis, Note: note,
		Hatched: !h.Proven(), Unit: "distance"}
	if rev != p.rev {
		p.text = Counted(len(flat.Clusters))
	}
	o.Text = p.text
	key := skylineKey{p.From, p.To, u.SkylineColumns(r, o), Inks(d, min(len(flat.Clusters), 20_000)),
		d.Window.Dark()}
	if key != p.key {
		p.heights = slices.Grow(p.heights[:0], key.columns)[:key.columns]
		h.Sky.Columns(p.From, p.To, p.heights)
	}
	if key != p.key || rev != p.rev {
		p.key, p.rev = key, rev
		p.colour(h, flat)
	}
	o.Heights, o.Inks = p.heights, p.inks
	if p.lit[1] > p.lit[0] {
		o.Lit = [2]float32{p.part(float64(p.lit[0])), p.part(float64(p.lit[1]))}
	}
	x := u.Skyline(name, r, o)
	p.shown, p.lit = p.lit, [2]int{}
	p.hand(d, h, flat, cut, x)
}

// Counted is a number of clusters in words.
func Counted(n int) string {
	if n == 1 {
		return "1 cluster"
	}
	return widget.Grouped(n) + " clusters"
}

func (p *Skyline) part(place float64) float32 {
	return float32(min(max((place-p.From)/(p.To-p.From), 0), 1))
}

// colour gives each column the colour of its cluster.
func (p *Skyline) colour(h *parts.Hierarchy, flat *linkage.Flat) {
	v := skyline.Sight{From: p.From, To: p.To, Columns: p.key.columns}
	p.colours = v.Colours(h.Sky, flat, p.key.inks, p.heights, p.colours)
	p.inks = slices.Grow(p.inks[:0], len(p.colours))[:len(p.colours)]
	for k, c := range p.colours {
		p.inks[k] = 0
		if c.A > 0 {
			p.inks[k] = widget.RGBA(c.R, c.G, c.B, c.A)
		}
	}
}

// hand does what the user does with the picture.
func (p *Skyline) hand(d *desk.Desk, h *parts.Hierarchy, flat *linkage.Flat, cut parts.Cut, x widget.SkylineHit) {
	if x.Changed || x.Committed {
		SetCut(d, x.Edit, x.Cut)
	}
	if x.Step != 0 {
		StepCut(d, x.Step)
	}
	if !x.Hovered || x.Active {
		return
	}
	place := min(max(int(p.From+float64(x.At)*(p.To-p.From)), 0), h.Len()-1)
	switch {
	case x.Wheel != 0:
		p.zoom(math.Pow(0.8, float64(x.Wheel)), float64(x.At), float64(h.Len()))
		d.UI.Again()
	case x.Side != 0:
		p.shift(-0.1*float64(x.Side)*(p.To-p.From), float64(h.Len()))
		d.UI.Again()
	case x.Double && (p.From > 0 || p.To < float64(h.Len())):
		p.From, p.To = 0, float64(h.Len())
		d.UI.Again()
		return
	}
	if x.OnLine {
		return
	}
	from, to, height := p.under(h, flat, cut, place, x)
	if p.Highlight(from, to) {
		d.UI.Again()
	}
	d.UI.Tip(widget.R(imgui.MousePos().X-4, imgui.MousePos().Y-4, 8, 8), fmt.Sprintf(
		"%s of %s points, together up to %s\nA click selects them; Shift adds, Alt takes away.",
		widget.Grouped(to-from), widget.Grouped(h.Len()), widget.FigureOf(height, 3)))
	if x.Clicked {
		SelectBranch(d, "a branch", from, to)
	}
}

// under is the branch under the mouse: over the columns what is one at its height, and within what is coloured, and on
// the strip below, the cluster.
func (p *Skyline) under(h *parts.Hierarchy, flat *linkage.Flat, cut parts.Cut, place int, x widget.SkylineHit) (from,
	to int, height float64) {
	if x.Strip {
		for _, c := range flat.Clusters {
			if int(c.From) <= place && place < int(c.To) {
				return int(c.From), int(c.To), h.Sky.Joined(int(c.From), int(c.To))
			}
		}
	}
	k := min(max(int(x.At*float32(len(p.heights))), 0), len(p.heights)-1)
	if height = x.Height; k >= 0 && height < p.heights[k] && height < cut.Height {
		height = cut.Height
	}
	from, to = h.Sky.Branch(place, height)
	return from, to, height
}

func (p *Skyline) zoom(by, at, n float64) {
	mid, width := p.From+at*(p.To-p.From), min(max((p.To-p.From)*by, 8), n)
	p.From = mid - at*width
	p.To = p.From + width
	p.shift(0, n)
}

func (p *Skyline) shift(by, n float64) {
	width := p.To - p.From
	p.From = min(max(p.From+by, 0), n-width)
	p.To = p.From + width
}

// About says in words what a hierarchy is of.
func About(h *parts.Hierarchy) string {
	out := "single linkage, " + h.Metric.String()
	if h.MinSamples > 1 {
		out += fmt.Sprintf(", density of %d neighbours", h.MinSamples)
	}
	return out
}

// Numbers of the cut as controls have them.
const (
	ClustersTip = "How many clusters of at least that size the line cuts into: the highest line with so many is taken"
	DistanceTip = "The height of the line: points are together that a chain of points joins whose steps are no longer"
	LeastTip    = "Clusters of fewer points are no clusters: their points are grey"
)

// NumberParam is the range of the number of clusters, LeastParam that of their least size, of so many leaves.
func NumberParam(leaves int) widget.Param {
	return widget.Param{Min: 0, Max: float64(max(leaves, 1)), Integer: true}
}

// LeastParam is the range of the least size of a cluster.
func LeastParam(leaves int) widget.Param {
	return widget.Param{Min: 1, Max: float64(max(leaves, 1)), Default: float64(parts.LeastFor(leaves)), Integer: true}
}

// Numbers draws the number of clusters and their least size into a line.
func Numbers(d *desk.Desk, r widget.Rect, flat *linkage.Flat, cut parts.Cut) {
	h := d.Clusters().Hierarchy()
	k, least := float64(len(flat.Clusters)), float64(cut.Least)
	number := NumberParam(h.Len())
	number.Disabled = CutByItself(d)
	e, x := d.UI.NumberAt("Clusters##number", r.X0, r.Y0, 48, &k, number, ClustersTip)
	if e.Changed || e.Committed {
		SetNumber(d, e, int(k))
	}
	e, _ = d.UI.NumberAt("at least##least", x+d.UI.Pt(10), r.Y0, 48, &least, LeastParam(h.Len()), LeastTip)
	if e.Changed || e.Committed {
		SetLeast(d, e, int(least))
	}
}
