package format

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"blossom/model/data/dataset"
)

// The archive format of NumPy: a zip file of arrays.
func init() {
	Register(Format{
		Name: "npz", Title: "NumPy archive (NPZ)", Parts: true, Extensions: []string{".npz"},
		Sniff: func(head []byte, ext string) int {
			zipped := bytes.HasPrefix(head, []byte("PK\x03\x04"))
			switch {
			case zipped && len(head) > 30 && bytes.Contains(head[:min(len(head), 300)], []byte(".npy")):
				return 100
			case zipped && ext == ".npz":
				return 60
			case ext == ".npz":
				return 30 // to say what is wrong with it
			}
			return 0
		},
		Read:  reading(readNPZ),
		Write: writeNPZ,
		Loses: labelsLast,
	})
}

// npzEntry is one array of the archive.
type npzEntry struct {
	*npyArray
	name string
	file *zip.File
}

// mostDeflate is how much smaller deflate can make bytes at best: an entry that claims more is damaged.
const mostDeflate = 1040

// npzArrays returns the arrays of numbers, in the order of in.o.Part, and those of one dimension, which may come along.
// Arrays of other kinds are passed over.
func npzArrays(ctx context.Context, in *input, z *zip.Reader) (tables, others []npzEntry, err error) {
	for _, f := range z.File {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		name, ok := strings.CutSuffix(f.Name, ".npy")
		if !ok {
			continue
		}
		a, err := npzHeader(f)
		if err != nil {
			if _, ok := err.(badArray); ok && !strings.HasPrefix(err.Error(), "is cut") &&
				!strings.HasPrefix(err.Error(), "is damaged") {
				continue // an array of some other kind
			}
			return nil, nil, in.problem(copyAgain, "array %q cannot be read (%s)", name, reason(err))
		}
		e := npzEntry{a, name, f}
		if _, _, ok := a.matrix(); !ok {
			continue
		}
		if !a.text {
			tables = append(tables, e)
		}
		if len(a.shape) == 1 {
			others = append(others, e)
		}
	}
	if len(tables) == 0 {
		return nil, nil, in.problem("save a float32 matrix of n x d with numpy.savez", "holds no array of numbers")
	}
	slices.SortStableFunc(tables, func(a, b npzEntry) int {
		if flat := min(2, len(b.shape)) - min(2, len(a.shape)); flat != 0 {
			return flat
		}
		return int(min(1, max(-1, b.size()-a.size())))
	})
	return tables, others, nil
}

// readNPZ reads one array of the archive. Arrays of numbers are ordered: those of two dimensions from
// the largest on, then the others; in.o.Part counts in this order. One-dimensional arrays of texts,
// whole numbers or truth values with one entry per row come along as columns of their own name, and one
// of texts with one entry per column names the columns, which is the one called "columns" where there are as many rows.
func readNPZ(ctx context.Context, in *input) (*dataset.Dataset, error) {
	z, err := zip.NewReader(in.r, in.size)
	if err != nil {
		return nil, in.problem(copyAgain, "is no whole NumPy archive (%s)", reason(err))
	}
	if sp, err := findSparse(in, z); err != nil || sp != nil {
		if err != nil {
			return nil, err
		}
		return sp.read(ctx, in)
	}
	tables, others, err := npzArrays(ctx, in, z)
	if err != nil {
		return nil, err
	}
	if in.o.Part < 0 || in.o.Part >= len(tables) {
		return nil, in.problem(fmt.Sprintf("choose one from 1 to %d", len(tables)), "holds no array number %d",
			in.o.Part+1)
	}
	e := tables[in.o.Part]
	columns, total, warn, err := e.columns(ctx, in)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(columns))
	if len(tables) > 1 {
		var list []string
		for _, t := range tables[:min(len(tables), 8)] {
			list = append(list, t.name)
		}
		warn = append(warn, fmt.Sprintf("the archive holds %d arrays of numbers (%s): %q was read, part %d of them",
			len(tables), strings.Join(list, ", "), e.name, in.o.Part+1))
	}
	if len(e.shape) == 1 {
		names[0] = e.name
	} else if columns, names, err = addNPZColumns(ctx, in, e, others, columns, names, total); err != nil {
		return nil, err
	}
	warn = append(warn, uniqueNames(names)...)
	for i := range columns {
		columns[i].Name = names[i]
	}
	_, own, _ := e.matrix()
	ds, err := in.finish(ctx, columns, total, warn)
	if err != nil {
		return nil, err
	}
	for i := range ds.Columns[own:] { // arrays that came along tell of the rows, and are no dimension of them
		if c := &ds.Columns[int(own)+i]; c.Role == dataset.Marker {
			c.SetRole(dataset.Label)
			if c.Distinct(dataset.MostLabels+1) > dataset.MostLabels {
				c.Role, c.Why = dataset.Index, "an array beside the table"
			}
		}
	}
	return ds, nil
}

// npzHeader reads the header of an entry and compares what it promises with what is there.
func npzHeader(f *zip.File) (*npyArray, error) {
	size := int64(f.UncompressedSize64)
	if size < 0 || f.UncompressedSize64/mostDeflate > f.CompressedSize64 {
		return nil, badArray("is damaged: its size makes no sense")
	}
	a, err := readNPYHeader(size, func(n int64) ([]byte, error) {
		r, err := f.Open()
		if err != nil {
			return nil, err
		}
		defer r.Close()
		var b bytes.Buffer
		if _, err := io.CopyN(&b, r, n); err != nil {
			return nil, err
		}
		return b.Bytes(), nil
	})
	switch {
	case err != nil:
	case size-a.data < a.size():
		return nil, badArray("is cut: it should be longer")
	case size-a.data > a.size():
		return nil, badArray("is damaged: it is longer than its header says")
	}
	return a, err
}

// addNPZColumns adds what belongs to the rows and columns of the array e.
func addNPZColumns(ctx context.Context, in *input, e npzEntry, others []npzEntry, columns []dataset.Column,
	names []string, total int64) ([]dataset.Column, []string, error) {
	cols := int64(len(columns))
	named := false
	for _, o := range others {
		n := o.shape[0]
		switch {
		case o.text && n == cols && (n != total || o.name == npzNames) && !named:
			c, err := readTexts(ctx, in, o, nil, n)
			if err != nil {
				return nil, nil, err
			}
			for j, v := range c.Values {
				if v == v {
					names[j] = c.Categories[int(v)]
				}
			}
			named = true
		case n != total || o.file == e.file || !o.text && o.value.kind == kindFloat:
		default:
			chosen, _, err := in.rows(total, len(columns)+1)
			if err != nil {
				return nil, nil, err
			}
			var c dataset.Column
			if o.text {
				c, err = readTexts(ctx, in, o, chosen, total)
			} else {
				c, err = readNumbers(ctx, in, o)
			}
			if err != nil {
				return nil, nil, err
			}
			columns = append(columns, c)
			names = append(names, o.name)
		}
	}
	return columns, names, nil
}

// open gives what is in the entry, from the header on. Its end checks the checksum.
func (e npzEntry) open(in *input) (io.ReadCloser, error) {
	r, err := e.file.Open()
	if err != nil {
		return nil, e.problem(in, err)
	}
	return r, nil
}

func (e npzEntry) problem(in *input, err error) error {
	return in.problem(copyAgain, "array %q cannot be read (%s)", e.name, reason(err))
}

// end reads what is left of the entry, which checks its checksum, and that nothing is there that its header does
// not tell.
func (e npzEntry) end(in *input, r io.Reader) error {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return e.problem(in, err)
	}
	return nil
}

// columns reads the entry as a table of numbers.
func (e npzEntry) columns(ctx context.Context, in *input) ([]dataset.Column, int64, []string, error) {
	r, err := e.open(in)
	if err != nil {
		return nil, 0, nil, err
	}
	defer r.Close()
	columns, total, warn, err := readArray(ctx, in, e.npyArray, &streamSource{r: r, again: e.file.Open})
	if err == nil {
		err = e.end(in, r)
	}
	if err != nil {
		return nil, 0, nil, err
	}
	return columns, total, warn, nil
}

func readNumbers(ctx context.Context, in *input, e npzEntry) (dataset.Column, error) {
	columns, _, _, err := e.columns(ctx, in)
	if err != nil {
		return dataset.Column{}, err
	}
	return columns[0], nil
}

// readTexts reads an array of n texts, or the chosen ones, as labels.
func readTexts(ctx context.Context, in *input, e npzEntry, chosen []int64, n int64) (dataset.Column, error) {
	r, err := e.open(in)
	if err != nil {
		return dataset.Column{}, err
	}
	defer r.Close()
	c, err := e.texts(ctx, in, r, chosen, n)
	if err == nil {
		err = e.end(in, r)
	}
	return c, err
}

// texts reads n texts, or the chosen ones, as labels from what begins with the header of the array.
func (e *npyArray) texts(ctx context.Context, in *input, r io.Reader, chosen []int64, n int64) (dataset.Column,
	error) {
	if _, err := io.CopyN(io.Discard, r, e.data); err != nil {
		return dataset.Column{}, fileProblem(err, in.path)
	}
	set := newLabelSet()
	c := dataset.Column{}
	cell := make([]byte, e.width)
	for i := range n {
		if i&0xffff == 0 && ctx.Err() != nil {
			return dataset.Column{}, ctx.Err()
		}
		if _, err := io.ReadFull(r, cell); err != nil {
			return dataset.Column{}, fileProblem(err, in.path)
		}
		if chosen != nil {
			if len(chosen) == 0 {
				break
			}
			if chosen[0] != i {
				continue
			}
			chosen = chosen[1:]
		}
		v := nan32
		if text := e.decode(cell); len(text) > 0 {
			v = set.add(text, 1)
		}
		c.Values = append(c.Values, v)
	}
	if c.Categories = set.names; c.Categories == nil {
		c.Categories = []string{}
	}
	return c, nil
}

// decode returns the text in a cell of type 'S' (bytes) or 'U' (UTF-32), without the zeros after it.
func (a *npyArray) decode(cell []byte) []byte {
	if !strings.ContainsRune(a.descr, 'U') {
		return bytes.TrimRight(cell, "\x00")
	}
	order := binary.ByteOrder(binary.LittleEndian)
	if a.descr[0] == '>' {
		order = binary.BigEndian
	}
	var out []byte
	for ; len(cell) >= 4; cell = cell[4:] {
		letter := order.Uint32(cell)
		if letter == 0 {
			break
		}
		out = utf8.AppendRune(out, rune(min(letter, utf8.MaxRune+1)))
	}
	return out
}
