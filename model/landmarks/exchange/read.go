package exchange

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/landmarks/landmark"
)

// Content is what files say of landmarks.
type Content struct {
	Files    []string
	Codebook matrix.Matrix32 // g x columns, as in the file
	Pos      matrix.Matrix32 // g x 2 or 3
	Columns  []string        // names of the codebook's columns; nil: the file has none
	Labels   []string        // labels by which landmarks belong together, or nil
	Names    []string        // names of landmarks, or nil
	Pinned   []bool          // or nil
	Trained  *landmark.File  // a landmark file: it knows how points come into its space; else nil
	Said     []string        // decisions, in words
}

const both = "choose the codebook and the positions together, or a table that has both: columns named x and y, or " +
	"position1 and position2"

// Open reads landmarks from one file, or from two: the codebook and the positions. Where one of a pair is given by a
// name that such pairs have, the other is taken from beside it. The error is ctx's or a Problem.
func Open(ctx context.Context, paths ...string) (*Content, error) {
	switch len(paths) {
	case 1:
	case 2:
		return pair(ctx, paths[0], paths[1], nil)
	default:
		return nil, problem.New("", both, "landmarks come in one file or two, not in %d", len(paths))
	}
	path := paths[0]
	if isLandmarkFile(path) {
		return trained(path)
	}
	t, err := table(ctx, path)
	if err != nil {
		return nil, err
	}
	c := &Content{Files: paths}
	places := placesIn(t)
	if len(places) == 0 {
		if other := partner(path); other != "" {
			return pair(ctx, path, other, []string{"the other half was found beside it: " + filepath.Base(other)})
		}
		return nil, problem.New(path, both, "it has no positions of landmarks on the map")
	}
	c.Said = append(c.Said, fmt.Sprintf("%s are the places on the map", listed(names(t, places))))
	var code []int
	for i := range t.Columns {
		col := &t.Columns[i]
		name := strings.ToLower(strings.TrimSpace(col.Name))
		switch {
		case slices.Contains(places, i):
		case name == "name" || name == "landmark" && col.Categories != nil:
			c.Names = texts(col)
		case name == "pinned":
			c.Pinned = make([]bool, t.Points)
			for r := range c.Pinned {
				c.Pinned[r] = col.Values[r] == 1
			}
		case col.Categories != nil:
			c.Said = append(c.Said, fmt.Sprintf("%q holds texts and was left out", col.Name))
		default:
			code = append(code, i)
		}
	}
	if len(code) == 0 {
		return nil, problem.New(path, both, "it has places of landmarks and no codebook")
	}
	c.Codebook, c.Pos = t.Matrix(code), t.Matrix(places)
	c.name(t, code)
	return c, c.check(path)
}

// pair reads the codebook and the positions from two files, in any order.
func pair(ctx context.Context, a, b string, said []string) (*Content, error) {
	for _, p := range []string{a, b} {
		if isLandmarkFile(p) {
			return nil, problem.New(p, "open it by itself", "it holds codebook and positions already")
		}
	}
	ta, err := table(ctx, a)
	if err != nil {
		return nil, err
	}
	tb, err := table(ctx, b)
	if err != nil {
		return nil, err
	}
	flat := func(t *dataset.Dataset) bool { return len(t.Columns) == 2 || len(t.Columns) == 3 }
	code, pos, cp, pp := ta, tb, a, b
	switch {
	case !flat(ta) && !flat(tb):
		return nil, problem.New(a, both, "neither it nor %s has 2 or 3 columns, as positions have", filepath.Base(b))
	case flat(ta) && (!flat(tb) || isPlaces(a) && !isPlaces(b)):
		code, pos, cp, pp = tb, ta, b, a
	}
	if code.Points != pos.Points {
		return nil, problem.New(pp, "give one position for each landmark", "it has %d rows, and %s has %d", pos.Points,
			filepath.Base(cp), code.Points)
	}
	all := func(t *dataset.Dataset) (out []int) {
		for i := range t.Columns {
			out = append(out, i)
		}
		return out
	}
	c := &Content{Files: []string{cp, pp}, Codebook: code.Matrix(all(code)), Pos: pos.Matrix(all(pos)), Said: said}
	c.name(code, all(code))
	return c, c.check(cp)
}

// trained reads a landmark file.
func trained(path string) (*Content, error) {
	in, err := plain.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := landmark.Read(in, path)
	if err != nil {
		return nil, err
	}
	c := &Content{Files: []string{path}, Codebook: f.Set.Codebook, Pos: f.Set.Pos, Names: f.Set.Names,
		Pinned: f.Set.Pinned, Trained: f}
	for _, col := range f.Columns {
		c.Columns, c.Labels = append(c.Columns, col.Name), append(c.Labels, col.Label)
	}
	return c, nil
}

// check says what is wrong with landmarks, before anybody works with them.
func (c *Content) check(path string) error {
	if c.Codebook.Rows == 0 {
		return problem.New(path, "give a file with a row for each landmark", "it has no landmarks")
	}
	if _, err := landmark.New(c.Codebook, c.Pos); err != nil {
		p := problem.As(err)
		return problem.Wrap(err, path, p.Remedy, "%s", p.What)
	}
	return nil
}

// name notes the names of the codebook's columns, if the file has any.
func (c *Content) name(t *dataset.Dataset, cols []int) {
	numbered := true
	for k, i := range cols {
		c.Columns = append(c.Columns, t.Columns[i].Name)
		c.Labels = append(c.Labels, t.Columns[i].Label)
		numbered = numbered && (t.Columns[i].Name == fmt.Sprintf("c%d", i+1) || t.Columns[i].Name == fmt.Sprint(k))
	}
	if numbered {
		c.Columns, c.Labels = nil, nil
	}
}

func table(ctx context.Context, path string) (*dataset.Dataset, error) {
	t, err := format.Open(ctx, path, format.Options{MaxPoints: landmark.MaxLandmarks + 1})
	if err != nil {
		return nil, err
	}
	if t.Points > landmark.MaxLandmarks {
		return nil, problem.New(path, "use fewer landmarks; data is opened by File > Open",
			"it has more than the %d rows that landmarks may have", landmark.MaxLandmarks)
	}
	return t, nil
}

func isLandmarkFile(path string) bool {
	f, err := plain.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := f.Read(head) // nothing is no landmark file
	head = bytes.TrimLeft(head[:n], " \t\r\n\xef\xbb\xbf")
	return bytes.HasPrefix(head, []byte("{"))
}

// placeWords are what columns of positions are called, before their number.
var placeWords = []string{"position", "pos", "embedsom", "x", "map", "dim", "umap", "tsne", "som"}

// placesIn returns the columns that are positions by their names: x, y and z, or a word and a number.
func placesIn(t *dataset.Dataset) []int {
	at := map[string]int{}
	for i := range t.Columns {
		at[strings.ToLower(strings.TrimSpace(t.Columns[i].Name))] = i
	}
	try := func(names ...string) (out []int) {
		for _, n := range names {
			if i, ok := at[n]; ok {
				out = append(out, i)
			}
		}
		if len(out) < 2 {
			return nil
		}
		return out
	}
	for _, w := range placeWords {
		for _, sep := range []string{"", "_", " "} {
			if out := try(w+sep+"1", w+sep+"2", w+sep+"3"); out != nil {
				return out
			}
			if out := try(w+sep+"x", w+sep+"y", w+sep+"z"); out != nil {
				return out
			}
		}
	}
	return try("x", "y", "z")
}

// pairs are the endings of names of codebooks and of positions that belong together.
var pairs = [][2]string{{"_hd", "_2d"}, {"_hd", "_3d"}, {"_hd", "_ld"}, {"-hd", "-ld"}, {"_codebook", "_positions"},
	{".codebook", ".positions"}, {"codebook", "positions"}, {"code", "pos"}}

// partner returns the file beside path that has the other half of landmarks, "" for none.
func partner(path string) string {
	ext := filepath.Ext(path)
	stem := strings.TrimSuffix(path, ext)
	for _, p := range pairs {
		for i := range p {
			if base, ok := strings.CutSuffix(stem, p[i]); ok {
				if other := base + p[1-i] + ext; isFile(other) {
					return other
				}
			}
		}
	}
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// isPlaces says whether a file is one of positions by its name.
func isPlaces(path string) bool {
	stem := strings.ToLower(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)))
	return slices.ContainsFunc([]string{"2d", "3d", "ld", "pos", "positions", "grid", "embed"}, func(w string) bool {
		return strings.HasSuffix(stem, w)
	})
}

func texts(c *dataset.Column) []string {
	out := make([]string, len(c.Values))
	for i, v := range c.Values {
		if k := int(v); v == v && k >= 0 && k < len(c.Categories) {
			out[i] = c.Categories[k]
		}
	}
	return out
}

func names(t *dataset.Dataset, cols []int) (out []string) {
	for _, i := range cols {
		out = append(out, t.Columns[i].Name)
	}
	return out
}

// listed writes names as a sentence does.
func listed(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
