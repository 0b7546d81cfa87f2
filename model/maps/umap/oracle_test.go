package umap

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"blossom/model/space/knn"
)

var header = regexp.MustCompile(`'descr': '<([fi][48])', 'fortran_order': False, 'shape': \((\d+),? ?(\d*)\)`)

// array reads the numbers of a file, and how many are in a row.
func array(t *testing.T, path string) (out []float64, cols int) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	from := 10 + int(binary.LittleEndian.Uint16(raw[8:]))
	m := header.FindSubmatch(raw[:from])
	if m == nil {
		t.Fatalf("%s: %q", path, raw[:from])
	}
	size, _ := strconv.Atoi(string(m[1][1:]))
	count := len(raw[from:]) / size
	read := map[string]any{"f4": make([]float32, count), "f8": make([]float64, count), "i4": make([]int32, count),
		"i8": make([]int64, count)}[string(m[1])]
	if err := binary.Read(bytes.NewReader(raw[from:]), binary.LittleEndian, read); err != nil {
		t.Fatal(err)
	}
	for i := range count {
		switch v := read.(type) {
		case []float32:
			out = append(out, float64(v[i]))
		case []float64:
			out = append(out, v[i])
		case []int32:
			out = append(out, float64(v[i]))
		case []int64:
			out = append(out, float64(v[i]))
		}
	}
	cols, _ = strconv.Atoi(string(m[3]))
	return out, max(1, cols)
}

// lists are the neighbours of an answer as searches give them: without the point itself.
func lists(t *testing.T, dir, k string) *knn.Lists {
	t.Helper()
	index, cols := array(t, filepath.Join(dir, "neighbours_"+k+".npy"))
	distance, _ := array(t, filepath.Join(dir, "distances_"+k+".npy"))
	l := &knn.Lists{N: len(index) / cols, K: cols - 1, Unit: 1}
	l.Index, l.Beyond = make([]int32, l.N*l.K), make([]float32, l.N*l.K)
	l.Near = make([]float64, l.N)
	for i := range l.N {
		var found []knn.Found
		for j := range cols {
			if at := i*cols + j; int(index[at]) != i {
				found = append(found, knn.Found{Index: int32(index[at]), Squared: distance[at] * distance[at]})
			}
		}
		if len(found) != l.K {
			t.Fatalf("%s: point %d has %d others", dir, i, len(found))
		}
		l.Set(i, found)
	}
	return l
}

// answers are the folders with graphs of umap-learn: those of the tree, and those beside the answers of EmbedSOM.
func answers(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob("testdata/graph/*/graph_*.npy")
	if err != nil || len(all) == 0 {
		t.Fatal("no answers in testdata", err)
	}
	if dir := os.Getenv("BLOSSOM_ORACLE"); dir != "" {
		more, _ := filepath.Glob(dir + "-umap/*/graph_*.npy")
		all = append(all, more...)
	}
	return all
}

// Graphs have the entries of umap-learn's with their weights, and its neighbourhoods.
func TestGraphsAreThoseOfUmapLearn(t *testing.T) {
	for _, path := range answers(t) {
		dir := filepath.Dir(path)
		k := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "graph_"), ".npy")
		neighbours, _ := strconv.Atoi(k)
		near := lists(t, dir, k)
		around, err := neighbourhoods(t.Context(), near, near.K)
		if err != nil {
			t.Fatal(err)
		}
		rho, _ := array(t, filepath.Join(dir, "rho_"+k+".npy"))
		sigma, _ := array(t, filepath.Join(dir, "sigma_"+k+".npy"))
		for i, h := range around {
			if math.Abs(h.Rho-rho[i]) > 1e-6*rho[i] || math.Abs(h.Sigma-sigma[i]) > 1e-4*sigma[i] {
				t.Fatalf("%s: point %d has %+v, not rho %g and sigma %g", path, i, h, rho[i], sigma[i])
			}
		}
		g, err := GraphOf(t.Context(), near, neighbours, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := g.Check(); err != nil {
			t.Fatal(err)
		}
		want, _ := array(t, path)
		compare(t, path, g, want)
	}
}

// compare takes rows of row, column and weight.
func compare(t *testing.T, path string, g *Graph, want []float64) {
	t.Helper()
	const small = 1e-30
	weights := map[[2]int]float64{}
	for at := 0; at < len(want); at += 3 {
		weights[[2]int{int(want[at]), int(want[at+1])}] = want[at+2]
	}
	for i := range g.N {
		for e := g.Start[i]; e < g.Start[i+1]; e++ {
			at := [2]int{i, int(g.Column[e])}
			w, known := weights[at]
			if !known && g.Weight[e] > small || math.Abs(w-float64(g.Weight[e])) > 2e-5 {
				t.Fatalf("%s: %v has %g, not %g", path, at, g.Weight[e], w)
			}
			delete(weights, at)
		}
	}
	for at, w := range weights {
		if w > small {
			t.Fatalf("%s: %v with %g is missing", path, at, w)
		}
	}
}

// Kernels are those of umap-learn.
func TestKernelsAreThoseOfUmapLearn(t *testing.T) {
	raw, err := os.ReadFile("testdata/ab.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Least  float64 `json:"min_dist"`
		Spread float64
		A, B   float64
	}
	if err := json.Unmarshal(raw, &all); err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	for _, c := range all {
		if k := Fit(c.Least, c.Spread); math.Abs(k.A/c.A-1) > 1e-3 || math.Abs(k.B/c.B-1) > 1e-3 {
			t.Errorf("least distance %g, spread %g: %+v, not %g and %g", c.Least, c.Spread, k, c.A, c.B)
		}
	}
}
