package job

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/document/opening"
	"blossom/model/job/run"
	"blossom/model/landmarks/train"
)

// shapes are tables of many kinds, by columns: few rows, one column, constant and equal ones, holes, wide ones, many.
func shapes() map[string][][]float32 {
	rng := rand.New(rand.NewPCG(3, 5))
	out := map[string][][]float32{}
	add := func(kind string, rows, columns int, change func(column, row int, x float32) float32) {
		table := make([][]float32, columns)
		for j := range table {
			table[j] = make([]float32, rows)
			for i := range rows {
				if table[j][i] = float32(rng.NormFloat64()); change != nil {
					table[j][i] = change(j, i, table[j][i])
				}
			}
		}
		out[fmt.Sprintf("%s %d x %d", kind, rows, columns)] = table
	}
	for rows := 1; rows <= 16; rows++ {
		add("few", rows, 1+rows%4, nil)
	}
	for _, rows := range []int{33, 90, 500} {
		add("one column", rows, 1, nil)
	}
	for _, rows := range []int{600, 1000, 4100} {
		add("many", rows, 5, nil)
	}
	for _, rows := range []int{5, 700} {
		add("constant", rows, 3, func(j, _ int, x float32) float32 {
			if j == 1 {
				return 3
			}
			return x
		})
		add("equal", rows, 3, func(j, i int, _ float32) float32 { return float32((i*7 + j) % 4) })
		add("holes", 3*rows, 3, func(j, i int, x float32) float32 {
			if (i+2*j)%5 == 1 {
				return float32(math.NaN())
			}
			return x
		})
		add("of two scales", rows, 3, func(j, _ int, x float32) float32 {
			return x * float32(math.Pow10(2*j))
		})
	}
	add("wide", 40, 300, nil)
	add("wide", 300, 90, nil)
	return out
}

// A map has the same landmarks, the same bytes, whether it is opened in a window or trained by a command, whatever the
// shape of its table: both take the points in one order.
func TestAMapBeginsAlikeWithAndWithoutAWindow(t *testing.T) {
	all := shapes()
	if len(all) < 30 {
		t.Fatalf("%d shapes", len(all))
	}
	for name, table := range all {
		t.Run(name, func(t *testing.T) {
			s := run.Defaults()
			s.Machine.Engine = "reference"
			j, err := Open(t.Context(), &s, []string{csvOf(t, table)}, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			window, err := opening.Begin(t.Context(), j.Table(), s.Input.Seed, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.ForMap(t.Context(), &s); err != nil {
				t.Fatal(err)
			}
			w, err := Execute(t.Context(), j, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, code := w.Landmarks.Set, trainedInWindow(t, window, s.Input.Seed)
			set, err := window.Landmarks.WithCodebook(code)
			if err != nil {
				t.Fatal(err)
			}
			pos := laidOutInWindow(t, window.Then, set, s.Input.Seed)
			if !slices.Equal(got.Codebook.Data, code.Data) || !slices.Equal(got.Pos.Data, pos) {
				t.Errorf("%d landmarks without a window, %d with one, or other ones", got.Len(), code.Rows)
			}
		})
	}
}

// trainedInWindow is the codebook at rest of the training that a window begins with.
func trainedInWindow(t *testing.T, w *opening.Start, seed uint64) matrix.Matrix32 {
	t.Helper()
	a, _ := train.ByID(w.Algorithm)
	x, err := a.New(train.Input{X: w.Table.X, Codebook: w.Landmarks.Codebook, Pos: w.Landmarks.Pos,
		Edges: w.Landmarks.Edges, Seed: seed}, w.Values)
	if err != nil {
		t.Fatal(err)
	}
	for {
		if p, err := x.Step(t.Context(), 1000); err != nil || p.Rest {
			return x.Codebook()
		}
	}
}

// csvOf writes a table, by columns, as a file.
func csvOf(t *testing.T, table [][]float32) string {
	t.Helper()
	var text strings.Builder
	for j := range table {
		fmt.Fprintf(&text, "%sx%d", strings.Repeat(",", min(j, 1)), j+1)
	}
	for i := range table[0] {
		text.WriteByte('\n')
		for j := range table {
			if j > 0 {
				text.WriteByte(',')
			}
			text.WriteString(strconv.FormatFloat(float64(table[j][i]), 'g', -1, 32))
		}
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
