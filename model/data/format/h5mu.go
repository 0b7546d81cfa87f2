package format

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// The format of MuData: several annotated matrices of one experiment, each a part.
func init() {
	registerH5(Format{Name: "h5mu", Title: "MuData (h5mu)", Extensions: []string{".h5mu"}}, h5Kind{
		name: "h5mu",
		is: func(root *hdf5.Object) (bool, error) {
			mod, err := root.Child("mod")
			return err == nil && mod != nil && mod.IsGroup(), err
		},
		read: readH5MU,
	}, 50)
}

func readH5MU(ctx context.Context, in *h5Input, root *hdf5.Object) (*dataset.Dataset, error) {
	mod, err := h5Child(root, "mod")
	if err != nil {
		return nil, err
	}
	names, err := mod.Names()
	if err != nil {
		return nil, err
	}
	var parts []string
	for _, name := range names {
		o, err := h5Child(mod, name)
		if err != nil {
			return nil, err
		}
		if is, err := isAnnData(o); err == nil && is {
			parts = append(parts, name)
		}
	}
	if len(parts) == 0 {
		return nil, in.problem(copyAgain, "is MuData without a modality")
	}
	if name := in.o.Reading.Modality; name != "" {
		if in.o.Part = slices.Index(parts, name); in.o.Part < 0 {
			return nil, in.problem("choose one of "+problem.OneOf(parts...), "holds no modality %q", name)
		}
	}
	if in.o.Part >= len(parts) {
		return nil, in.problem(fmt.Sprintf("choose one from 1 to %d: %s", len(parts), strings.Join(parts, ", ")),
			"holds no modality number %d", in.o.Part+1)
	}
	if len(parts) > 1 {
		in.warn(fmt.Sprintf("the file holds %d modalities (%s): %s was read, part %d of them", len(parts),
			strings.Join(parts, ", "), parts[in.o.Part], in.o.Part+1))
	}
	in.o.Reading.Modality = parts[in.o.Part] // whoever opens it again gets the same
	o, err := h5Child(mod, parts[in.o.Part])
	if err != nil {
		return nil, err
	}
	a, err := openAnnData(ctx, in, o)
	if err != nil {
		return nil, inPart(err, "mod/"+parts[in.o.Part])
	}
	ds, err := a.table(ctx)
	if err != nil {
		return nil, inPart(err, "mod/"+parts[in.o.Part])
	}
	ds.Metadata["modality"] = parts[in.o.Part]
	return ds, nil
}
