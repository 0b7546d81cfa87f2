package graph

import (
	"blossom/model/base/step"
)

func init() {
	k := Neighbours
	Register(Kind{ID: "both", Title: "k-nearest and spanning tree", Order: 10, Params: []step.Param{k},
		Help: "Each landmark is joined to those nearest to it; the shortest edges join what would fall into pieces.",
		Build: func(in Input, v step.Values) [][2]int32 {
			return union(joinNearest(in.Codebook, int(v.Get(k))), spanningTree(in.Codebook))
		}})
}
