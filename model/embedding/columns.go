package embedding

import (
	"context"
	"math"
	"strings"

	"blossom/model/dataset"
	"blossom/model/transform"
)

func init() {
	Register(Kind{ID: "columns", Title: "Columns", Way: AtOnce, Columns: true,
		Help:  "Two or three columns of the table as axes: markers, or coordinates that came with the file",
		Label: labelColumns, Key: keyColumns, Compute: computeColumns})
}

var nan = float32(math.NaN())

func labelColumns(r Recipe, data *dataset.Dataset) (title, note string) {
	var names []string
	for _, name := range r.Columns {
		if c := column(data, name); c >= 0 {
			name = data.Columns[c].Short()
		}
		names = append(names, name)
	}
	return strings.Join(names, " × "), "columns"
}

func column(data *dataset.Dataset, name string) int {
	for i := range data.Columns {
		if data.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// keyColumns: the columns with their transforms. What is in the map besides does not matter.
func keyColumns(in Inputs, r Recipe) string {
	var b strings.Builder
	for _, name := range r.Columns {
		if c := column(in.Data, name); c >= 0 {
			b.WriteString(name + "\x00" + in.Table.Spec.Columns[c].String() + "\x00")
		}
	}
	return b.String()
}

func computeColumns(ctx context.Context, in Inputs, r Recipe, progress func(done, total int64)) (*Result, error) {
	if err := Check(r, in.Data); err != nil {
		return nil, err
	}
	n := in.Table.X.Rows
	out := &Result{Dims: r.Dims, Pos: make([]float32, n*r.Dims)}
	for j, name := range r.Columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i := column(in.Data, name)
		values := transform.ColumnValues(&in.Data.Columns[i], in.Table.Spec.Columns[i], in.Table.Order)
		for p, v := range values {
			if v-v != 0 {
				v = nan
			}
			out.Pos[p*r.Dims+j] = v
		}
		c, f := &in.Data.Columns[i], transform.FunctionOf(&in.Data.Columns[i], in.Table.Spec.Columns[i])
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
