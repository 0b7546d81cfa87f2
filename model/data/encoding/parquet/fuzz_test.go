package parquet

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/problem"
	"blossom/model/data/encoding/frame"
)

// samples are small files of another library: every kind and encoding, packed in some way.
func samples(t testing.TB) (out [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Zstd, &parquet.Lz4Raw}
	for _, name := range []string{"truth", "int32", "uint64", "float", "decimal", "text"} {
		for i, how := range encodings[name] {
			var b bytes.Buffer
			group := parquet.Group{"x": parquet.Optional(parquet.Encoded(kinds[name].node, how))}
			w := parquet.NewWriter(&b, parquet.NewSchema("t", group), parquet.Compression(codecs[(i+len(out))%5]),
				parquet.DataPageVersion(1+i%2))
			for range 30 {
				v, _, _ := kinds[name].value(r)
				if _, err := w.WriteRows([]parquet.Row{{v.Level(0, 1, 0)}}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			out = append(out, b.Bytes())
		}
	}
	var b bytes.Buffer
	type row struct {
		Vector []float64 `parquet:"vector,list"`
		Map    map[string]int64
	}
	w := parquet.NewGenericWriter[row](&b, parquet.Compression(&parquet.Uncompressed))
	if _, err := w.Write([]row{{Vector: []float64{1, 2}}, {}, {Vector: []float64{3, 4}}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return append(out, b.Bytes())
}

var errEnough = errors.New("enough")

// anything reads all that there is in bytes of any kind, up to a million rows a column, and says what it met.
func anything(t testing.TB, b []byte) string {
	f, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), 64<<20)
	if err != nil {
		inWords(t, err)
		return err.Error()
	}
	says := ""
	f.lax = true
	for i, c := range f.Columns() {
		if c.Kind == frame.Left {
			if c.Why == "" {
				t.Fatalf("%+v is left out without a reason", c)
			}
			says += c.Why
			continue
		}
		for p, rows := range f.Pieces() {
			next := int64(0)
			err := f.Read(context.Background(), p, i, nil, func(r *frame.Run) error {
				n := r.Rows * max(1, c.Width)
				for _, has := range []int{len(r.Floats), len(r.Doubles), len(r.Whole), len(r.Texts), len(r.Codes)} {
					if has != 0 && has != n {
						t.Fatalf("%d values for %d rows of %+v", has, r.Rows, c)
					}
				}
				for k, code := range r.Codes {
					if int(code) >= len(r.Names.Texts) && (r.Missing == nil || !r.Missing[k]) {
						t.Fatalf("a code is %d of %d", code, len(r.Names.Texts))
					}
				}
				if r.Row != next || next+int64(r.Rows) > rows || r.Missing != nil && len(r.Missing) != n {
					t.Fatalf("a run of %d rows begins with %d, want %d of %d", r.Rows, r.Row, next, rows)
				}
				if next += int64(r.Rows); next > 1<<20 {
					return errEnough
				}
				return nil
			})
			if err != nil && err != errEnough && err != frame.ErrUneven {
				inWords(t, err)
				says += err.Error()
			}
			if err == nil && next != rows {
				t.Fatalf("%d rows of %d were read", next, rows)
			}
		}
	}
	return says
}

func inWords(t testing.TB, err error) {
	var p *problem.Problem
	if !errors.As(err, &p) || p.What == "" || p.Remedy == "" {
		t.Fatalf("%v is no problem in words", err)
	}
}

// Damaged files are read or refused, and take no memory that is not there.
func FuzzFile(f *testing.F) { fuzzing.Target(f, samples(f), 6000, anything) }
