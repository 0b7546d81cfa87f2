package scene

import (
	"blossom/model/base/problem"
	"blossom/render"
	"blossom/render/colour"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/render/splat/tally"
	"slices"
)

// Cells is how a look counts points of such colours, with sizes in pixels of which there are scale to a point of
// length.
func (look Look) Cells(v *colour.Values, scale float64) tally.Settings {
	t := look.Tally
	if !t.Cells() {
		return tally.Settings{}
	}
	t.Size *= scale
	t.Smooth *= scale
	switch {
	case v == nil:
		t.Shown = tally.Counts
	case v.Labels != nil:
		t.Shown, t.Label = tally.Commonest, slices.Index(v.Labels, t.Share)
		if t.Share != "" && t.Label >= 0 {
			t.Shown = tally.Shares
		}
	case v.Second() != nil:
		t.Shown = tally.PairMeans
	case t.Median:
		t.Shown = tally.Medians
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
	if cells.Shown == tally.Shares {
		return cells.Shares(v.Title(), c)
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

// lacks says why cells cannot show what they are to show of such colours; nil: they can.
func (look Look) lacks(v *colour.Values) error {
	share := look.Tally.Share
	switch {
	case share == "" || !look.Tally.Cells():
		return nil
	case v == nil || v.Labels == nil:
		return problem.New("", "colour by a column of labels", "there are no labels of which %q would be one", share)
	case !slices.Contains(v.Labels, share):
		return problem.New("", "its labels are "+problem.OneOf(v.Labels[:min(6, len(v.Labels))]...),
			"%s has no label %q", v.Title(), share)
	}
	return nil
}
