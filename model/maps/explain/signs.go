package explain

import (
	"context"
	"math"
	"slices"
	"strings"

	"blossom/model/maps/selection"
)

const (
	marks  = 3    // signs that a set has at most
	clear  = 0.7  // the probability by which a column tells a set from others, where the set is high in it
	behind = 0.1  // how much clearer one must be in which the set is low
	enough = 0.01 // the others, by the rows of the set, for which a sign is worth it
)

// Sign says that most of a set is high in a column, or low, and most of the others that share its other signs is not.
type Sign struct {
	Column int
	High   bool
	Cut    float64 // between the medians of the set and of the others
}

// Signs returns the marker signs of a set against the rest of its parent, at most three, ordered by column. A nil
// parent is all rows. The first sign is that of the column that sets the set most clearly apart from the rest: high
// where the median of the set is above that of the rest, low where it is below. The next is found in the same way
// against those of the rest that share the signs so far, which lie on the set's side of the cuts; a missing value lies
// on none. A cut is half way between two values, where between the medians the shares of the set and of the others
// below differ most.
//
// A column has a sign where a random row of the set exceeds one of the others with a probability above 0.7, or falls
// below it with one above 0.8; a low sign comes before a high one only if it is clearer by 0.1, since sets are known
// by what they have. No sign is added once the others are less than a hundredth of the set. Sets of no rows and of all
// have no signs. Of more than 2^12 rows of the set, or of the rest, as many are drawn.
func Signs(ctx context.Context, columns []Column, set, parent *selection.Set) ([]Sign, error) {
	if parent == nil {
		parent = selection.All(set.Len())
	}
	set = selection.Intersect(set, parent)
	rest := selection.Subtract(parent, set)
	rows, others := draw(set, coarsely), draw(rest, coarsely)
	worth := enough * float64(set.Count()) / float64(rest.Count()) * float64(len(others))
	var signs []Sign
	for len(signs) < marks && len(rows) > 0 && len(others) > 0 && float64(len(others)) >= worth {
		found, err := apart(ctx, columns, rows, others)
		if err != nil {
			return nil, err
		}
		best, clarity := Difference{}, clear
		for _, d := range found {
			used := slices.ContainsFunc(signs, func(s Sign) bool { return s.Column == d.Column })
			if c := d.clarity(); c > clarity && !used {
				best, clarity = d, c
			}
		}
		if clarity == clear {
			break
		}
		column := columns[best.Column]
		s := Sign{best.Column, best.A > best.B,
			cut(present(read(column, rows)), present(read(column, others)), best.A, best.B)}
		signs = append(signs, s)
		others = slices.DeleteFunc(others, func(row int) bool { return !s.holds(column.At(row)) })
	}
	slices.SortFunc(signs, func(a, b Sign) int { return a.Column - b.Column })
	return signs, nil
}

// cut finds the value between the medians a and b of ascending values, of a set and of others, that parts them best.
func cut(set, others []float64, a, b float64) float64 {
	all := slices.Concat(set, others)
	slices.Sort(all)
	all = slices.Compact(all)
	best, at, i, j := 0.0, a/2+b/2, 0, 0
	for k, v := range all[:len(all)-1] {
		for i < len(set) && set[i] <= v {
			i++
		}
		for j < len(others) && others[j] <= v {
			j++
		}
		middle := v/2 + all[k+1]/2
		apart := math.Abs(float64(i)/float64(len(set)) - float64(j)/float64(len(others)))
		if apart > best && middle >= min(a, b) && middle <= max(a, b) {
			best, at = apart, middle
		}
	}
	return at
}

// clarity is the probability by which the medians' order is that of random rows, less for a low sign.
func (d Difference) clarity() float64 {
	switch {
	case d.A > d.B:
		return d.Above
	case d.A < d.B:
		return 1 - d.Above - behind
	}
	return 0
}

// holds says whether a value is on the sign's side of its cut.
func (s Sign) holds(x float64) bool { return s.High && x > s.Cut || !s.High && x < s.Cut }

// Title is signs in words, "CD3+ CD4+ CD8-".
func Title(columns []Column, signs []Sign) string {
	var words []string
	for _, s := range signs {
		mark := "-"
		if s.High {
			mark = "+"
		}
		words = append(words, strings.TrimSpace(columns[s.Column].Name)+mark)
	}
	return strings.Join(words, " ")
}
