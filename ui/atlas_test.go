package ui

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// atlas is a file of single cells as programs write them: a sparse matrix of more genes than a map has columns, the
// principal components of the cells, and what they are called.
type atlas struct {
	cells, genes int
	rows, starts []int32   // rows are genes of the entries; starts, where those of a cell begin
	counts       []float32 // counts of the entries
	pca          []float32
}

const (
	atlasPCA  = 20
	atlasEach = 25 // genes that a cell has
)

// newAtlas makes cells of five kinds: in each gene 7 is counted in those of the first alone.
func newAtlas(cells int) *atlas {
	a := &atlas{cells: cells, genes: 800, starts: []int32{0}}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range cells {
		kind := i % 5
		for k := range atlasEach {
			gene := int32(k*(a.genes/atlasEach) + rng.IntN(a.genes/atlasEach))
			if gene == 7 {
				gene++
			}
			if k == 0 && kind == 0 {
				gene = 7
			}
			a.rows, a.counts = append(a.rows, gene), append(a.counts, float32(1+rng.IntN(9)))
		}
		a.starts = append(a.starts, int32(len(a.rows)))
		for k := range atlasPCA {
			x := rng.NormFloat64()
			if k == kind {
				x += 12
			}
			a.pca = append(a.pca, float32(x))
		}
	}
	return a
}

// of is the count of a gene in a cell.
func (a *atlas) of(cell, gene int) float32 {
	for k := a.starts[cell]; k < a.starts[cell+1]; k++ {
		if int(a.rows[k]) == gene {
			return a.counts[k]
		}
	}
	return 0
}

func (a *atlas) write(t *testing.T, path string) {
	t.Helper()
	array := func(of any) func(w io.Writer) error {
		return func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, of) }
	}
	root := hdf5.NewGroup()
	x := root.Group("X").Attribute("encoding-type", "csr_matrix").Attribute("encoding-version", "0.1.0")
	x.AttributeWhole("shape", int64(a.cells), int64(a.genes))
	x.Values("data", hdf5.Float32, []int64{int64(len(a.counts))}, array(a.counts))
	x.Values("indices", hdf5.Int32, []int64{int64(len(a.rows))}, array(a.rows))
	x.Values("indptr", hdf5.Int32, []int64{int64(len(a.starts))}, array(a.starts))
	for name, n := range map[string]int{"obs": a.cells, "var": a.genes} {
		of := map[string]string{"obs": "cell", "var": "GENE"}[name]
		g := root.Group(name).Attribute("encoding-type", "dataframe").Attribute("encoding-version", "0.2.0").
			Attribute("_index", "_index")
		g.AttributeTexts("column-order", nil)
		g.Texts("_index", n, func(i int) string { return fmt.Sprintf("%s%d", of, i) })
	}
	root.Group("obsm").Values("X_pca", hdf5.Float32, []int64{int64(a.cells), atlasPCA}, array(a.pca))
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := hdf5.Write(t.Context(), f, root); err != nil {
		t.Fatal(err)
	}
}

// A file of single cells that is dropped on the window becomes a map of its components; it is coloured by a gene that
// is not in the map, laid out by t-SNE, and what is named there stands in a file beside it, which is read again. With
// BLOSSOM_LONG it has 50,000 cells.
func TestSingleCellsFromTheDropToTheirLabels(t *testing.T) {
	cells := 3000
	if os.Getenv("BLOSSOM_LONG") != "" {
		cells = 50_000
	}
	of, dir := newAtlas(cells), t.TempDir()
	path, out := filepath.Join(dir, "atlas.h5ad"), filepath.Join(dir, "atlas_labels.h5ad")
	of.write(t, path)
	a, d := begin(t, 1280, 800, 1, Options{Still: true})
	d.Drop(path)
	opened(t, a, d)
	data := a.desk.Doc.Data
	if data.Points != cells || len(a.desk.Table().X.Row(0)) != atlasPCA || len(data.Unread) != of.genes {
		t.Fatalf("%d points, %d columns in the map, %d genes unread", data.Points, len(a.desk.Table().X.Row(0)),
			len(data.Unread))
	}
	coloured := colourByTyping(t, a, d, "GENE7")
	for i := range cells {
		if got, want := coloured.Values[i], of.of(i, 7); got != want {
			t.Fatalf("GENE7 of cell %d is %g, want %g", i, got, want)
		}
	}
	recipe := embedding.TSNE(2)
	uitest.Do(func() {
		a.desk.Doc.Do("Fewer units", func(s *state.State) {
			parts.Runs.Put(s, parts.Runs.Of(*s).Edit(recipe, func(c *parts.RunChoice) {
				c.Values["until"], c.Values["total"] = 60, 250
			}))
		})
		commandByID("tsne-view").Run(a)
	})
	formed(t, a, d, 250)
	if _, e := a.desk.RunningView(); e.Err() != nil {
		t.Fatal(e.Err())
	}
	d.Shoot("atlas-tsne")
	apart(t, a, cells)
	nameAndExport(t, a, d, out)
	back, err := format.Open(t.Context(), out, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at, there := back.Places()["population"]
	index := back.IndexAt()
	if !there || back.Points != cells || index < 0 {
		t.Fatalf("%d points, a column of populations: %t", back.Points, there)
	}
	labels, names := &back.Columns[at], &back.Columns[index]
	for i := range cells {
		label := ""
		if v := labels.Values[i]; v == v {
			label = labels.Categories[int(v)]
		}
		if want := i%5 == 0; (label == "marked") != want || names.Categories[int(names.Values[i])] !=
			fmt.Sprintf("cell%d", i) {
			t.Fatalf("row %d is called %q", i, label)
		}
	}
}

// colourByTyping finds a gene in the palette of commands, and returns its column once points are coloured by it.
func colourByTyping(t *testing.T, a *App, d *uitest.Driver, gene string) *dataset.Column {
	t.Helper()
	d.Keys("Ctrl+P")
	d.Type(strings.ToLower(gene))
	d.Frames(2)
	d.Shoot("atlas-palette")
	d.Keys("Enter")
	d.Wait(gene+" is read", time.Minute, func() bool { return a.desk.Look().Column == gene && a.compute.jobs.Idle() })
	at, there := a.desk.Doc.Data.Places()[gene]
	if !there {
		t.Fatalf("%s is no column", gene)
	}
	return &a.desk.Doc.Data.Columns[at]
}

// apart checks that cells of a kind lie together on the map in sight: near the middle of their own kind.
func apart(t *testing.T, a *App, cells int) {
	t.Helper()
	pos, rows := placedPoints(a)
	if len(pos) != cells {
		t.Fatalf("%d of %d cells have a place", len(pos), cells)
	}
	var middle [5][2]float64
	for i, p := range pos {
		for k := range p {
			middle[rows[i]%5][k] += 5 * p[k] / float64(cells)
		}
	}
	wrong := 0
	for i, p := range pos {
		near, best := -1, 0.0
		for k, m := range middle {
			far := (p[0]-m[0])*(p[0]-m[0]) + (p[1]-m[1])*(p[1]-m[1])
			if near < 0 || far < best {
				near, best = k, far
			}
		}
		if near != rows[i]%5 {
			wrong++
		}
	}
	if 50*wrong > cells {
		t.Errorf("%d of %d cells lie nearer to another kind", wrong, cells)
	}
}

// nameAndExport names the cells that have the gene, and writes what cells are called.
func nameAndExport(t *testing.T, a *App, d *uitest.Driver, out string) {
	t.Helper()
	tree, _, err := population.Tree{}.Add(population.Population{Name: "marked",
		Rule: &population.Limits{Of: []population.Limit{{Column: "GENE7", Low: 0.5, High: 1e6}}}})
	if err != nil {
		t.Fatal(err)
	}
	uitest.Do(func() {
		a.desk.Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	})
	opened(t, a, d)
	uitest.Do(func() { a.output.Populations(out, desk.Names{Columns: true}) })
	d.Wait("labels are written", 2*time.Minute, func() bool {
		_, err := os.Stat(out)
		return err == nil && a.compute.jobs.Idle()
	})
}
