package transform

// Magnified returns the scale of Gating-ML on which a value k times as large lies where its own has a value: T and what
// is a value beside it grow as much. ok is false for an op that is none of these.
func (c Column) Magnified(k float64) (out Column, ok bool) {
	o := ByID(c.Op)
	if o == nil || o.Lengths == 0 || !(k > 0) {
		return c, false
	}
	for i := range o.Lengths {
		c.Params[i] *= k
	}
	return c, o.wrong(c.Params) == ""
}
