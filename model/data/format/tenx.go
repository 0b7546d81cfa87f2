package format

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// The matrices that Cell Ranger of 10x Genomics writes: since version 3 one of all features, before one of each genome.
func init() {
	registerH5(Format{Name: "10x", Title: "10x Genomics (HDF5)", Extensions: []string{".h5", ".hdf5"}}, h5Kind{
		name: "10x",
		is: func(root *hdf5.Object) (bool, error) {
			parts, err := tenxParts(root)
			return len(parts) > 0, err
		},
		read: readTenx,
	}, 40)
}

// tenxParts are the groups that hold a matrix.
func tenxParts(root *hdf5.Object) (parts []string, err error) {
	names, err := root.Names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		o, err := root.Child(name)
		if err != nil || !o.IsGroup() {
			continue // nothing can be read there
		}
		has, err := o.Names()
		if err != nil {
			return nil, err
		}
		if slices.Contains(has, "barcodes") && (slices.Contains(has, "features") ||
			slices.Contains(has, "gene_names")) {
			parts = append(parts, name)
		}
	}
	return parts, nil
}

func readTenx(ctx context.Context, in *h5Input, root *hdf5.Object) (*dataset.Dataset, error) {
	parts, err := tenxParts(root)
	if err != nil {
		return nil, err
	}
	if in.o.Part >= len(parts) {
		return nil, in.problem(fmt.Sprintf("choose one from 1 to %d: %s", len(parts), strings.Join(parts, ", ")),
			"holds no matrix number %d", in.o.Part+1)
	}
	if m := in.o.Reading.Matrix; m != "" && m != "X" {
		return nil, in.problem("leave --matrix out", "has no matrix %s: 10x files hold one", m)
	}
	name := parts[in.o.Part]
	if len(parts) > 1 {
		in.warn(fmt.Sprintf("the file holds %d genomes (%s): %s was read, part %d of them", len(parts),
			strings.Join(parts, ", "), name, in.o.Part+1))
	}
	o, err := h5Child(root, name)
	if err != nil {
		return nil, err
	}
	x := &tenx{in: in, o: o}
	ds, err := x.table(ctx)
	return ds, inPart(err, name)
}

// tenx is a matrix of 10x.
type tenx struct {
	in       *h5Input
	o        *hdf5.Object
	barcodes []string
	plan     h5Plan
}

func (x *tenx) table(ctx context.Context) (*dataset.Dataset, error) {
	if err := x.names(ctx); err != nil {
		return nil, err
	}
	if err := x.matrix(ctx); err != nil {
		return nil, err
	}
	p := &x.plan
	p.cols = upTo(p.matrix.cols)
	if len(p.cols) > mostMarkers && x.in.o.Reading.Matrix == "" {
		if err := x.in.unchosen(ctx, p); err != nil {
			return nil, err
		}
	} else if err := x.in.genes(p, p); err != nil {
		return nil, err
	}
	width := len(p.cols) + 1
	if p.genes != nil {
		width += len(p.genes.cols)
	}
	t := &h5Table{in: x.in}
	if err := t.pick(p.matrix.rows, width); err != nil {
		return nil, err
	}
	if err := t.matrix(ctx, p, asMarker); err != nil {
		return nil, err
	}
	t.series(textSeries(x.barcodes, len(x.barcodes)), "barcode", asIndex)
	if p.genes != nil { // last, so that one that is read later stands where it will stand again
		if err := t.matrix(ctx, p.genes, asGene); err != nil {
			return nil, err
		}
	}
	ds, err := t.finish(ctx)
	if err == nil {
		ds.Reading = x.in.o.Reading
	}
	return ds, err
}

// names reads barcodes, and names and identifiers of the features.
func (x *tenx) names(ctx context.Context) (err error) {
	if x.barcodes, err = x.texts(ctx, "barcodes"); err != nil {
		return err
	}
	names, ids, kinds := "gene_names", "genes", ""
	if features, err := h5Child(x.o, "features"); err != nil {
		return err
	} else if features != nil {
		names, ids, kinds = "features/name", "features/id", "features/feature_type"
	}
	if x.plan.names, err = x.texts(ctx, names); err != nil {
		return err
	}
	if x.plan.labels, err = x.texts(ctx, ids); err != nil {
		return err
	}
	if len(x.plan.labels) != len(x.plan.names) {
		return x.in.problem(copyAgain, "has %d names and %d identifiers", len(x.plan.names), len(x.plan.labels))
	}
	if kinds != "" {
		of, err := x.texts(ctx, kinds)
		if err != nil {
			return err
		}
		for i, kind := range of[:min(len(of), len(x.plan.names))] {
			if kind != "" && kind != "Gene Expression" {
				x.plan.names[i] += " (" + kind + ")"
			}
		}
	}
	x.in.warn(uniqueNames(x.plan.names)...)
	return nil
}

func (x *tenx) texts(ctx context.Context, path string) ([]string, error) {
	o, err := x.o.Path(path)
	if err != nil {
		return nil, h5At(err, path)
	}
	if o == nil || !o.IsDataset() {
		return nil, x.in.problem(copyAgain, "has no %s", path)
	}
	out, err := o.Texts(ctx)
	return out, h5At(err, path)
}

// matrix describes the matrix: features by barcodes by columns, which is barcodes by features by rows.
func (x *tenx) matrix(ctx context.Context) error {
	o, err := h5Child(x.o, "shape")
	if err != nil {
		return err
	}
	if o == nil || !o.IsDataset() {
		return x.in.problem(copyAgain, "has no shape")
	}
	shape, err := o.Floats(ctx)
	if err != nil {
		return h5At(err, "shape")
	}
	if len(shape) != 2 || shape[0] != float64(len(x.plan.names)) || shape[1] != float64(len(x.barcodes)) {
		return x.in.problem(copyAgain, "has %d features and %d barcodes, its shape says %v", len(x.plan.names),
			len(x.barcodes), shape)
	}
	s := &h5Sparse{name: "matrix", rows: int64(len(x.barcodes)), cols: int64(len(x.plan.names)), o: x.o}
	if err := s.open(ctx, x.in); err != nil {
		return err
	}
	x.plan.matrix = &h5Matrix{name: "matrix", rows: s.rows, cols: s.cols, sparse: s}
	return nil
}
