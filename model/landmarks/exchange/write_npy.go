package exchange

import (
	"context"
	"strconv"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

func init() {
	files := func(path string) []string {
		stem := strings.TrimSuffix(path, ".npy")
		return []string{stem + "_codebook.npy", stem + "_positions.npy"}
	}
	Register(Kind{ID: "npy", Title: "NumPy, two files (.npy)", Ending: ".npy", Raw: true, Order: 5, Files: files,
		Help: "NAME_codebook.npy and NAME_positions.npy, float32, a row for each landmark",
		Write: func(ctx context.Context, path string, f *File) (written []string, err error) {
			for i, m := range []matrix.Matrix32{f.Set.Codebook, f.Set.Pos} {
				t, err := bare(ctx, m)
				if err == nil {
					err = format.Save(ctx, files(path)[i], t, nil)
				}
				if err != nil {
					return written, err
				}
				written = append(written, files(path)[i])
			}
			return written, nil
		}})
}

// bare is a matrix as a table without names.
func bare(ctx context.Context, m matrix.Matrix32) (*dataset.Dataset, error) {
	cols := make([]dataset.Column, m.Cols)
	for j := range cols {
		cols[j] = dataset.Column{Name: "c" + strconv.Itoa(j+1), Values: column(m, j)}
	}
	return dataset.FromColumns(ctx, "matrix", cols)
}
