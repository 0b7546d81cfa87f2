package dock

import (
	"fmt"

	"blossom/assets"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/ui/desk"
	"blossom/ui/naming"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "clusters", Title: "Clusters", Also: "population dendrogram hierarchy tree",
		Key: "Alt+K", Icon: assets.IconNetwork, Order: 80, Height: 260,
		Help: "The hierarchy of the points as a skyline: drag the line that cuts it, and the map recolours",
		New:  func(d *desk.Desk) Dock { return &clusters{desk: d} }})
}

// clusters is the skyline over the width of the window, with the list of clusters beside it.
type clusters struct {
	desk *desk.Desk
	sky  naming.Skyline
	list naming.List
	said string
	of   *parts.Hierarchy
}

func (p *clusters) Head() widget.DockHead {
	c := p.desk.Clusters()
	now := c.Stands()
	out := widget.DockHead{Note: p.about()}
	run := p.desk.Window.Command("cluster")
	act := widget.DockAction{ID: "cluster", Label: "Cluster", Icon: assets.IconPlay, Tip: run.Tip}
	switch {
	case now.Active && now.Word != "":
		act.Label, act.Icon, out.Note = "Stop", assets.IconSquare, now.Word
		if about := p.about(); about != "" {
			out.Note += " · shown is " + about
		}
	case now.Active:
		act.Label, act.Icon = "Pause", assets.IconPause
		out.Note = fmt.Sprintf("%d %% proven, can be used already · %s", int(100*now.Share), p.about())
	case c.Paused():
		act.Label = "Go on"
	case parts.Clusters.Of(p.desk.Doc.State()).Landmarks:
		act.Label = "Cluster the points"
	case c.Hierarchy() != nil:
		act.Label, act.Icon = "Cluster again", assets.IconRotateCcw
	}
	snap := widget.DockAction{ID: "cluster-snap", Label: "Snap to long-lived", Icon: assets.IconTarget,
		Tip: p.desk.Window.Command("cluster-snap").Tip, Disabled: c.Hierarchy() == nil || naming.CutByItself(p.desk)}
	out.Actions = []widget.DockAction{snap, act}
	return out
}

// about says of what the hierarchy is.
func (p *clusters) about() string {
	h := p.desk.Clusters().Hierarchy()
	if h == nil {
		return ""
	}
	if h != p.of {
		p.of = h
		p.said = naming.About(h)
		if on := p.desk.Clusters().Stands().Active; !h.Proven() && !on {
			p.said += fmt.Sprintf(", %d %% proven", int(100*h.Share))
		}
	}
	return p.said
}

func (p *clusters) Act(id string, _ widget.Rect) { p.desk.Window.Command(id).Run() }

// Widths in points.
const (
	clusterList = 252
	clusterRoom = 560 // in less, the list is left to the panel
)

func (p *clusters) Draw(r widget.Rect) {
	c, u := p.desk.Clusters(), p.desk.UI
	flat, cut, _ := c.Flat()
	if flat == nil {
		p.empty(r)
		return
	}
	sky := r
	if r.W() >= u.Pt(clusterRoom) {
		sky.X1 -= u.Pt(clusterList)
		u.Fill(widget.Rect{X0: sky.X1, Y0: r.Y0, X1: sky.X1 + u.Pt(1), Y1: r.Y1}, u.Theme().Border)
		p.side(widget.Rect{X0: sky.X1 + u.Pt(10), Y0: r.Y0 + u.Pt(6), X1: r.X1 - u.Pt(8), Y1: r.Y1}, flat, cut)
	}
	h := c.Hierarchy()
	if h == nil {
		return
	}
	word := "points"
	if parts.Clusters.Of(p.desk.Doc.State()).Landmarks {
		word = "landmarks"
	}
	note := fmt.Sprintf("%s %s, each between its nearest neighbours, the larger branch left",
		widget.Grouped(h.Len()), word)
	p.sky.Draw(p.desk, "skyline", sky, true, note)
}

// side is the numbers and the list.
func (p *clusters) side(r widget.Rect, flat *linkage.Flat, cut parts.Cut) {
	u := p.desk.UI
	top := widget.Rect{X0: r.X0, Y0: r.Y0, X1: r.X1, Y1: r.Y0 + u.Pt(26)}
	naming.Numbers(p.desk, top, flat, cut)
	flat, _, rev := p.desk.Clusters().Flat()
	if flat == nil {
		return
	}
	n := p.list.Len(flat, rev)
	u.Pane("clusters", widget.Rect{X0: r.X0, Y0: top.Y1 + u.Pt(4), X1: r.X1, Y1: r.Y1 - u.Pt(4)}, n, naming.RowHeight,
		func(i int) { p.list.Row(p.desk, i, &p.sky) })
}

// empty says what would be here.
func (p *clusters) empty(r widget.Rect) {
	c, u := p.desk.Clusters(), p.desk.UI
	now := c.Stands()
	text := "No hierarchy of the points yet."
	switch why := c.Why(); {
	case now.Active:
		text = now.Word + "…"
	case why != "":
		text = "The hierarchy of the session cannot be shown: " + why + "."
	}
	u.Vacant(r, text, "Cluster the points##begin", now.Active, func() { p.desk.Window.Command("cluster").Run() })
}
