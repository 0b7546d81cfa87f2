package scene

import (
	"blossom/render"
	"blossom/render/colour"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/render/splat/tally"
)

// Cells is how a look counts points of such colours, with sizes in pixels of which there are scale to a point of
// length.
func (look Look) Cells(v *colour.Values, scale float64) tally.Settings {
	t := look.Tally
	if !t.Cells() {
		return tally.Settings{}
	}
	t.Size *= scale
	switch {
	case v == nil:
		t.Shown = tally.Counts
	case v.Labels != nil:
		t.Shown = tally.Commonest
	case v.Second() != nil:
		t.Shown = tally.PairMeans
	default:
		t.Shown = tally.Means
	}
	return t
}

// Legend describes colours of points, or of cells that they are counted in; nil where there is nothing to tell.
func Legend(v *colour.Values, c palette.Colouring, cells tally.Settings) *legend.Legend {
	switch {
	case !cells.Cells():
		return v.Legend(c)
	case v == nil:
		return cells.Legend(c)
	}
	l := v.Legend(c)
	cells.Says(l)
	return l
}

// PutValues puts what points are coloured by into a buffer; Upload it afterwards.
func PutValues(b *render.ValueBuffer, v *colour.Values) {
	copy(b.Host(), v.Numbers)
	of, by, _ := v.Both()
	b.Both(of, by)
}
