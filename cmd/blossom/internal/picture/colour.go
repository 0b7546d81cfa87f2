// Package picture draws a finished map into an image, without a window.
package picture

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/dataset"
	"blossom/model/problem"
	"blossom/model/transform"
	"blossom/render/legend"
	"blossom/render/palette"
)

// Colour says what points are coloured by.
type Colour struct {
	Column   string     // "" chooses, "none" is one colour
	Palette  string     // "" is the default of the column's kind
	Reversed bool       // the palette
	Range    [2]float64 // percentiles that the ends of the palette stand for
}

// maxLabels bounds the distinct numbers of a label column; more than that are a quantity.
const maxLabels = 512

// choose returns the column to colour by, -1 for none: what is asked for, else the first label
// column, else the first dimension of the map.
func (c Colour) choose(ds *dataset.Dataset, cols []int) (int, error) {
	switch {
	case strings.EqualFold(c.Column, "none"):
		return -1, nil
	case c.Column != "":
		return ds.Find(c.Column)
	}
	for i := range ds.Columns {
		if len(ds.Columns[i].Categories) > 1 {
			return i, nil
		}
	}
	if len(cols) > 0 {
		return cols[0], nil
	}
	return -1, nil
}

// painted is one number for each point, how it becomes a colour, and what the legend says of it.
type painted struct {
	values    []float32
	colouring palette.Colouring
	legend    *legend.Legend
}

// paint makes the colours of all points of ds by column col.
func (c Colour) paint(ds *dataset.Dataset, spec transform.Spec, col int, flat, missing color.NRGBA) (painted, error) {
	out := painted{colouring: palette.Colouring{Flat: flat, Missing: missing}}
	chosen := palette.ByName(c.Palette)
	if c.Palette != "" && chosen == nil {
		return out, problem.New("", "palettes are "+strings.Join(palette.Names(), ", "), "there is no palette %q", c.Palette)
	}
	if col < 0 {
		return out, nil
	}
	column := &ds.Columns[col]
	if names, values, ok := labels(column); ok {
		out.values = values
		out.colouring.Labels = max(1, len(names))
		out.colouring.Palette = chosen
		if chosen == nil {
			out.colouring.Palette = palette.ForLabels(len(names))
		}
		out.legend = &legend.Legend{Title: column.Short(), Colouring: out.colouring}
		counts := make([]int, len(names))
		for _, v := range values {
			if v == v {
				counts[int(v)]++
			}
		}
		for i, name := range names {
			if counts[i] > 0 {
				out.legend.Entries = append(out.legend.Entries, legend.Entry{Name: name, Count: counts[i], Colour: out.colouring.LabelColour(i)})
			}
		}
		return out, nil
	}
	out.values = transform.ColumnValues(ds, spec, col, nil)
	out.colouring.Palette = chosen
	if chosen == nil {
		out.colouring.Palette = palette.Default()
	}
	out.colouring.Reversed = c.Reversed
	seen := dataset.Column{Values: out.values}
	q := seen.Quantiles(c.Range[0]/100, c.Range[1]/100, 0, 1)
	if q[0]-q[0] != 0 { // no finite value at all
		q = []float64{0, 1, 0, 1}
	}
	out.colouring.Lo, out.colouring.Hi = float32(q[0]), float32(q[1])
	out.legend = &legend.Legend{Title: column.Short(), Subtitle: subtitle(column, spec.Columns[col]), Colouring: out.colouring,
		BelowLo: q[2] < q[0], AboveHi: q[3] > q[1]}
	return out, nil
}

// subtitle says what the numbers of the legend are: "PE-Cy7-A, asinh(x/150)".
func subtitle(c *dataset.Column, t transform.Column) string {
	var parts []string
	if c.Short() != c.Name {
		parts = append(parts, c.Name)
	}
	switch t.Kind {
	case transform.Asinh:
		parts = append(parts, "asinh(x/"+strconv.FormatFloat(t.Cofactor, 'g', -1, 64)+")")
	case transform.Log:
		parts = append(parts, "log10")
	case transform.Linear:
		parts = append(parts, t.String())
	}
	return strings.Join(parts, ", ")
}

// labels returns the names of a label column and the index of each point's, NaN where it has none.
// A column of numbers is one of labels when its role says so and they are few.
func labels(c *dataset.Column) (names []string, index []float32, ok bool) {
	if len(c.Categories) > 0 {
		return c.Categories, c.Values, true
	}
	if c.Role != dataset.Label || c.Distinct(maxLabels+1) > maxLabels {
		return nil, nil, false
	}
	var distinct []float32
	at := map[float32]float32{}
	for _, v := range c.Values {
		if _, known := at[v]; !known && v-v == 0 {
			at[v] = 0
			distinct = append(distinct, v)
		}
	}
	slices.Sort(distinct)
	for i, v := range distinct {
		at[v] = float32(i)
		names = append(names, fmt.Sprintf("%g", v))
	}
	index = make([]float32, len(c.Values))
	for i, v := range c.Values {
		if k, known := at[v]; known {
			index[i] = k
		} else {
			index[i] = float32(math.NaN())
		}
	}
	return names, index, true
}
