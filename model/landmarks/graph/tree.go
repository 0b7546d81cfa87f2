package graph

import "blossom/model/base/step"

func init() {
	Register(Kind{ID: "tree", Title: "Spanning tree", Order: 30,
		Help: "The shortest edges that join all landmarks, in the space of the data.",
		Build: func(in Input, _ step.Values) [][2]int32 {
			return spanningTree(in.Codebook)
		}})
}
