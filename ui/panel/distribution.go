package panel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/revision"
	"blossom/model/space/transform"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// distribution is the values of one column before and after its transform, counted in a sample of the points: at once,
// as it takes a moment, so that it follows a slider.
type distribution struct {
	key    distributionKey
	sample []float64 // sorted, with the mixes of the map
	of     transform.Column
	counts transform.Histograms
}

type distributionKey struct {
	data   revision.Revision
	column int
	mixes  string // the ops that act before the column's own transform, as text
}

const (
	distributionBins   = 64
	distributionSample = 10_000
)

// draw draws the histograms of a column of the table.
func (x *distribution) draw(d *desk.Desk, column int) {
	data, spec := d.Doc.Data, d.Spec()
	c := &data.Columns[column]
	if c.Categories != nil || c.Stats.Count == 0 {
		return
	}
	alone := spec.Clone()
	alone.Columns[column].Op, alone.Columns[column].Params = transform.None, transform.Params{}
	key := distributionKey{data.Rev, column, alone.How(column)}
	setting := spec.Columns[column]
	if key != x.key || x.sample == nil {
		// The order is random: its beginning is a sample.
		order := d.Table().Order
		x.key, x.of = key, transform.Column{Op: "-"}
		x.sample = transform.Sample(data, spec, column, order[:min(len(order), distributionSample)])
		x.sample = slices.DeleteFunc(x.sample, func(v float64) bool { return v-v != 0 })
		slices.Sort(x.sample)
	}
	if setting.Op != x.of.Op || setting.Params != x.of.Params {
		x.of, x.counts = setting, transform.HistogramsOf(x.sample, c.Range, setting, distributionBins)
	}
	h := &x.counts
	before := cmp.Or(strings.Join(spec.MixedWords(column), ", "), "raw")
	d.UI.Pair("##distribution", widget.Counted{Title: c.Short() + ", " + before, Counts: h.Raw,
		Lo: threeDigits(h.RawLo), Hi: threeDigits(h.RawHi)},
		widget.Counted{Title: setting.Text(), Counts: h.Now, Lo: threeDigits(h.Lo), Hi: threeDigits(h.Hi)},
		"The values of "+c.Title()+" before and after its transform, in a sample of the points. Heights are square "+
			"roots, so that few are seen beside many; ends are drawn in from 0.2 %.")
	d.UI.Space(6)
}

// threeDigits writes an end of a range in three digits.
func threeDigits(x float64) string { return widget.Figure(rounded(x)) }

func rounded(x float64) float64 {
	var out float64
	if _, err := fmt.Sscan(fmt.Sprintf("%.3g", x), &out); err != nil {
		return x
	}
	return out
}
