package naming

import (
	"fmt"

	"blossom/model/base/revision"
	"blossom/model/clusters/linkage"
	"blossom/model/live"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// List is the clusters at the present cut as rows, the largest first, and what is in none. What they say is made
// anew only when the cut changes.
type List struct {
	rev  revision.Revision
	flat *linkage.Flat
	rows []clusterRow
	left clusterRow
	some bool // there is something left
}

type clusterRow struct {
	label, count, share string
	said                bool
}

// RowHeight is the height of a row, in points.
const RowHeight = 22

// Len is the number of rows.
func (l *List) Len(flat *linkage.Flat, rev revision.Revision) int {
	if rev != l.rev {
		l.rev, l.flat, l.some = rev, flat, flat.Left > 0
		if cap(l.rows) < len(flat.Clusters) {
			l.rows = make([]clusterRow, len(flat.Clusters))
		}
		l.rows = l.rows[:len(flat.Clusters)]
		clear(l.rows)
	}
	if l.some {
		return len(l.rows) + 1
	}
	return len(l.rows)
}

// Row draws a row; a click selects its points, and while the mouse is on it sky shows where it is.
func (l *List) Row(d *desk.Desk, i int, sky *Skyline) {
	h, _, cut := cutNow(d)
	flat := l.flat
	if h == nil || i > len(flat.Clusters) {
		return
	}
	u, all := d.UI, float64(max(h.Len(), 1))
	if i == len(flat.Clusters) {
		r := &l.left
		label := live.NoCluster(flat, cut) + "##left"
		*r = clusterRow{label, widget.Grouped(flat.Left), percent(float64(flat.Left) / all), true}
		u.ClusterRow(r.label, u.Theme().Press, -1, r.count, r.share, widget.Grouped(flat.Small)+
			" clusters are smaller: their points are in none", false)
		return
	}
	c, r, number := flat.Clusters[i], &l.rows[i], i+1
	if known := d.Clusters().Numbers(); i < len(known) { // clusters beyond have none of their own
		number = known[i]
	}
	if !r.said {
		*r = clusterRow{fmt.Sprintf("%d##cluster%d", number, i+1), widget.Grouped(c.Size()),
			percent(float64(c.Size()) / all), true}
	}
	inks := Inks(d, len(flat.Clusters))
	ink := inks.LabelColour(i)
	part := float32(c.Size()) / float32(flat.Clusters[0].Size())
	x := u.ClusterRow(r.label, widget.RGBA(ink.R, ink.G, ink.B, 255), part, r.count, r.share,
		"A click selects its points; Shift adds, Alt takes away.\nA double click names it as a population.", false)
	if x.Hovered && sky != nil {
		d.Stage.Highlight(d.Naming.Column(d.Doc.Data, "cluster"), i)
		if sky.Highlight(int(c.From), int(c.To)) {
			u.Again()
		}
	}
	switch {
	case x.Double:
		NameCluster(d, fmt.Sprintf("cluster %d", number), int(c.From), int(c.To))
	case x.Clicked:
		SelectBranch(d, fmt.Sprintf("cluster %d", number), int(c.From), int(c.To))
	}
}

func percent(part float64) string {
	switch p := 100 * part; {
	case p > 0 && p < 0.05:
		return "<0.1 %"
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}
