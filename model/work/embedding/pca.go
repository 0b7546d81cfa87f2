package embedding

import (
	"context"
	"fmt"
	"strconv"

	"blossom/model/space/pca"
)

func init() {
	Register(Kind{ID: "pca", Title: "PCA", Way: AtOnce,
		Help:  "Principal components: the plane in which the points of the map differ most",
		Label: labelPCA, Key: keyPCA, Compute: computePCA})
}

// PCA is the recipe of the first principal components of all points.
func PCA(dims int) Recipe { return Recipe{Kind: "pca", Dims: dims} }

func labelPCA(in Inputs, r Recipe) (title, note string) {
	title = "PCA"
	if r.Dims == 3 {
		title = "PCA 3D"
	}
	if in.Table == nil {
		return title, ""
	}
	n, word := in.Table.X.Cols, in.Data.ColumnWord()
	if n != 1 {
		word += "s"
	}
	return title, strconv.Itoa(n) + " " + word
}

func keyPCA(in Inputs, _ Recipe) string { return strconv.FormatUint(uint64(in.Table.Rev), 10) }

// computePCA: axes that there are not, of points in fewer directions, are 0.
func computePCA(ctx context.Context, in Inputs, r Recipe, progress func(done, total int64)) (*Result, error) {
	axes, err := pca.Fit(ctx, in.Table.X, progress)
	if err != nil {
		return nil, err
	}
	out := &Result{Dims: r.Dims, Pos: make([]float32, in.Table.X.Rows*r.Dims)}
	for a := range r.Dims {
		out.Axes = append(out.Axes, Axis{Title: fmt.Sprint("PC ", a+1),
			Note: fmt.Sprintf("%.1f %%", 100*axes.Share(a))})
	}
	const stretch = 1 << 18 // between looks at the context
	for from := 0; from < in.Table.X.Rows; from += stretch {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := axes.Project(in.Table.X, r.Dims, out.Pos, from, min(in.Table.X.Rows, from+stretch)); err != nil {
			return nil, err
		}
	}
	return out, nil
}
