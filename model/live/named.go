package live

import (
	"blossom/model/base/problem"
	"blossom/model/maps/derived"
)

// named is what points of a map are called, and the landmarks that tell.
type named struct {
	near        nearest
	clusters    Clusters
	populations Populations
	region      region
	samples     Samples
	panel       panelled
	contrast    Contrasts
}

// labelled is a column of labels that the map makes.
type labelled interface {
	// lack says why there are none, nil where there are.
	lack() error
	// offered says whether it is among the columns that can be chosen: also one that lacks what is mended where it is
	// shown.
	offered() bool
	// put gives a column its labels, and says whether they are there.
	put(in *derived.Inputs) bool
}

// labels is what a kind of column takes its labels from, of is which of its columns it makes; nil: it is no such
// column.
func (n *named) labels(k *derived.Kind, of string) labelled {
	switch {
	case k.Needs&derived.NeedClusters != 0:
		return &n.clusters
	case k.Needs&derived.NeedPopulations != 0:
		return &n.populations
	case k.Needs&derived.NeedSheet != 0:
		return ofSheet{&n.samples, of}
	case k.Needs&derived.NeedContrast != 0:
		return &n.contrast
	}
	return nil
}

func (c *Clusters) lack() error {
	if c.Hierarchy() != nil {
		return nil
	}
	return problem.New("", "cluster them in the Clusters panel", "there are no clusters of the points")
}

func (c *Clusters) offered() bool { return c.lack() == nil }

func (c *Clusters) put(in *derived.Inputs) bool {
	in.Clusters = c.column()
	return in.Clusters != nil
}

func (p *Populations) lack() error {
	if p.Tree().Len() > 0 {
		return nil
	}
	return problem.New("", "name some in the Populations panel", "there are no populations")
}

func (p *Populations) offered() bool { return p.lack() == nil }

func (p *Populations) put(in *derived.Inputs) bool {
	if now, _ := p.Now(); now != nil {
		in.Populations = now.Derived
	}
	return in.Populations != nil
}
