package embedding

import (
	"context"
	"fmt"
	"math"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
)

func init() {
	Register(Kind{ID: "columns", Title: "Columns", Way: AtOnce, Columns: true,
		Help:  "Two or three columns as axes: markers, coordinates that came with the file, what was made of the map",
		Label: labelColumns, Key: keyColumns, Compute: computeColumns})
}

// Brought are the maps that data bring, as recipes of their columns, and how each is called.
func Brought(data *dataset.Dataset) (recipes []Recipe, titles []string) {
	for _, p := range data.Maps() {
		var names []string
		for _, c := range p.Columns {
			names = append(names, data.Columns[c].Name)
		}
		recipes, titles = append(recipes, Columns(names...)), append(titles, p.Name)
	}
	return recipes, titles
}

func labelColumns(in Inputs, r Recipe) (title, note string) {
	if i := at(in, append(r.Columns, "")[0]); i >= 0 && in.Data.Columns[i].Role == dataset.Placed {
		recipes, titles := Brought(in.Data)
		for k := range recipes {
			if recipes[k].Equal(r) {
				return titles[k], "of the file"
			}
		}
	}
	var names []string
	for _, name := range r.Columns {
		if i := at(in, name); i >= 0 {
			name = in.Data.Columns[i].Short()
		}
		names = append(names, name)
	}
	return strings.Join(names, " × "), "columns"
}

// keyColumns: the values of the columns and their transforms. What is in the map besides does not matter.
func keyColumns(in Inputs, r Recipe) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\x00", in.Data.Rev)
	for _, name := range r.Columns {
		if i := at(in, name); i >= 0 {
			b.WriteString(name + "\x00" + in.Table.Spec.How(i) + "\x00")
		} else if c, shown, ok := in.column(name); ok {
			fmt.Fprintf(&b, "%s\x00%d %s\x00", name, c.Rev, shown)
		}
	}
	return b.String()
}

// at is the place of a column among those of the data, -1 for one that is not there.
func at(in Inputs, name string) int {
	for i := range in.Data.Columns {
		if in.Data.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

func computeColumns(ctx context.Context, in Inputs, r Recipe, progress func(done, total int64)) (*Result, error) {
	known := func(name string) bool {
		if at(in, name) >= 0 { // without working out what a mix makes of it
			return true
		}
		_, _, ok := in.column(name)
		return ok
	}
	if err := Check(r, in.Data, known); err != nil {
		return nil, err
	}
	n := in.Table.X.Rows
	out := &Result{Dims: r.Dims, Pos: make([]float32, n*r.Dims)}
	for j, name := range r.Columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c, shown, ok := in.column(name)
		if !ok {
			return nil, problem.New(in.Data.Path, "choose another column", "there is no column %q", name)
		}
		values := transform.ColumnValues(c, shown, in.Table.Order)
		for p, v := range values {
			if v-v != 0 {
				v = float32(math.NaN())
			}
			out.Pos[p*r.Dims+j] = v
		}
		f := transform.FunctionOf(c, shown)
		axis := Axis{Title: c.Short(), Scale: &f}
		if c.Short() != c.Name {
			axis.Note = c.Name
		}
		out.Axes = append(out.Axes, axis)
		if progress != nil {
			progress(int64(j+1), int64(r.Dims))
		}
	}
	return out, nil
}
