package panel

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"blossom/assets"
	"blossom/model/base/revision"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/naming"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "clusters", Title: "Clusters", Also: "population gate dendrogram hierarchy hdbscan",
		Key: "Alt+U", Order: 90, Closed: true,
		Help: "Clusters of the points by single linkage, exactly, and the cut through their hierarchy",
		New:  func(d *desk.Desk) Panel { return &clusters{desk: d} }})
}

// clusters is the panel of single linkage.
type clusters struct {
	desk *desk.Desk
	sky  naming.Skyline
	list naming.List
	more bool // all of the list

	at     float64 // the height of the cut, and how it is written so that the command cuts alike
	sure   *parts.Hierarchy
	format string
}

// written is how a height is shown: with as many digits as --distance of the command needs for the same cut.
func (p *clusters) written(h *parts.Hierarchy, at float64) string {
	if p.sure != h || p.at != at {
		p.sure, p.at = h, at
		p.format = "%." + strconv.Itoa(h.Sky.Digits(at, 4)) + "g"
	}
	return p.format
}

// Note says how many there are, or how far it is.
func (p *clusters) Note() string {
	c := p.desk.Clusters()
	if now := c.Stands(); now.Active && now.Word == "" {
		return fmt.Sprintf("%d %% proven", int(100*now.Share))
	}
	if flat, _, _ := c.Flat(); flat != nil {
		return widget.Grouped(len(flat.Clusters))
	}
	return ""
}

func (p *clusters) Draw() {
	u, c := p.desk.UI, p.desk.Clusters()
	choice := parts.Clusters.Of(p.desk.Doc.State())
	p.run(choice)
	u.Space(4)
	p.options(choice)
	flat, cut, _ := c.Flat()
	if flat == nil {
		return
	}
	u.Separator()
	p.cut(choice, flat, cut)
	u.Separator()
	var rev revision.Revision
	if flat, cut, rev = c.Flat(); flat == nil { // the cut may have moved
		return
	}
	p.rows(flat, cut, p.list.Len(flat, rev))
	p.uses(choice)
}

// clusterable are the two things that can be clustered.
var clusterable = []string{"Points", "Landmarks"}

// run is what is clustered, the button, and how far it is.
func (p *clusters) run(v parts.ClusterChoice) {
	u := p.desk.UI
	which := 0
	if v.Landmarks {
		which = 1
	}
	if u.Segmented("##of", clusterable, &which, "Points: all of them, exactly.\nLandmarks: at once and live in "+
		"training; a point is in the cluster of its nearest landmark.") {
		p.edit("Cluster "+strings.ToLower(clusterable[which]), func(v *parts.ClusterChoice) {
			v.SetTarget(which == 1)
		})
	}
	u.Space(6)
	if v.Landmarks {
		return
	}
	p.pass(v)
	p.standing(v)
}

// pass draws the button that clusters the points, and stops or resumes that.
func (p *clusters) pass(v parts.ClusterChoice) {
	c := p.desk.Clusters()
	head := headOf("cluster", c)
	head.label, head.width = "Cluster the points", -1
	switch h := c.Hierarchy(); {
	case c.Paused():
		head.label = "Go on"
	case h != nil:
		head.label, head.icon, head.calm = "Cluster again", assets.IconRotateCcw, !p.other(h, v)
	}
	head.buttons(p.desk)
}

// standing says how far the hierarchy of the points has come, and whether it is of what is set now.
func (p *clusters) standing(v parts.ClusterChoice) {
	u, c := p.desk.UI, p.desk.Clusters()
	now := c.Stands()
	h := c.Hierarchy()
	switch {
	case now.Active && now.Word != "":
		u.SplitNote(now.Word, "")
		share := float32(now.Share)
		if share != share {
			share = -1
		}
		u.Progress(share, 0)
		if h != nil && p.other(h, v) {
			u.Wrapped(widget.Small, u.Theme().Warning, "Until then what is shown is "+naming.About(h)+".")
		}
	case now.Active:
		u.SplitNote(fmt.Sprintf("%d %% proven", int(100*now.Share)), "can be used already")
		u.Progress(float32(now.Share), 0)
	case c.Why() != "":
		u.Wrapped(widget.Small, u.Theme().Warning, "The hierarchy that there was cannot be shown: "+c.Why()+
			". Cluster the points anew.")
	case h == nil:
		u.Wrapped(widget.Small, u.Theme().Muted, "Single linkage of all points, exactly. It goes on beside the window.")
	case p.other(h, v):
		u.Wrapped(widget.Small, u.Theme().Warning, "What is shown is "+naming.About(h)+".")
	case !c.Fits(h):
		u.Wrapped(widget.Small, u.Theme().Warning, "The points have changed since they were clustered.")
	case !h.Proven():
		u.SplitNote(fmt.Sprintf("%d %% proven", int(100*h.Share)), "heights may be too large")
	default:
		u.SplitNote("100 % proven", fmt.Sprintf("%s points", widget.Grouped(h.Len())))
	}
}

// other says whether a hierarchy was made another way than is chosen.
func (p *clusters) other(h *parts.Hierarchy, v parts.ClusterChoice) bool {
	return h.Metric != v.Metric || max(h.MinSamples, 1) != max(v.MinSamples, 1)
}

// metrics are the names of metrics, by linkage.Metric.
var metrics = []string{"Euclidean distance", "Cosine distance", "City block distance (L1)"}

func (p *clusters) options(v parts.ClusterChoice) {
	u := p.desk.UI
	chosen := int(v.Metric)
	if u.Combo("##metric", widget.Items(metrics...), &chosen, widget.ComboOpts{
		Tip: "How far two points are apart, in the columns of the map"}) {
		p.edit("Metric: "+metrics[chosen], func(v *parts.ClusterChoice) { v.Metric = linkage.Metric(chosen) })
	}
	samples := float64(max(v.MinSamples, 1))
	e := u.NumberField("Neighbours for density##samples", &samples, widget.Param{Min: 1, Max: 1000, Default: 1,
		Integer: true}, "With 2 and more no point is nearer to any other than its neighbour of that number: bridges "+
		"of few points join clusters later. 1 is plain single linkage")
	p.desk.Change("Neighbours for density", e, func(s *state.State) {
		parts.Clusters.Edit(s, func(v *parts.ClusterChoice) { v.MinSamples = int(samples) })
	})
}

func (p *clusters) edit(name string, change func(*parts.ClusterChoice)) {
	p.desk.Doc.Do(name, func(s *state.State) { parts.Clusters.Edit(s, change) })
}

// cutHints say how to choose a cut by a line and by persistence.
var cutHints = []string{
	"Snap first; a lower line splits further.",
	"A higher number at At least gives fewer.",
}

// cut is the line, by hand and in numbers.
func (p *clusters) cut(v parts.ClusterChoice, flat *linkage.Flat, cut parts.Cut) {
	u, h := p.desk.UI, p.desk.Clusters().Hierarchy()
	p.sky.Draw(p.desk, "skyline", u.Room(110), false, "")
	u.Space(4)
	by := 0
	if v.By == parts.CutPersistent {
		by = 1
	}
	if u.Segmented("Cut", []string{"By a line", "By persistence"}, &by, "By a line: at one height.\nBy persistence: "+
		"each cluster where it lasts longest, which may be at different heights (excess of mass).") {
		p.edit("Cut "+strings.ToLower([]string{"By a line", "By persistence"}[by]), func(v *parts.ClusterChoice) {
			v.Persist(by == 1)
		})
	}
	u.Wrapped(widget.Small, u.Theme().Muted, cutHints[by])
	k := float64(len(flat.Clusters))
	number := naming.NumberParam(h.Len())
	number.Disabled = by == 1
	if e := u.NumberField("Clusters##number", &k, number, naming.ClustersTip); e.Changed || e.Committed {
		naming.SetNumber(p.desk, e, int(k))
	}
	at := cut.Height
	if at != at {
		at = h.Sky.Top()
	}
	distance := widget.Param{Min: 0, Max: math.MaxFloat32, Format: p.written(h, at), Disabled: by == 1}
	if e := u.NumberField("Distance##distance", &at, distance, naming.DistanceTip); e.Changed || e.Committed {
		naming.SetCut(p.desk, e, at)
	}
	least := float64(cut.Least)
	e := u.NumberField("At least##least", &least, naming.LeastParam(h.Len()), naming.LeastTip)
	if e.Changed || e.Committed {
		naming.SetLeast(p.desk, e, int(least))
	}
	u.Space(4)
	snap := p.desk.Window.Command("cluster-snap")
	if u.Button("Snap to long-lived##snap", widget.ButtonOpts{Tip: snap.Tip, Disabled: by == 1}) {
		snap.Run()
	}
	u.Same()
	wide := p.desk.Window.Command("dock-clusters")
	if u.Button("Wide##wide", widget.ButtonOpts{Tip: wide.Tip}) {
		wide.Run()
	}
}

// shortList is how many clusters the panel lists unless it is asked for more.
const shortList = 8

func (p *clusters) rows(flat *linkage.Flat, cut parts.Cut, n int) {
	u := p.desk.UI
	shown := n
	if !p.more && n > shortList+2 {
		shown = shortList
	}
	shown = min(shown, 200)
	for i := range shown {
		p.list.Row(p.desk, i, &p.sky)
	}
	switch {
	case shown < n && !p.more:
		rest := n - shown
		if flat.Left > 0 {
			rest-- // the last row is of no cluster
		}
		if u.Link(fmt.Sprintf("%s more##more", widget.Grouped(rest)), "Show all of them") {
			p.more = true
		}
	case p.more && n > shortList+2:
		if u.Link("Fewer##more", "Show the largest alone") {
			p.more = false
		}
	}
}

// uses is what else can be done with the clusters and the tree.
func (p *clusters) uses(v parts.ClusterChoice) {
	u := p.desk.UI
	u.Space(4)
	column := p.desk.Naming.Column(p.desk.Doc.Data, "cluster")
	if p.desk.Look().Column != column {
		if u.Button("Colour by cluster##colour", widget.ButtonOpts{Width: -1,
			Tip: "Colour the points of the active view by their cluster"}) {
			p.desk.ColourBy(column)
		}
		u.Space(2)
	}
	show := p.desk.Window.Command("show-tree")
	if on := p.desk.Active().Tree; u.Switch("Spanning tree", &on, show.Tip) {
		show.Run()
	}
	if !v.Landmarks {
		return
	}
	g := parts.Graph.Of(p.desk.Doc.State())
	if same := v.Metric == linkage.Euclidean && v.MinSamples < 2; same && g.Kind != treeGraph {
		if u.Button("Its tree as the graph##graph", widget.ButtonOpts{Width: -1,
			Tip: "Join the landmarks by their spanning tree: layouts pull along it, and its edges can be cut by " +
				"hand"}) {
			p.desk.Doc.Do("Graph: spanning tree", func(s *state.State) {
				parts.Graph.Edit(s, func(g *parts.GraphChoice) { g.Kind, g.Edges = treeGraph, parts.EdgesAlways })
			})
		}
	}
}

// treeGraph is the graph of landmarks that is their spanning tree.
const treeGraph = "tree"
