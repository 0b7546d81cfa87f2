package dataset

// ScaleValue returns the value on the instrument's own scale that a raw value stands for (Gating-ML 2.0): that of a
// logarithmic amplifier is linear again ($PnE), else its gain is undone ($PnG).
func (c *Column) ScaleValue(x float64) float64 {
	switch {
	case c.Log != nil && c.Log.Decades > 0:
		return c.Log.Linear(x)
	case c.Gain > 0:
		return x / c.Gain
	}
	return x
}
