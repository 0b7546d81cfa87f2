package hdf5

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// made writes a file of all that can be written, of n rows.
func made(n int, texts []string) *Node {
	root := NewGroup()
	root.Attribute("encoding-type", "anndata").Attribute("empty", "")
	root.AttributeTexts("list", []string{"a", "", "ü 😀", strings.Repeat("long ", 2000)})
	root.AttributeTexts("none", nil)
	root.AttributeBool("yes", true)
	root.AttributeBool("no", false)
	numbers := root.Group("numbers")
	for _, k := range []Kind{Float32, Float64, Int8, Int16, Int32, Int64} {
		numbers.Values(fmt.Sprint("of ", k), k, []int64{int64(n), 2}, func(w io.Writer) error {
			for i := range 2 * n {
				var b []byte
				switch v := int64(i%200 - 100); k {
				case Float32:
					b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)/3))
				case Float64:
					b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(v)/3))
				default:
					b = binary.LittleEndian.AppendUint64(b, uint64(v))[:k.bytes()]
				}
				if _, err := w.Write(b); err != nil {
					return err
				}
			}
			return nil
		})
	}
	root.Texts("texts", len(texts), func(i int) string { return texts[i] }).Attribute("of", "texts")
	root.Group("empty")
	root.Text("text", "one")
	return root
}

// Numbers of all kinds, texts of any length and attributes are read again as they were written, whatever their size.
func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 3, 1000} {
		texts := make([]string, 20*n)
		for i := range texts {
			texts[i] = strings.Repeat("é", rng.IntN(20))
			if rng.IntN(200) == 0 {
				texts[i] = strings.Repeat("x", rng.IntN(200_000))
			}
		}
		var b, again bytes.Buffer
		for _, to := range []*bytes.Buffer{&b, &again} {
			if err := Write(t.Context(), to, made(n, texts)); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Error("the same tree gives other bytes")
		}
		f, err := Open(bytes.NewReader(b.Bytes()), int64(b.Len()), plenty)
		if err != nil {
			t.Fatal(err)
		}
		o, err := f.Root()
		if err != nil {
			t.Fatal(err)
		}
		names, err := o.Names()
		if err != nil || len(names) != 4 {
			t.Fatalf("%v, %q", err, names)
		}
		got, err := at(t, o, "texts").Texts(t.Context())
		if err != nil || !slices.Equal(got, texts) {
			t.Errorf("%d texts: %v, %d", len(texts), err, len(got))
		}
		for _, k := range []Kind{Float32, Float64, Int8, Int16, Int32, Int64} {
			values, err := at(t, o, fmt.Sprint("numbers/of ", k)).Floats(t.Context())
			if err != nil || len(values) != 2*n {
				t.Fatalf("%d: %v, %d", k, err, len(values))
			}
			for i, v := range values {
				want := float64(i%200 - 100)
				switch k {
				case Float32:
					want = float64(float32(want) / 3)
				case Float64:
					want /= 3
				}
				if v != want {
					t.Fatalf("%d: value %d is %g, not %g", k, i, v, want)
				}
			}
		}
		if a, err := o.Attribute("list"); err != nil {
			t.Error(err)
		} else if list, err := a.Texts(); err != nil || len(list) != 4 || list[2] != "ü 😀" || len(list[3]) != 10_000 {
			t.Errorf("%v %q", err, list)
		}
		if one, err := at(t, o, "text").Texts(t.Context()); err != nil || len(one) != 1 || one[0] != "one" {
			t.Errorf("%v %q", err, one)
		}
	}
}

// failing fails after some bytes.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

var errFull = errors.New("full")

// A full disk, a stopped context and values that are not as many as they were to be are errors.
func TestWritingEndsWithTheErrorOfWhatFails(t *testing.T) {
	if err := Write(t.Context(), &failing{100_000}, made(30_000, nil)); !errors.Is(err, errFull) {
		t.Errorf("full: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Write(ctx, io.Discard, made(30, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	root := NewGroup()
	root.Values("x", Float32, []int64{3}, func(w io.Writer) error { _, err := w.Write(make([]byte, 8)); return err })
	if err := Write(t.Context(), io.Discard, root); err == nil || !strings.Contains(err.Error(), "8 bytes") {
		t.Errorf("short: %v", err)
	}
	wide := NewGroup()
	wide.AttributeTexts("names", make([]string, 5000))
	if err := Write(t.Context(), io.Discard, wide); err == nil || !strings.Contains(err.Error(), "columns") {
		t.Errorf("wide: %v", err)
	}
}
