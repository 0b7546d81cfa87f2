package graph

import "blossom/model/base/step"

func init() {
	k := Neighbours
	Register(Kind{ID: "nearest", Title: "k-nearest", Order: 20, Params: []step.Param{k},
		Help: "Each landmark is joined to those nearest to it in the space of the data. It may fall into pieces.",
		Build: func(in Input, v step.Values) [][2]int32 {
			return joinNearest(in.Codebook, int(v.Get(k)))
		}})
}
