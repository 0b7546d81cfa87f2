package job

import "blossom/model/work/embedding"

// Laying is a want of a map that is made of all points together, as none of a part can be.
type Laying struct {
	Want
	Recipe  embedding.Recipe
	Measure *bool             // the quality of the map is measured, too
	Made    func() *PointsMap // the map, once it is made
}

// LayingOf is a want as one of a map of all points; false: it is none.
func LayingOf(w Want) (l Laying, lays bool) {
	for _, k := range kinds {
		if k.ID == w.What() && k.Lays != nil {
			return k.Lays(w), true
		}
	}
	return l, false
}

func (t *TSNE) lays() Laying {
	return Laying{t, embedding.Recipe{Kind: "tsne", Dims: max(2, t.Dims)}, &t.Measure,
		func() *PointsMap { return t.Made }}
}

func (p *Positions) lays() Laying {
	return Laying{p, p.Of, &p.Measure, func() *PointsMap { return p.Made }}
}
