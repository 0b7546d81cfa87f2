package step

// Suited are parameters with other defaults, where there are any.
func Suited(params []Param, defaults Values) []Param {
	out := make([]Param, len(params))
	for i, x := range params {
		if v, ok := defaults[x.ID]; ok {
			x.Default = v
		}
		out[i] = x
	}
	return out
}
