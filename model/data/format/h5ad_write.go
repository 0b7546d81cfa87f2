package format

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// writeH5AD writes AnnData as version 0.8 and later do: what was measured is X, cells by columns, float32, or float64
// where one of the columns has such; labels and what else is known of each point are obs, whose index is the column
// that names the points, else their numbers from 0; coordinates are obsm/X_NAME. The same table gives the same bytes.
func writeH5AD(ctx context.Context, w io.Writer, ds *dataset.Dataset, progress func(done, total int64)) error {
	root := hdf5.NewGroup()
	h5Encoded(root, "anndata", "0.1.0")
	a := annOut{ds: ds, progress: progress}
	a.sort()
	if len(a.measured) > 0 {
		a.matrix(root, "X", a.measured)
	}
	a.obs(root)
	a.vars(root)
	obsm := h5Dict(root, "obsm")
	for _, m := range a.maps {
		a.matrix(obsm, "X_"+h5Name(m.Name), m.Columns)
	}
	a.uns(h5Dict(root, "uns"))
	for _, name := range []string{"layers", "obsp", "varm", "varp"} {
		h5Dict(root, name)
	}
	return hdf5.Write(ctx, w, root)
}

// annOut is a table on its way into AnnData: which of its columns go where.
type annOut struct {
	ds       *dataset.Dataset
	index    int // -1: none names the points
	measured []int
	noted    []int
	maps     []dataset.Places // obsm
	progress func(done, total int64)
}

// sort sorts the columns.
func (a *annOut) sort() {
	a.maps, a.index = a.ds.Maps(), a.ds.IndexAt()
	if own := a.embedding(); len(own.Columns) > 0 {
		a.maps = append(a.maps, own)
	}
	for i := range a.ds.Columns {
		placed := slices.ContainsFunc(a.maps, func(p dataset.Places) bool { return slices.Contains(p.Columns, i) })
		switch {
		case placed, i == a.index:
		case a.isMeasured(i) && !a.ds.Columns[i].Aside: // a column that colours alone
			a.measured = append(a.measured, i)
		default:
			a.noted = append(a.noted, i)
		}
	}
}

// embedding is the matrix of the table where it is one of obsm, which is no X: it goes back there.
func (a *annOut) embedding() (own dataset.Places) {
	name, is := strings.CutPrefix(a.ds.Metadata[matrixKey], "obsm:")
	if !is {
		return own
	}
	own.Name = dataset.MapName(name)
	for i := range a.ds.Columns {
		number, of := strings.CutPrefix(a.ds.Columns[i].Name, own.Name)
		if _, err := strconv.ParseUint(number, 10, 32); of && err == nil && a.isMeasured(i) {
			own.Columns = append(own.Columns, i)
		}
	}
	return own
}

// isMeasured says whether a column is one of X: numbers of the file itself that an instrument gave.
func (a *annOut) isMeasured(i int) bool {
	c := &a.ds.Columns[i]
	switch c.Role {
	case dataset.Marker, dataset.Scatter, dataset.Time, dataset.Viability, dataset.Unlabelled, dataset.Ignored:
		return c.Categories == nil && !c.Noted && c.Provenance == dataset.File && a.ds.JoinedFrom(i) == nil
	}
	return false
}

// h5Encoded says how AnnData is to read an object.
func h5Encoded(n *hdf5.Node, kind, version string) *hdf5.Node {
	return n.Attribute("encoding-type", kind).Attribute("encoding-version", version)
}

// h5Dict adds a group of objects by names.
func h5Dict(g *hdf5.Node, name string) *hdf5.Node { return h5Encoded(g.Group(name), "dict", "0.1.0") }

// h5Texts adds a list of texts.
func h5Texts(g *hdf5.Node, name string, n int, text func(i int) string) {
	h5Encoded(g.Texts(name, n, text), "string-array", "0.2.0")
}

// h5List adds a list of texts that is there.
func h5List(g *hdf5.Node, name string, of []string) {
	h5Texts(g, name, len(of), func(i int) string { return of[i] })
}

// h5Numbers adds n numbers, which put appends to b from one to another.
func h5Numbers(g *hdf5.Node, name string, of hdf5.Kind, n int, put func(b []byte, from, to int) []byte) {
	h5Encoded(g.Values(name, of, []int64{int64(n)}, func(w io.Writer) error {
		const step = 1 << 15
		var b []byte
		for from := 0; from < n; from += step {
			b = put(b[:0], from, min(n, from+step))
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
		return nil
	}), "array", "0.2.0")
}

// matrix adds columns as a matrix of points by columns.
func (a *annOut) matrix(g *hdf5.Node, name string, columns []int) {
	kind, width, d := hdf5.Float32, 4, len(columns)
	for _, c := range columns {
		if a.ds.Columns[c].Exact != nil {
			kind, width = hdf5.Float64, 8
		}
	}
	n := a.ds.Points
	h5Encoded(g.Values(name, kind, []int64{int64(n), int64(d)}, func(w io.Writer) error {
		rows := max(1, blockSize/(width*d))
		b := make([]byte, min(rows, n)*width*d)
		for from := 0; from < n; from += rows {
			to := min(n, from+rows)
			for j, c := range columns {
				column, at := &a.ds.Columns[c], width*j
				for i := from; i < to; i++ {
					if width == 8 {
						binary.LittleEndian.PutUint64(b[at:], math.Float64bits(column.At(i)))
					} else {
						binary.LittleEndian.PutUint32(b[at:], math.Float32bits(column.Values[i]))
					}
					at += width * d
				}
			}
			if _, err := w.Write(b[:(to-from)*width*d]); err != nil {
				return err
			}
			a.progress(int64(to), int64(n))
		}
		return nil
	}), "array", "0.2.0")
}

// obs adds what is known of each point.
func (a *annOut) obs(root *hdf5.Node) {
	name, text := "_index", func(i int) string { return strconv.Itoa(i) }
	if a.index >= 0 {
		c := &a.ds.Columns[a.index]
		if text = textOf(c); c.Name != "index" {
			name = c.Name
		}
	}
	taken := []string{h5Name(name)}
	g := newFrame(root, "obs", taken[0])
	h5Texts(g, taken[0], a.ds.Points, text)
	for _, i := range a.noted {
		c := &a.ds.Columns[i]
		to := free(taken, h5Name(c.Name))
		taken = append(taken, to)
		switch {
		case c.Categories != nil && c.Role == dataset.Index:
			h5Texts(g, to, a.ds.Points, textOf(c))
		case c.Categories != nil:
			h5Categorical(g, to, c)
		default:
			plainNumbers(g, to, c)
		}
	}
	g.AttributeTexts("column-order", taken[1:])
}

// newFrame adds a data frame with the name of its index.
func newFrame(root *hdf5.Node, name, index string) *hdf5.Node {
	return h5Encoded(root.Group(name), "dataframe", "0.2.0").Attribute("_index", index)
}

// vars adds what is known of the columns of X: their names, and what people call them.
func (a *annOut) vars(root *hdf5.Node) {
	g := newFrame(root, "var", "_index")
	said := false
	h5Texts(g, "_index", len(a.measured), func(i int) string { return a.ds.Columns[a.measured[i]].Name })
	for _, i := range a.measured {
		said = said || a.ds.Columns[i].Label != ""
	}
	if !said {
		g.AttributeTexts("column-order", nil)
		return
	}
	h5Texts(g, "marker", len(a.measured), func(i int) string { return a.ds.Columns[a.measured[i]].Short() })
	g.AttributeTexts("column-order", []string{"marker"})
}

// textOf is each value of a column as a text, "" where it is missing.
func textOf(c *dataset.Column) func(i int) string {
	return func(i int) string {
		switch v := c.At(i); {
		case v != v, c.Categories != nil && (v < 0 || int(v) >= len(c.Categories)):
			return ""
		case c.Categories != nil:
			return c.Categories[int(v)]
		default:
			return strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
}

// h5Categorical adds a column of labels.
func h5Categorical(g *hdf5.Node, name string, c *dataset.Column) {
	of := h5Encoded(g.Group(name), "categorical", "0.2.0")
	of.AttributeBool("ordered", false)
	kind, width := hdf5.Int32, 4
	switch n := len(c.Categories); {
	case n <= math.MaxInt8:
		kind, width = hdf5.Int8, 1
	case n <= math.MaxInt16:
		kind, width = hdf5.Int16, 2
	}
	h5Numbers(of, "codes", kind, len(c.Values), func(b []byte, from, to int) []byte {
		for _, v := range c.Values[from:to] {
			code := int32(-1)
			if v >= 0 && int(v) < len(c.Categories) {
				code = int32(v)
			}
			b = binary.LittleEndian.AppendUint32(b, uint32(code))
			b = b[:len(b)-4+width]
		}
		return b
	})
	h5List(of, "categories", c.Categories)
}

// plainNumbers adds a column of numbers: whole ones where they number something.
func plainNumbers(g *hdf5.Node, name string, c *dataset.Column) {
	n := len(c.Values)
	counts := c.Role == dataset.Label || c.Role == dataset.Index
	for i := 0; i < n && counts; i++ {
		v := c.At(i)
		counts = v == math.Trunc(v) && math.Abs(v) < 1<<53
	}
	switch {
	case counts:
		h5Numbers(g, name, hdf5.Int64, n, func(b []byte, from, to int) []byte {
			for i := from; i < to; i++ {
				b = binary.LittleEndian.AppendUint64(b, uint64(int64(c.At(i))))
			}
			return b
		})
	case c.Exact != nil:
		h5Numbers(g, name, hdf5.Float64, n, func(b []byte, from, to int) []byte {
			for i := from; i < to; i++ {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(c.At(i)))
			}
			return b
		})
	default:
		h5Numbers(g, name, hdf5.Float32, n, func(b []byte, from, to int) []byte {
			for _, v := range c.Values[from:to] {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
			return b
		})
	}
}

// uns adds colours of labels, keywords, the matrix of spillover, and a dataset.Note.
func (a *annOut) uns(g *hdf5.Node) {
	for _, i := range a.noted {
		c := &a.ds.Columns[i]
		if c.Own == "" || c.Categories == nil {
			continue
		}
		h5Texts(g, h5Name(c.Name)+coloursOf, len(c.Categories), func(k int) string {
			return cmp.Or(c.OwnText(k), "#808080") // each category has one there
		})
	}
	if s := a.ds.Spillover; s != nil {
		of, n := h5Dict(g, spilloverKey), len(s.Names)
		h5List(of, "names", s.Names)
		h5Encoded(of.Values("matrix", hdf5.Float64, []int64{int64(n), int64(n)}, func(w io.Writer) error {
			return binary.Write(w, binary.LittleEndian, slices.Concat(s.M...))
		}), "array", "0.2.0")
	}
	note := dataset.NoteOf(a.ds).WithoutLabels()
	note.Spillover = nil // it is there for all to read
	if text := note.Text(); text != "" {
		h5Encoded(g.Text(noteKey, text), "string", "0.2.0")
	}
	if len(a.ds.Metadata) == 0 {
		return
	}
	said, taken := h5Dict(g, "keywords"), []string(nil)
	for _, k := range slices.Sorted(maps.Keys(a.ds.Metadata)) {
		name := free(taken, h5Name(k))
		taken = append(taken, name)
		h5Encoded(said.Text(name, a.ds.Metadata[k]), "string", "0.2.0")
	}
}

// h5Name is a name of an object in an HDF5 file, where slashes part a path and a dot stands for the group itself.
func h5Name(name string) string {
	name = strings.ReplaceAll(strings.ReplaceAll(name, "/", "_"), "\x00", "_")
	if name == "" || name == "." {
		return "_"
	}
	return name
}

// free is a name that none has yet.
func free(taken []string, name string) string {
	out := name
	for i := 2; slices.Contains(taken, out); i++ {
		out = fmt.Sprintf("%s (%d)", name, i)
	}
	return out
}

// h5Lacks says that nothing of a table is a matrix of measurements or of places, one of which is read of an h5ad file.
func h5Lacks(ds *dataset.Dataset) string {
	a := annOut{ds: ds}
	a.sort()
	if len(a.measured) > 0 || len(a.maps) > 0 {
		return ""
	}
	return "no column holds what was measured, and none a place on a map, as .h5ad needs"
}

// h5Loses says what an h5ad file does not hold.
func h5Loses(ds *dataset.Dataset) (said []string) {
	a := annOut{ds: ds}
	a.sort()
	for _, i := range a.noted {
		if name := ds.Columns[i].Name; h5Name(name) != name && len(said) < mostNotes {
			said = append(said, fmt.Sprintf("column %q is called %q, as slashes part paths in the file",
				shortLabel(name), shortLabel(h5Name(name))))
		}
	}
	return append(said, matricesLost(ds)...)
}

// besides says which matrices of the table's file it is not of: they are in that file alone.
func besides(ds *dataset.Dataset) (said []string) {
	var names []string
	for _, m := range ds.Matrices {
		if coordinates := strings.HasPrefix(m.Name, "obsm:") && m.Columns <= 3; !m.Taken && !coordinates {
			names = append(names, fmt.Sprintf("%s (%d x %d)", m.Name, m.Rows, m.Columns))
		}
	}
	if len(names) > 0 {
		said = append(said, "not carried over from "+ds.Name+": "+strings.Join(names, ", ")+
			": join both files by the names of the points")
	}
	return said
}

// matricesLost says that a file has one matrix of spillover, where the table has several.
func matricesLost(ds *dataset.Dataset) (said []string) {
	if ds.Spillovers != nil {
		said = append(said, "the matrices of spillover of several files are left out: a file of each input has its "+
			"own (--split)")
	}
	return append(said, besides(ds)...)
}
