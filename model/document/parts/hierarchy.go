package parts

import (
	"context"
	"encoding/json"
	"math"
	"strconv"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/document/state"
)

// Hierarchy is single linkage of the points as it was computed, by rows of the data. It is immutable.
type Hierarchy struct {
	*linkage.Linkage // nil: a session had one that is not there; Gone says why
	Sky              *linkage.Skyline
	Long             linkage.Level   // the level that lasts longest, with clusters of Least points
	Badges           *linkage.Badges // and of those
	Least            int
	Metric           linkage.Metric
	MinSamples       int
	Share            float64 // share of the pairs of points that were settled: 1 is proven
	Print            uint64  // print of the points (transform.Table.Print)
	Gone             string
	Here             bool // it was computed in this window: of points that have changed since it is worth showing
	// File is the tree beside the session, "" inside of it, and Sum its Linkage.Sum.
	File string
	Sum  uint64

	sizes [3]int // rows, leaves and duplicates of one that is not there
}

// Sizes are the rows, leaves and duplicates, also of a hierarchy that is not there.
func (h *Hierarchy) Sizes() (rows, leaves, duplicates int) {
	if h.Linkage == nil {
		return h.sizes[0], h.sizes[1], h.sizes[2]
	}
	return h.Rows, h.Len(), h.Duplicates
}

// Inks is how many colours clusters have: as many as the palette of many labels.
const Inks = 48

// LeastFor is the size from which a cluster counts among so many leaves where nobody says otherwise.
func LeastFor(leaves int) int { return min(max(leaves/400, 1), 100) }

// NewHierarchy lays out a linkage. The error is ctx's.
func NewHierarchy(ctx context.Context, l *linkage.Linkage, m linkage.Metric, samples int, share float64,
	print uint64) (*Hierarchy, error) {
	sky, err := linkage.LaySkyline(ctx, l.Len(), l.Z)
	if err != nil {
		return nil, err
	}
	h := &Hierarchy{Linkage: l, Sky: sky, Metric: m, MinSamples: samples, Share: share, Print: print,
		Least: LeastFor(l.Len())}
	h.Long, h.Badges = LongOf(h.Sky, h.Least), h.Sky.Badges(h.Least, Inks)
	return h, nil
}

// BadgesOf are the numbers and colours of the clusters of at least so many leaves.
func (h *Hierarchy) BadgesOf(least int) *linkage.Badges {
	if least == h.Least {
		return h.Badges
	}
	return h.Sky.Badges(least, Inks)
}

// Unfinished stands in the document for a hierarchy like h that is still computed: what ends before it is there, a
// session saved meanwhile or a program that is killed, has it say so.
func (h *Hierarchy) Unfinished() *Hierarchy {
	out := &Hierarchy{Metric: h.Metric, MinSamples: h.MinSamples, Print: h.Print, Gone: unfinished}
	out.sizes[0], out.sizes[1], out.sizes[2] = h.Sizes()
	return out
}

const unfinished = "it was not finished"

// LongOf is the level of two clusters or more of a least size that lasts longest; where there is none the top.
func LongOf(s *linkage.Skyline, least int) linkage.Level {
	if l, ok := s.Long(least, 0); ok {
		return l
	}
	return linkage.Level{Number: 1, Low: s.Top(), High: s.Top() * 1.02}
}

// Proven says whether the hierarchy is that of all pairs of points.
func (h *Hierarchy) Proven() bool { return h.Share >= 1 }

// TreeInside is the number of leaves up to which the tree is kept inside of a session: of more it is a file beside it.
// Tests lower it.
var TreeInside = 100_000

// Tree is the hierarchy of the points by single linkage, or nil. It is a function of the points and of how they are
// clustered, but one that may take minutes.
var Tree = state.Register(state.Kind[*Hierarchy]{
	ID: "hierarchy", Title: "Hierarchy of the points", Version: 1,
	Default: func() *Hierarchy { return nil },
	Equal:   func(a, b *Hierarchy) bool { return a == b },
	Encode:  encodeHierarchy,
	Decode: func(raw json.RawMessage, _ int, c state.Context) (*Hierarchy, error) {
		h, err := decodeHierarchy(raw, c)
		if err != nil {
			return nil, leftOut(c, "the hierarchy of the points is left out", err)
		}
		return h, nil
	},
	Bytes: func(h *Hierarchy) int {
		if h == nil || h.Linkage == nil {
			return 0
		}
		return 8*len(h.Z) + 16*len(h.Linkage.Tree) + 24*h.Len()
	},
})

// encodedHierarchy is a hierarchy in a file: the edges of its tree, as an array of limbs or as a file of its own.
type encodedHierarchy struct {
	Metric     string  `json:"metric"`
	MinSamples int     `json:"min_samples,omitempty"`
	Share      float64 `json:"share"`
	Print      string  `json:"points_are"` // hexadecimal: JSON has no numbers of 64 bits
	Rows       int     `json:"rows"`
	Leaves     int     `json:"leaves"`
	Duplicates int     `json:"duplicates,omitempty"`
	Array      string  `json:"array,omitempty"`
	File       string  `json:"file,omitempty"`
	Sum        string  `json:"sum,omitempty"` // hexadecimal
}

// limbs is how many numbers of 16 bits an edge is: two for each end, four for what lies between.
const limbs = 8

func encodeHierarchy(h *Hierarchy, c state.Context) (json.RawMessage, error) {
	if h == nil {
		return nil, nil
	}
	out := encodedHierarchy{Metric: h.Metric.String(), MinSamples: h.MinSamples, Share: h.Share,
		Print: strconv.FormatUint(h.Print, 16)}
	out.Rows, out.Leaves, out.Duplicates = h.Sizes()
	switch {
	case h.Linkage != nil && h.Len() <= TreeInside:
		out.Array = c.Array(packTree(h.Linkage))
	case h.File != "":
		out.File, out.Sum = h.File, strconv.FormatUint(h.Sum, 16)
	}
	return encode(out, c)
}

// packTree is the edges of a tree, by rows of the data, in numbers that float32 holds.
func packTree(l *linkage.Linkage) matrix.Matrix32 {
	out := matrix.New(len(l.Tree), limbs)
	for k, e := range l.Tree {
		to, i, j, w := out.Row(k), uint64(l.Row(e.I)), uint64(l.Row(e.J)), math.Float64bits(e.W)
		for at, v := range [limbs]uint64{i, i >> 16, j, j >> 16, w, w >> 16, w >> 32, w >> 48} {
			to[at] = float32(v & 0xffff)
		}
	}
	return out
}

// unpackTree is the other way. ok is false where there are other numbers in it.
func unpackTree(m matrix.Matrix32) (edges []linkage.Edge, ok bool) {
	edges = make([]linkage.Edge, m.Rows)
	for k := range edges {
		var v [limbs]uint64
		for at, x := range m.Row(k) {
			if !(x >= 0 && x < 1<<16) || x != float32(uint16(x)) {
				return nil, false
			}
			v[at] = uint64(x)
		}
		edges[k] = linkage.Edge{I: int32(v[0] | v[1]<<16), J: int32(v[2] | v[3]<<16),
			W: math.Float64frombits(v[4] | v[5]<<16 | v[6]<<32 | v[7]<<48)}
	}
	return edges, true
}

func decodeHierarchy(raw json.RawMessage, c state.Context) (*Hierarchy, error) {
	var in encodedHierarchy
	if err := decode(raw, "the hierarchy of the points", &in); err != nil {
		return nil, err
	}
	metric, err := linkage.ParseMetric(in.Metric)
	if err != nil {
		return nil, err
	}
	print, err := strconv.ParseUint(in.Print, 16, 64)
	switch {
	case err != nil || !(in.Share >= 0 && in.Share <= 1):
		return nil, problem.New(c.File, remedy, "it is damaged")
	case in.Rows != c.Data.Points:
		return nil, problem.New(c.File, remedy, "it is of %d points, and the data has %d", in.Rows, c.Data.Points)
	}
	h := &Hierarchy{Metric: metric, MinSamples: max(in.MinSamples, 0), Share: in.Share, Print: print, File: in.File,
		sizes: [3]int{in.Rows, in.Leaves, in.Duplicates}}
	if in.Array == "" {
		switch {
		case in.File != "":
			h.Gone = "its file was not looked for"
		case in.Share == 0:
			h.Gone = unfinished
		default:
			h.Gone = "it was too large for the session, which was kept without it"
		}
		if h.Sum, err = strconv.ParseUint(in.Sum, 16, 64); err != nil && in.File != "" {
			return nil, problem.New(c.File, remedy, "it is damaged")
		}
		return h, nil
	}
	m, err := c.Stored(in.Array)
	if err != nil {
		return nil, err
	}
	if m.Cols != limbs {
		return nil, problem.New(c.File, remedy, "its array has %d columns", m.Cols)
	}
	edges, ok := unpackTree(m)
	if !ok {
		return nil, problem.New(c.File, remedy, "it is damaged")
	}
	l, err := linkage.OfTree(in.Rows, in.Leaves, edges)
	if err != nil {
		return nil, err
	}
	l.Duplicates = in.Duplicates
	return NewHierarchy(context.Background(), l, metric, h.MinSamples, in.Share, print)
}

// StartClusters records that points are clustered: the hierarchy that comes, and what is coloured by it, is one entry.
func StartClusters(d *state.Document) state.EntryID {
	return d.Mark("Cluster the points", Tree.Whole(), Clusters.Whole(), Looks.Whole())
}
