package live

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"blossom/model/base/par"
	"blossom/model/base/revision"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/derived"
)

// Clusters are the clusters of the points by single linkage: the hierarchy as it is computed beside the window, of the
// points or of the landmarks, and the cut through it. The hierarchy of the points is a part of the document when it is
// there, that of landmarks follows them.
type Clusters struct {
	m *Map
	pass
	landmarks landmarkClusters
	tree      treeLines

	of    *parts.Hierarchy // that is cut, and:
	at    cutKey
	flat  *linkage.Flat
	cut   Cut
	inks  string            // of flat
	inked                   // that inks are of
	named *derived.Clusters // nil: nobody has asked, or there are none
	names namedKey          // of named
	again time.Time         // named is not made anew before, while landmarks move
	rev   revision.Revision // of flat
	late  bool              // flat is not yet what at says
	long

	printed revision.Revision // of the table that print is of
	print   uint64
}

// cutKey is what a cut depends on.
type cutKey struct {
	of     *parts.Hierarchy
	choice parts.ClusterChoice
}

// namedKey is what the numbers of clusters by rows depend on.
type namedKey struct {
	flat   revision.Revision
	near   nearKey // of landmarks
	choice parts.ClusterChoice
}

// Cut is where a hierarchy is cut now.
type Cut struct {
	By     string  // as parts.ClusterChoice has it
	Height float64 // NaN where clusters begin at heights of their own
	Least  int     // points of a cluster
}

// Clusters returns those of the map.
func (m *Map) Clusters() *Clusters { return &m.clusters }

// Hierarchy is what is cut: that of the landmarks where they are clustered, the one that forms, or the document's; nil:
// there is none.
func (c *Clusters) Hierarchy() *parts.Hierarchy {
	s := c.m.Doc.State()
	if parts.Clusters.Of(s).Landmarks {
		return c.landmarks.now
	}
	if c.forming != nil {
		return c.forming
	}
	h := parts.Tree.Of(s)
	if h == nil || h.Linkage == nil || !h.Here && !c.Fits(h) {
		return nil
	}
	return h
}

// Fits says whether a hierarchy is of the points as they are now.
func (c *Clusters) Fits(h *parts.Hierarchy) bool {
	if t := c.m.table; c.printed != t.Rev {
		if c.m.Doc.Open() && h.Here {
			return false // a slider is held
		}
		c.printed, c.print = t.Rev, t.Print()
	}
	return h.Print == c.print
}

// Why says why there is no hierarchy of the points though the document has one, "" where there is or it has none.
func (c *Clusters) Why() string {
	h := parts.Tree.Of(c.m.Doc.State())
	switch {
	case h == nil || parts.Clusters.Of(c.m.Doc.State()).Landmarks || c.forming != nil || c.Hierarchy() != nil:
		return ""
	case h.Linkage == nil:
		return h.Gone
	}
	return "it is of other points than these"
}

// Flat is the clusters at the present cut of Hierarchy; nil where there is none. rev changes with it. What is returned
// is never changed.
func (c *Clusters) Flat() (f *linkage.Flat, cut Cut, rev revision.Revision) {
	h := c.Hierarchy()
	if h == nil {
		c.flat, c.of, c.named, c.at, c.late, c.inks, c.lasting = nil, nil, nil, cutKey{}, false, "", lasting{}
		c.wanted.Store(0)
		return nil, Cut{}, 0
	}
	key := cutKey{h, parts.Clusters.Of(c.m.Doc.State())}
	if key != c.at || c.late {
		c.recut(h, key)
	}
	return c.flat, c.cut, c.rev
}

// recut cuts anew. What persists the most is looked for beside the window where there are many points: until it is
// there the clusters are those before, or of a hierarchy that is new those of a line.
func (c *Clusters) recut(h *parts.Hierarchy, key cutKey) {
	cut, flat := CutOf(h, key.choice), (*linkage.Flat)(nil)
	c.wanted.Store(0)
	if cut.By == parts.CutPersistent {
		c.wanted.Store(int64(cut.Least))
		flat = c.persistent(c.m, h, cut.Least)
		if c.late = flat == nil; c.late && c.of == h {
			c.at = key
			return
		}
	} else {
		c.late, c.lasting = false, lasting{}
	}
	switch {
	case flat != nil:
	case c.late:
		flat = h.Sky.Cut(h.Long.Middle(), cut.Least)
		cut.Height = h.Long.Middle()
	default:
		flat = h.Sky.Cut(cut.Height, cut.Least)
	}
	c.at, c.of, c.rev = key, h, revision.Next()
	c.cut, c.flat = cut, flat
	c.inks = c.inkedFor(h, cut.Least).Of(flat, mostInked)
}

// mostInked is how many labels have colours of their own; those beyond have them again.
const mostInked = 1024

// inked are the colours of a hierarchy's clusters of a least size.
type inked struct {
	inksOf    *parts.Hierarchy
	inksLeast int
	made      *linkage.Inks
}

func (x *inked) inkedFor(h *parts.Hierarchy, least int) *linkage.Inks {
	if least == h.Least {
		return h.Inks
	}
	if x.inksOf != h || x.inksLeast != least {
		*x = inked{h, least, h.Sky.Inks(least, parts.Inks)}
	}
	return x.made
}

// Inks are the colours of the clusters of Flat, a byte each.
func (c *Clusters) Inks() string { return c.inks }

// CutOf is the cut through a hierarchy that a choice stands for.
func CutOf(h *parts.Hierarchy, v parts.ClusterChoice) Cut {
	out := Cut{By: v.By, Least: v.Least, Height: v.Distance}
	if out.Least == 0 {
		out.Least = h.Least
	}
	switch v.By {
	case parts.CutPersistent:
		out.Height, out.Least = math.NaN(), max(out.Least, 2)
	case parts.CutByItself:
		if out.Height = h.Long.Middle(); out.Least != h.Least {
			out.Height = parts.LongOf(h.Sky, out.Least).Middle()
		}
	}
	return out
}

// mostNamed is how many clusters have a number: those beyond are smaller, and have no colour of their own.
const mostNamed = 20_000

var clusterNames = func() (names []string) {
	for i := range mostNamed {
		names = append(names, strconv.Itoa(i+1))
	}
	return names
}()

// column is what the derived column is made of; nil: there are no clusters, or those of landmarks are on their way.
func (c *Clusters) column() *derived.Clusters {
	f, _, rev := c.Flat()
	if f == nil {
		return nil
	}
	if c.at.choice.Landmarks {
		c.landmarks.follows(c.m) // which has them looked for
	}
	key, began := namedKey{flat: rev, choice: c.at.choice}, c.m.now()
	if key.choice.Landmarks {
		key.near = c.landmarks.nearOf
		if c.named != nil && c.names.choice == key.choice && !c.m.still() && began.Before(c.again) {
			return c.named // landmarks move in every frame: points follow some times a second
		}
	}
	if c.named == nil || c.names != key {
		values, ok := c.values(f)
		if !ok {
			return nil
		}
		names := clusterNames[:min(len(f.Clusters), mostNamed)]
		if len(names) == 0 {
			names = []string{"none"} // it is a label all the same
		}
		from := "single linkage of the points, " + c.of.Metric.String()
		if c.at.choice.Landmarks {
			from = "single linkage of the landmarks, " + c.of.Metric.String()
		}
		counts := make([]int, len(names))
		for i := range min(len(f.Clusters), len(counts)) {
			counts[i] = f.Clusters[i].Size()
		}
		if c.at.choice.Landmarks {
			counts = countOf(values, len(names))
		}
		c.named = &derived.Clusters{Values: values, Names: names, Counts: counts, From: from,
			Rev: revision.Next(), None: NoCluster(f, c.cut), Inks: c.inks}
		c.names, c.again = key, began.Add(max(nearPace, landmarkShare*c.m.now().Sub(began)))
	}
	return c.named
}

// NoCluster is what points are called that are in no cluster.
func NoCluster(f *linkage.Flat, cut Cut) string {
	if cut.Least > 1 && f.Small > 0 {
		return fmt.Sprintf("in groups under %d", cut.Least)
	}
	return "in none"
}

// countOf is how many rows have each label.
func countOf(values []float32, labels int) []int {
	counts := make([]int, labels)
	for _, v := range values {
		if v == v {
			counts[int(v)]++
		}
	}
	return counts
}

// values are the numbers of clusters by rows of the data.
func (c *Clusters) values(f *linkage.Flat) (values []float32, ok bool) {
	labels := c.labels(f)
	if !c.at.choice.Landmarks {
		return labels, true
	}
	return c.landmarks.spread(c.m, labels)
}

// labels are the numbers of clusters by rows of what is clustered: a pass over the leaves in the order of the skyline.
func (c *Clusters) labels(f *linkage.Flat) []float32 {
	labels := make([]float32, c.of.Rows)
	nan := float32(math.NaN())
	_ = par.Blocks(context.Background(), len(labels), 1<<16, func(_, from, to int) {
		for i := range labels[from:to] {
			labels[from+i] = nan
		}
	})
	c.of.Sky.Put(f, min(len(f.Clusters), mostNamed), c.of.Leaves, labels)
	return labels
}

// Members returns the rows of the data of places [from, to) of the skyline: of landmarks, those of their points.
func (c *Clusters) Members(from, to int) (rows []int32, ok bool) {
	h := c.Hierarchy()
	if h == nil || from < 0 || to > h.Len() || from >= to {
		return nil, false
	}
	for _, leaf := range h.Sky.Order[from:to] {
		rows = append(rows, h.Row(leaf))
	}
	if parts.Clusters.Of(c.m.Doc.State()).Landmarks {
		return c.landmarks.members(c.m, rows)
	}
	return rows, true
}

// SetNumber cuts into k clusters, or as many as there can be below that, within an interaction.
func (c *Clusters) SetNumber(s *state.State, k int) (got int) {
	h := c.Hierarchy()
	if h == nil {
		return 0
	}
	least := CutOf(h, parts.Clusters.Of(*s)).Least
	l := h.Sky.Number(max(k, 1), least)
	if l.Number < 0 {
		return 0
	}
	SetDistance(s, l.Middle())
	return l.Number
}

// SetDistance cuts at a height, within an interaction.
func SetDistance(s *state.State, height float64) {
	parts.Clusters.Edit(s, func(v *parts.ClusterChoice) {
		v.By, v.Line, v.Distance = parts.CutAtDistance, "", max(height, 0)
	})
}

// tend brings the clusters of landmarks up to date, and puts what a pass has found into the document.
func (c *Clusters) tend() {
	c.landmarks.tend(c)
	c.forget()
	c.land()
}

// end lets go of what is computed.
func (c *Clusters) end() {
	c.stop()
	c.landmarks.end()
	c.long.end()
}

// busy says whether something is on its way that columns wait for. A pass is not: what it has found can be used.
func (c *Clusters) busy() bool {
	return c.done != nil || c.finder != nil || c.landmarks.busy()
}
