package ui

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"

	"blossom/model"
	"blossom/model/dataset"
	"blossom/model/revision"
	"blossom/model/transform"
	"blossom/render/palette"
	"blossom/ui/live"
)

// colours is the one number per point that the picture is coloured by, with the range and the names
// that the legend shows. It follows the document: see update.
type colours struct {
	key    colourKey
	column int // of the data set, -1 for none
	values []float32
	sorted []float32 // a sample of the finite values, ascending: percentiles and the histogram
	counts []int     // points per category
	rev    revision.Revision
	binned [histogramBins]float32
	binsOf revision.Revision // the values that were binned
	job    *live.Job
	jobKey colourKey
}

type colourKey struct {
	data   revision.Revision
	column string
	how    string // the transform, as text
}

// asyncPoints is the number of points from which values are computed as a job rather than in a frame.
const asyncPoints = 300_000

// update brings the values up to the document's look. Large ones come later, as a job; until then the
// old colours stay. It returns whether the values changed.
func (c *colours) update(m *live.Map) bool {
	s, data := m.Doc.State(), m.Doc.Data
	col := -1
	for i := range data.Columns {
		if data.Columns[i].Name == s.Look.Column && s.Look.Column != "" {
			col = i
		}
	}
	key := colourKey{data: data.Rev, column: s.Look.Column}
	if col >= 0 {
		key.how = s.Transform.Columns[col].String()
	}
	if key == c.key || key == c.jobKey {
		return false
	}
	if c.job != nil {
		c.job.Cancel()
		c.job, c.jobKey = nil, colourKey{}
	}
	order := m.Table().Order
	if data.Points < asyncPoints {
		c.take(key, col, valuesOf(data, s.Transform, col, order), data)
		return true
	}
	c.jobKey = key
	c.job = m.Jobs.Start("Colour", func(context.Context, *live.Job) (func(), error) {
		v := valuesOf(data, s.Transform, col, order)
		return func() {
			c.job, c.jobKey = nil, colourKey{}
			c.take(key, col, v, data)
		}, nil
	})
	return false
}

func valuesOf(data *dataset.Dataset, spec transform.Spec, col int, order []int32) []float32 {
	if col < 0 {
		return nil
	}
	if isLabel(&data.Columns[col]) {
		// A label is a name, not a quantity: it is never transformed.
		spec = spec.Clone()
		spec.Columns[col].Kind = transform.None
	}
	return transform.ColumnValues(data, spec, col, order)
}

func (c *colours) take(key colourKey, col int, v []float32, data *dataset.Dataset) {
	c.key, c.column, c.values, c.rev = key, col, v, revision.Next()
	c.sorted, c.counts = c.sorted[:0], nil
	if col >= 0 && isLabel(&data.Columns[col]) {
		c.values, c.counts = labelIndices(&data.Columns[col], v)
		return
	}
	// Points are in random order, so the first ones are a fair sample.
	for _, x := range v[:min(len(v), 200_000)] {
		if x-x == 0 {
			c.sorted = append(c.sorted, x)
		}
	}
	slices.Sort(c.sorted)
}

// isLabel says whether a column is coloured by category.
func isLabel(c *dataset.Column) bool {
	return len(c.Categories) > 0 || c.Role == dataset.Label
}

// labelNames returns the names of the categories of a label column: its texts, or its distinct numbers.
func labelNames(c *dataset.Column) []string {
	if len(c.Categories) > 0 {
		return c.Categories
	}
	var names []string
	for _, x := range distinct(c.Values) {
		names = append(names, fmt.Sprintf("%g", x))
	}
	return names
}

// maxLabels bounds the categories that a numeric label column can have; more are not told apart by
// colours anyway, and the legend says so.
const maxLabels = 512

func distinct(v []float32) []float32 {
	seen := map[float32]bool{}
	for _, x := range v {
		if x-x == 0 {
			seen[x] = true
			if len(seen) > maxLabels {
				break
			}
		}
	}
	var out []float32
	for x := range seen {
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}

// labelIndices returns the index of each point's category, and the number of points in each.
func labelIndices(c *dataset.Column, v []float32) (index []float32, counts []int) {
	nan := float32(math.NaN())
	if len(c.Categories) > 0 {
		counts = make([]int, len(c.Categories))
		for _, x := range v {
			if x-x == 0 && int(x) >= 0 && int(x) < len(counts) {
				counts[int(x)]++
			}
		}
		return v, counts
	}
	values := distinct(c.Values)
	at := make(map[float32]float32, len(values))
	for i, x := range values {
		at[x] = float32(i)
	}
	index, counts = make([]float32, len(v)), make([]int, len(values))
	for p, x := range v {
		i, ok := at[x]
		if !ok {
			index[p] = nan
			continue
		}
		index[p] = i
		counts[int(i)]++
	}
	return index, counts
}

// rangeOf returns the values at the two percentiles.
func (c *colours) rangeOf(low, high float64) (lo, hi float32) {
	if len(c.sorted) == 0 {
		return 0, 1
	}
	at := func(p float64) float32 {
		return c.sorted[int(math.Round(max(0, min(1, p/100))*float64(len(c.sorted)-1)))]
	}
	return at(low), at(high)
}

// bins returns the counts of the sampled values in even bins between the extremes shown by the
// histogram, which leave out the last 0.1 % on both sides so that one outlier does not flatten it.
func (c *colours) bins() (counts []float32, lo, hi float32) {
	const n = histogramBins
	lo, hi = c.rangeOf(0.1, 99.9)
	if c.binsOf == c.rev {
		return c.binned[:], lo, hi
	}
	c.binsOf = c.rev
	clear(c.binned[:])
	counts = c.binned[:]
	if !(hi > lo) {
		return counts, lo, hi
	}
	for _, x := range c.sorted {
		if i := int(float32(n) * (x - lo) / (hi - lo)); x >= lo && i >= 0 && i < n {
			counts[i]++
		}
	}
	return counts, lo, hi
}

// colouring returns how the points are painted. flat and missing are colours of the theme.
func (c *colours) colouring(look model.Look, data *dataset.Dataset, flat, missing color.NRGBA) palette.Colouring {
	out := palette.Colouring{Flat: flat, Missing: missing}
	if c.column < 0 || c.values == nil {
		return out
	}
	out.Palette = palette.ByName(look.Palette)
	if isLabel(&data.Columns[c.column]) {
		out.Labels = max(1, len(c.counts))
		if out.Palette == nil || out.Palette.Kind != palette.Categorical {
			out.Palette = palette.ForLabels(out.Labels)
		}
		return out
	}
	if out.Palette == nil || out.Palette.Kind == palette.Categorical {
		out.Palette = palette.Default()
	}
	out.Reversed = look.Reverse
	out.Lo, out.Hi = c.rangeOf(look.Low, look.High)
	return out
}
