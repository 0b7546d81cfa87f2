package graph

import "blossom/model/base/step"

func init() {
	Register(Kind{ID: "net", Title: "Net of the map", Order: 40,
		Help: "The edges that the map was drawn with: those of its grid or of its shape.",
		Build: func(in Input, _ step.Values) [][2]int32 {
			return union(in.Net, nil)
		}})
}
