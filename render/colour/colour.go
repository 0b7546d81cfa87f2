// Package colour makes colours of a column of the data: one number or label per point, the range that
// the palette spans, and what the legend says of it. The window and the command line share it, so that
// the same settings give the same picture.
package colour

import (
	"cmp"
	"context"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/par"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"blossom/render/legend"
	"blossom/render/palette"
)

// maxLabels bounds the distinct numbers of a label column; more than that are a quantity.
const maxLabels = 512

// sample bounds the values that percentiles and histograms are taken from.
const sample = 200_000

// Values is one number per point: transformed as in the map, or the index of a label.
type Values struct {
	Numbers []float32 // per point; NaN where missing
	Labels  []string  // names of the labels; nil for a quantity
	Counts  []int     // points of each label

	inks            string // colours of the labels, as a column has them
	given           string // colours that the file gives
	rests           []bool // labels of the rest of what they name
	none            string // name of points without a label
	left            int    // how many there are
	own             bool   // Numbers are nobody else's
	title, subtitle string
	sorted          []float32       // finite numbers of a quantity, or a sample of them, ascending
	scale           *transform.Func // from raw values to Numbers; nil: they are raw
	ranks           *ranks          // Numbers are ranks; then scale is nil
	dense           bool            // the legend has as many numbers as fit: another scale than the map's
	dates           bool            // raw values are days since 1970
	signed          bool            // 0 is the middle of the palette
	clamped         int             // values at or below zero on a logarithmic scale
	pair            *pair           // Numbers are of two columns
}

// Settings say how Values become colours.
type Settings struct {
	Palette   string  // "" or one that does not fit: the default of the column's kind
	Reversed  bool    // quantities only
	Low, High float64 // percentiles at the ends of the palette
	From, To  float64 // values there in place of percentiles, where From is below To
	Raw       bool    // From and To are raw values, not Numbers
	// Centre is the raw value at which the middle of a diverging palette lies, where Centred says so. Percentiles then
	// give ends that are equally far from it, values different halves.
	Centred       bool
	Centre        float64
	Inks          dataset.LabelInks // colours that were chosen for labels
	Dark          bool              // on a dark ground, where the dark end of a palette would vanish
	Flat, Missing color.NRGBA
}

// Of returns the values of a column, of a file or derived, in the given order of points (nil: the column's
// own). A label is a name and never transformed; a quantity is transformed as t says, without scale and weight.
func Of(c *dataset.Column, t transform.Column, order []int32) *Values {
	return Again(nil, c, t, transform.SpreadMap, order)
}

// Again is Of with values spread in another way than in the map, in the memory of former values, which are not to be
// used any more; nil: there are none. It makes no array for labels then.
func Again(former *Values, c *dataset.Column, t transform.Column, how transform.Spread, order []int32) *Values {
	v := &Values{title: c.Short()}
	if index, names := labelsOf(c); names != nil {
		v.Labels, v.Numbers, v.none, v.inks, v.given = names, index, cmp.Or(c.None, "none"), c.Inks, c.Own
		v.rests = c.Rests
		counts := tally(index, len(names), nil, 0)
		v.Counts, v.left = counts[:len(names)], counts[len(names)]
		if order != nil {
			v.own, v.Numbers = true, former.memory(len(order))
			inOrder(v.Numbers, index, order)
		}
		if c.Short() != c.Name {
			v.subtitle = c.Name
		}
		return v
	}
	if c.Signed { // 0 is its middle: no scale but an even one has that
		how = transform.SpreadMap
	}
	t = how.Column(c, t)
	v.Numbers = transform.ColumnValues(c, t, order)
	v.subtitle, v.dates, v.dense = subtitle(c, t), c.HoldsDates(), how != transform.SpreadMap
	v.signed = c.Signed && t.Op == transform.None
	if t.Op != transform.None {
		f := transform.FunctionOf(c, t)
		v.scale = &f
	}
	v.sample()
	switch how {
	case transform.SpreadLog:
		v.clamped = notPositive(c, order)
	case transform.SpreadQuantile:
		v.rank(subtitle(c, transform.Column{Op: transform.None}))
	}
	return v
}

// sample takes the finite numbers of a quantity, or a sample of them.
func (v *Values) sample() {
	v.sorted = v.sorted[:0]
	step := max(1, (len(v.Numbers)+sample-1)/sample)
	for i := 0; i < len(v.Numbers); i += step {
		if x := v.Numbers[i]; x-x == 0 {
			v.sorted = append(v.sorted, x)
		}
	}
	slices.Sort(v.sorted)
}

// notPositive counts values at or below zero, in an order or of all rows.
func notPositive(c *dataset.Column, order []int32) (n int) {
	if order == nil {
		for _, x := range c.Values {
			if x <= 0 {
				n++
			}
		}
		return n
	}
	for _, row := range order {
		if c.Values[row] <= 0 {
			n++
		}
	}
	return n
}

// Clamped is how many values are at or below zero, where the scale of colours is logarithmic: they count as the
// smallest above it.
func (v *Values) Clamped() int { return v.clamped }

// memory is room for n numbers, the former ones' where it is large enough and nobody else's.
func (v *Values) memory(n int) []float32 {
	if v == nil || !v.own || cap(v.Numbers) < n {
		return make([]float32, n)
	}
	return v.Numbers[:n]
}

// inOrder puts values of rows into the order of points, on all cores.
func inOrder(out, values []float32, order []int32) {
	_ = par.Blocks(context.Background(), len(order), 1<<16, func(_, from, to int) {
		for i := from; i < to; i++ {
			out[i] = values[order[i]]
		}
	})
}

// tally counts so many labels, on all cores: of all values, or of those whose state has a bit. The last count is of
// those that have no label.
func tally(index []float32, labels int, states []uint8, bit uint8) []int {
	const block = 1 << 18
	blocks := make([][]int, par.Count(len(index), block))
	_ = par.Blocks(context.Background(), len(index), block, func(b, from, to int) {
		counts := make([]int, labels+1)
		for i, x := range index[from:to] {
			switch {
			case states != nil && states[from+i]&bit == 0:
			case x == x:
				counts[int(x)]++
			default:
				counts[labels]++
			}
		}
		blocks[b] = counts
	})
	sum := make([]int, labels+1)
	for _, counts := range blocks {
		for i, n := range counts {
			sum[i] += n
		}
	}
	return sum
}

// Among counts, for each entry of the legend of labels, the points whose state has a bit, but those that are not drawn;
// nil where the legend is of numbers. There is a state for each point.
func (v *Values) Among(l *legend.Legend, states []uint8, bit uint8, undrawn []int32) []int {
	if v == nil || v.Labels == nil || len(states) != len(v.Numbers) {
		return nil
	}
	counts := tally(v.Numbers, len(v.Labels), states, bit)
	for _, i := range undrawn {
		if states[i]&bit == 0 {
			continue
		}
		if x := v.Numbers[i]; x == x {
			counts[int(x)]--
		} else {
			counts[len(v.Labels)]--
		}
	}
	out := make([]int, len(l.Entries))
	for i, e := range l.Entries {
		if out[i] = counts[len(v.Labels)]; e.Label >= 0 {
			out[i] = counts[e.Label]
		}
	}
	return out
}

// Leave takes points that are not drawn out of the counts of labels.
func (v *Values) Leave(points []int32) {
	if v == nil || v.Labels == nil {
		return
	}
	for _, i := range points {
		if x := v.Numbers[i]; x == x {
			v.Counts[int(x)]--
		} else {
			v.left--
		}
	}
}

// Count counts the labels of those points only that are drawn, for a legend that tells what can be seen.
func (v *Values) Count(drawn func(point int) bool) {
	if v == nil || v.Labels == nil {
		return
	}
	clear(v.Counts)
	v.left = 0
	for i, x := range v.Numbers {
		switch {
		case !drawn(i):
		case x == x:
			v.Counts[int(x)]++
		default:
			v.left++
		}
	}
}

// IsLabel says whether a column is coloured by category.
func IsLabel(c *dataset.Column) bool {
	return len(c.Categories) > 0 || c.Role == dataset.Label && c.Distinct(maxLabels+1) <= maxLabels
}

// labelsOf returns the index of each row's label and the labels' names, nil for a quantity. Text is a
// label; numbers are when the column's role says so and they are few, and -1 beside others from 0 says none.
func labelsOf(c *dataset.Column) (index []float32, names []string) {
	if len(c.Categories) > 0 {
		return c.Values, c.Categories
	}
	if !IsLabel(c) {
		return nil, nil
	}
	at := map[float64]float32{}
	var distinct []float64
	for i := range c.Values {
		x := c.At(i)
		if _, known := at[x]; !known && x-x == 0 {
			at[x] = 0
			distinct = append(distinct, x)
		}
	}
	slices.Sort(distinct)
	if dataset.NoneAmongNumbers(distinct) {
		delete(at, -1)
		distinct = distinct[1:]
	}
	names = make([]string, len(distinct))
	for i, x := range distinct {
		at[x] = float32(i)
		bits := 32
		if c.Exact != nil {
			bits = 64
		}
		form := byte('g')
		if x == math.Trunc(x) && math.Abs(x) < 1e15 { // 1234567, as the file has it
			form = 'f'
		}
		names[i] = strconv.FormatFloat(x, form, -1, bits)
	}
	index = make([]float32, len(c.Values))
	for i := range c.Values {
		k, known := at[c.At(i)]
		if !known {
			k = float32(math.NaN())
		}
		index[i] = k
	}
	return index, names
}

// Range returns the values of a quantity at two percentiles; 0 and 1 where it has none. Of differences it is as wide on
// both sides of 0: as far as the farther of them.
func (v *Values) Range(low, high float64) (lo, hi float32) {
	if len(v.sorted) == 0 {
		return 0, 1
	}
	at := func(p float64) float32 {
		return v.sorted[int(math.Round(max(0, min(1, p/100))*float64(len(v.sorted)-1)))]
	}
	if v.signed {
		far := max(at(high), -at(low))
		if !(far > 0) {
			far = 1
		}
		return -far, far
	}
	return at(low), at(high)
}

// Histogram counts a quantity into the even bins of counts, between the values returned: the extremes
// without the last 0.1 % on both sides, so that one outlier does not flatten it.
func (v *Values) Histogram(counts []float32) (lo, hi float32) {
	lo, hi = v.Range(0.1, 99.9)
	clear(counts)
	if !(hi > lo) {
		return lo, hi
	}
	for _, x := range v.sorted {
		if x >= lo && x <= hi {
			counts[min(int(float32(len(counts))*((x-lo)/(hi-lo))), len(counts)-1)]++
		}
	}
	return lo, hi
}

// Colouring returns how the values are painted. A nil v paints all points in the flat colour.
func (v *Values) Colouring(s Settings) palette.Colouring {
	out := palette.Colouring{Flat: s.Flat, Missing: s.Missing}
	if v == nil {
		return out
	}
	if v.pair != nil {
		return v.pair.colouring(out, s.Dark)
	}
	out.Palette = palette.ByName(s.Palette)
	if v.Labels != nil {
		out = palette.OfLabels(s.Palette, max(1, len(v.Labels)), v.inks)
		out.Flat, out.Missing, out.Own = s.Flat, s.Missing, v.ownColours(s)
		return out
	}
	if out.Palette == nil || out.Palette.Kind == palette.Categorical {
		out.Palette = palette.Default()
		if v.signed {
			out.Palette = palette.ByName("blue-red")
		}
		if v.signed && s.Dark { // whose ends stand out there
			out.Palette = palette.ByName("blue-red-dark")
		}
	}
	if s.Dark {
		out.Palette = palette.OnDark(out.Palette)
	}
	out.Reversed = s.Reversed
	typed := s.From < s.To
	if out.Lo, out.Hi = v.Range(s.Low, s.High); typed {
		from, to := s.From, s.To
		if s.Raw {
			from, to = v.Number(from), v.Number(to)
		}
		out.Lo, out.Hi = float32(from), float32(to)
	}
	if c := float32(v.Number(s.Centre)); s.Centred && out.Palette.Kind == palette.Diverging && c-c == 0 {
		out.Centre(c, typed)
	}
	return out
}

// Title is what the column is called.
func (v *Values) Title() string { return v.title }

// Legend describes the colours, or is nil when there is nothing to tell.
func (v *Values) Legend(c palette.Colouring) *legend.Legend {
	if v == nil {
		return nil
	}
	if v.pair != nil {
		return v.pair.legend(c)
	}
	l := &legend.Legend{Title: v.title, Subtitle: v.subtitle, Colouring: c}
	for i, name := range v.Labels {
		if i < len(v.rests) && v.rests[i] {
			name += ", rest"
		}
		if v.Counts[i] > 0 {
			l.Entries = append(l.Entries, legend.Entry{Name: name, Label: i, Count: v.Counts[i],
				Colour: c.LabelColour(i)})
		}
	}
	if v.left > 0 && v.Labels != nil {
		l.Entries = append(l.Entries, legend.Entry{Name: v.none, Label: -1, Count: v.left, Colour: c.Missing})
	}
	if n := len(v.sorted); n > 0 {
		l.BelowLo, l.AboveHi = v.sorted[0] < c.Lo || v.clamped > 0, v.sorted[n-1] > c.Hi
		l.Numbers = v.numbers(c, l.BelowLo, l.AboveHi)
		if c.Centred {
			v.centre(l)
		}
	}
	return l
}

// subtitle says what the numbers of a legend are: "PE-Cy7-A, asinh/150", "of EmbedSOM, log".
func subtitle(c *dataset.Column, t transform.Column) string {
	var parts []string
	if c.Map != "" {
		parts = append(parts, "of "+c.Map)
	}
	if c.Short() != c.Name {
		parts = append(parts, c.Name)
	}
	if t.Op != transform.None {
		parts = append(parts, t.Text())
	}
	return strings.Join(parts, ", ")
}
