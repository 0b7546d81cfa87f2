package colour

import (
	"context"
	"math"
	"sort"

	"blossom/model/base/par"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"blossom/render/legend"
)

// ranks turn values into shares of the points: of the finite values those that are lower, and half of those that are
// equal. They are of all values, or of a sample where there are many; between values of the sample they are linear.
type ranks struct {
	values []float32       // distinct, ascending
	shares []float64       // one for each, ascending
	scale  *transform.Func // from raw values to those; nil: they are raw
}

// ranksOf are the ranks of ascending finite values.
func ranksOf(sorted []float32, scale *transform.Func) *ranks {
	r, n := &ranks{scale: scale}, float64(len(sorted))
	for from := 0; from < len(sorted); {
		to := from
		for to < len(sorted) && sorted[to] == sorted[from] {
			to++
		}
		r.values = append(r.values, sorted[from])
		r.shares = append(r.shares, (float64(from)+float64(to))/2/n)
		from = to
	}
	return r
}

// of is the share of a value, NaN of none; those beyond all others have the share of the first or the last.
func (r *ranks) of(x float64) float64 {
	n := len(r.values)
	if x != x || n == 0 {
		return math.NaN()
	}
	i := sort.Search(n, func(i int) bool { return float64(r.values[i]) >= x })
	switch {
	case i == n:
		return r.shares[n-1]
	case i == 0 || float64(r.values[i]) == x:
		return r.shares[i]
	}
	lo, hi := float64(r.values[i-1]), float64(r.values[i])
	return r.shares[i-1] + (x-lo)/(hi-lo)*(r.shares[i]-r.shares[i-1])
}

// share is the share of a raw value.
func (r *ranks) share(raw float64) float64 {
	if r.scale != nil {
		raw = r.scale.Forward(raw)
	}
	return r.of(raw)
}

// value is the raw value that has a share; between two values, one between them.
func (r *ranks) value(share float64) float64 {
	n := len(r.values)
	if n == 0 {
		return share
	}
	i := sort.SearchFloat64s(r.shares, share)
	x := 0.0
	switch {
	case i == n:
		x = float64(r.values[n-1])
	case i == 0 || r.shares[i] == share:
		x = float64(r.values[i])
	default:
		lo, hi := r.shares[i-1], r.shares[i]
		at := (share - lo) / (hi - lo)
		x = float64(r.values[i-1])*(1-at) + float64(r.values[i])*at
	}
	if r.scale != nil {
		x = r.scale.Inverse(x)
	}
	return x
}

// rank replaces the numbers by their ranks.
func (v *Values) rank(subtitle string) {
	r := ranksOf(v.sorted, v.scale)
	v.ranks, v.scale = r, nil
	_ = par.Blocks(context.Background(), len(v.Numbers), 1<<14, func(_, from, to int) {
		for i, x := range v.Numbers[from:to] {
			v.Numbers[from+i] = float32(r.of(float64(x)))
		}
	})
	v.sample()
	if v.subtitle = "by rank"; subtitle != "" {
		v.subtitle = subtitle + ", by rank"
	}
}

// quarters are the raw values at the ends of a bar of ranks and at its quarters, each once.
func (v *Values) quarters(lo, hi float64, below, above bool) []legend.Mark {
	span := math.Abs(v.Raw(hi) - v.Raw(lo))
	var marks []legend.Mark
	for i := range 5 {
		at := float64(i) / 4
		x := v.Raw(lo + at*(hi-lo))
		text := end(x, span)
		if day := dataset.DateText(x); v.dates && day != "" {
			text = day
		}
		switch {
		case i == 0 && below:
			text = "≤ " + text
		case i == 4 && above:
			text = "≥ " + text
		case i > 0 && i < 4 && text == marks[len(marks)-1].Text:
			continue
		}
		marks = append(marks, legend.Mark{At: at, Text: text})
	}
	return marks
}
