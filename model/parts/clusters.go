package parts

import (
	"encoding/json"
	"slices"

	"blossom/model/linkage"
	"blossom/model/state"
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
	By         string         `json:"cut,omitempty"`         // CutByItself, CutAtDistance or CutPersistent
	Distance   float64        `json:"distance,omitempty"`    // of CutAtDistance
	Least      int            `json:"least,omitempty"`       // points of a cluster; 0: as suits their number
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
	if !slices.Contains([]string{CutByItself, CutAtDistance, CutPersistent}, v.By) || !(v.Distance >= 0) ||
		v.Distance-v.Distance != 0 {
		v.By, v.Distance = CutByItself, 0
	}
	v.Least, v.MinSamples = max(v.Least, 0), max(v.MinSamples, 0)
	return v
}
