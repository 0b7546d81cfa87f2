package scene

import (
	"context"
	"math"
	"slices"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/derived"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/render/camera"
	"blossom/render/colour"
)

// Map is an embedding of a table, whole in memory, in the order of the table's rows.
type Map struct {
	Data      *dataset.Dataset
	Spec      transform.Spec // for all columns of Data: what points are coloured by is shown as in the map
	Cols      []int          // columns to colour by where none is named: the first of them
	Embedding embedding.Result
	Title     string        // title of the map; "": it is that of the landmarks, or has columns as its axes
	Factors   []float64     // factors that Stretch has multiplied coordinates with; nil: none
	Landmarks *landmark.Set // nil: none
	Graph     *graph.Graph  // over them; nil: edges are those of their net
	Whole     *Whole        // all rows that the points are a sample of; nil: they are none
}

// At returns the map that has two or three columns of a table as its axes, through their transforms; a point without
// a value in one of them has no place. It is a Problem where the columns cannot be axes.
func At(ctx context.Context, data *dataset.Dataset, spec transform.Spec, cols []int) (*Map, error) {
	if err := data.Numbers(cols); err != nil {
		return nil, err
	}
	var names []string
	for _, c := range cols {
		names = append(names, data.Columns[c].Name)
	}
	table := &transform.Table{X: matrix.Matrix32{Rows: data.Points}, Spec: spec}
	recipe := embedding.Columns(names...)
	if err := embedding.Check(recipe, data); err != nil {
		return nil, err
	}
	made, err := embedding.ByID(recipe.Kind).Compute(ctx, embedding.Inputs{Data: data, Table: table}, recipe, nil)
	if err != nil {
		return nil, err
	}
	m := &Map{Data: data, Spec: spec, Embedding: *made}
	placed := 0
	for i := range data.Points {
		if row := m.row(i); slices.ContainsFunc(row, func(x float32) bool { return x != x }) {
			for j := range row {
				row[j] = float32(math.NaN())
			}
			continue
		}
		placed++
	}
	if placed == 0 && data.Points > 0 {
		return nil, problem.New(data.Path, "choose other columns; `blossom info` says how many values each has",
			"no point has a value in all of %s", strings.Join(names, ", "))
	}
	m.stretch()
	return m, nil
}

// Keep takes the places of all points but those of some rows away, nil: of none. They are neither drawn nor counted.
func (m *Map) Keep(rows *selection.Set) {
	if rows == nil {
		return
	}
	m.Embedding.Pos = slices.Clone(m.Embedding.Pos)
	for i := range m.Data.Points {
		if rows.Contains(i) {
			continue
		}
		for axis, row := 0, m.row(i); axis < len(row); axis++ {
			row[axis] = float32(math.NaN())
		}
	}
}

// row is where a point is.
func (m *Map) row(i int) []float32 {
	d := m.Embedding.Dims
	return m.Embedding.Pos[i*d : (i+1)*d]
}

// uneven is how many times longer one axis may be than another before they are drawn equally long: coordinates of
// one kind (a UMAP, two markers) keep their proportions, a marker beside the time does not.
const uneven = 5

// stretch makes the axes equally long where they are too uneven to be seen beside each other.
func (m *Map) stretch() {
	low, high, ok := derived.Core(m.positions())
	if !ok {
		return
	}
	d := m.Embedding.Dims
	least, most := math.Inf(1), 0.0
	for axis := range d {
		if span := high[axis] - low[axis]; span > 0 {
			least, most = min(least, span), max(most, span)
		}
	}
	if !(most > uneven*least) {
		return
	}
	m.Factors = make([]float64, d)
	for axis := range d {
		m.Factors[axis] = 1
		if span := high[axis] - low[axis]; span > 0 {
			m.Factors[axis] = 1 / span
		}
	}
	for i := range m.Embedding.Pos {
		m.Embedding.Pos[i] *= float32(m.Factors[i%d])
	}
}

// positions are those of the map as columns are derived from them: landmarks belong to it.
func (m *Map) positions() derived.Positions {
	p := derived.Positions{Title: m.Title, Dims: m.Embedding.Dims, Pos: m.Embedding.Pos}
	if m.Landmarks.Len() > 0 {
		p.Marks = m.Landmarks.Pos
	}
	return p
}

// core is the part of the map that a picture shows, see derived.Core.
func (m *Map) core() (camera.Bounds, bool) {
	low, high, ok := derived.Core(m.positions())
	return camera.Bounds{Min: camera.Vec{X: low[0], Y: low[1], Z: low[2]},
		Max: camera.Vec{X: high[0], Y: high[1], Z: high[2]}}, ok
}

// Outside counts the points that a picture leaves out because they are far from all others.
func (m *Map) Outside() int {
	box, ok := m.core()
	if !ok {
		return 0
	}
	n := 0
	low := [3]float64{box.Min.X, box.Min.Y, box.Min.Z}
	high := [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
	for i := range m.Data.Points {
		for axis, x := range m.row(i) {
			if v := float64(x); v < low[axis] || v > high[axis] {
				n++
				break
			}
		}
	}
	return n
}

// Words that name no column of the table.
const (
	NoColour  = "none"
	densityID = "density"
)

// values returns what by names, in the given order of points: a column of the table, else one that can be derived
// from the map, by its ID; nil for NoColour. Nothing named is the first column of groups, else the one of Cols
// that tells something, else the density.
func (m *Map) values(ctx context.Context, by string, how transform.Spread, order []int32) (*colour.Values, error) {
	col := -1
	switch i, err := m.Data.Find(by); {
	case by == "":
		col = dataset.Groups(m.Data.Columns, m.Data.Points)
		if col < 0 && len(m.Cols) > 0 {
			col, _ = transform.Telling(m.Data, m.Spec, m.Cols)
		}
		by = densityID
	case strings.EqualFold(by, NoColour):
		return nil, nil
	case err == nil:
		col = i
	case derived.ByID(strings.ToLower(by)) == nil:
		return nil, err
	}
	if col >= 0 {
		return colour.Again(nil, transform.Mixed(m.Data, m.Spec, col), m.Spec.Columns[col], how, order), nil
	}
	kind := derived.ByID(strings.ToLower(by))
	made, err := kind.Column(ctx, derived.Inputs{Data: m.Data, Positions: m.positions()}, nil)
	if err != nil {
		return nil, err
	}
	if len(m.Embedding.Axes) > 0 { // columns, which the axes say
		made.Map = ""
	}
	return colour.Again(nil, &made, kind.Shown, how, order), nil
}
