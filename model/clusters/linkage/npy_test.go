package linkage

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/bounded/fuzzing"
)

func written(t testing.TB, z Z) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := z.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestZFiles(t *testing.T) {
	l, _ := cluster(t, cloud(300, 3, 2), Options{})
	for _, z := range []Z{l.Z, {}, {0, 1, 0.5, 2}} {
		got, err := ReadZ(bytes.NewReader(written(t, z)), "z.npy")
		if err != nil || !slices.Equal(got, z) {
			t.Errorf("%v %v", got, err)
		}
	}
	whole := written(t, l.Z)
	for _, c := range []struct {
		b    []byte
		want string
	}{
		{nil, "no array of NumPy"},
		{whole[:40], "cut within its header"},
		{whole[:len(whole)-1], "298 rows are there, of 299"},
		{bytes.Replace(whole, []byte("<f8"), []byte("<f4"), 1), "4 columns of float64"},
		{written(t, Z{0, 1, math.NaN(), 2}), "row 0"},
		{written(t, Z{0, 1, 1, 2, 0, 3, 2, 3}), "row 1"},
		{written(t, Z{0, 1, 1, 2, 2, 3, 0.5, 3}), "row 1"},
		{written(t, Z{0, 1, 1, 3}), "row 0"},
	} {
		if _, err := ReadZ(bytes.NewReader(c.b), "z.npy"); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "z.npy: ") {
			t.Errorf("%q: %v", c.want, err)
		}
	}
}

// The files are those of the exact answers, byte for byte.
func TestZBytes(t *testing.T) {
	for _, a := range answered(t) {
		metric, _ := ParseMetric(a.Metric)
		l, _ := cluster(t, a.x, Options{Metric: metric})
		want, err := os.ReadFile(filepath.Join(a.dir, "Z.npy"))
		if err != nil || !bytes.Equal(written(t, l.Z), want) {
			t.Errorf("%s: the file differs: %v", a.dir, err)
		}
	}
}

// Whatever is read back can be cut.
func FuzzReadZ(f *testing.F) {
	l, _ := cluster(f, cloud(40, 2, 2), Options{})
	sound := [][]byte{written(f, l.Z), written(f, Z{}), written(f, Z{0, 1, 0, 2, 2, 3, 0, 3})}
	fuzzing.Target(f, sound, 3000, func(t testing.TB, b []byte) string {
		k, h := len(b)%60, float64(len(b)%7)/4
		z, err := ReadZ(bytes.NewReader(b), "z.npy")
		if err != nil {
			return err.Error()
		}
		m := z.Len()
		for _, cut := range []func() (*Cut, error){
			func() (*Cut, error) { return z.CutNumber(m, k) },
			func() (*Cut, error) { return z.CutDistance(m, h) },
			func() (*Cut, error) { return z.CutSize(m, k) },
		} {
			c, err := cut()
			if err != nil {
				continue
			}
			for _, label := range c.Labels {
				if label < Noise || int(label) >= c.Clusters {
					t.Fatalf("label %d of %d clusters", label, c.Clusters)
				}
			}
		}
		if again, err := ReadZ(bytes.NewReader(written(t, z)), ""); err != nil || !slices.Equal(again, z) {
			t.Fatal("it is written differently")
		}
		return "read"
	})
}

// Trees are read back as they were, and what is none is refused.
func TestTreeFiles(t *testing.T) {
	l, _ := cluster(t, cloud(200, 3, 5), Options{})
	var b bytes.Buffer
	if err := l.WriteTree(&b); err != nil {
		t.Fatal(err)
	}
	edges, err := ReadTree(bytes.NewReader(b.Bytes()), "t.npy")
	if err != nil || !slices.Equal(edges, l.Tree) {
		t.Fatal(err)
	}
	again, err := OfTree(200, 200, edges)
	if err != nil || !slices.Equal(again.Z, l.Z) || again.Sum() != l.Sum() || again.Leaves != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rows, leaves int
		edges        []Edge
		want         string
	}{
		{3, 3, []Edge{{0, 1, 1}}, "does not span 3 of 3"},
		{3, 4, []Edge{{0, 1, 1}, {1, 2, 1}, {0, 2, 1}}, "does not span 4 of 3"},
		{3, 3, []Edge{{0, 1, 1}, {0, 3, 2}}, "edge 2"},
		{3, 3, []Edge{{1, 0, 1}, {0, 2, 2}}, "edge 1"},
		{3, 3, []Edge{{0, 1, 2}, {0, 2, 1}}, "edge 2"},
		{3, 3, []Edge{{0, 1, math.NaN()}, {0, 2, 1}}, "edge 1"},
		{4, 4, []Edge{{0, 1, 1}, {0, 2, 1}, {1, 2, 1}}, "closes a ring"},
		{5, 4, []Edge{{0, 1, 1}, {0, 2, 1}, {1, 2, 1}}, "has 3 points"},
	} {
		if _, err := OfTree(c.rows, c.leaves, c.edges); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.edges, err)
		}
	}
	other := *l
	other.Tree = slices.Clone(l.Tree)
	other.Tree[7].W *= 1.0000001
	if other.Sum() == l.Sum() {
		t.Error("another tree has the same sum")
	}
}

func FuzzReadTree(f *testing.F) {
	l := &Linkage{Rows: 4, Leaves: []int32{0, 1, 3}, Tree: []Edge{{0, 1, 1}, {1, 2, 2}}}
	var b bytes.Buffer
	if err := l.WriteTree(&b); err != nil {
		f.Fatal(err)
	}
	fuzzing.Target(f, [][]byte{b.Bytes()}, 3000, func(t testing.TB, text []byte) string {
		rows, leaves := 3+len(text)%3, 2+len(text)%2
		edges, err := ReadTree(bytes.NewReader(text), "t.npy")
		if err != nil {
			return err.Error()
		}
		l, err := OfTree(rows, leaves, edges)
		if err == nil && leaves > 1 && (l.Len() != leaves || len(l.Z) != 4*(leaves-1) || l.Z.wrong() >= 0) {
			t.Fatalf("%d leaves of %v", leaves, l.Z)
		}
		return "read"
	})
}
