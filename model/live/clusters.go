package live

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"blossom/model/base/par"
	"blossom/model/base/revision"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live/member"
	"blossom/model/maps/derived"
	"blossom/model/work"
)

// Clusters are the clusters of the points by single linkage: the hierarchy as it is computed beside the window, of the
// points or of the landmarks, and the cut through it. The hierarchy of the points is a part of the document when it is
// there, that of landmarks follows them.
type Clusters struct {
	m *Map
	*member.Pass
	landmarks landmarkClusters
	tree      treeLines

	of    *parts.Hierarchy // the hierarchy that is cut, and:
	at    cutKey
	flat  *linkage.Flat
	cut   parts.Cut
	inks  string            // colours of the clusters of flat, a byte each
	known []int             // and their numbers
	badge badged            // inks and numbers are taken from it
	rev   revision.Revision // changes with flat
	late  bool              // flat is not yet what at says

	named   *work.Value[namedKey, *derived.Labels]
	lasting *work.Value[lastingKey, *linkage.Flat]

	printed revision.Revision // the table that print was taken of
	print   uint64
}

var _ member.Steered = (*Clusters)(nil)

// cutKey is what a cut depends on.
type cutKey struct {
	of     *parts.Hierarchy
	choice parts.ClusterChoice
}

// namedKey is what the numbers of clusters by rows depend on.
type namedKey struct {
	flat   revision.Revision
	near   nearKey // nearest landmarks
	choice parts.ClusterChoice
}

// Clusters returns those of the map.
func (m *Map) Clusters() *Clusters { return &m.named.clusters }

// Hierarchy is what is cut: that of the landmarks where they are clustered, the one that forms, or the document's; nil:
// there is none.
func (c *Clusters) Hierarchy() *parts.Hierarchy {
	s := c.m.Doc.State()
	if parts.Clusters.Of(s).Landmarks {
		h, _ := c.landmarks.tree.Now()
		return h
	}
	if h := c.Forming(); h != nil {
		return h
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
	case h == nil || parts.Clusters.Of(c.m.Doc.State()).Landmarks || c.Forming() != nil || c.Hierarchy() != nil:
		return ""
	case h.Linkage == nil:
		return h.Gone
	}
	return "it is of other points than these"
}

// Made says whether there is a proven hierarchy of the points as they are, made the way that is chosen.
func (c *Clusters) Made() bool {
	h, v := parts.Tree.Of(c.m.Doc.State()), parts.Clusters.Of(c.m.Doc.State())
	return !c.On() && c.Forming() == nil && h != nil && h.Linkage != nil && h.Proven() && c.Fits(h) &&
		h.Metric == v.Metric && max(h.MinSamples, 1) == max(v.MinSamples, 1)
}

// Flat is the clusters at the present cut of Hierarchy; nil where there is none. rev changes with it. What is returned
// is never changed.
func (c *Clusters) Flat() (f *linkage.Flat, cut parts.Cut, rev revision.Revision) {
	h := c.Hierarchy()
	if h == nil {
		c.flat, c.of, c.at, c.late, c.inks, c.known = nil, nil, cutKey{}, false, "", nil
		c.named.Forget()
		c.lasting.Forget()
		c.Seek(0)
		return nil, parts.Cut{}, 0
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
	cut, flat := key.choice.At(h), (*linkage.Flat)(nil)
	c.Seek(0)
	if cut.By == parts.CutPersistent {
		c.Seek(cut.Least)
		flat = c.persisting(h, cut.Least)
		if c.late = flat == nil; c.late && c.of == h {
			c.at = key
			return
		}
	} else {
		c.late = false
		c.lasting.Forget()
	}
	switch {
	case flat != nil:
	case c.late:
		flat = h.Sky.Cut(h.Long.Middle(), cut.Least)
		cut.Height = h.Long.Middle()
	default:
		flat = cut.Flat(h.Sky)
	}
	c.at, c.of, c.rev = key, h, revision.Next()
	c.cut, c.flat = cut, flat
	badges := c.badge.of(h, cut.Least)
	c.inks, c.known = badges.Inks(flat, mostInked), badges.Numbers(flat, mostNamed)
}

// mostInked is how many labels have colours of their own; those beyond have them again.
const mostInked = 1024

// badged are the numbers and colours of a hierarchy's clusters of a least size.
type badged struct {
	hierarchy *parts.Hierarchy
	least     int
	made      *linkage.Badges
}

func (x *badged) of(h *parts.Hierarchy, least int) *linkage.Badges {
	if x.hierarchy != h || x.least != least {
		*x = badged{h, least, h.BadgesOf(least)}
	}
	return x.made
}

// Inks are the colours of the clusters of Flat, a byte each.
func (c *Clusters) Inks() string { return c.inks }

// Numbers are the numbers of the clusters of Flat, which they keep while the cut moves (linkage.Badges). They are not
// changed.
func (c *Clusters) Numbers() []int { return c.known }

// mostNamed is how many clusters have a number: those beyond are smaller, and have no colour of their own.
const mostNamed = 20_000

// column is what the derived column is made of; nil: there are no clusters, or those of landmarks are on their way.
func (c *Clusters) column() *derived.Labels {
	f, _, rev := c.Flat()
	if f == nil {
		return nil
	}
	key := namedKey{flat: rev, choice: c.at.choice}
	if key.choice.Landmarks {
		if !c.landmarks.follows(c.m) {
			return nil // they are looked for
		}
		key.near = c.m.named.near.Of()
		if was := c.named.Of(); was.choice == key.choice && !c.m.still() && !c.named.Rested() {
			key = was // landmarks move in every frame: points follow some times a second
		}
	}
	if c.named.Want(key) {
		numbers := c.known
		c.named.Make(0, func(context.Context, func(done, total int64)) (*derived.Labels, error) {
			return c.numbered(f, numbers), nil
		})
	}
	named, _ := c.named.Now()
	return named
}

// numbered are the clusters with their names and colours, and their numbers by rows of the data.
func (c *Clusters) numbered(f *linkage.Flat, numbers []int) *derived.Labels {
	names := make([]string, len(numbers))
	for i, k := range numbers {
		names[i] = strconv.Itoa(k)
	}
	if len(names) == 0 {
		names = []string{"none"} // it is a label all the same
	}
	out := &derived.Labels{Values: c.labels(f), Names: names, Counts: make([]int, len(names)),
		From: "single linkage of the points, " + c.of.Metric.String(), Rev: revision.Next(), None: NoCluster(f, c.cut),
		Inks: c.inks}
	for i := range min(len(f.Clusters), len(names)) {
		out.Counts[i] = f.Clusters[i].Size()
	}
	if c.at.choice.Landmarks {
		out.From = "single linkage of the landmarks, " + c.of.Metric.String()
		out.Values = c.landmarks.spread(c.m, out.Values)
		out.Counts = countOf(out.Values, len(names))
	}
	return out
}

// NoCluster is what points are called that are in no cluster.
func NoCluster(f *linkage.Flat, cut parts.Cut) string {
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
	v := parts.Clusters.Of(*s)
	l := h.Sky.Number(max(k, 1), v.At(h).Least)
	if l.Number < 0 {
		return 0
	}
	v.CutAt(l.Middle())
	parts.Clusters.Put(s, v)
	return l.Number
}

// begin makes the pass, and the values that clusters are.
func (c *Clusters) begin(m *Map, ground *member.Ground) {
	all := &m.Values
	c.m, c.Pass = m, member.NewPass(ground)
	c.Another = m.dev.engines.Another
	c.Lasting = func(h *parts.Hierarchy, least int, of *linkage.Flat) { c.lasting.Put(lastingKey{h, least}, of) }
	c.Run().Wake = func() { all.Jobs.Post(func() {}) }
	c.landmarks, c.lasting = newLandmarkClusters(c, all), newLasting(all)
	c.named = work.Keep[namedKey, *derived.Labels](all, work.Policy{Share: landmarkShare, Least: nearPace})
}
