package embedding

func init() {
	Register(Kind{ID: "embedsom", Title: "EmbedSOM", Way: ByRange,
		Help: "The map: every point between its nearest landmarks"})
}
