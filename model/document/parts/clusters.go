package parts

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"blossom/model/clusters/linkage"
	"blossom/model/document/state"
)

// How the hierarchy of the points is cut.
const (
	CutByItself   = ""            // where it lasts longest, until somebody says otherwise
	CutAtDistance = "distance"    // at one height
	CutPersistent = "persistence" // each cluster where it persists the most
)

// ClusterChoice is how points are clustered by single linkage, and how their hierarchy is cut.
type ClusterChoice struct {
	Metric     linkage.Metric `json:"-"`
	MinSamples int            `json:"min_samples,omitempty"` // 2 and more: mutual reachability
	Landmarks  bool           `json:"landmarks,omitempty"`   // they are clustered, and points follow their nearest
	ClusterCut
	Other ClusterCut `json:"other,omitzero"` // the cut of the kind that is not clustered now
}

// Samples is MinSamples with one word for plain linkage.
func (c ClusterChoice) Samples() int {
	if c.MinSamples < 2 {
		return 0
	}
	return c.MinSamples
}

// ClusterCut is how a hierarchy is cut.
type ClusterCut struct {
	By       string  `json:"cut,omitempty"`      // CutByItself, CutAtDistance or CutPersistent
	Line     string  `json:"line,omitempty"`     // CutPersistent only: what By was before the line
	Distance float64 `json:"distance,omitempty"` // CutAtDistance only, also of a line that is kept
	Least    int     `json:"least,omitempty"`    // points of a cluster; 0: as suits their number
}

// Cut is where a hierarchy is cut.
type Cut struct {
	By     string  // as ClusterCut has it
	Height float64 // NaN where clusters begin at heights of their own
	Least  int     // points of a cluster
}

// At is the cut through a hierarchy.
func (c *ClusterCut) At(h *Hierarchy) Cut {
	out := Cut{By: c.By, Height: c.Distance, Least: cmp.Or(c.Least, h.Least)}
	switch c.By {
	case CutPersistent:
		out.Height, out.Least = math.NaN(), max(out.Least, 2)
	case CutByItself:
		if out.Height = h.Long.Middle(); out.Least != h.Least {
			out.Height = LongOf(h.Sky, out.Least).Middle()
		}
	}
	return out
}

// Flat is the clusters at the cut.
func (c Cut) Flat(s *linkage.Skyline) *linkage.Flat {
	if c.By == CutPersistent {
		return s.Persistent(c.Least)
	}
	return s.Cut(c.Height, c.Least)
}

// Persist cuts by persistence, or by the line that was there before.
func (c *ClusterCut) Persist(on bool) {
	switch {
	case on && c.By != CutPersistent:
		c.By, c.Line = CutPersistent, c.By
	case !on && c.By == CutPersistent:
		c.By, c.Line = c.Line, ""
	}
}

// CutAt cuts at a height.
func (c *ClusterCut) CutAt(height float64) {
	c.By, c.Line, c.Distance = CutAtDistance, "", max(height, 0)
}

// Anew forgets where the line was, which says nothing of another hierarchy.
func (c *ClusterCut) Anew() { *c = ClusterCut{Least: c.Least} }

// SetTarget chooses what is clustered, landmarks or points; each keeps the cut that it had before.
func (v *ClusterChoice) SetTarget(landmarks bool) {
	if v.Landmarks != landmarks {
		v.Landmarks, v.ClusterCut, v.Other = landmarks, v.Other, v.ClusterCut
	}
}

// OfPoints is the cut of the points, whatever is clustered.
func (v *ClusterChoice) OfPoints() *ClusterCut {
	if v.Landmarks {
		return &v.Other
	}
	return &v.ClusterCut
}

// encodedClusters is a choice in a file.
type encodedClusters struct {
	MetricName string `json:"metric,omitempty"`
	ClusterChoice
}

// Clusters is how points are clustered, and how their hierarchy is cut.
var Clusters = state.Register(state.Kind[ClusterChoice]{
	ID: "clusters", Title: "Clusters", Version: 1,
	Default: func() ClusterChoice { return ClusterChoice{} },
	Equal:   func(a, b ClusterChoice) bool { return a == b },
	Encode: func(v ClusterChoice, c state.Context) (json.RawMessage, error) {
		if v == (ClusterChoice{}) {
			return nil, nil
		}
		return encode(encodedClusters{v.Metric.String(), v}, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (ClusterChoice, error) {
		var in encodedClusters
		err := decode(raw, "how points are clustered", &in)
		if err == nil && in.MetricName != "" {
			in.Metric, err = linkage.ParseMetric(in.MetricName)
		}
		if err != nil {
			return ClusterChoice{}, leftOut(c, "how points are clustered is left out", err)
		}
		return in.sane(), nil
	},
})

// sane replaces numbers that make no sense.
func (v ClusterChoice) sane() ClusterChoice {
	v.ClusterCut, v.Other, v.MinSamples = v.ClusterCut.sane(), v.Other.sane(), max(v.MinSamples, 0)
	return v
}

func (c ClusterCut) sane() ClusterCut {
	lines := []string{CutByItself, CutAtDistance}
	if c.By != CutPersistent && !slices.Contains(lines, c.By) || !slices.Contains(lines, c.Line) ||
		!(c.Distance >= 0) || c.Distance-c.Distance != 0 {
		c.By, c.Line, c.Distance = CutByItself, "", 0
	}
	c.Least = max(c.Least, 0)
	return c
}
