package transform

func init() {
	Register(Op{
		ID: None, Aliases: []string{"raw"}, Title: "None", Order: 1,
		Help:     "Values as they are.",
		Curve:    func(Params) Curve { return Curve{} },
		Standard: func(Params) Standard { return Standard{Place: func(y float64) float64 { return y }} },
	})
}
