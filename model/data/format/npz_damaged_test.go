package format

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// Every byte of a stored array counts: one that is flipped anywhere in it is found, also in a sample.
func TestFlippedByte(t *testing.T) {
	numbers := npyBytes(1, "<f4", false, "(300, 2)", floats(600))
	texts := npyBytes(1, "|S2", false, "(300,)", bytes.Repeat([]byte("ab"), 300))
	for name, member := range map[string][]byte{"x.npy": numbers, "label.npy": texts} {
		for _, method := range []uint16{zip.Store, zip.Deflate} {
			whole := npzBytes(t, method, "x.npy", numbers, "label.npy", texts)
			z, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(z.File, func(f *zip.File) bool { return f.Name == name })
			start, _ := z.File[at].DataOffset()
			size := int64(z.File[at].CompressedSize64)
			for _, off := range []int64{size / 2, size - 1, size - int64(len(member))/4} {
				if off < 0 || method == zip.Store && off < 128 {
					continue
				}
				bad := bytes.Clone(whole)
				bad[start+off] ^= 4
				for _, o := range []Options{{}, {MaxPoints: 3, Sample: "random"}, {MaxPoints: 1, Sample: "first"}} {
					_, err := Open(ctx, write(t, "x.npz", bad), o)
					if err == nil {
						t.Errorf("%s (%d): byte %d of %d flipped, and read with %+v", name, method, off, size, o)
						continue
					}
					wantProblem(t, err, "x.npz", "copy it again")
				}
			}
		}
	}
}

func TestLongMember(t *testing.T) {
	array := npyBytes(1, "<f4", false, "(3, 2)", floats(6))
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		_, err := Open(ctx, write(t, "x.npz", npzBytes(t, method, "x.npy", append(bytes.Clone(array), 1))), Options{})
		wantProblem(t, err, "x.npz", `array "x"`, "longer than its header says", "copy it again")
	}
}

func ints(values ...int64) []byte {
	b := make([]byte, 8*len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint64(b[8*i:], uint64(v))
	}
	return b
}

// sparseArchive is what scipy.sparse.save_npz writes for a matrix of 3 x 4 with five stored values, two of them for one
// place.
func sparseArchive(t *testing.T, kind string, change map[string][]byte) []byte {
	members := map[string][]byte{
		"format.npy": npyBytes(1, "|S3", false, "()", []byte(kind)),
		"shape.npy":  npyBytes(1, "<i8", false, "(2,)", ints(3, 4)),
		"data.npy":   npyBytes(1, "<f4", false, "(5,)", floats(5)),
	}
	switch kind {
	case "csr": // rows 0: (3, 0), 2: (1, 1, 2)
		members["indptr.npy"] = npyBytes(1, "<i8", false, "(4,)", ints(0, 2, 2, 5))
		members["indices.npy"] = npyBytes(1, "<i8", false, "(5,)", ints(3, 0, 1, 1, 2))
	case "csc": // columns 1: (2, 0), 3: (0, 1, 1)
		members["indptr.npy"] = npyBytes(1, "<i8", false, "(5,)", ints(0, 0, 2, 2, 5))
		members["indices.npy"] = npyBytes(1, "<i8", false, "(5,)", ints(2, 0, 0, 1, 1))
	case "coo":
		members["row.npy"] = npyBytes(1, "<i8", false, "(5,)", ints(0, 0, 2, 2, 2))
		members["col.npy"] = npyBytes(1, "<i8", false, "(5,)", ints(3, 0, 1, 1, 2))
	case "dia":
		members["offsets.npy"] = npyBytes(1, "<i8", false, "(1,)", ints(0))
	}
	var all []any
	for name, b := range members {
		if b, ok := change[name]; ok {
			all = append(all, name, b)
			continue
		}
		all = append(all, name, b)
	}
	return npzBytes(t, zip.Deflate, all...)
}

func TestSparseNPZ(t *testing.T) {
	var f [5]float32 // the values of floats(5)
	base, err := Open(ctx, write(t, "f.npy", npyBytes(1, "<f4", false, "(5,)", floats(5))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	copy(f[:], base.Columns[0].Values)
	byRows := [][]float32{{f[1], 0, 0}, {0, 0, f[2] + f[3]}, {0, 0, f[4]}, {f[0], 0, 0}}
	for kind, want := range map[string][][]float32{"csr": byRows, "coo": byRows,
		"csc": {{0, 0, 0}, {f[1], 0, f[0]}, {0, 0, 0}, {f[2], f[3] + f[4], 0}}} {
		path := write(t, "m.npz", sparseArchive(t, kind, nil))
		ds, err := Open(ctx, path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if ds.Points != 3 || len(ds.Columns) != 4 || !warned(ds, "sparse matrix of SciPy ("+kind+")") {
			t.Errorf("%s: %d x %d, %q", kind, ds.Points, len(ds.Columns), ds.Warnings)
		}
		for j := range want {
			if !same(ds.Columns[j].Values, want[j]) {
				t.Errorf("%s: column %d: %v, want %v", kind, j, ds.Columns[j].Values, want[j])
			}
		}
		part, err := Open(ctx, path, Options{MaxPoints: 2, Sample: "first"})
		if err != nil || part.Total != 3 || !same(part.Columns[3].Values, want[3][:2]) {
			t.Errorf("%s: a sample: %v %v", kind, part, err)
		}
		_, err = Open(ctx, path, Options{Memory: 1000})
		wantProblem(t, err, "m.npz", "memory")
	}
	bad := func(kind string, change map[string][]byte, say ...string) {
		t.Helper()
		_, err := Open(ctx, write(t, "m.npz", sparseArchive(t, kind, change)), Options{})
		wantProblem(t, err, "m.npz", say...)
	}
	bad("dia", nil, `of the kind "dia"`, "tocsr")
	shape := func(n, d int64) map[string][]byte {
		return map[string][]byte{"shape.npy": npyBytes(1, "<i8", false, "(2,)", ints(n, d))}
	}
	bad("csr", shape(3, 3), "indices make no sense")
	bad("csr", shape(9, 4), "10 are due")
	bad("csr", shape(-3, 4), "shape makes no sense")
	bad("coo", shape(1<<40, 1<<40), "1,048,576")
	bad("coo", shape(1<<30, 1000), "memory")
	for _, ptr := range [][]int64{{1, 2, 2, 5}, {0, 2, 1, 5}, {0, 2, 2, 4}, {0, 2, 2, 6}, {0, -1, 2, 5}} {
		bad("csr", map[string][]byte{"indptr.npy": npyBytes(1, "<i8", false, "(4,)", ints(ptr...))}, "make no sense")
	}
	bad("csc", map[string][]byte{"indices.npy": npyBytes(1, "<i8", false, "(5,)", ints(2, 0, 0, 3, 1))},
		"make no sense")
	bad("csc", map[string][]byte{"data.npy": npyBytes(1, "<f4", false, "(4,)", floats(4))}, "do not fit together")
	if err := errOf(Open(ctx, write(t, "m.npz", sparseArchive(t, "csr", nil)[:200]), Options{})); err == nil ||
		!strings.Contains(err.Error(), "archive") {
		t.Error(err)
	}
}

func errOf[T any](_ T, err error) error { return err }
