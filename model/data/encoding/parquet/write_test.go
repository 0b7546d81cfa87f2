package parquet

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// Each bit of a page that is written is vouched for by its checksum: numbers, labels and their dictionary.
func TestAFlippedBitInAPageIsRefused(t *testing.T) {
	columns := []dataset.Column{{Name: "x", Values: []float32{1.5, 2.5, -7}},
		{Name: "kind", Values: []float32{0, 1, 0}, Categories: []string{"red", "blue"}}}
	ds, err := dataset.FromColumns(t.Context(), "t", columns)
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if err := Write(t.Context(), &written, ds, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	b := written.Bytes()
	if err := readAll(t, b); err != nil {
		t.Fatalf("as it was written: %v", err)
	}
	pages := 0
	for at := len(Magic); pages < 3; pages++ { // x has one, kind a dictionary and one
		head := thrift{b: b[at:]}
		p := head.page()
		if head.bad || p.sum < 0 {
			t.Fatalf("page %d has no checksum: %+v", pages, p)
		}
		from := at + head.at
		at = from + int(p.packed)
		for bit := 8 * from; bit < 8*at; bit++ {
			b[bit/8] ^= 1 << (bit % 8)
			if err := readAll(t, b); err == nil || !strings.Contains(err.Error(), "checksum") {
				t.Errorf("page %d, bit %d: %v", pages, bit-8*from, err)
			}
			b[bit/8] ^= 1 << (bit % 8)
		}
	}
}

// readAll reads all columns of a file.
func readAll(t *testing.T, b []byte) error {
	f, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), 64<<20)
	if err != nil {
		t.Fatal(err)
	}
	for piece := range f.Pieces() {
		for c := range f.Columns() {
			err := f.Read(context.Background(), piece, c, nil, func(*frame.Run) error { return nil })
			if err != nil {
				return err
			}
		}
	}
	return nil
}
