package hdf5

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/problem"
)

// The files of testdata were written by h5py 3.7, with the oldest and the newest structures of HDF5 1.10. In the group
// "counting" each value is its own number, whichever way it is stored.
var written = []string{"old.h5", "new.h5"}

const plenty = 1 << 30

func content(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func root(t testing.TB, name string) (*File, *Object) {
	t.Helper()
	b := content(t, name)
	f, err := Open(bytes.NewReader(b), int64(len(b)), plenty)
	if err != nil {
		t.Fatal(err)
	}
	o, err := f.Root()
	if err != nil {
		t.Fatal(err)
	}
	return f, o
}

func at(t testing.TB, o *Object, path string) *Object {
	t.Helper()
	c, err := o.Path(path)
	if err != nil || c == nil {
		t.Fatalf("%s: %v, %v", path, c, err)
	}
	return c
}

func TestValuesInEveryLayoutAreTheirNumbers(t *testing.T) {
	for _, name := range written {
		_, o := root(t, name)
		g := at(t, o, "counting")
		names, err := g.Names()
		if err != nil || len(names) < 30 {
			t.Fatalf("%s: %d datasets, %v", name, len(names), err)
		}
		for _, n := range names {
			values, err := at(t, g, n).Floats(context.Background())
			if err != nil || len(values) == 0 {
				t.Errorf("%s %s: %d values, %v", name, n, len(values), err)
			}
			for i, v := range values {
				if v != float64(i) {
					t.Errorf("%s %s: value %d is %v", name, n, i, v)
					break
				}
			}
		}
	}
}

func TestSlicesAreWhatTheWholeHasThere(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range written {
		_, o := root(t, name)
		for _, n := range []string{"line-fixed", "line-all", "many-chunks", "many-fixed", "type-little-u8", "shrunk"} {
			d, err := at(t, o, "counting/"+n).Dataset()
			if err != nil {
				t.Fatal(err)
			}
			for range 50 {
				from := r.Int64N(d.Count() + 1)
				to := from + r.Int64N(d.Count()-from+1)
				raw, err := d.Slice(context.Background(), from, to)
				if err != nil {
					t.Fatalf("%s %s %d:%d: %v", name, n, from, to, err)
				}
				values, _ := d.Type.Floats(raw)
				for i, v := range values {
					if v != float64(from+int64(i)) || int64(len(values)) != to-from {
						t.Fatalf("%s %s %d:%d: value %d of %d is %v", name, n, from, to, i, len(values), v)
					}
				}
			}
			if _, err := d.Slice(context.Background(), 0, d.Count()+1); err == nil {
				t.Errorf("%s: a slice beyond the end", n)
			}
		}
	}
}

func TestTextsFillsCompoundsAndAttributes(t *testing.T) {
	for _, name := range written {
		_, o := root(t, name)
		for path, want := range map[string][]string{"fixed": {"abc", "", "defghij"}, "long": {"abc", "", "γδ"}} {
			if got, err := at(t, o, path).Texts(context.Background()); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s %s: %q, %v", name, path, got, err)
			}
		}
		fill, err := at(t, o, "filled").Floats(context.Background())
		if err != nil || fill[0] != 1 || fill[1] != 0 && fill[1] != 7.25 || fill[99] != 7.25 {
			t.Errorf("%s filled: %v, %v", name, fill, err)
		}
		d, err := at(t, o, "rows").Dataset()
		if err != nil || d.Type.Class != Compound || len(d.Type.Members) != 3 {
			t.Fatalf("%s rows: %+v, %v", name, d, err)
		}
		raw, err := d.Raw(context.Background())
		m := d.Type.Members[2]
		if err != nil || m.Name != "n" || m.Type.Number64(raw[d.Type.Size+m.At:]) != -7 {
			t.Errorf("%s rows: %+v, %v", name, m, err)
		}
		if d, err = at(t, o, "truth").Dataset(); err != nil || !d.Type.Bool() {
			t.Errorf("%s truth: %+v, %v", name, d, err)
		}
		if d, err = at(t, o, "nothing").Dataset(); err != nil || !d.Null || d.Count() != 0 {
			t.Errorf("%s nothing: %+v, %v", name, d, err)
		}
		many := at(t, o, "many")
		for i := range 12 {
			a, err := many.Attribute("a" + string(rune('0'+i%10)))
			if v, e := a.Ints(); err != nil || e != nil || i < 10 && v[0] != int64(i) {
				t.Errorf("%s attribute %d: %v, %v, %v", name, i, v, err, e)
			}
		}
		a, err := many.Attribute("points")
		if err != nil || a == nil {
			t.Fatal(err)
		}
		if to, err := a.Object(); err != nil || !to.Same(at(t, many, "name003")) {
			t.Errorf("%s: a reference leads elsewhere: %v", name, err)
		}
		if !at(t, o, "soft").Same(at(t, many, "name001")) || !at(t, many, "self/self/self").Same(many) {
			t.Errorf("%s: links lead elsewhere", name)
		}
		if names, err := many.Names(); err != nil || len(names) != 61 || names[0] != "name000" {
			t.Errorf("%s: %d names, %v", name, len(names), err)
		}
		if v, err := at(t, o, "of-named").Floats(context.Background()); err != nil || len(v) != 3 || v[2] != 2 {
			t.Errorf("%s: a committed type: %v, %v", name, v, err)
		}
	}
}

// Values in other files, links to nowhere and unknown packing are said in words.
func TestWhatIsRefusedIsNamed(t *testing.T) {
	for name, want := range map[string]string{"outside": "other file", "nowhere": "nowhere", "round": "circle",
		"scaled": "scale-offset", "virtual": "virtual", "external": "external storage"} {
		_, o := root(t, "new.h5")
		c, err := o.Path(name)
		if err == nil {
			_, err = c.Dataset()
		}
		var p *problem.Problem
		if !errors.As(err, &p) || !strings.Contains(p.Error(), want) || p.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// No product of a shape and a size may leave the numbers there are.
func TestShapesOfMoreBytesThanCanBeCountedAreRefused(t *testing.T) {
	for _, name := range written {
		_, o := root(t, name)
		g := at(t, o, "counting")
		names, err := g.Names()
		if err != nil {
			t.Fatal(err)
		}
		changed := 0
		for _, n := range names {
			o := at(t, g, n)
			d, err := o.Dataset()
			if err != nil || len(d.Shape) != 1 || d.Type.Size < 4 {
				continue
			}
			for i, m := range o.messages {
				if m.kind == messageSpace {
					b := slices.Clone(m.body)
					was := binary.LittleEndian.AppendUint64(nil, uint64(d.Shape[0]))
					binary.LittleEndian.PutUint64(b[bytes.Index(b, was):], 1<<60+2)
					o.messages[i].body = b
					changed++
				}
			}
			if _, err := o.f.dataset(o); err == nil || !strings.Contains(err.Error(), "more values") {
				t.Errorf("%s of %s: %v", n, name, err)
			}
		}
		if changed == 0 {
			t.Errorf("%s has no dataset of one dimension", name)
		}
	}
}

// everything reads all that can be reached, as far as it goes, and says what it met: a plus for each dataset that was
// read, and the errors.
func everything(f *File) string {
	o, err := f.Root()
	if err != nil {
		return err.Error()
	}
	w := &walker{f: f, seen: map[*Object]bool{}}
	w.walk(o, 0)
	return w.says.String()
}

type walker struct {
	f    *File
	seen map[*Object]bool
	says strings.Builder
}

func (w *walker) met(err error) bool {
	if err != nil && w.says.Len() < 200 {
		w.says.WriteString(err.Error())
	}
	return err != nil
}

func (w *walker) walk(o *Object, depth int) {
	if w.seen[o] || depth > 8 || len(w.seen) > 500 {
		return
	}
	w.seen[o] = true
	_, err := o.Attribute("encoding-type")
	w.met(err)
	if o.IsDataset() {
		w.read(o)
		return
	}
	names, err := o.Names()
	if w.met(err) {
		return
	}
	for _, n := range names {
		if c, err := o.Child(n); !w.met(err) && c != nil {
			w.walk(c, depth+1)
		}
	}
}

// read reads a dataset in the ways that there are.
func (w *walker) read(o *Object) {
	d, err := o.Dataset()
	if w.met(err) {
		return
	}
	raw, err := d.Raw(context.Background())
	if !w.met(err) {
		w.says.WriteString("+")
		if d.Type.IsText() {
			_, err = w.f.Texts(d.Type, raw)
		} else if d.Type.Number() {
			_, err = d.Type.Floats(raw)
		}
		w.met(err)
	}
	if len(d.Shape) == 1 {
		_, err = d.Slice(context.Background(), d.Count()/2, d.Count())
		w.met(err)
	}
}

// hurt opens damaged bytes as they are.
func hurt(b []byte, lax bool) *File {
	f := &File{r: bytes.NewReader(b), size: int64(len(b)), memory: 64 << 20, budget: 16*int64(len(b)) + 16<<20,
		objects: map[int64]*Object{}, heaps: map[int64]*collection{}, lax: lax}
	if f.superblock() != nil {
		return nil
	}
	return f
}

// readHurt reads all of damaged bytes, without heed to checksums, which most damages would end at.
func readHurt(_ testing.TB, b []byte) string {
	if f := hurt(b, true); f != nil {
		return everything(f)
	}
	return ""
}

// Damaged files are read or refused without a panic, in little time and memory.
func FuzzHDF5(f *testing.F) {
	small := [][]byte{content(f, "seed-old.h5"), content(f, "seed-new.h5")}
	for _, b := range small {
		if sound := hurt(b, false); !strings.Contains(everything(sound), "+") {
			f.Error("nothing was read of a sound file")
		}
	}
	fuzzing.Target(f, small, 400, readHurt)
}

func TestChecksums(t *testing.T) {
	// The numbers are those of Bob Jenkins' lookup3.c, hashlittle("Four score and seven years ago", 30, 0), and of
	// Wikipedia's article on Fletcher's checksum in 16-bit words, with the first byte of each the higher one.
	if got := lookup3([]byte("Four score and seven years ago")); got != 0x17770551 {
		t.Errorf("%x", got)
	}
	if got := lookup3(nil); got != 0xdeadbeef {
		t.Errorf("%x", got)
	}
	if got := fletcher32([]byte("badcfe")); got != 0x56502d2a {
		t.Errorf("%x", got)
	}
}

func TestLZF(t *testing.T) {
	u := &unpacker{}
	out, err := u.unLZF([]byte{2, 'a', 'b', 'c', 0x20, 2, 0xe0, 3, 0}, 100)
	if err != nil || string(out) != "abcabc"+strings.Repeat("c", 12) {
		t.Errorf("%q %v", out, err)
	}
	for _, bad := range [][]byte{{5, 'a'}, {0x20, 0}, {0xe0}, {0, 'a', 0x20, 9}, {0, 'a', 0xe0, 255, 0}} {
		if out, err := u.unLZF(bad, 20); err == nil {
			t.Errorf("%v became %q", bad, out)
		}
	}
}
