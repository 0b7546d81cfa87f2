package population

import (
	"cmp"
	"slices"
	"strings"

	"blossom/model/base/matrix"
)

// Signs proposes names for groups of landmarks from their codebook: of each group the columns, three at most, in which
// it is high and stands out the most among the groups, with a plus, "CD3+ CD4+"; of one that is high in none the column
// in which it is the lowest among them, with a minus. High is above the middle between the lowest and the highest of
// them. groups is the group of each landmark, below 0 for none, names are those of the columns of the codebook.
func Signs(codebook matrix.Matrix32, groups []int, number int, names []string) []string {
	means := make([][]float64, number)
	counts := make([]float64, number)
	for g := range means {
		means[g] = make([]float64, codebook.Cols)
	}
	for i, g := range groups {
		if g < 0 {
			continue
		}
		counts[g]++
		for c, x := range codebook.Row(i) {
			means[g][c] += float64(x)
		}
	}
	low, high, middle := make([]float64, codebook.Cols), make([]float64, codebook.Cols), make([]float64, codebook.Cols)
	for c := range codebook.Cols {
		for g := range means {
			if means[g][c] /= max(counts[g], 1); g == 0 {
				low[c], high[c] = means[g][c], means[g][c]
			}
			low[c], high[c] = min(low[c], means[g][c]), max(high[c], means[g][c])
			middle[c] += means[g][c] / float64(number)
		}
	}
	out := make([]string, number)
	for g := range out {
		out[g] = signs(means[g], low, high, middle, names)
	}
	return out
}

// mostSigns is how many columns a name is made of.
const mostSigns = 3

func signs(mean, low, high, middle []float64, names []string) string {
	type sign struct {
		column int
		apart  float64 // from the middle of all groups, as a part of the range of their means
	}
	var list []sign
	for c, x := range mean {
		if high[c] > low[c] {
			list = append(list, sign{c, (x - middle[c]) / (high[c] - low[c])})
		}
	}
	slices.SortStableFunc(list, func(a, b sign) int { return cmp.Compare(b.apart, a.apart) })
	var words []string
	for _, s := range list {
		if c := s.column; len(words) < mostSigns && s.apart > 0 && mean[c] > (low[c]+high[c])/2 {
			words = append(words, names[c]+"+")
		}
	}
	if len(words) == 0 && len(list) > 0 {
		words = append(words, names[list[len(list)-1].column]+"-")
	}
	if len(words) == 0 {
		return "all"
	}
	return strings.Join(words, " ")
}
