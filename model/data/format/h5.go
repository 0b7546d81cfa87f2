package format

import (
	"context"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// h5Kind is a kind of table in HDF5 files. They all begin alike, so what a file is of them is seen in its groups.
type h5Kind struct {
	name string
	is   func(root *hdf5.Object) (bool, error)
	read h5Reader
	// outline reads all but the values, see Format.Outline; nil: none can be read so.
	outline h5Reader
}

type h5Reader = func(ctx context.Context, in *h5Input, root *hdf5.Object) (*dataset.Dataset, error)

// h5Kinds are registered by their formats.
var h5Kinds []h5Kind

// h5Input is an HDF5 file that is being read.
type h5Input struct {
	*input
	file     *hdf5.File
	warnings []string
	unread   []dataset.Unread // columns of the matrix that are not of the table
	every    bool             // values are kept as float64 wherever float32 does not hold one
}

func (in *h5Input) warn(words ...string) { in.warnings = append(in.warnings, words...) }

// registerH5 registers a format of HDF5 files. Their first bytes do not say which, so the first extension decides which
// of them is asked, and each reads all of them.
func registerH5(f Format, k h5Kind, score int) {
	h5Kinds = append(h5Kinds, k)
	f.Parts, f.Matrices, f.Rows = true, true, true
	f.Sniff = func(head []byte, ext string) int {
		for at := 0; at+8 <= len(head); at = max(512, 2*at) {
			if string(head[at:at+8]) != hdf5.Signature {
				continue
			}
			for _, e := range f.Extensions {
				if ext == e {
					return 99
				}
			}
			return score
		}
		return 0
	}
	f.Read = reading(readH5)
	f.Outline = reading(outlineH5)
	Register(f)
}

// readH5 reads an HDF5 file of any of the kinds.
func readH5(ctx context.Context, plain *input) (*dataset.Dataset, error) {
	ds, err := readKind(ctx, plain, func(k h5Kind) h5Reader { return k.read })
	return ds, plain.named(err)
}

// outlineH5 reads all but the values of an HDF5 file of any of the kinds.
func outlineH5(ctx context.Context, plain *input) (*dataset.Dataset, error) {
	ds, err := readKind(ctx, plain, func(k h5Kind) h5Reader { return k.outline })
	return ds, plain.named(err)
}

// readKind reads a file of a kind in the way that of says.
func readKind(ctx context.Context, plain *input, of func(h5Kind) h5Reader) (*dataset.Dataset, error) {
	file, err := hdf5.Open(plain.r, plain.size, plain.o.Memory)
	if err != nil {
		return nil, err
	}
	root, err := file.Root()
	if err != nil {
		return nil, err
	}
	in := &h5Input{input: plain, file: file}
	if file.Writing {
		in.warn("another program has the file open for writing, or ended before it had closed it")
	}
	for _, k := range h5Kinds {
		is, err := k.is(root)
		if err != nil {
			return nil, err
		}
		if !is {
			continue
		}
		read := of(k)
		if read == nil {
			return nil, dataset.ErrWhole
		}
		ds, err := read(ctx, in, root)
		if err == nil {
			ds.Format = k.name
		}
		return ds, err
	}
	names, err := root.Names()
	if err != nil {
		return nil, err
	}
	what := "nothing"
	if len(names) > 0 {
		what = strings.Join(names[:min(len(names), 8)], ", ")
	}
	if len(names) > 8 {
		what += " and others"
	}
	return nil, in.problem("save it with AnnData (adata.write_h5ad), or as CSV",
		"is HDF5 but neither AnnData, 10x nor loom: it holds %.200s", what)
}

// child returns what a group has under a name and says of what is wrong where it stands.
func h5Child(o *hdf5.Object, name string) (*hdf5.Object, error) {
	c, err := o.Child(name)
	return c, h5At(err, name)
}

// h5At adds to a Problem where in the file it is.
func h5At(err error, where string) error {
	p, ok := err.(*problem.Problem)
	if !ok || where == "" {
		return err
	}
	out := *p
	out.What = where + ": " + p.What
	return &out
}

// h5Attribute returns a text of an object, "" where it has none.
func h5Attribute(o *hdf5.Object, name string) string {
	a, err := o.Attribute(name)
	if err != nil || a == nil || !a.Type.IsText() {
		return ""
	}
	text, err := a.Text()
	if err != nil {
		return ""
	}
	return text
}

// onlyPart checks that no other part than the first is asked for.
func (in *h5Input) onlyPart() error {
	if in.o.Part > 0 {
		return in.problem("leave out the number of the part", "holds one table only")
	}
	return nil
}
