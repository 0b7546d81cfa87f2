package format

import (
	"context"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// The format of AnnData, in which single-cell data are exchanged.
func init() {
	registerH5(Format{Name: "h5ad", Title: "AnnData (h5ad)", Extensions: []string{".h5ad"},
		Write: writeH5AD, Index: HasIndex, Loses: h5Loses, Lacks: h5Lacks}, h5Kind{
		name: "h5ad",
		is: func(root *hdf5.Object) (bool, error) {
			names, err := root.Names()
			if err != nil {
				return false, err
			}
			has := map[string]bool{}
			for _, name := range names {
				has[name] = true
			}
			return !has["mod"] && (has["obs"] || has["var"]) && (has["obs"] && has["var"] || has["X"]), nil
		},
		read: func(ctx context.Context, in *h5Input, root *hdf5.Object) (*dataset.Dataset, error) {
			if err := in.onlyPart(); err != nil {
				return nil, err
			}
			a, err := openAnnData(ctx, in, root)
			if err != nil {
				return nil, err
			}
			return a.table(ctx)
		},
		outline: func(ctx context.Context, in *h5Input, root *hdf5.Object) (*dataset.Dataset, error) {
			if in.onlyPart() != nil {
				return nil, dataset.ErrWhole
			}
			a, err := openAnnData(ctx, in, root)
			if err != nil {
				return nil, err
			}
			return a.outline(ctx)
		},
	}, 90)
}
