package exchange

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// Match says which column of a codebook is which column of a map.
type Match struct {
	From   []int // for each column of the map, that of the file
	ByName bool  // else by their order
	Left   []string
}

// Match finds the columns of the map in a file: by their names or labels, or by their order where the file has no names
// or none that the map knows. The error is a Problem that says which are missing.
func (c *Content) Match(m Map) (Match, error) {
	cols := m.Table.Cols
	out := Match{From: make([]int, len(cols))}
	if c.Columns == nil {
		return c.inOrder(m, out, "has columns without names")
	}
	used := make([]bool, len(c.Columns))
	var missing []string
	found := 0
	for j, i := range cols {
		at := c.find(&m.Data.Columns[i], used)
		if out.From[j] = at; at < 0 {
			missing = append(missing, m.Data.Columns[i].Short())
			continue
		}
		used[at] = true
		found++
	}
	switch {
	case found == 0:
		return c.inOrder(m, out, "names none of the columns of the map")
	case len(missing) > 0:
		return out, problem.New(c.Files[0],
			"take them out of the map in the Transform panel, or give a file that has them",
			"it has %d of the %d columns of the map; missing: %s", found, len(cols), some(missing, 6))
	}
	out.ByName = true
	for i, name := range c.Columns {
		if !used[i] {
			out.Left = append(out.Left, name)
		}
	}
	return out, nil
}

func (c *Content) inOrder(m Map, out Match, why string) (Match, error) {
	if have, want := c.Codebook.Cols, len(m.Table.Cols); have != want {
		return out, problem.New(c.Files[0], fmt.Sprintf("take columns into the map or out of it until it has %d, or "+
			"name the columns in the file", have), "it %s, and has %d where the map has %d", why, have, want)
	}
	for j := range out.From {
		out.From[j] = j
	}
	return out, nil
}

// find returns the file's column for one of the data, -1 for none: the same name first, then what else both are called.
func (c *Content) find(col *dataset.Column, used []bool) int {
	label := func(i int) string {
		if i < len(c.Labels) {
			return c.Labels[i]
		}
		return ""
	}
	for _, same := range []func(i int) bool{
		func(i int) bool { return c.Columns[i] == col.Name },
		func(i int) bool { return c.Columns[i] == col.Heading() || c.Columns[i] == col.Title() },
		func(i int) bool { return col.Label != "" && (c.Columns[i] == col.Label || label(i) == col.Label) },
		func(i int) bool {
			return slices.ContainsFunc([]string{col.Name, col.Label}, func(s string) bool {
				return s != "" && strings.EqualFold(strings.TrimSpace(s), strings.TrimSpace(c.Columns[i]))
			})
		},
	} {
		for i := range c.Columns {
			if !used[i] && same(i) {
				return i
			}
		}
	}
	return -1
}

// some writes the first names of a list, and how many more there are.
func some(names []string, most int) string {
	if len(names) <= most {
		return listed(names)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// picked is the codebook with the columns of the map.
func (c *Content) picked(x Match) matrix.Matrix32 {
	out := matrix.New(c.Codebook.Rows, len(x.From))
	for r := range out.Rows {
		for j, i := range x.From {
			out.Row(r)[j] = c.Codebook.Row(r)[i]
		}
	}
	return out
}

// Landmarks makes the landmarks of the map, with values that are as said. A landmark file knows by itself.
func (c *Content) Landmarks(m Map, x Match, v Values) (*landmark.Set, error) {
	code := c.picked(x)
	if c.Trained != nil {
		var err error
		if code, err = c.carried(m, x, code); err != nil {
			return nil, err
		}
	} else {
		code = m.From(v, code)
	}
	set, err := landmark.New(code, c.Pos.Clone())
	if err != nil {
		p := problem.As(err)
		return nil, problem.Wrap(err, c.Files[0], "say in the dialog what the values are: "+p.Remedy, "%s", p.What)
	}
	if c.Names != nil {
		set.Names = slices.Clone(c.Names)
	}
	if c.Pinned != nil {
		set.Pinned = slices.Clone(c.Pinned)
	}
	set.ByHand = true // who knows how they came about
	if c.Trained != nil {
		set.Edges, set.ByHand = slices.Clone(c.Trained.Set.Edges), c.Trained.Set.ByHand
	}
	return set, set.Validate()
}

// carried brings the codebook of a landmark file into the space of the map, through values of the data.
func (c *Content) carried(m Map, x Match, code matrix.Matrix32) (matrix.Matrix32, error) {
	out := code.Clone()
	for j, i := range x.From {
		from := c.Trained.Columns[i]
		set, err := transform.ParseFile(from.Transform)
		if err != nil {
			return out, problem.Wrap(err, c.Files[0], "use a newer blossom", "the transform %q is not known",
				from.Transform)
		}
		f, factor := transform.FunctionOf(&m.Data.Columns[m.Table.Cols[j]], set), from.Weight
		if from.SD > 0 {
			factor /= from.SD
		}
		t := m.Table
		if set.Op == t.Spec.Columns[t.Cols[j]].Op && f.Params == t.Funcs[j].Params && factor == t.Factor[j] {
			continue // the same numbers, not the same but for rounding
		}
		for r := range out.Rows {
			if factor == 0 {
				out.Row(r)[j] = float32(t.Mean[j] * t.Factor[j])
				continue
			}
			out.Row(r)[j] = float32(t.Funcs[j].Forward(f.Inverse(float64(code.Row(r)[j])/factor)) * t.Factor[j])
		}
	}
	return out, nil
}

// sampled is how many points are compared with a codebook.
const sampled = 4000

// Guess says what the values of a codebook most likely are: the codebook then lies where the points are, and is spread
// as they are.
func (c *Content) Guess(m Map, x Match) Values {
	code := c.picked(x)
	points := m.Table.X
	points.Rows = min(points.Rows, sampled)
	points.Data = points.Data[:points.Rows*points.Cols]
	best, least := AsInMap, math.Inf(1)
	for _, v := range []Values{AsInMap, AsInData, Centred} {
		there := m.From(v, code)
		off := 0.0
		for j := range code.Cols {
			mean, sd := spread(there, j)
			want, by := spread(points, j)
			if by == 0 {
				continue
			}
			off += min(math.Abs(mean-want)/by, 5) + min(math.Abs(math.Log((sd+1e-3*by)/by)), 5)
			if mean != mean || sd != sd {
				off += 10
			}
		}
		// The first that fits: what fits hardly better is a guess too far.
		if off < 0.8*least {
			best, least = v, off
		}
	}
	return best
}

// spread is the mean and deviation of column j over finite values.
func spread(x matrix.Matrix32, j int) (mean, sd float64) {
	n, bad := 0.0, 0
	for i := range x.Rows {
		v := float64(x.Row(i)[j])
		if v-v != 0 {
			bad++
			continue
		}
		n++
		d := v - mean
		mean += d / n
		sd += d * (v - mean)
	}
	if n == 0 || bad > x.Rows/2 {
		return math.NaN(), math.NaN()
	}
	return mean, math.Sqrt(sd / n)
}
