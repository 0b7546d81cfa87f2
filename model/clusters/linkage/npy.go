package linkage

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"blossom/model/base/pattern"
	"blossom/model/base/problem"
)

// The files are arrays of NumPy, version 1.0, little-endian, in C order, as SciPy reads them:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.

const magic = "\x93NUMPY"

func writeHeader(w io.Writer, descr, shape string) error {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, shape)
	pad := 63 - (10+len(dict))%64 // values begin at a multiple of 64
	length := len(dict) + pad + 1
	_, err := io.WriteString(w, magic+string([]byte{1, 0, byte(length), byte(length >> 8)})+dict+
		strings.Repeat(" ", pad)+"\n")
	return err
}

// array writes numbers, of which put makes the bytes of the i-th.
func writeArray(w io.Writer, descr, shape string, n int, put func(b []byte, i int) []byte) error {
	if err := writeHeader(w, descr, shape); err != nil {
		return err
	}
	return writeValues(w, n, put)
}

// writeValues writes what put makes of the numbers below n.
func writeValues(w io.Writer, n int, put func(b []byte, i int) []byte) error {
	b := make([]byte, 0, 1<<16)
	for i := range n {
		if b = put(b, i); len(b) > 1<<16-8 || i == n-1 {
			if _, err := w.Write(b); err != nil {
				return err
			}
			b = b[:0]
		}
	}
	return nil
}

func putFloat(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

// Write writes Z as (m-1) x 4 float64.
func (z Z) Write(w io.Writer) error {
	return writeArray(w, "<f8", fmt.Sprintf("%d, 4", len(z)/4), len(z),
		func(b []byte, i int) []byte { return putFloat(b, z[i]) })
}

// WriteTree writes the MST as (m-1) x 3 float64: rows of the table i < j, and how far they are apart.
func (l *Linkage) WriteTree(w io.Writer) error {
	return writeArray(w, "<f8", fmt.Sprintf("%d, 3", len(l.Tree)), 3*len(l.Tree), func(b []byte, i int) []byte {
		e := l.Tree[i/3]
		return putFloat(b, [...]float64{float64(l.Row(e.I)), float64(l.Row(e.J)), e.W}[i%3])
	})
}

// WriteLeaves writes the row of the table of each leaf, as m int64.
func (l *Linkage) WriteLeaves(w io.Writer) error {
	return writeArray(w, "<i8", fmt.Sprintf("%d,", l.Len()), l.Len(), func(b []byte, i int) []byte {
		return binary.LittleEndian.AppendUint64(b, uint64(l.Row(int32(i))))
	})
}

// WriteLabels writes labels as int32.
func WriteLabels(w io.Writer, labels []int32) error {
	if err := BeginLabels(w, len(labels)); err != nil {
		return err
	}
	return GoOnLabels(w, labels)
}

// BeginLabels writes what stands before the labels of so many rows, which GoOnLabels writes, some at a time.
func BeginLabels(w io.Writer, rows int) error { return writeHeader(w, "<i4", fmt.Sprintf("%d,", rows)) }

// GoOnLabels writes the labels of the next rows.
func GoOnLabels(w io.Writer, labels []int32) error {
	return writeValues(w, len(labels), func(b []byte, i int) []byte {
		return binary.LittleEndian.AppendUint32(b, uint32(labels[i]))
	})
}

var arrayHeader = pattern.Of(
	`^\{'descr': '<f8', 'fortran_order': False, 'shape': \((\d{1,10}), (\d)\), \} *\n$`)

// ReadZ reads what Write wrote, and checks that it is a hierarchy. The error is a Problem that names the file.
func ReadZ(r io.Reader, file string) (Z, error) {
	z, err := readFloats(r, file, 4, "linkage matrix")
	if err != nil {
		return nil, err
	}
	if at := Z(z).wrong(); at >= 0 {
		return nil, unread(file, "is no hierarchy: row %d is %v", at, []float64(z[4*at:4*at+4]))
	}
	return z, nil
}

// ReadTree reads what WriteTree wrote: edges between rows of the table, of which OfTree says whether they are a tree.
// The error is a Problem that names the file.
func ReadTree(r io.Reader, file string) ([]Edge, error) {
	v, err := readFloats(r, file, 3, "spanning tree")
	if err != nil {
		return nil, err
	}
	edges := make([]Edge, len(v)/3)
	for k := range edges {
		i, j, w := v[3*k], v[3*k+1], v[3*k+2]
		if !(i >= 0 && j > i && j < math.MaxInt32) || i != math.Floor(i) || j != math.Floor(j) || !(w >= 0) {
			return nil, unread(file, "is no spanning tree: row %d is %v", k, v[3*k:3*k+3])
		}
		edges[k] = Edge{int32(i), int32(j), w}
	}
	return edges, nil
}

func unread(file, format string, args ...any) error {
	return problem.New(file, "compute it again, or copy it again", format, args...)
}

// readFloats reads an array of so many columns of float64.
func readFloats(r io.Reader, file string, cols int, what string) ([]float64, error) {
	in := bufio.NewReader(r)
	head := make([]byte, 10)
	if _, err := io.ReadFull(in, head); err != nil || string(head[:6]) != magic || head[6] != 1 {
		return nil, unread(file, "is no %s: it is no array of NumPy, version 1", what)
	}
	dict := make([]byte, binary.LittleEndian.Uint16(head[8:]))
	if _, err := io.ReadFull(in, dict); err != nil {
		return nil, unread(file, "is cut within its header")
	}
	shape := arrayHeader().FindSubmatch(dict)
	if shape == nil || string(shape[2]) != strconv.Itoa(cols) {
		return nil, unread(file, "is no %s of %d columns of float64", what, cols)
	}
	rows, err := strconv.Atoi(string(shape[1]))
	if err != nil || rows >= math.MaxInt32/2 {
		return nil, unread(file, "has more rows than there can be points")
	}
	var z []float64
	chunk := make([]byte, 32<<10)
	for left := 8 * cols * rows; left > 0; { // grows with what is there, whatever the header says
		part := chunk[:min(left, len(chunk))]
		if n, err := io.ReadFull(in, part); err != nil {
			return nil, unread(file, "is cut: %d rows are there, of %d", (len(z)+n/8)/cols, rows)
		}
		left -= len(part)
		for ; len(part) > 0; part = part[8:] {
			z = append(z, math.Float64frombits(binary.LittleEndian.Uint64(part)))
		}
	}
	return z, nil
}

// wrong is the first row that cannot be one of a hierarchy; -1 where there is none.
func (z Z) wrong() int {
	m := z.Len()
	used := make([]bool, m+len(z)/4)
	last := 0.0
	for i := range len(z) / 4 {
		a, b, h, n := z[4*i], z[4*i+1], z[4*i+2], z[4*i+3]
		if !(a >= 0 && b > a && b < float64(m+i)) || a != math.Floor(a) || b != math.Floor(b) || !(h >= last) ||
			math.IsInf(h, 1) || used[int(a)] || used[int(b)] ||
			n != float64(z.size(m, int32(a))+z.size(m, int32(b))) {
			return i
		}
		used[int(a)], used[int(b)], last = true, true, h
	}
	return -1
}
