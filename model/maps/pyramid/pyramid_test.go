package pyramid

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/problem"
)

var unit = Frame{X: -1, Y: 3, Side: 2}

// scattered are n points about a frame: some beyond it, some nowhere.
func scattered(n int, seed uint64) (x, y []float32) {
	r := rand.New(rand.NewPCG(seed, 1))
	for range n {
		a, b := float32(unit.X+unit.Side/2+r.NormFloat64()*0.4), float32(unit.Y+unit.Side/2+r.NormFloat64()*0.3)
		if r.IntN(50) == 0 {
			a = float32(math.NaN())
		}
		x, y = append(x, a), append(y, b)
	}
	return x, y
}

// Counts of parts add up to those of all points, however these are split and in whatever order the parts come.
func TestCountsOfPartsAddUp(t *testing.T) {
	x, y := scattered(20_000, 7)
	all := NewCounts(unit)
	all.Add(x, y)
	for _, parts := range []int{1, 7, 16} {
		sum, r := NewCounts(unit), rand.New(rand.NewPCG(uint64(parts), 2))
		for _, part := range r.Perm(parts) {
			from, to := part*len(x)/parts, (part+1)*len(x)/parts
			c := NewCounts(unit)
			c.Add(x[from:to], y[from:to])
			sum.Merge(c.Few())
		}
		a, b := all.Few(), sum.Few()
		if !slices.Equal(a.Cells, b.Cells) || a.Outside != b.Outside || a.Nowhere != b.Nowhere {
			t.Errorf("%d parts have other counts", parts)
		}
	}
	if all.Points() != 20_000 || all.Outside == 0 || all.Nowhere == 0 || all.Inside() == 0 {
		t.Errorf("%d points: %d inside, %d outside, %d nowhere", all.Points(), all.Inside(), all.Outside, all.Nowhere)
	}
}

// A point lies in the cell that holds it: the least corner belongs to a cell, the far one to the next.
func TestPointsLieInTheirCells(t *testing.T) {
	f := Frame{X: 0, Y: 0, Side: Side}
	inf := math.Inf(1)
	for _, p := range []struct{ x, y, cell float64 }{
		{0, 0, 0}, {0.999, 0, 0}, {1, 0, 1}, {0, 1, Side}, {Side - 0.001, Side - 0.001, Side*Side - 1},
		{Side, 0, -1}, {0, Side, -1}, {-1e-9, 0, -1}, {inf, 0, -1}, {0, -inf, -1}, {math.NaN(), 0, -1}, {1e300, 0, -1},
	} {
		if got := f.cell(p.x, p.y); got != int(p.cell) {
			t.Errorf("%g, %g lies in %d, not in %g", p.x, p.y, got, p.cell)
		}
	}
}

// A frame holds all places that it is of, with a tenth of the longer side on each side of that.
func TestFramesHoldTheirLandmarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		place := rapid.Float32Range(-1e6, 1e6)
		places := rapid.SliceOfN(place, 2, 40).Draw(t, "places")
		places = places[:len(places)/2*2]
		f, ok := FrameOf(places)
		if !ok {
			t.Fatal("there is no frame")
		}
		for i := 0; i < len(places); i += 2 {
			if f.cell(float64(places[i]), float64(places[i+1])) < 0 {
				t.Fatalf("%v does not hold %v", f, places[i:i+2])
			}
		}
	})
	if f, _ := FrameOf([]float32{0, 0, 10, 5, float32(math.NaN()), 3}); f != (Frame{-1, -3.5, 12}) {
		t.Errorf("the frame is %v", f)
	}
	if f, ok := FrameOf([]float32{float32(math.NaN()), 0, float32(math.Inf(1)), 1}); ok {
		t.Errorf("nowhere has the frame %v", f)
	}
	for _, f := range []Frame{{}, {Side: -1}, {Side: math.NaN()}, {X: math.Inf(1), Side: 1}, {Side: 5e-324}} {
		if f.Sound() {
			t.Errorf("%v is sound", f)
		}
	}
}

// Cells are read as they were written; whatever is cut or changed is refused.
func TestCellsAreReadAsWritten(t *testing.T) {
	x, y := scattered(3000, 3)
	c := NewCounts(unit)
	c.Add(x, y)
	var text bytes.Buffer
	if err := c.Few().Write(&text); err != nil {
		t.Fatal(err)
	}
	read := func(b []byte) ([]Cell, error) {
		c := NewCounts(unit)
		inside, err := c.MergeFrom(bytes.NewReader(b))
		if err == nil && inside != c.Inside() {
			err = fmt.Errorf("it says %d points, and there are %d", inside, c.Inside())
		}
		return c.Few().Cells, err
	}
	cells, err := read(text.Bytes())
	if err != nil || !slices.Equal(cells, c.Few().Cells) {
		t.Errorf("%d cells were read, %v", len(cells), err)
	}
	for n := 0; n < text.Len(); n += 97 {
		if _, err := read(text.Bytes()[:n]); err == nil {
			t.Errorf("what is cut at %d is read", n)
		}
	}
	if _, err := read(append(text.Bytes(), 0)); err == nil {
		t.Error("what has more behind it is read")
	}
	rapid.Check(t, func(t *rapid.T) {
		ats := rapid.SliceOfNDistinct(rapid.Uint32Range(0, Side*Side-1), 0, 20, rapid.ID).Draw(t, "cells")
		slices.Sort(ats)
		f := &Few{}
		for _, at := range ats {
			f.Cells = append(f.Cells, Cell{at, rapid.Uint32Range(1, math.MaxUint32).Draw(t, "points")})
		}
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		if cells, err := read(b.Bytes()); err != nil || !slices.Equal(cells, f.Cells) {
			t.Fatalf("%v was read, %v", cells, err)
		}
	})
}

func FuzzMergeFrom(f *testing.F) {
	c := NewCounts(unit)
	c.Add([]float32{0, 0.1}, []float32{4, 4.5})
	var text bytes.Buffer
	if err := c.Few().Write(&text); err != nil {
		f.Fatal(err)
	}
	f.Add(text.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		c := NewCounts(unit)
		if inside, err := c.MergeFrom(bytes.NewReader(b)); err == nil && inside != c.Inside() {
			t.Errorf("it says %d points, and there are %d", inside, c.Inside())
		}
	})
}

// A number that 32 bits do not hold is kept, on disk as well.
func TestCellsHoldMoreThan32Bits(t *testing.T) {
	c := NewCounts(unit)
	for range 3 {
		c.Merge(&Few{Cells: []Cell{{At: 5*Side + 700, Points: math.MaxUint32}, {At: 9, Points: 1}}})
	}
	const want = 3 * math.MaxUint32
	if c.Of(700, 5) != want || c.Inside() != want+3 {
		t.Errorf("%d points, %d inside", c.Of(700, 5), c.Inside())
	}
	p := written(t, c)
	tile, err := p.Tile(Side, 2, 0)
	if err != nil || tile[5*TileSide+700-512] != want || p.Levels[0].Most != want {
		t.Errorf("the tile has another number, or %v", err)
	}
	r, err := p.Read(t.Context(), Span{Coarsest, 0, 0, Coarsest, Coarsest})
	if err != nil || r.Counts[43] != math.MaxInt32 || r.Counts[0] != 3 {
		t.Errorf("pictures have %d and %d, %v", r.Counts[43], r.Counts[0], err)
	}
}

// written is a pyramid of counts, on disk.
func written(t *testing.T, c *Counts) *Pyramid {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pyramid")
	if err := c.Write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every level has the points of the one below, cell by cell; a second writing has the same bytes and leaves nothing
// behind.
func TestLevelsAreSumsOfTheOneBelow(t *testing.T) {
	x, y := scattered(50_000, 5)
	c := NewCounts(unit)
	c.Add(x, y)
	p := written(t, c)
	below := func(x, y int) int64 { return int64(c.Of(x, y)) }
	for i, side := range Sides() {
		r, err := p.Read(t.Context(), Span{side, 0, 0, side, side})
		if err != nil {
			t.Fatal(err)
		}
		total, most := int64(0), int32(0)
		for i, n := range r.Counts {
			x, y := i%side, i/side
			want := below(x, y)
			if side < Side {
				want = below(2*x, 2*y) + below(2*x+1, 2*y) + below(2*x, 2*y+1) + below(2*x+1, 2*y+1)
			}
			if int64(n) != want {
				t.Fatalf("cell %d, %d of %d has %d points, not %d", x, y, side, n, want)
			}
			total, most = total+int64(n), max(most, n)
		}
		if total != p.Inside || uint64(most) != p.Levels[i].Most {
			t.Errorf("level %d has %d points, %d at most; %d are inside, %d", side, total, most, p.Inside,
				p.Levels[i].Most)
		}
		below = func(x, y int) int64 { return int64(r.Counts[y*side+x]) }
	}
	before := files(t, p.folder)
	if err := c.Write(t.Context(), p.folder); err != nil {
		t.Fatal(err)
	}
	if after := files(t, p.folder); after != before {
		t.Error("written again, it has other bytes")
	}
	if names, _ := os.ReadDir(filepath.Dir(p.folder)); len(names) != 1 {
		t.Errorf("%v were left behind", names)
	}
}

// files are the names and the bytes of all files of a folder.
func files(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.WriteString(path + "\n" + string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// A region is the counts of its cells, whichever tiles it reaches into, on the level whose cells are just large enough.
func TestRegionsAreOfTheLevelThatSuits(t *testing.T) {
	x, y := scattered(30_000, 9)
	c := NewCounts(unit)
	c.Add(x, y)
	p := written(t, c)
	cell := unit.Side / Side
	for _, q := range []struct {
		least float64
		side  int
	}{{0, Side}, {cell, Side}, {1.01 * cell, 2048}, {4 * cell, 1024}, {1, Coarsest}} {
		if s := unit.Of([2]float64{-5, -5}, [2]float64{9, 9}, q.least); s != (Span{q.side, 0, 0, q.side, q.side}) {
			t.Errorf("cells of %g units: %v", q.least, s)
		}
	}
	s := unit.Of([2]float64{-0.3, 3.7}, [2]float64{0.4, 4.2}, 0)
	r, err := p.Read(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range r.Counts {
		if x, y := r.X+i%r.Cols, r.Y+i/r.Cols; uint64(n) != c.Of(x, y) {
			t.Fatalf("cell %d, %d has %d points, not %d", x, y, n, c.Of(x, y))
		}
	}
	if s := unit.Of([2]float64{7, 7}, [2]float64{8, 8}, 0); s.Cols*s.Rows != 0 {
		t.Errorf("a box outside has %v", s)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Read(ctx, s); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A pyramid that is damaged, cut or of another program is refused in one line that names the file.
func TestDamagedPyramidsAreNamed(t *testing.T) {
	c := NewCounts(unit)
	c.Add([]float32{0}, []float32{4})
	p := written(t, c)
	all := Span{Coarsest, 0, 0, Coarsest, Coarsest}
	tile := tilePath(p.folder, Coarsest, "00-00")
	text, err := os.ReadFile(tile)
	if err != nil {
		t.Fatal(err)
	}
	said := func(err error, name string) {
		t.Helper()
		if err == nil {
			t.Fatalf("nothing was wrong with %s", name)
		}
		if s := problem.As(err).Error(); !strings.Contains(s, name) || strings.Contains(s, "\n") {
			t.Errorf("%s: %q", name, s)
		}
	}
	changed := slices.Clone(text)
	changed[len(changed)-6] ^= 1
	for _, b := range [][]byte{nil, text[:len(text)/2], changed} {
		if err := os.WriteFile(tile, b, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := p.Read(t.Context(), all)
		said(err, "00-00.npy.gz")
	}
	os.Remove(tile)
	_, err = p.Read(t.Context(), all)
	said(err, "00-00.npy.gz")
	for _, head := range []string{"", "{}", `{"format":"blossom pyramid","version":2}`,
		`{"format":"blossom pyramid","version":1,"frame":{"x":0,"y":0,"side":0}}`} {
		if err := os.WriteFile(filepath.Join(p.folder, HeadFile), []byte(head), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Open(p.folder)
		said(err, HeadFile)
	}
}
