package format

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// The format of loompy: a matrix of genes by cells, with what is known of each gene and of each cell.
func init() {
	registerH5(Format{Name: "loom", Title: "Loom", Extensions: []string{".loom"}}, h5Kind{
		name: "loom",
		is: func(root *hdf5.Object) (bool, error) {
			for _, name := range []string{"matrix", "row_attrs", "col_attrs"} {
				if o, err := root.Child(name); err != nil || o == nil || o.IsDataset() != (name == "matrix") {
					return false, err
				}
			}
			return true, nil
		},
		read: readLoom,
	}, 45)
}

// Columns that name the genes and the cells, the usual ones first.
var (
	loomGenes = []string{"Gene", "GeneName", "gene_names", "var_names", "Name", "Accession"}
	loomCells = []string{"CellID", "cell_names", "obs_names", "Cell", "Barcode", "barcodes"}
)

// loom is a loom file.
type loom struct {
	in    *h5Input
	root  *hdf5.Object
	cells *h5Frame
	genes *h5Frame
	left  []string
}

func readLoom(ctx context.Context, in *h5Input, root *hdf5.Object) (*dataset.Dataset, error) {
	if err := in.onlyPart(); err != nil {
		return nil, err
	}
	x := &loom{in: in, root: root}
	p, err := x.plan(ctx)
	if err != nil {
		return nil, err
	}
	t := &h5Table{in: in}
	width := len(p.cols) + len(x.cells.order) + 1
	if p.genes != nil {
		width += len(p.genes.cols)
	}
	if err := t.pick(p.matrix.rows, width); err != nil {
		return nil, err
	}
	if err := t.matrix(ctx, p, asMarker); err != nil {
		return nil, err
	}
	if p.genes != nil {
		if err := t.matrix(ctx, p.genes, asGene); err != nil {
			return nil, err
		}
	}
	for _, name := range x.cells.order {
		s, why, err := x.cells.series(ctx, name)
		if err != nil {
			return nil, err
		}
		switch {
		case s == nil:
			x.left = append(x.left, fmt.Sprintf("%q (%s)", name, why))
		case name == x.cells.index:
			t.series(s, name, asIndex)
		default:
			t.series(s, name, asNoted)
		}
	}
	if len(x.left) > 0 {
		in.warn("columns of col_attrs that cannot be read are left out: " + strings.Join(x.left[:min(5, len(x.left))],
			", "))
	}
	ds, err := t.finish(ctx)
	if err == nil {
		ds.Reading = in.o.Reading
	}
	return ds, err
}

// plan describes the matrix and names its genes.
func (x *loom) plan(ctx context.Context) (*h5Plan, error) {
	o, err := h5Child(x.root, "matrix")
	if err != nil {
		return nil, err
	}
	d, err := o.Dataset()
	if err != nil {
		return nil, h5At(err, "matrix")
	}
	if len(d.Shape) != 2 || !d.Type.Plain() {
		return nil, x.in.problem("save it with loompy", "its matrix is no table of numbers")
	}
	if name := x.in.o.Reading.Matrix; name != "" && name != "X" {
		if o, err = x.root.Path("layers/" + strings.TrimPrefix(name, "layer:")); err != nil || o == nil {
			return nil, x.in.problem("use X, or layer:NAME of a layer that it has", "has no matrix %s", name)
		}
	} else {
		name = "X"
	}
	m, err := x.in.matrix("matrix", o)
	if err != nil {
		return nil, err
	}
	if m == nil || m.dense == nil || len(m.dense.Shape) != 2 || !slices.Equal(m.dense.Shape, d.Shape) {
		return nil, x.in.problem(copyAgain, "its layer is no table of numbers with as many genes and cells")
	}
	m.rows, m.cols, m.turned = m.cols, m.rows, true
	if x.cells, err = x.frame("col_attrs", m.rows, loomCells); err != nil {
		return nil, err
	}
	if x.genes, err = x.frame("row_attrs", m.cols, loomGenes); err != nil {
		return nil, err
	}
	p := &h5Plan{matrix: m}
	if err := x.named(ctx, p); err != nil {
		return nil, err
	}
	if p.cols = upTo(m.cols); len(p.cols) > mostMarkers && x.in.o.Reading.Matrix == "" {
		return p, x.in.unchosen(ctx, p)
	}
	return p, x.in.genes(p, p)
}

// named gives the genes their names: the first usual column that is there, else their numbers.
func (x *loom) named(ctx context.Context, p *h5Plan) (err error) {
	if x.genes.index != "" {
		if p.names, err = x.genes.names(ctx); err != nil {
			return err
		}
	}
	for i := len(p.names); int64(i) < p.matrix.cols; i++ {
		p.names = append(p.names, dataset.DefaultName(i))
	}
	x.in.warn(uniqueNames(p.names)...)
	return nil
}

// frame describes what is known of each cell or gene. The first usual name that it has is its index.
func (x *loom) frame(name string, rows int64, usual []string) (*h5Frame, error) {
	o, err := h5Child(x.root, name)
	if err != nil {
		return nil, err
	}
	f := &h5Frame{name: name, in: x.in, o: o, rows: rows}
	if f.order, err = o.Names(); err != nil {
		return nil, h5At(err, name)
	}
	for _, index := range usual {
		if slices.Contains(f.order, index) {
			f.index = index
			break
		}
	}
	return f, nil
}
