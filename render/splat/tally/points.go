package tally

func init() {
	Register(Mode{ID: Points, Title: "Points", Order: 10,
		Help: "Each point is a disc; where many lie, those on top hide others"})
}
